import type { Agent, Behavior, SnapshotState, Step, Wrench } from '../../types.js'
import { drive, servoTime, topSpeed } from '../../control/drive.js'
import { vectorToLocal, vectorToWorld } from '../../math/frame.js'
import { gaussian } from '../../math/random.js'
import { add, isZero, normalize, reject, scale, set, vec3 } from '../../math/vec3.js'
import { BLOCK, type AgentBlock, type BlockPart, type BlockParts } from '../../control/agent-block.js'
import { Memory } from '../../control/memory.js'
import { requireVector } from '../../math/require.js'
import { lead, steerWanderers, turnTimeOf } from './wander-block.js'
import { requireNoise } from './perlin-noise.js'
import { WithDefaults } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'

export interface WanderOptions extends Options, OptionsOf<typeof Wander.options> {}
export interface Wander extends FieldsOf<typeof Wander.options> {}

const target = vec3()
const noiseHere = vec3()
const normal = vec3()
const kicks = new Float64Array(3)
/** Of the present agent: the speed at which it wanders (m/s), and its `turnTime` (s). */
const pace = { speed: 0.5, turnTime: 0.5 }

/**
 * Wanders about: steers to a point that moves randomly on a sphere ahead of the agent (Green, Wander;
 * Reynolds 1999). It uses the carried course frame, so it works in three dimensions without a preferred up
 * direction. Each agent draws from its own seeded stream. Departures:
 * - The papers use the direction to the point as the force, so that the agility of the vehicle decides how
 *   fast it turns. Here the agent turns towards the point within `turnTime`, whatever its servo and force.
 * - The random step scales with √dt, so the motion is alike at every step rate.
 */
export class Wander extends WithDefaults<WanderOptions> implements Behavior, BlockPart {
  static readonly type: string = 'Wander'
  static readonly options = {
    /**
     * Radius of the sphere on which the target wanders (> 0, in the unit of `distance`). Larger turns more.
     * Default 1.
     */
    radius: { kind: 'number', above: 0, default: 1 },
    /**
     * Distance of the sphere ahead (≥ 0, dimensionless: only its ratio to `radius` counts). Larger flies
     * straighter; below `radius` the agent may turn back. Default 2.
     */
    // In default radii, so that the agent does not turn back. Chosen by hand.
    distance: { kind: 'number', atLeast: 0, default: 2 },
    /**
     * How far the centre of the sphere lies aside, in the carried course frame (x ahead, y up, z to
     * starboard), in the unit of `distance`. It biases the steering to one side, for spirals (Green, Wander).
     * Default none.
     */
    offset: { kind: 'vector', check: requireVector },
    /** How far the target wanders on its sphere within `turnTime` (rad, ≥ 0). Default 1. */
    jitter: { kind: 'number', unit: 'rad', atLeast: 0, default: 1 },
    /**
     * Time (s, ≥ 0) in which the agent turns towards the target: its turn rate is the sine of the angle to
     * the target divided by this time. A longer time turns less and less often: the path keeps its form, and
     * grows with `turnTime` and the speed. No shorter than `responseTime`. Default 1, or the time in which
     * the force of the agent reaches its speed, if that is longer.
     */
    turnTime: { kind: 'number', unit: 's', atLeast: 0 },
    /**
     * Noise keyed on the agent's position in space (Green, Wander: "filter the randomness by using some
     * frequency of Perlin noise"). The target is then `radius` times the noise away from the centre of the
     * sphere, instead of on the sphere at random; `jitter` has no effect. Default none.
     */
    noise: { kind: 'instance', check: requireNoise },
    /** Share of `maxSpeed` at which the agent wanders, in (0, 1]. Default 1. */
    speedShare: { kind: 'number', above: 0, atMost: 1, default: 1 },
  } as const satisfies AnyTable
  /** Unit vector from the centre of the sphere to the target, in the course frame. */
  private readonly memory = new Memory(3)
  readonly state: SnapshotState = [this.memory]
  /** New targets of a block of agents. */
  private next: Float64Array | null = null
  private readonly owner = { id: 0, slot: 0, generation: 0 }
  private readonly alone: BlockParts = { parts: [this], weights: [1] }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { noise, offset, radius } = this
    pace.speed = this.speedShare * topSpeed(agent)
    const time = servoTime(agent, step)
    pace.turnTime = turnTimeOf(this, pace.speed, agent.maxForce / agent.mass, time)
    if (noise === undefined) this.moveOnSphere(agent, step)
    else vectorToLocal(target, agent.course, noise.sample(noiseHere, agent.position))
    scale(target, target, radius)
    target.x += this.distance
    if (offset !== undefined) add(target, target, offset)
    normalize(target, target)
    // on a line there is no turn
    if (isZero(agent.axis)) target.x += lead(pace.turnTime, time, agent.speed / pace.speed)
    stayInPlane(agent)
    normalize(target, target)
    scale(target, vectorToWorld(target, agent.course, target), pace.speed)
    drive(agent, step, target, out.force)
  }

  /** See `Behavior.forBlocks`. @internal */
  forBlocks(): BlockParts | null {
    if (this.steer !== Wander.prototype.steer || this.noise !== undefined) return null
    this.next ??= new Float64Array(3 * BLOCK)
    return this.alone
  }

  steerBlock(block: AgentBlock, step: Step, weight: number): void {
    steerWanderers(this.next!, this.memory, this, block, step, weight)
  }

  keepBlock({ count, generation, isLeft, slot }: AgentBlock): void {
    const { memory, owner } = this
    const next = this.next!
    for (let i = 0; i < count; i++) {
      if (isLeft[i] === 1) continue
      owner.slot = slot[i]!
      owner.generation = generation[i]!
      const offset = memory.at(owner)
      const { data } = memory
      data[offset] = next[3 * i]!
      data[offset + 1] = next[3 * i + 1]!
      data[offset + 2] = next[3 * i + 2]!
    }
  }

  /** Moves the target at random on the unit sphere, and writes it in the course frame. */
  private moveOnSphere(agent: Agent, step: Step): void {
    const offset = this.memory.at(agent)
    const { data, fresh } = this.memory
    // The first target may be anywhere on the sphere. The zero vector plus any random one does that.
    const kick = fresh ? 1 : this.jitter * Math.sqrt(step.dt / pace.turnTime)
    set(target, data[offset]!, data[offset + 1]!, data[offset + 2]!)
    // in a loop, so that V8 inlines the calls, and boxes no number
    for (let k = 0; k < 3; k++) kicks[k] = kick * gaussian(agent.random(), agent.random())
    target.x += kicks[0]!
    target.y += kicks[1]!
    target.z += kicks[2]!
    stayInPlane(agent)
    normalize(target, target)
    data[offset] = target.x
    data[offset + 1] = target.y
    data[offset + 2] = target.z
  }
}

/** Removes the part of the target, in the course frame, along the normal of the agent's plane. */
function stayInPlane({ course, plane }: Agent): void {
  if (!isZero(plane)) reject(target, target, vectorToLocal(normal, course, plane))
}
