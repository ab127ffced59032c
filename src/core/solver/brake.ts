import type { Agent, Vec3Like } from '../types.js'
import type { ObstacleView } from './obstacle-view.js'
import { evasionOf } from './evasion.js'
import { EVADE_SHARE, foresee, letPass } from './let-pass.js'
import type { Hit } from './meet-turning.js'
import type { VelocityConstraints } from './constraint.js'
import { BRAKE_SHARE, brakingSpeed, slope, undampedStop } from '../control/profile.js'
import { isRolling } from '../control/wish.js'
import { makePush, pushAlong } from '../control/push.js'
import { copy, dot, length, scale, sub, vec3 } from '../math/vec3.js'

/** Least share of the braking force for a surface that is approached at an angle. Chosen by hand. */
const MIN_BRAKE_SHARE = 0.25

const relative = vec3()
const normal = vec3()
const surfaceVelocity = vec3()
const push = makePush()
const hit: Hit = { horizon: 0.5, time: 0.5 }

/** Where the half-spaces are added, and two numbers, which would be boxed if they were passed. */
interface BrakingLimits extends VelocityConstraints {
  /** Whether the agent leaves an obstacle before anything else. */
  readonly isExiting: boolean
  readonly isManual: boolean
  /** The velocity (m/s) planned so far. */
  readonly plannedVelocity: Vec3Like
  /** Response time, s. */
  readonly time: number
  /** Distance that is free along the chosen direction, m. */
  readonly clearDistance: number
}

/**
 * Adds the half-spaces of the first `count` obstacles in `views`, except walls: limits the speed towards an
 * obstacle that the present velocity would hit, in time to stop or to turn away; moves an agent at rest out
 * of the path of an approaching obstacle; and pushes an agent out of an obstacle that it overlaps. The plane
 * is that of the predicted contact: an obstacle that is only grazed demands nothing.
 * @param chosen direction of flight if one was chosen to evade.
 */
export function brakeBefore(
  agent: Agent,
  views: readonly ObstacleView[],
  count: number,
  chosen: Vec3Like | null,
  limits: BrakingLimits,
): void {
  const speed = length(agent.velocity)
  // an obstacle at rest beyond this distance (m) demands nothing
  const range = count > 0 ? Math.max(rangeOf(speed, agent.maxForce / agent.mass, limits.time), speed) : 0
  const evades = !limits.isManual && !isRolling(agent)
  let moves = false
  let isHit = false
  for (let i = 0; i < count; i++) {
    const view = views[i]!
    if (view.isWall) continue
    view.measureHere(agent.position)
    if (!view.isMoving) {
      if (!(view.clearance > range)) brakeBeforeOne(agent, view, chosen, agent.velocity, limits)
      continue
    }
    moves = true
    view.comesIn = 1 / 0
    if (evades && view.clearance > 0 && foresee(agent, view, limits)) isHit = true
  }
  if (!moves) return
  const evasion = isHit ? evasionOf(agent, views, count, limits) : agent.velocity
  for (let i = 0; i < count; i++) {
    const view = views[i]!
    if (!view.isMoving || view.isWall) continue
    // the search has written into it
    if (isHit && view.isTurning && view.comesIn < Infinity) foresee(agent, view, limits)
    brakeBeforeOne(agent, view, chosen, evasion, limits)
  }
}

/** The same for an obstacle that is measured from the position of the agent. */
function brakeBeforeOne(
  agent: Agent,
  view: ObstacleView,
  chosen: Vec3Like | null,
  evasion: Vec3Like,
  limits: BrakingLimits,
): void {
  const { position, velocity } = agent
  const { time } = limits
  const { obstacle } = view
  const maxAcceleration = agent.maxForce / agent.mass
  if (view.clearance <= 0) {
    if (limits.isExiting) return
    obstacle.velocityAt(surfaceVelocity, position)
    // an obstacle that overlaps only the clearance causes no push
    const overlap = Math.max(0, agent.radius - view.hullRadius - view.clearance)
    limits.addHalfSpace(view.normal, dot(surfaceVelocity, view.normal) + overlap / time)
    return
  }
  const rolls = isRolling(agent)
  if (view.isMoving && letPass(agent, view, evasion, limits)) return
  if (view.isTurning) {
    // looks as far as for the fastest point of the obstacle
    const closing = length(velocity) + obstacle.fastest()
    hit.horizon = Math.max(rangeOf(closing, maxAcceleration, time) / closing, 1)
    view.findHit(velocity, hit)
    if (hit.time === Infinity) return
  }
  sub(relative, velocity, view.shown.velocity)
  const speed = length(relative)
  const range = rangeOf(speed, maxAcceleration, time)
  const wantedSpeed = length(limits.wantedVelocity)
  const isIdle = wantedSpeed < speed / 10
  const lookAhead = isIdle ? Math.max(range, speed) : range
  if (!(speed > 0) || (!view.isTurning && view.clearance > lookAhead)) return
  scale(relative, relative, 1 / speed)
  if (view.isTurning) copy(normal, view.hitNormal)
  const hitDistance = view.isTurning ? speed * hit.time : view.distanceToHit(relative, lookAhead, normal)
  if (!(hitDistance < lookAhead)) return
  const facing = -dot(relative, normal)
  const surfaceDistance = hitDistance * facing
  // if the agent brakes for two surfaces at once, they share the force as the velocity shares their
  // directions
  const share = BRAKE_SHARE * Math.max(MIN_BRAKE_SHARE, facing)
  pushAlong(push, agent, normal.x, normal.y, normal.z)
  // one that turns to push does so against its course, for all surfaces: else it turns to and fro
  if (push.turns) pushAlong(push, agent, -relative.x, -relative.y, -relative.z)
  const { force, turnTime } = push
  const decel = (share * force) / agent.mass
  let cap = brakingSpeed(surfaceDistance, decel, 0, time + turnTime)
  cap -= Math.min(cap, slope(cap, decel, 0, time + turnTime) * speed * facing * time)
  // a vehicle that rolls turns away while it brakes
  if (chosen !== null && !rolls && limits.clearDistance > range / 2) {
    // sideways distance to be covered before the hit, as a share of the distance of the hit
    const cosine = dot(relative, chosen)
    const sidewaysShare = cosine > 0 ? Math.sqrt(Math.max(0, 1 - cosine * cosine)) / cosine : Infinity
    const evading = EVADE_SHARE * Math.sqrt((hitDistance * force) / (2 * agent.mass * sidewaysShare))
    // an agent that wants to fly slowly does not turn away with its full force
    cap = Math.max(cap, facing * Math.min(evading, wantedSpeed))
  }
  limits.addHalfSpace(normal, dot(view.shown.velocity, normal) - cap)
}

/** Distance (m) in which an agent brakes for an obstacle that it approaches at `speed` (m/s). */
function rangeOf(speed: number, maxAcceleration: number, time: number): number {
  return 2 * undampedStop(speed, BRAKE_SHARE * maxAcceleration, 2 * time)
}
