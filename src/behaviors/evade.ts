import type { Agent, Behavior, Moving, Step, Wrench } from '../types.js'
import { topSpeed } from '../control/drive.js'
import { addScaled, distance, length, vec3 } from '../math/vec3.js'
import { requireNumber } from '../math/require.js'
import { requireMoving } from './support/target.js'
import { fleePoint } from './support/seek.js'

export interface EvadeOptions {
  /** Whom to escape. */
  threat: Moving
  /** Only when it is nearer than this, m, > 0. Default Infinity. */
  panicRadius?: number
  /** No look-ahead beyond this, s, > 0. Default 2. */
  maxTime?: number
}

const meeting = vec3()

/**
 * Flies from where the threat will be when the two could meet (Green, Pursue and Evade: the opposite of pursuit; time by the course
 * deck: gap over the sum of both speeds).
 */
export class Evade implements Behavior {
  threat: Moving
  panicRadius: number
  maxTime: number

  /** @throws TypeError / RangeError naming the option. */
  constructor({ threat, panicRadius = Infinity, maxTime = 2 }: EvadeOptions) {
    this.threat = requireMoving('Evade.threat', threat)
    this.panicRadius = requireNumber('Evade.panicRadius', panicRadius, 0, true)
    this.maxTime = requireNumber('Evade.maxTime', maxTime, 0, true)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { threat } = this
    const gap = distance(threat.position, agent.position)
    if (gap >= this.panicRadius && this.panicRadius < Infinity) return
    // not gap / pace: a threat that flies straight at the agent would then be predicted right on top of it
    const time = Math.min(gap / (length(threat.velocity) + topSpeed(agent)), this.maxTime)
    fleePoint(agent, step, addScaled(meeting, threat.position, threat.velocity, time), out.force)
  }
}
