import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import { smoothstep } from '../../math/scalar.js'
import { addScaled, isFiniteVec, length, sub, vec3 } from '../../math/vec3.js'
import {
  MAX_FORCE,
  isUsualSq,
  POSITION,
  RECORD,
  WANTED,
  type AgentBlock,
  type BlockPart,
  type BlockParts,
} from '../../control/agent-block.js'
import { isGone, pointAt, requirePoint, steadyPoint } from '../../control/target.js'
import { readOptions } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'

export interface TetherOptions extends Options, OptionsOf<typeof Tether.options> {}
export interface Tether extends FieldsOf<typeof Tether.options> {}

const offset = vec3()

/**
 * Holds an agent near a place by a line that is slack within a radius, and pulls harder the farther out the
 * agent is: the roost of a flock, the centre of a wanderer's region. The force is smooth (UnitySteer,
 * SteerForTether, switches to a full seek at the radius).
 */
export class Tether implements Behavior, BlockPart {
  static readonly type: string = 'Tether'
  static readonly options = {
    /** Centre of the region in which the agent may roam: a roost, a leader, the centre of the flock. */
    target: { kind: 'point', required: true, check: requirePoint },
    /** Within this distance of the centre there is no force (m, ≥ 0). */
    radius: { kind: 'number', required: true, unit: 'm', atLeast: 0 },
    /**
     * Width over which the pull grows from 0 at `radius` to its full value (m, > 0). Larger is gentler.
     * Default `radius` / 2, or 1.
     */
    fadeWidth: { kind: 'number', unit: 'm', above: 0 },
    /** Full pull as a share of `maxForce` (dimensionless, finite). Default 1. */
    weight: { kind: 'number', default: 1 },
  } as const satisfies AnyTable
  fadeWidth!: number
  /** The place of the target in this step, for blocks of agents. */
  private readonly center = vec3()
  private readonly alone: BlockParts = { parts: [this], weights: [1] }

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: TetherOptions) {
    const read = readOptions('Tether', Tether.options, options)
    Object.assign(this, read, { fadeWidth: read.fadeWidth ?? (read.radius / 2 || 1) })
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    pointAt(offset, this.target, agent)
    const distance = length(sub(offset, offset, agent.position))
    if (!(distance > this.radius)) return
    // The force and its slope have no jump at either end.
    const pull = smoothstep((distance - this.radius) / this.fadeWidth, 0, 1)
    addScaled(out.force, out.force, offset, (this.weight * agent.maxForce * pull) / distance)
  }

  /** See `Behavior.forBlocks`. @internal */
  forBlocks(): BlockParts | null {
    if (this.steer !== Tether.prototype.steer || !steadyPoint(this.center, this.target)) return null
    return isFiniteVec(this.center) ? this.alone : null
  }

  /** Bit by bit as `steer`. */
  steerBlock({ count, data, isLeft }: AgentBlock, _step: Step, weight: number): void {
    const { center, fadeWidth, radius } = this
    for (let i = 0; i < count; i++) {
      const o = RECORD * i
      const x = center.x - data[o + POSITION]!
      const y = center.y - data[o + POSITION + 1]!
      const z = center.z - data[o + POSITION + 2]!
      const sq = x * x + y * y + z * z
      if (!isUsualSq(sq, x, y, z)) isLeft[i] = 1
      const distance = Math.sqrt(sq)
      if (!(distance > radius)) continue
      const pull = smoothstep((distance - radius) / fadeWidth, 0, 1)
      const k = (this.weight * data[o + MAX_FORCE]! * pull) / distance
      data[o + WANTED]! += x * k * weight
      data[o + WANTED + 1]! += y * k * weight
      data[o + WANTED + 2]! += z * k * weight
    }
  }
}
