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
import { makePush, pushAlong } from './push.js'
import { reportGoal } from './wish.js'

const plan = brakingPlan()
const offset = vec3()
const ahead = vec3()
const wanted = vec3()
const relative = vec3()
const push = makePush()

// The numbers below are chosen by hand unless they say otherwise.

/** An agent moves past its goal below this cosine of the angle between its course and the way there. */
const TOWARDS = 0.9
/** It stops if it covers the distance to its goal within this many turns of its force. Larger: earlier. */
const STRAY_TURNS = 2

/**
 * An agent that lacks an engine towards its goal or back stops where it is within this share of its radius:
 * inside of the tolerance of `Arrive`.
 */
const LACKING_SHARE = 0.08
/** It rests below this speed, in radii per second. */
const REST_SHARE = 1e-4

/** As `TURN_TIME_SHARE`, for a vehicle that pushes only once it has turned. */
const TURN_TO_PUSH_SHARE = 0.5

/**
 * Adds the force (N) that brings the agent to rest at `point` (m), which itself moves with `velocity` (m/s)
 * and `acceleration` (m/s²), from any speed. The speed towards the point is the largest from which the agent
 * can still brake, √(2·a·d) with its real force, mass and damping; a ship that lacks brakes counts on a turn
 * and a burn. The braking itself is fed forward, so the
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
  agent.asks = true
  sub(offset, point, agent.position)
  sub(relative, agent.velocity, velocity)
  const atRest = isZero(velocity) && isZero(acceleration)
  reportGoal(agent, point, atRest)
  const move = atRest ? moveNear(agent) : 'approach'
  if (move === 'approach' && !strays(agent, atRest)) approach(agent, step, acceleration, maxSpeed, out)
  else if (move !== 'nothing') drive(agent, step, velocity, out)
}

// The parts of `arriveAt` are functions of their own, which share vectors: V8 inlines so much into each, and
// boxes the numbers that it passes to others.

/** What an agent does whose goal is at rest. */
function moveNear(agent: Agent): 'approach' | 'stop' | 'nothing' {
  const distance = length(offset)
  const drift = length(relative)
  if (mayRest(agent, distance, drift)) return 'stop'
  const { forceTurnTime, radius } = agent
  if (!(distance + STRAY_TURNS * forceTurnTime * drift < LACKING_SHARE * radius)) return 'approach'
  const { x, y, z } = normalize(ahead, offset)
  if (agent.forceAlong(x, y, z) > 0) return 'approach'
  // it would turn to and fro for ever for the rest of its way
  return drift > REST_SHARE * radius ? 'stop' : 'nothing'
}

/**
 * Whether the agent moves past its goal before it can turn its force towards it. The force comes late, and
 * would drive it round the goal for ever: so it stops first. Writes what it can brake with into `push`.
 */
function strays(agent: Agent, atRest: boolean): boolean {
  const { x, y, z } = normalize(ahead, offset)
  const { turns } = pushAlong(push, agent, -x, -y, -z)
  const turnTime = agent.forceTurnTime
  if (!(turnTime > 0 && (turns || atRest))) return false
  const speed = length(relative)
  return dot(relative, ahead) < TOWARDS * speed && length(offset) < STRAY_TURNS * turnTime * speed
}

/** Adds the force that brings the agent to rest at its goal, see `arriveAt`. After `strays`. */
function approach(agent: Agent, step: Step, acceleration: Vec3Like, maxSpeed: number, out: Vec3): void {
  const { mass } = agent
  const { x, y, z } = ahead
  const { turns } = push
  // twice as stiff as other drives, since every lag between speeding up and braking costs time; but a wish is
  // read with the plain response time
  const least = Math.max(step.dt, (turns ? TURN_TO_PUSH_SHARE : TURN_TIME_SHARE) * agent.forceTurnTime)
  const time = Math.max(agent.wish === null ? agent.responseTime / 2 : agent.responseTime, least)
  // gravity that is compensated may add to the braking force, but the demand itself never exceeds maxForce
  const force = Math.min(turns ? agent.forceAlong(-x, -y, -z) : push.force, agent.maxForce)
  const distance = length(offset)
  const closing = dot(relative, ahead)
  const brake = (BRAKE_SHARE * force) / mass
  plan.decel = brake
  plan.damping = agent.compensateDamping ? 0 : agent.damping
  // the plan may be faster than the servo, since it is fed forward
  const lag = (plan.lag = lagBeside(time / 2, step.dt))
  plan.top = maxSpeed
  let brakingDistance = Math.max(0, distance - unbrakedDistance(relative, closing, brake))
  let speed = plannedSpeed(plan, brakingDistance)
  let coasts = false
  if (turns && push.force > force) {
    // turn and burn: it brakes after the turn
    plan.decel = (BRAKE_SHARE * Math.min(push.force, agent.maxForce)) / mass
    plan.lag = lag + push.turnTime
    const turned = Math.max(0, distance - unbrakedDistance(relative, closing, plan.decel))
    const turnedSpeed = plannedSpeed(plan, turned)
    if (turnedSpeed > speed) {
      brakingDistance = turned
      speed = turnedSpeed
      // to fly faster takes two more turns: the one back, and that to brake
      const { turnTime } = pushAlong(push, agent, x, y, z)
      if (turnTime > 0 && closing < speed) {
        plan.lag += 2 * turnTime
        const slowest = plannedSpeed(plan, turned)
        coasts = closing > slowest
        speed = Math.max(closing, slowest)
      }
    } else {
      plan.decel = brake
      plan.lag = lag
    }
  }
  // across the direction to the goal the planned velocity is 0, and a sideways error turns that direction
  addScaled(wanted, relative, ahead, -closing)
  scale(wanted, wanted, followSlope(0, distance > 0 ? speed / distance : 0, 1, time, step.dt))
  // without a distance to brake in there is nothing to plan
  const along = coasts
    ? 0
    : brakingDistance > 0
      ? followPlan(plan, brakingDistance, closing, time, step.dt, speed)
      : -closing / time
  addScaled(wanted, wanted, ahead, along)
  // the plan counts on the damping of the physics engine, so its force is added here
  if (speed > 0 && speed < maxSpeed) addScaled(wanted, wanted, agent.velocity, plan.damping)
  scale(wanted, add(wanted, wanted, acceleration), mass)
  if (agent.wish === null) truncate(wanted, wanted, agent.maxForce)
  addScaled(out, out, wanted, 1)
}

/** Distance (m) flown towards the goal without braking, while the force removes the sideways speed. */
export function unbrakedDistance(velocity: Vec3Like, closing: number, brake: number): number {
  if (!(closing > 0) || brake === 0) return 0
  const across = Math.sqrt(Math.max(0, lengthSq(velocity) - closing * closing))
  return (closing * across) / brake
}
