import type { Step } from '../types.js'
import {
  ANGULAR_VELOCITY,
  AgentBlock,
  AXES,
  BLOCK,
  COMPENSATE_GRAVITY,
  COURSE,
  GIVEN,
  GRAVITY,
  INERTIA,
  MASS,
  MAX_FORCE,
  MAX_SPEED,
  MAX_TORQUE,
  MAX_TURN_RATE,
  ORIENTATION,
  POSITION,
  PRINCIPAL,
  RECORD,
  SERVO_TIME,
  SPEED,
  VELOCITY,
  WANTED,
  type BlockLocomotion,
  type BlockParts,
} from '../control/agent-block.js'
import { servoTime } from '../control/drive.js'
import * as T from '../engine/agents.js'
import type { Agents, Binding } from '../engine/agents.js'

/**
 * Steers the agents of flocks in blocks, where all parts of their tree and their locomotion can do that: bit
 * by bit as the steering one by one, which is left all that is rare.
 */
export class BlockSteering {
  private readonly block = new AgentBlock()
  private readonly agents: Agents
  private readonly servo = { responseTime: 0.5 }

  constructor(agents: Agents) {
    this.agents = agents
  }

  /**
   * Steers the agents of `binding` in the order of `rows`. Writes what they want and are given into their
   * columns, and 1 into `steered` for their rows.
   */
  steer(
    binding: Binding,
    rows: ArrayLike<number>,
    count: number,
    observed: ReadonlyMap<number, unknown>,
    worldSeed: number,
    step: Step,
    steered: Uint8Array,
  ): void {
    const { agents, block } = this
    const flight = (binding.locomotion.forBlocks?.() ?? null) as BlockLocomotion | null
    const parts = flight === null ? null : partsOf(binding, step)
    if (flight === null || parts === null) return
    block.worldSeed = worldSeed
    block.count = 0
    // computes the attitudes that are not computed yet
    void agents.orientation
    this.collect(binding, rows, count, observed, parts, flight, step, steered)
    this.finish(parts, flight, step, steered)
  }

  /**
   * Takes the agents into blocks, and steers all but the last block. There is no code behind its loop, see
   * `SortedAgents.survey`.
   */
  private collect(
    binding: Binding,
    rows: ArrayLike<number>,
    count: number,
    observed: ReadonlyMap<number, unknown>,
    parts: BlockParts,
    flight: BlockLocomotion,
    step: Step,
    steered: Uint8Array,
  ): void {
    const { agents, block } = this
    const { lost, slot } = agents
    for (let n = 0; n < count; n++) {
      const row = rows[n]!
      if (agents.binding[row] !== binding || lost[row] === 1 || steered[row] === 1) continue
      if (observed.size > 0 && observed.has(slot[row]!)) continue
      if (!isFree(agents, row)) continue
      this.load(row, step)
      if (block.count === BLOCK) this.finish(parts, flight, step, steered)
    }
  }

  /** Steers the agents of the block, and empties it. */
  private finish(
    { parts, weights }: BlockParts,
    flight: BlockLocomotion,
    step: Step,
    steered: Uint8Array,
  ): void {
    const { block } = this
    const { count, data, isLeft, row: rows } = block
    const { given, wanted } = this.agents
    isLeft.fill(0)
    for (let p = 0; p < parts.length; p++) parts[p]!.steerBlock(block, step, weights[p]!)
    flight.actuateBlock(block, step)
    for (let i = 0; i < count; i++) {
      const from = RECORD * i
      const w = 6 * rows[i]!
      let sum = 0
      for (let k = 0; k < 3; k++) {
        const force = data[from + WANTED + k]!
        wanted[w + k] = force
        wanted[w + 3 + k] = 0
        sum += force
      }
      for (let k = 0; k < 6; k++) {
        const value = data[from + GIVEN + k]!
        given[w + k] = value
        sum += value
      }
      // one that is not finite is reported by the steering one by one
      if (!(Math.abs(sum) < Infinity)) isLeft[i] = 1
      if (isLeft[i] === 0) steered[rows[i]!] = 1
    }
    for (let p = 0; p < parts.length; p++) parts[p]!.keepBlock?.(block)
    block.count = 0
  }

  /** Appends the agent in `row` to the block. */
  private load(row: number, step: Step): void {
    const { agents, block } = this
    const { angularVelocity, axes, course, gravity, orientation, position, traits, velocity } = agents
    const i = block.count++
    const { data } = block
    const o = RECORD * i
    const t = T.TRAITS * row
    block.row[i] = row
    block.slot[i] = agents.slot[row]!
    block.generation[i] = agents.generation[agents.slot[row]!]!
    block.seed[i] = agents.seed[row]!
    for (let k = 0; k < 3; k++) {
      data[o + POSITION + k] = position[3 * row + k]!
      data[o + VELOCITY + k] = velocity[3 * row + k]!
      data[o + GRAVITY + k] = gravity[3 * row + k]!
      data[o + ANGULAR_VELOCITY + k] = angularVelocity[3 * row + k]!
      data[o + INERTIA + k] = traits[t + T.INERTIA + k]!
      data[o + WANTED + k] = 0
    }
    for (let k = 0; k < 4; k++) {
      data[o + ORIENTATION + k] = data[o + PRINCIPAL + k] = orientation[4 * row + k]!
      data[o + AXES + k] = axes[4 * row + k]!
    }
    for (let k = 0; k < 6; k++) data[o + COURSE + k] = course[6 * row + k]!
    const c = o + COURSE
    data[c + 6] = data[c + 1]! * data[c + 5]! - data[c + 2]! * data[c + 4]!
    data[c + 7] = data[c + 2]! * data[c + 3]! - data[c]! * data[c + 5]!
    data[c + 8] = data[c]! * data[c + 4]! - data[c + 1]! * data[c + 3]!
    const x = data[o + VELOCITY]!
    const y = data[o + VELOCITY + 1]!
    const z = data[o + VELOCITY + 2]!
    data[o + SPEED] = Math.sqrt(x * x + y * y + z * z)
    data[o + MASS] = traits[t + T.MASS]!
    data[o + MAX_FORCE] = traits[t + T.MAX_FORCE]!
    data[o + MAX_SPEED] = traits[t + T.MAX_SPEED]!
    data[o + MAX_TORQUE] = traits[t + T.MAX_TORQUE]!
    data[o + MAX_TURN_RATE] = traits[t + T.MAX_TURN_RATE]!
    this.servo.responseTime = traits[t + T.RESPONSE_TIME]!
    data[o + SERVO_TIME] = servoTime(this.servo, step)
    data[o + COMPENSATE_GRAVITY] = traits[t + T.COMPENSATE_GRAVITY]!
  }
}

function partsOf({ behavior }: Binding, step: Step): BlockParts | null {
  try {
    return (behavior.forBlocks?.(step) ?? null) as BlockParts | null
  } catch {
    // a part that throws is reported by the steering one by one
    return null
  }
}

/** Whether an agent is locked to nothing, and its principal axes of inertia are those of the model. */
function isFree({ axis, inertiaFrame, plane }: Agents, row: number): boolean {
  const p = 3 * row
  for (let k = 0; k < 3; k++)
    if (plane[p + k] !== 0 || axis[p + k] !== 0 || inertiaFrame[4 * row + k] !== 0) return false
  return true
}
