import type { Agent, Behavior, Moving, Step, Wrench } from '../types.js'
import { addScaled, distance, length, vec3 } from '../math/vec3.js'
import { requireMoving, requireRange } from './support/target.js'
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

/** Flies from where the threat will be when it could be here (Green, Pursue and Evade: the opposite of pursuit). */
export class Evade implements Behavior {
  threat: Moving
  panicRadius: number
  maxTime: number

  /** @throws TypeError / RangeError naming the option. */
  constructor({ threat, panicRadius = Infinity, maxTime = 2 }: EvadeOptions) {
    this.threat = requireMoving('Evade.threat', threat)
    this.panicRadius = requireRange('Evade.panicRadius', panicRadius, 0, true)
    this.maxTime = requireRange('Evade.maxTime', maxTime, 0, true)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { threat } = this
    const gap = distance(threat.position, agent.position)
    if (gap >= this.panicRadius && this.panicRadius < Infinity) return
    const pace = length(threat.velocity)
    const time = pace > 0 ? Math.min(gap / pace, this.maxTime) : 0
    fleePoint(agent, step, addScaled(meeting, threat.position, threat.velocity, time), out.force)
  }
}
