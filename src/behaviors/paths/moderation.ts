import type { Agent, Step, Wrench } from '../../types.js'
import { noseAttitude } from '../../control/nose.js'
import { turnTo } from '../../control/turn.js'
import { quat } from '../../math/quat.js'
import { arccos, smoothstep } from '../../math/scalar.js'
import { dot, length, normalize, sub, vec3 } from '../../math/vec3.js'
import { density } from '../avoidance/crowd.js'
import type { Following } from './path-techniques.js'

/** Never nothing: who has no torque must move to turn. */
const CREEP = 0.05

/** Time (s) by which the nose is ahead on a lane. */
const AHEAD = 0.5

/** A point within this share of the radius has no direction. */
const NEAR = 0.5

const nose = vec3()
const spot = vec3()
const none = vec3()
const attitude = quat()

/** Slows down for a crowd at the next waypoint, and where it does not face its way. */
export function moderate(agent: Agent, step: Step, of: Following, out: Wrench): void {
  const { manner, terms } = of
  if (manner.crowdRadius !== undefined && manner.crowdSpeed < 1)
    terms.cruise *= crowdShare(agent, of, manner.crowdRadius)
  if (manner.facing !== undefined) terms.cruise *= facingShare(agent, step, of, manner.facing, out)
  terms.final = Math.min(terms.final, terms.cruise)
}

/** From 1 without others to `crowdSpeed` where the ball is full ("increase the pressure and the speed of movement decreases", Green, Follow Path). */
function crowdShare(agent: Agent, { lane, manner, place }: Following, radius: number): number {
  lane.pointAt(spot, lane.nextStation(place))
  return 1 - (1 - manner.crowdSpeed) * smoothstep(density(agent, spot, radius), 0, 1)
}

/** Hardly any `limit` (rad) aside of the way, all within half of that (Green, Fig. 14). Adds the torque that turns the nose there. */
function facingShare(agent: Agent, step: Step, of: Following, limit: number, out: Wrench): number {
  const { lane, place } = of
  const there = place + Math.max(AHEAD * agent.speed, agent.radius)
  lane.pointAt(spot, of.manner.technique === 'grappling-hooks' ? lane.nextStation(place) : there)
  if (!(length(sub(nose, spot, agent.position)) > NEAR * agent.radius)) return 1
  normalize(nose, nose)
  turnTo(agent, noseAttitude(attitude, agent, nose, 'level', step, none, 0), step, out)
  const off = arccos(dot(agent.attitude.x, nose))
  return Math.max(CREEP, 1 - smoothstep(off, limit / 2, limit))
}
