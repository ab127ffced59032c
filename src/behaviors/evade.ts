import type { Agent, Behavior, Moving, Step, Wrench } from '../types.js'
import { topSpeed } from '../control/drive.js'
import { addScaled, distance, length, vec3 } from '../math/vec3.js'
import { requireFinite, requireNumber } from '../math/require.js'
import { turnInside } from './support/escape-turn.js'
import { thrustAlong } from './support/intercept.js'
import { fleePoint } from './support/seek.js'
import { requireMoving } from './support/target.js'

/**
 * How a threat is escaped.
 * - `turn-inside`: one that is slower, or as fast, is fled; one that is faster is let come near, and then turned away from, inside of
 *   its turning circle.
 * - `flee`: Green's: straight away from where the two could meet. A faster threat gets it in the end.
 */
export type Escape = 'turn-inside' | 'flee'

export const ESCAPES: readonly Escape[] = ['turn-inside', 'flee']

export interface EvadeOptions {
  /** Whom to escape. */
  threat: Moving
  /** Only when it is nearer than this, m, > 0. Default Infinity. */
  panicRadius?: number
  /** No look-ahead beyond this when it flees, s, > 0. Default 2. */
  maxTime?: number
  /** Default `turn-inside`: fleeing never escapes from a faster one, and the two are the same before all others. */
  method?: Escape
  /** How hard the threat is thought to turn, as a share of the agent's own maxForce / mass, dimensionless, ≥ 0. Larger dodges later, and not at all from what turns as hard. Default 0.7. */
  grip?: number
  /** Distance of the two at which it is caught, m, > 0. Default twice the agent's radius. */
  catchRadius?: number | null
}

/**
 * Of 0.5, 0.6, 0.7, 0.8 and 1 the one with which most escaped in the trials it was chosen on, from threats whose circle is two to four times
 * as wide; in others, 95 % do (test/acceptance/pursuit.test.ts).
 */
const DEFAULT_GRIP = 0.7

const meeting = vec3()
const way = vec3()
const odds = { reach: 0, power: 0, top: 0, grip: 0, swift: 0 }

/**
 * Flies from where the threat will be when the two could meet (Green, Pursue and Evade: the opposite of pursuit; time by the course
 * deck: gap over the sum of both speeds). From a threat that is faster, but turns wider, it turns away at the last moment: see
 * {@link Escape}. That looks two seconds ahead, at some 30 directions, while the threat is about to arrive, and costs nothing before.
 */
export class Evade implements Behavior {
  static readonly type: string = 'Evade'
  threat: Moving
  panicRadius: number
  maxTime: number
  method: Escape
  grip: number
  catchRadius: number | null

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: EvadeOptions) {
    const {
      threat,
      panicRadius = Infinity,
      maxTime = 2,
      method = 'turn-inside',
      grip = DEFAULT_GRIP,
      catchRadius = null,
    } = options
    if (!ESCAPES.includes(method))
      throw new RangeError(`Evade.method: got '${method}', allowed are '${ESCAPES.join(`', '`)}'`)
    this.threat = requireMoving('Evade.threat', threat)
    this.panicRadius = requireNumber('Evade.panicRadius', panicRadius, 0, true)
    this.maxTime = requireNumber('Evade.maxTime', maxTime, 0, true)
    this.method = method
    this.grip = requireFinite('Evade.grip', grip, 0, false)
    this.catchRadius = catchRadius === null ? null : requireFinite('Evade.catchRadius', catchRadius, 0, true)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { threat } = this
    const gap = distance(threat.position, agent.position)
    if (gap >= this.panicRadius && this.panicRadius < Infinity) return
    const top = topSpeed(agent)
    const swift = length(threat.velocity)
    if (this.method === 'turn-inside' && swift > top && gap > 0) {
      odds.reach = this.catchRadius ?? 2 * agent.radius
      odds.power = agent.maxForce / agent.mass
      odds.top = top
      odds.grip = this.grip * odds.power
      odds.swift = swift
      thrustAlong(agent, step, turnInside(way, agent, threat, odds), top, out.force)
      return
    }
    // not gap / pace: a threat that flies straight at the agent would then be predicted right on top of it
    const time = Math.min(gap / (swift + top), this.maxTime)
    fleePoint(agent, step, addScaled(meeting, threat.position, threat.velocity, time), out.force)
  }
}
