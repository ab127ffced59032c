import type { Agent, Exemption, Step, Vec3, Wrench } from '../../types.js'
import { drive } from '../../control/drive.js'
import { distance, vec3 } from '../../math/vec3.js'
import { arriveAt } from '../../control/arrive-at.js'
import { reachOf } from './directed-path.js'
import { blockedAt, type Following } from './path-techniques.js'

/** Arrived: within this share of the radius, and slower than it per second. */
const THERE = 0.1

/** As near as an obstacle lets it come: what keeps it off keeps some skin. */
const SKIN = 0.3

const none = vec3()

/** Nothing is kept off from twice the way that braking takes, before constraints brake for it. */
const BEFORE = 2

/** What is not to be kept off at the end of the way, if anything is, once that is near: on the last section, or where it brakes. */
export class EndSpares implements Exemption {
  readonly place: Vec3 = vec3()
  obstacles = false
  agents = false

  tell(agent: Agent, { lane, manner, place, terms }: Following): void {
    this.obstacles = manner.endObstacles === 'ignore'
    this.agents = manner.endAgents === 'ignore'
    const { end } = lane
    if (agent.wish === null || lane.next !== null || !(this.obstacles || this.agents)) return
    if (end - place > Math.max(end - lane.lastStation(end), BEFORE * reachOf(terms))) return
    lane.pointAt(this.place, end)
    agent.wish.exemption = this
  }
}

/**
 * Comes to rest at the target, or, where the end is loose, anywhere near. Inside of an obstacle that is known it has arrived as near as that
 * lets it come. @returns whether it has arrived.
 */
export function comeToRest(agent: Agent, step: Step, of: Following, out: Wrench): boolean {
  const { lane, manner, target, terms } = of
  const { radius } = agent
  const close = manner.endCloseness * radius
  const off = distance(target, agent.position)
  const blocked = blockedAt(agent, of, lane.end)
  const room = Math.max(THERE * radius, close, blocked > 0 ? blocked + SKIN * radius : 0)
  if (off > close) arriveAt(agent, step, target, none, none, terms.cruise, out.force)
  else drive(agent, step, none, out.force)
  // a loose end is reached at any speed: it stops for that
  return off < room && (close > 0 || agent.speed < THERE * radius)
}
