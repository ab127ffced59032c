import type { Agent, Behavior, PointSource, Step, Wish, Wrench } from '../../types.js'
import { servoGain } from '../../control/drive.js'
import { collectWish, makeWish } from '../../control/wish.js'
import { requireBehavior, requireFinite, requireNumber } from '../../math/require.js'
import { smoothstep } from '../../math/scalar.js'
import { addScaled, copy, isZero, normalize, truncate, vec3 } from '../../math/vec3.js'
import { density } from './crowd.js'
import { pointAt, requirePoint } from '../../control/target.js'

export interface SlowInCrowdOptions {
  /** What to do, slower where it is crowded. */
  behavior: Behavior
  /** Radius (m) of the ball in which others count, > 0. Larger slows earlier and for fewer of them. */
  radius: number
  /** Where others count: the next waypoint, the door. Default a ball right ahead, touching the agent's centre. */
  target?: PointSource
  /** Share of the wanted speed that is left in the densest crowd, in (0, 1]. Default 0.25. */
  minSpeedShare?: number
  /** Density of full effect, dimensionless, > 0: areas of the others over that of the ball. Default 1. */
  fullDensity?: number
  /** Others whose surface is within this distance (m) of the agent are known, > 0. Default 3 · radius. */
  neighborDistance?: number
}

/** Never nothing: who stands still for a crowd is the crowd. */
const DEFAULT_LEAST = 0.25

/** The ball ahead ends at two radii; a place of its own is to be known a radius before. */
const RANGE = 3

const wanted = vec3()
const point = vec3()

/**
 * Goes slower where it is crowded (Green, Steering Behaviours: "you might like to scale the speed of a vehicle w.r.t. the density of
 * vehicles around the current waypoint … increase the pressure and the speed of movement decreases"; pedestrian research calls the relation the
 * fundamental diagram, Weidmann 1993). The speed the inner behaviour wants is scaled, from 1 without others to `minSpeedShare` at density
 * `fullDensity`, without a step; its direction, its torque and the goal it tells of are left alone. As part of a wish in `within` or alone.
 */
export class SlowInCrowd implements Behavior {
  static readonly type: string = 'SlowInCrowd'
  readonly children: Behavior[]
  radius: number
  target: PointSource | undefined
  minSpeedShare: number
  fullDensity: number
  neighborDistance: number | undefined
  private readonly innerWish: Wish = makeWish()

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: SlowInCrowdOptions) {
    const {
      behavior,
      radius,
      target,
      minSpeedShare = DEFAULT_LEAST,
      fullDensity = 1,
      neighborDistance,
    } = options
    this.children = [requireBehavior('SlowInCrowd.behavior', behavior)]
    this.radius = requireFinite('SlowInCrowd.radius', radius, 0, true)
    this.target = target === undefined ? undefined : requirePoint('SlowInCrowd.target', target)
    this.minSpeedShare = requireNumber('SlowInCrowd.minSpeedShare', minSpeedShare, 0, true, 1)
    this.fullDensity = requireFinite('SlowInCrowd.fullDensity', fullDensity, 0, true)
    this.neighborDistance =
      neighborDistance === undefined
        ? undefined
        : requireFinite('SlowInCrowd.neighborDistance', neighborDistance, 0, true)
  }

  /** What is slowed. */
  get behavior(): Behavior {
    return this.children[0]!
  }

  set behavior(behavior: Behavior) {
    this.children[0] = behavior
  }

  get reach(): number {
    return this.neighborDistance ?? RANGE * this.radius
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { innerWish: heard, radius, target } = this
    // the whole of what is wanted must be known, not what a cut force leaves of it
    collectWish(agent, step, this.behavior, heard, out, wanted)
    agent.explainer?.grant(out, 1, 1)
    if (target === undefined) {
      normalize(point, wanted)
      if (isZero(point)) copy(point, agent.course.x)
      addScaled(point, agent.position, point, radius)
    } else pointAt(point, target, agent)
    const much = smoothstep(density(agent, point, radius), 0, this.fullDensity)
    addScaled(out.force, out.force, wanted, -(1 - this.minSpeedShare) * much * servoGain(agent, step))
    if (agent.wish === null) truncate(out.force, out.force, agent.maxForce)
  }
}
