import type { Agent, Step, Vec3, Vec3Like } from '../types.js'
import { drive, mayRest } from './drive.js'
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

/** Who must roll or turn before it can push across is no stiffer than this share of that time allows: or it circles about its goal for ever. */
const TURN_TIME_SHARE = 0.3

const plan = brakingPlan()
const offset = vec3()
const ahead = vec3()
const wanted = vec3()
const relative = vec3()

/**
 * Adds the force that comes to rest at `point`, which itself moves with `velocity` and `acceleration`, from any speed:
 * the speed towards it is the one from which the agent can still brake, √(2·a·d) with its real force, mass and damping,
 * and the braking itself is fed forward, so nothing lags behind the plan and nothing passes the goal.
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
  const distance = length(sub(offset, point, agent.position))
  sub(relative, agent.velocity, velocity)
  reportGoal(agent, point)
  if (isZero(velocity) && isZero(acceleration) && mayRest(agent, distance, length(relative))) {
    drive(agent, step, velocity, out)
    return
  }
  // twice as stiff as other drives: between speeding up and braking every lag is lost time; a wish is read with the plain one
  const least = Math.max(step.dt, TURN_TIME_SHARE * agent.forceTurnTime)
  const time = Math.max(agent.wish === null ? agent.responseTime / 2 : agent.responseTime, least)
  normalize(ahead, offset)
  // gravity that is paid for may lend a hand, but the demand itself never exceeds maxForce
  const force = Math.min(agent.forceAlong(-ahead.x, -ahead.y, -ahead.z), agent.maxForce)
  const closing = dot(relative, ahead)
  plan.decel = (BRAKE_SHARE * force) / mass
  plan.damping = agent.compensateDamping ? 0 : agent.damping
  // the plan may end sooner than the servo forgets: it is fed forward
  plan.lag = lagBeside(time / 2, step.dt)
  plan.top = maxSpeed
  const brakingDistance = Math.max(0, distance - unbrakedDistance(closing, plan.decel))
  const speed = plannedSpeed(plan, brakingDistance)
  // across the way the plan is rest, and what is off turns the way
  addScaled(wanted, relative, ahead, -closing)
  scale(wanted, wanted, followSlope(0, distance > 0 ? speed / distance : 0, 1, time, step.dt))
  // where all of the way is taken up there is nothing to be planned
  const along =
    brakingDistance > 0 ? followPlan(plan, brakingDistance, closing, time, step.dt) : -closing / time
  addScaled(wanted, wanted, ahead, along)
  // what the engine takes away is part of the plan to brake
  if (speed > 0 && speed < maxSpeed) addScaled(wanted, wanted, agent.velocity, plan.damping)
  scale(wanted, add(wanted, wanted, acceleration), mass)
  if (agent.wish === null) truncate(wanted, wanted, agent.maxForce)
  addScaled(out, out, wanted, 1)
}

/** Way towards the goal that is flown without braking, m, while the engines are busy with the speed across. Needs `relative`. */
function unbrakedDistance(closing: number, brake: number): number {
  if (!(closing > 0) || brake === 0) return 0
  const across = Math.sqrt(Math.max(0, lengthSq(relative) - closing * closing))
  return (closing * across) / brake
}
