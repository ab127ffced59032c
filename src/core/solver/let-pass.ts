import type { Agent, Vec3, Vec3Like } from '../types.js'
import { evasiveSide } from '../control/evasive-side.js'
import { movablePart } from '../control/lock.js'
import type { VelocityConstraints } from './constraint.js'
import type { ObstacleView } from './obstacle-view.js'
import type { Hit } from './meet-turning.js'
import { AXES } from '../math/directions.js'
import { rotate } from '../math/quat.js'
import {
  addScaled,
  copy,
  dot,
  isZero,
  length,
  normalize,
  reject,
  scale,
  set,
  sub,
  vec3,
} from '../math/vec3.js'

// The numbers below are chosen by hand unless they say otherwise.

/** Stepping aside must take no more than this share of the time to the hit. */
export const EVADE_SHARE = 0.7

/** An agent on a line steps aside where the cosine of that line and the path of the obstacle is no larger. */
const MAX_SIDE_COSINE = 0.7

/** Bisections for a tangent plane. */
const HALVINGS = 17

/** An obstacle approaches centrally if the sine of its path to the agent is below this. */
const CENTRAL = 1e-6

const STILL = vec3()
const contact = vec3()
const path = vec3()
/** Unit normal of the surface that faces the agent: the plane through the agent across it touches nothing. */
const facing = vec3()
const movable = vec3()
const candidate = vec3()
const sideways = vec3()
const tangent = vec3()
const hit: Hit = { horizon: 0.5, time: 0.5 }

/** What is read of the demands on an agent. */
interface PassingLimits extends VelocityConstraints {
  /** The velocity (m/s) planned so far, and the response time, s. */
  readonly plannedVelocity: Vec3Like
  readonly time: number
  /** Set where a demand is added. */
  letsPass?: boolean
}

/**
 * Time (s) to the hit from which on an agent steps aside by `distance` (m): it accelerates to its full speed.
 * Short, so that V8 inlines it: numbers that are passed are boxed.
 */
export function evadeTime(distance: number, maxAcceleration: number, maxSpeed: number, time: number): number {
  const speed = Math.min(maxSpeed, Math.sqrt(2 * maxAcceleration * distance))
  return (time + distance / speed + speed / (2 * maxAcceleration)) / EVADE_SHARE
}

/**
 * Writes into `comesIn` of a view when an obstacle that moves hits an agent that stands still, keeps its
 * velocity, or flies as planned, within the time that stepping aside by its size takes.
 * @returns whether its velocity or the planned one leads into it.
 */
export function foresee(agent: Agent, view: ObstacleView, limits: PassingLimits): boolean {
  view.comesIn = 1 / 0
  hit.horizon = evadeTime(view.boundingDistance, agent.maxForce / agent.mass, agent.maxSpeed, limits.time)
  if (!(hit.horizon < Infinity)) return false
  view.findHit(STILL, hit)
  view.comesIn = hit.time
  view.findHit(hit.time < Infinity ? agent.velocity : limits.plannedVelocity, hit)
  if (hit.time === Infinity) return false
  view.comesIn = hit.time
  return true
}

/**
 * Lets an obstacle pass that comes: demands a velocity that leads past its silhouette, on the side nearest to
 * the velocity `evasion` (m/s). False if nothing is demanded, as where it is too late.
 */
export function letPass(agent: Agent, view: ObstacleView, evasion: Vec3Like, limits: PassingLimits): boolean {
  const { comesIn: time, shown } = view
  const { maxSpeed } = agent
  const maxAcceleration = agent.maxForce / agent.mass
  if (time === Infinity) return false
  sub(contact, view.from, shown.position)
  sub(path, evasion, shown.velocity)
  const speed = length(path)
  scale(path, path, speed > 0 ? 1 / speed : 0)
  // an agent on a line can step along that line only, and not away from what comes along it
  const isOnLine = !isZero(agent.axis)
  if (isOnLine && Math.abs(dot(agent.axis, path)) > MAX_SIDE_COSINE) return false
  const change = findTangent(agent, view)
  if (change === Infinity) return false
  const missing = change * speed * time
  // on a line there is nothing better to do, in time or not
  if (!isOnLine && missing > 0 && EVADE_SHARE * evadeTime(missing, maxAcceleration, maxSpeed, 0) > time)
    return false
  limits.addHalfSpace(tangent, dot(shown.velocity, tangent))
  limits.letsPass = true
  return true
}

/**
 * Writes into `tangent` the unit normal of the plane through the agent that touches the obstacle and that the
 * least change of velocity that is open to the agent makes it fly along: for a ball on the side on which it
 * passes already; for other shapes perhaps past one of their sides.
 * @returns that change as a share of the relative speed; Infinity inside of the convex hull of the obstacle.
 */
function findTangent(agent: Agent, view: ObstacleView): number {
  const { quaternion } = view.shown
  copy(facing, view.isTurning ? view.hitNormal : view.normal)
  // nearer than the clearance it is passed as near
  const lacking = Math.max(0, view.extent(facing) - dot(contact, facing))
  if (!(lacking < view.wantedClearance)) return Infinity
  setSide(agent, reject(sideways, contact, path))
  if (isZero(sideways)) setSide(agent, copy(sideways, evasiveSide(agent)))
  if (isZero(sideways)) setSide(agent, copy(sideways, agent.course.z))
  if (isZero(sideways)) setSide(agent, copy(sideways, agent.course.x))
  let least = changeAlong(agent, view, lacking)
  copy(tangent, candidate)
  if (view.isBall) return least
  for (let i = 0; i < AXES.length; i++) {
    setSide(agent, rotate(sideways, quaternion, AXES[i]!))
    const change = changeAlong(agent, view, lacking)
    if (!(change < least)) continue
    least = change
    copy(tangent, candidate)
  }
  return least
}

/** Makes `sideways` a unit vector along the surface that faces the agent; zero if there is none. */
function setSide(agent: Agent, side: Vec3): void {
  movablePart(side, reject(side, side, facing), agent)
  reject(side, side, facing)
  if (length(side) > CENTRAL) normalize(side, side)
  else set(side, 0, 0, 0)
}

/**
 * Writes into `candidate` the normal of the plane through the agent that touches the obstacle on the side
 * `sideways`. Returns the change of velocity to that plane, as a share of the relative speed.
 */
function changeAlong(agent: Agent, view: ObstacleView, lacking: number): number {
  if (isZero(sideways)) return Infinity
  let low = -Math.PI / 2
  let high = Math.PI / 2
  for (let i = 0; i < HALVINGS; i++) {
    const angle = (low + high) / 2
    setNormal(angle)
    if (view.extent(candidate) - lacking > dot(contact, candidate)) low = angle
    else high = angle
  }
  setNormal(high)
  const share = length(movablePart(movable, candidate, agent))
  return share > CENTRAL ? -dot(candidate, path) / share : Infinity
}

function setNormal(angle: number): void {
  addScaled(candidate, scale(candidate, sideways, Math.cos(angle)), facing, Math.sin(angle))
}
