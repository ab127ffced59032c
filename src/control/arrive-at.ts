import type { Agent, Step, Vec3, Vec3Like } from '../types.js'
import { drive, mayRest, TURN_TIME_SHARE } from './drive.js'
import { BRAKE_SHARE, brakingPlan, followPlan, followSlope, lagBeside, plannedSpeed } from './profile.js'
import {
  add,
  addScaled,
  dot,
  isZero,
  length,
  lengthSq,
  normalize,
  scale,
  sub,
  truncate,
  vec3,
} from '../math/vec3.js'
import { reportGoal } from './wish.js'

const plan = brakingPlan()
const offset = vec3()
const ahead = vec3()
const wanted = vec3()
const relative = vec3()

/**
 * Adds the force (N) that brings the agent to rest at `point` (m), which itself moves with `velocity` (m/s)
 * and `acceleration` (m/s²), from any speed. The speed towards the point is the largest from which the agent
 * can still brake, √(2·a·d) with its real force, mass and damping. The braking itself is fed forward, so the
 * agent neither lags behind the plan nor overshoots.
 */
export function arriveAt(
  agent: Agent,
  step: Step,
  point: Vec3Like,
  velocity: Vec3Like,
  acceleration: Vec3Like,
  maxSpeed: number,
  out: Vec3,
): void {
  const { mass } = agent
  agent.asks = true
  const distance = length(sub(offset, point, agent.position))
  sub(relative, agent.velocity, velocity)
  const rests = isZero(velocity) && isZero(acceleration)
  reportGoal(agent, point, rests)
  if (rests && mayRest(agent, distance, length(relative))) {
    drive(agent, step, velocity, out)
    return
  }
  // twice as stiff as other drives, since every lag between speeding up and braking costs time; but a wish is
  // read with the plain response time
  const least = Math.max(step.dt, TURN_TIME_SHARE * agent.forceTurnTime)
  const time = Math.max(agent.wish === null ? agent.responseTime / 2 : agent.responseTime, least)
  normalize(ahead, offset)
  // gravity that is compensated may add to the braking force, but the demand itself never exceeds maxForce
  const force = Math.min(agent.forceAlong(-ahead.x, -ahead.y, -ahead.z), agent.maxForce)
  const closing = dot(relative, ahead)
  plan.decel = (BRAKE_SHARE * force) / mass
  plan.damping = agent.compensateDamping ? 0 : agent.damping
  // the plan may be faster than the servo, since it is fed forward
  plan.lag = lagBeside(time / 2, step.dt)
  plan.top = maxSpeed
  const brakingDistance = Math.max(0, distance - unbrakedDistance(closing, plan.decel))
  const speed = plannedSpeed(plan, brakingDistance)
  // across the direction to the goal the planned velocity is 0, and a sideways error turns that direction
  addScaled(wanted, relative, ahead, -closing)
  scale(wanted, wanted, followSlope(0, distance > 0 ? speed / distance : 0, 1, time, step.dt))
  // without a distance to brake in there is nothing to plan
  const along =
    brakingDistance > 0 ? followPlan(plan, brakingDistance, closing, time, step.dt) : -closing / time
  addScaled(wanted, wanted, ahead, along)
  // the plan counts on the damping of the physics engine, so its force is added here
  if (speed > 0 && speed < maxSpeed) addScaled(wanted, wanted, agent.velocity, plan.damping)
  scale(wanted, add(wanted, wanted, acceleration), mass)
  if (agent.wish === null) truncate(wanted, wanted, agent.maxForce)
  addScaled(out, out, wanted, 1)
}

/**
 * Distance (m) flown towards the goal without braking, while the force removes the sideways speed. Reads the
 * scratch vector `relative`.
 */
function unbrakedDistance(closing: number, brake: number): number {
  if (!(closing > 0) || brake === 0) return 0
  const across = Math.sqrt(Math.max(0, lengthSq(relative) - closing * closing))
  return (closing * across) / brake
}
