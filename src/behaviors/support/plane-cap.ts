import type { Agent, Step, Vec3Like } from '../../types.js'
import type { Limits } from '../../control/constraint.js'
import { brakingSpeed, slope, stoppingDistance } from '../../control/profile.js'
import { dot, length, sub, vec3 } from '../../math/vec3.js'
import { BRAKE_SHARE } from './arrive.js'
import { topSpeed } from './seek.js'

/**
 * Least share of the brakes that the plan of one wall may count on. The share is the cosine between the velocity and the wall's
 * normal, so that the three walls of a corner, which are braked for at once, together ask for no more than there is.
 */
const LEAST_SHARE = 0.5

/** A servo slower than this (s) is no servo: keeps infinite response times finite. */
const LONGEST = 1e9

const relative = vec3()

/** Time constant (s) of the servo F = m (v* − v) / τ. */
export function servoTime(agent: Agent, step: Step): number {
  return Math.min(Math.max(agent.responseTime, step.dt), LONGEST)
}

/** Distance (m) beyond which nothing at rest limits an agent of this `speed` (m/s) that may turn before it brakes. */
export function brakingRange(agent: Agent, step: Step, speed: number): number {
  const { x, y, z } = agent.course.x
  const force = Math.max(0, Math.min(agent.forceAlong(-x, -y, -z), agent.maxForce))
  return 2 * stoppingDistance(speed, (BRAKE_SHARE * force) / agent.mass, 0, 2 * servoTime(agent, step))
}

/**
 * Tells `limits` how fast the agent may near a plane with the unit normal `n` (towards the agent) that moves with `wall` (m/s), `gap` (m)
 * before its hull: √(2·a·d), from which it can still stop with its real force, mass, damping and weight. Inside (negative gap) an
 * outward speed is demanded. What is told is not the speed of the profile here, but the v* that the servo F = m (v* − v) / τ must be
 * given so that, after this step, the speed lies on the profile at the place reached, or nears it with τ: the braking is fed forward, so
 * nothing lags behind the plan, and steps as long as τ are stable. Total: any gap, any speed; finite.
 */
export function capPlane(
  agent: Agent,
  step: Step,
  n: Vec3Like,
  gap: number,
  wall: Vec3Like,
  limits: Limits,
): void {
  const { mass, velocity } = agent
  const { dt } = step
  const time = servoTime(agent, step)
  let lag = Math.max(time / 2, dt)
  const coming = dot(wall, n)
  const into = -dot(velocity, n)
  const closing = into + coming
  const pace = length(sub(relative, velocity, wall))
  const share = pace > 0 ? Math.max(LEAST_SHARE, closing / pace) : 1
  let force = Math.min(agent.forceAlong(n.x, n.y, n.z), agent.maxForce)
  let strong = 0
  for (const k of ['x','y','z'] as const) { const q = agent.attitude[k]; const a = agent.forceAlong(q.x,q.y,q.z), b= agent.forceAlong(-q.x,-q.y,-q.z); force = Math.min(force, a,b); strong = Math.max(strong, a, b)  }
  if (strong > 1.01 * force) lag += Number(process.env['TURN'] ?? 1) * (2 * Math.sqrt(1.57 * Math.max(agent.inertia.x, agent.inertia.y, agent.inertia.z) / agent.maxTorque) + 1.57/agent.maxTurnRate)
  const pull = agent.compensateGravity ? 0 : -dot(agent.gravity, n)
  const brake = Math.max(0, (BRAKE_SHARE * share * force) / mass - pull)
  const loss = agent.compensateDamping ? 0 : agent.damping
  // damping brakes the agent in its world: of no use against a wall that comes
  const damping = coming > 0 ? 0 : loss
  const top = Math.max(topSpeed(agent), agent.speed)
  const speed = signedSpeed(gap, brake, damping, lag, top)
  if (!(Math.abs(speed) < Infinity)) return
  let steep = slope(Math.abs(speed), brake, damping, lag)
  let change = (speed - closing * (1 + time * steep)) / (1 + steep * dt)
  const way = (closing + (change * dt) / time) * dt
  if (gap > 0 && way > 0) {
    // the chord to the place reached, not the tangent: the profile is bent, and what is missed must not add up
    steep = (speed - signedSpeed(gap - way, brake, damping, lag, top)) / way
    change = (speed - closing * (1 + time * steep)) / (1 + steep * dt)
  }
  const allowed = into + change + time * (loss * into - pull)
  if (allowed < top || gap <= 0) limits.atLeast(n, Number.isFinite(allowed) ? -allowed : coming)
}

/** Braking speed; inside, outwards as fast as it could be stopped at the surface. */
function signedSpeed(gap: number, brake: number, damping: number, lag: number, top: number): number {
  if (gap >= 0) return brakingSpeed(gap, brake, damping, lag)
  return -Math.min(top, brakingSpeed(-gap, brake, damping, lag))
}
