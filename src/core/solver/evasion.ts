import type { Agent, Vec3Like } from '../types.js'
import { topSpeed } from '../control/drive.js'
import { movablePart } from '../control/lock.js'
import { evadeTime } from './let-pass.js'
import type { Hit } from './meet-turning.js'
import type { ObstacleView } from './obstacle-view.js'
import { directions } from '../math/directions.js'
import { vectorToWorld } from '../math/frame.js'
import { addScaled, copy, distance, length, load, scale, sub, vec3 } from '../math/vec3.js'

// The numbers below are chosen by hand.

/** Directions (in the course frame) of the velocities that are tried. More: narrower gaps are found. */
const WAYS = directions(32)
/** They are tried at full speed, and at this share of it. */
const SLOWER = 0.5
/** A direction with less than this share in the plane or along the axis of the agent is left out. */
const LEAST_SHARE = 1e-3

const STILL = vec3()
const evasion = vec3()
const way = vec3()
const candidate = vec3()
const shift = vec3()
const from = vec3()
const hit: Hit = { horizon: 0.5, time: 0.5 }
/** The time (s) that is looked ahead; of the best velocity so far its first hit (s) and its change, m/s. */
const search = { horizon: 0.5, first: 0.5, change: 0.5 }

/**
 * The velocity (m/s) that hits none of the obstacles that come, see `foresee`, or the latest. Each obstacle
 * is let pass on the side of this velocity. On the side that is nearest for each of them alone, one would
 * send the agent into the path of the next, or into a wall.
 */
export function evasionOf(
  agent: Agent,
  views: readonly ObstacleView[],
  count: number,
  { time }: { readonly time: number },
): Vec3Like {
  const { course, velocity } = agent
  const maxAcceleration = agent.maxForce / agent.mass
  search.horizon = 0
  for (let i = 0; i < count; i++) {
    const view = views[i]!
    if (!view.isMoving || view.isWall || view.comesIn === Infinity) continue
    const horizon = evadeTime(view.boundingDistance, maxAcceleration, agent.maxSpeed, time)
    if (horizon > search.horizon) search.horizon = horizon
  }
  search.first = -1
  consider(agent, views, count, velocity)
  consider(agent, views, count, STILL)
  const top = topSpeed(agent)
  for (let i = 0; i < WAYS.length; i += 3) {
    vectorToWorld(candidate, course, load(way, WAYS, i))
    const share = length(movablePart(candidate, candidate, agent))
    if (!(share > LEAST_SHARE)) continue
    consider(agent, views, count, scale(candidate, candidate, top / share))
    consider(agent, views, count, scale(candidate, candidate, SLOWER))
  }
  return evasion
}

/** Takes a velocity if it is later hit than the best one so far, or as late and less of a change. */
function consider(agent: Agent, views: readonly ObstacleView[], count: number, velocity: Vec3Like): void {
  const maxAcceleration = agent.maxForce / agent.mass
  const change = distance(velocity, agent.velocity)
  const changeTime = change / maxAcceleration
  const stopTime = changeTime + length(velocity) / maxAcceleration
  // the line on which the agent flies after the change begins here
  scale(shift, sub(shift, agent.velocity, velocity), changeTime / 2)
  const aside = length(shift)
  let first = search.horizon
  for (let i = 0; i < count && first >= search.first; i++) {
    const view = views[i]!
    if (view.isWall || view.clearance <= 0) continue
    const { clearance } = view
    // before what stands still it can stop
    hit.horizon = view.isMoving ? first : Math.min(first, stopTime)
    copy(from, view.from)
    addScaled(view.from, from, shift, 1)
    view.clearance = clearance - aside
    view.findHit(velocity, hit)
    view.clearance = clearance
    copy(view.from, from)
    if (hit.time < first) first = hit.time
  }
  if (first < search.first || (first === search.first && change >= search.change)) return
  search.first = first
  search.change = change
  copy(evasion, velocity)
}
