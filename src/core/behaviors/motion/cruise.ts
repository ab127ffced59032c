import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import { drive, topSpeed } from '../../control/drive.js'
import { scale, vec3 } from '../../math/vec3.js'
import {
  COURSE,
  isUsualSq,
  MASS,
  MAX_FORCE,
  MAX_SPEED,
  RECORD,
  SERVO_TIME,
  SPEED,
  VELOCITY,
  WANTED,
  type AgentBlock,
  type BlockPart,
  type BlockParts,
} from '../../control/agent-block.js'
import { WithDefaults } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'

export interface CruiseOptions extends Options, OptionsOf<typeof Cruise.options> {}
export interface Cruise extends FieldsOf<typeof Cruise.options> {}

const wanted = vec3()

/**
 * Keeps up the agent's speed on its present course. It asks for force along the course only, so it does not
 * turn the agent. From rest the agent flies where its nose points. A flock needs it: alignment alone averages
 * velocities, and a flock that starts in disorder would come to rest (the "cruising speed" of Reynolds,
 * Flocks, Herds, and Schools, 1987; self-propulsion in Vicsek et al. 1995).
 */
export class Cruise extends WithDefaults<CruiseOptions> implements Behavior, BlockPart {
  static readonly type: string = 'Cruise'
  static readonly options = {
    /** Share of `maxSpeed` that is kept, in (0, 1]. Default 1. */
    speedShare: { kind: 'number', above: 0, atMost: 1, default: 1 },
  } as const satisfies AnyTable
  private readonly alone: BlockParts = { parts: [this], weights: [1] }

  steer(agent: Agent, step: Step, out: Wrench): void {
    drive(agent, step, scale(wanted, agent.course.x, this.speedShare * topSpeed(agent)), out.force)
  }

  /** See `Behavior.forBlocks`. @internal */
  forBlocks(): BlockParts | null {
    return this.steer === Cruise.prototype.steer ? this.alone : null
  }

  /** Bit by bit as `steer`. */
  steerBlock({ count, data, isLeft }: AgentBlock, _step: Step, weight: number): void {
    const { speedShare } = this
    for (let i = 0; i < count; i++) {
      const o = RECORD * i
      const most = data[o + MAX_FORCE]!
      const mass = data[o + MASS]!
      const maxSpeed = data[o + MAX_SPEED]!
      const speed = speedShare * (maxSpeed < Infinity ? maxSpeed : data[o + SPEED]! + most / mass)
      const gain = mass / data[o + SERVO_TIME]!
      const x = (data[o + COURSE]! * speed - data[o + VELOCITY]!) * gain
      const y = (data[o + COURSE + 1]! * speed - data[o + VELOCITY + 1]!) * gain
      const z = (data[o + COURSE + 2]! * speed - data[o + VELOCITY + 2]!) * gain
      const sq = x * x + y * y + z * z
      if (!isUsualSq(sq, x, y, z)) isLeft[i] = 1
      const size = Math.sqrt(sq)
      const share = size > most ? most / size : 1
      data[o + WANTED]! += x * share * weight
      data[o + WANTED + 1]! += y * share * weight
      data[o + WANTED + 2]! += z * share * weight
    }
  }
}
