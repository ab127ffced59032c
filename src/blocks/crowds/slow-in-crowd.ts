import type { Agent, Behavior, NeighborSearch, Step, Wish, Wrench } from '../../core/types.js'
import { neighborSearch } from '../../core/neighbors/neighbor-search.js'
import { servoGain } from '../../core/control/drive.js'
import { collectWish, makeWish } from '../../core/control/wish.js'
import { requireBehavior } from '../../core/math/require.js'
import { smoothstep } from '../../core/math/scalar.js'
import { addScaled, copy, isZero, normalize, truncate, vec3 } from '../../core/math/vec3.js'
import { density } from '../../core/behaviors/avoidance/crowd.js'
import { isGone, pointAt, requirePoint } from '../../core/control/target.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface SlowInCrowdOptions extends Options, OptionsOf<typeof SlowInCrowd.options> {}
export interface SlowInCrowd extends FieldsOf<typeof SlowInCrowd.options> {}

/**
 * Neighbours are looked for within this many radii of the ball. The ball ahead ends at two radii, and agents
 * near a given place must be known one radius before.
 */
const NEIGHBOR_RADII = 3

const wanted = vec3()
const point = vec3()

/**
 * Slows the agent where it is crowded (Green, Steering Behaviours: "you might like to scale the speed of a
 * vehicle w.r.t. the density of vehicles around the current waypoint … increase the pressure and the speed of
 * movement decreases"; pedestrian research calls the relation the fundamental diagram, Weidmann 1993). The
 * wanted speed of the inner behaviour is scaled continuously, from 1 without others to `minSpeedShare` at
 * density `fullDensity`. Its direction, torque and goal are left unchanged. Use it as part of a wish in
 * `within`, or alone.
 */
export class SlowInCrowd implements Behavior {
  static readonly type: string = 'SlowInCrowd'
  static readonly options = {
    /** Behaviour whose wanted speed is reduced where it is crowded. */
    behavior: { kind: 'instance', required: true, check: requireBehavior },
    /**
     * Radius (m) of the ball in which others count, > 0. With a larger radius the agent slows earlier, and
     * each of the others counts less.
     */
    radius: { kind: 'number', required: true, unit: 'm', above: 0 },
    /**
     * Place where others count: the next waypoint, a door. Default a ball directly ahead that touches the
     * agent's centre.
     */
    target: { kind: 'point', check: requirePoint },
    /** Share of the wanted speed that remains in the densest crowd, in (0, 1]. Default 0.25. */
    // Not zero, because an agent that stands still for a crowd makes the crowd. Chosen by hand.
    minSpeedShare: { kind: 'number', above: 0, atMost: 1, default: 0.25 },
    /**
     * Density of full effect, dimensionless, > 0: areas of the others over that of the ball. Default 1.
     * Larger values slow less.
     */
    // The others fill the ball.
    fullDensity: { kind: 'number', above: 0, default: 1 },
    /**
     * Agents whose surface is within this distance (m) of the agent are considered, > 0. Default 3 · radius.
     */
    neighborDistance: { kind: 'number', unit: 'm', above: 0 },
  } as const satisfies AnyTable
  readonly neighborSearch: NeighborSearch = neighborSearch
  readonly children: Behavior[]
  private readonly innerWish: Wish = makeWish()

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: SlowInCrowdOptions) {
    const { behavior, ...read } = readOptions('SlowInCrowd', SlowInCrowd.options, options)
    this.children = [behavior]
    Object.assign(this, read)
  }

  /** The behaviour that is slowed. */
  get behavior(): Behavior {
    return this.children[0]!
  }

  set behavior(behavior: Behavior) {
    this.children[0] = behavior
  }

  get reach(): number {
    return this.neighborDistance ?? NEIGHBOR_RADII * this.radius
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { innerWish, radius, target } = this
    // the complete wanted velocity must be known, not the part that a truncated force leaves of it
    collectWish(agent, step, this.behavior, innerWish, out, wanted)
    agent.explainer?.grant(out, 1, 1)
    if (target === undefined || isGone(agent, step, this, target)) {
      normalize(point, wanted)
      if (isZero(point)) copy(point, agent.course.x)
      addScaled(point, agent.position, point, radius)
    } else pointAt(point, target, agent)
    const effect = smoothstep(density(agent, point, radius), 0, this.fullDensity)
    addScaled(out.force, out.force, wanted, -(1 - this.minSpeedShare) * effect * servoGain(agent, step))
    if (agent.wish === null) truncate(out.force, out.force, agent.maxForce)
  }
}
