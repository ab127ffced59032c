import type { Agent, Behavior, SnapshotState, Step, Wrench } from '../../types.js'
import { drive, topSpeed } from '../../control/drive.js'
import { vectorToWorld } from '../../math/frame.js'
import { gaussian } from '../../math/random.js'
import { normalize, scale, set, vec3 } from '../../math/vec3.js'
import { Memory } from '../../control/memory.js'
import { type OptionTable, readOptions } from '../../math/options.js'

export interface WanderOptions {
  /**
   * Radius of the sphere on which the target wanders (> 0, in the unit of `distance`). Larger turns more.
   * Default 1.
   */
  radius?: number
  /**
   * Distance of the sphere ahead (≥ 0, dimensionless: only its ratio to `radius` counts). Larger flies
   * straighter; below `radius` the agent may turn back. Default 2.
   */
  distance?: number
  /** How far the target wanders on its sphere (rad per √s, ≥ 0). Default 1. */
  jitter?: number
  /** Share of `maxSpeed` at which the agent wanders, in (0, 1]. Default 1. */
  speedShare?: number
}

const target = vec3()

/**
 * Wanders about: steers to a point that moves randomly on a sphere ahead of the agent (Green, Wander;
 * Reynolds 1999). It uses the carried course frame, so it works in three dimensions without a preferred up
 * direction. The random step scales with √dt, so the motion is alike at every step rate. Each agent draws
 * from its own seeded stream.
 */
export class Wander implements Behavior {
  static readonly type: string = 'Wander'
  static readonly options = {
    radius: { kind: 'number', above: 0, default: 1 },
    // In default radii, so that the agent does not turn back. Chosen by hand.
    distance: { kind: 'number', atLeast: 0, default: 2 },
    jitter: { kind: 'number', unit: 'rad per √s', atLeast: 0, default: 1 },
    speedShare: { kind: 'number', above: 0, atMost: 1, default: 1 },
  } satisfies OptionTable<WanderOptions>
  radius!: number
  distance!: number
  jitter!: number
  speedShare!: number
  /** Unit vector from the centre of the sphere to the target, in the course frame. */
  private readonly memory = new Memory(3)
  readonly state: SnapshotState = [this.memory]

  /** @throws RangeError naming the option. */
  constructor(options: WanderOptions = {}) {
    Object.assign(this, readOptions('Wander', Wander.options, options))
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const offset = this.memory.at(agent)
    const { data, fresh } = this.memory
    // The first target may be anywhere on the sphere. The zero vector plus any random one does that.
    const kick = fresh ? 1 : this.jitter * Math.sqrt(step.dt)
    set(target, data[offset]!, data[offset + 1]!, data[offset + 2]!)
    target.x += kick * gaussian(agent.random(), agent.random())
    target.y += kick * gaussian(agent.random(), agent.random())
    target.z += kick * gaussian(agent.random(), agent.random())
    normalize(target, target)
    data[offset] = target.x
    data[offset + 1] = target.y
    data[offset + 2] = target.z
    scale(target, target, this.radius)
    target.x += this.distance
    normalize(target, target)
    scale(target, vectorToWorld(target, agent.course, target), this.speedShare * topSpeed(agent))
    drive(agent, step, target, out.force)
  }
}
