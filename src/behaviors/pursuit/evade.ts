import type { Agent, Behavior, SnapshotState, Moving, Step, Wrench } from '../../types.js'
import { Memory } from '../../control/memory.js'
import { topSpeed } from '../../control/drive.js'
import { addScaled, distance, length, load, save, vec3 } from '../../math/vec3.js'
import { requireFinite, requireNumber } from '../../math/require.js'
import { turnInside } from './escape-turn.js'
import { thrustAlong } from './intercept.js'
import { fleePoint } from '../../control/seek-point.js'
import { requireMoving } from '../../control/target.js'

/**
 * How a threat is escaped.
 * - `turn-inside`: one that is slower, or as fast, is fled; one that is faster is let come near, and then turned away from, inside of
 *   its turning circle.
 * - `flee`: Green's: straight away from where the two could meet. A faster threat gets it in the end.
 */
export type EvadeMethod = 'turn-inside' | 'flee'

export const EVADE_METHODS: readonly EvadeMethod[] = ['turn-inside', 'flee']

export interface EvadeOptions {
  /** Whom to escape. */
  target: Moving
  /** Only when it is nearer than this, m, > 0. Default Infinity. */
  panicDistance?: number
  /** No look-ahead beyond this when it flees, s, > 0. Default 2. */
  maxPredictionTime?: number
  /** Default `turn-inside`: fleeing never escapes from a faster one, and the two are the same before all others. */
  method?: EvadeMethod
  /** How hard the threat is thought to turn, as a share of the agent's own maxForce / mass, dimensionless, ≥ 0. Larger dodges later, and not at all from what turns as hard. Default 0.7. */
  agilityRatio?: number
  /** Distance of the two at which it is caught, m, > 0. Default twice the agent's radius. */
  catchDistance?: number | null
}

/**
 * Of 0.5, 0.6, 0.7, 0.8 and 1 the one with which most escaped in the trials it was chosen on, from threats whose circle is two to four times
 * as wide; in others, 95 % do (test/acceptance/pursuit.test.ts).
 */
const DEFAULT_GRIP = 0.7

const meeting = vec3()
const way = vec3()
const kept = vec3()
const ZERO = vec3()
const odds = { reach: 0, power: 0, top: 0, grip: 0, swift: 0 }

/**
 * Flies from where the threat will be when the two could meet (Green, Pursue and Evade: the opposite of pursuit; time by the course
 * deck: gap over the sum of both speeds). From a threat that is faster, but turns wider, it turns away at the last moment: see
 * {@link EvadeMethod}. That looks two seconds ahead, at some 30 directions, while the threat is about to arrive, and costs nothing before.
 */
export class Evade implements Behavior {
  static readonly type: string = 'Evade'
  target: Moving
  panicDistance: number
  maxPredictionTime: number
  method: EvadeMethod
  agilityRatio: number
  catchDistance: number | null
  /** Direction it has turned to, or zero. */
  private readonly memory = new Memory(3)
  readonly state: SnapshotState = [this.memory]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: EvadeOptions) {
    const {
      target,
      panicDistance = Infinity,
      maxPredictionTime = 2,
      method = 'turn-inside',
      agilityRatio = DEFAULT_GRIP,
      catchDistance = null,
    } = options
    if (!EVADE_METHODS.includes(method))
      throw new RangeError(`Evade.method: got '${method}', allowed are '${EVADE_METHODS.join(`', '`)}'`)
    this.target = requireMoving('Evade.target', target)
    this.panicDistance = requireNumber('Evade.panicDistance', panicDistance, 0, true)
    this.maxPredictionTime = requireNumber('Evade.maxPredictionTime', maxPredictionTime, 0, true)
    this.method = method
    this.agilityRatio = requireFinite('Evade.agilityRatio', agilityRatio, 0, false)
    this.catchDistance =
      catchDistance === null ? null : requireFinite('Evade.catchDistance', catchDistance, 0, true)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { memory, target } = this
    const at = memory.at(agent)
    load(kept, memory.data, at)
    save(ZERO, memory.data, at)
    const gap = distance(target.position, agent.position)
    if (gap >= this.panicDistance && this.panicDistance < Infinity) return
    const top = topSpeed(agent)
    const swift = length(target.velocity)
    if (this.method === 'turn-inside' && swift > top && gap > 0) {
      odds.reach = this.catchDistance ?? 2 * agent.radius
      odds.power = agent.maxForce / agent.mass
      odds.top = top
      odds.grip = this.agilityRatio * odds.power
      odds.swift = swift
      thrustAlong(agent, step, turnInside(way, agent, target, odds, kept), top, out.force)
      save(kept, memory.data, at)
      return
    }
    // not gap / pace: a threat that flies straight at the agent would then be predicted right on top of it
    const time = Math.min(gap / (swift + top), this.maxPredictionTime)
    fleePoint(agent, step, addScaled(meeting, target.position, target.velocity, time), out.force)
  }
}
