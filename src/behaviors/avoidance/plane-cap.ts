import type { Agent, Step, Vec3Like } from '../../types.js'
import type { VelocityConstraints } from '../../solver/constraint.js'
import { servoTime, topSpeed } from '../../control/drive.js'
import {
  BRAKE_SHARE,
  brakingPlan,
  followPlan,
  plannedSpeed,
  stoppingDistance,
} from '../../control/profile.js'
import { dot, length, lengthSq, scale, sub, vec3 } from '../../math/vec3.js'

/**
 * Least share of the brakes that the plan of one wall may count on. The share is the cosine between the velocity and the wall's
 * normal, so that the three walls of a corner, which are braked for at once, together ask for no more than there is.
 */
const LEAST_SHARE = 0.25

/** Above this share of an engine of equal strength in all directions, attitude does not matter. */
const EVEN = 0.99

/** No vehicle is taken to need more time (s) than this to turn its engines round. */
const LONGEST_TURN = 2

/** What the plan counts on, whatever way the vehicle is turned by then. */
interface Handling {
  /** Share of an engine of equal strength in all directions that the weakest direction has. */
  grip: number
  /** Time to turn the engines to where they are needed, s. */
  lag: number
}

const handling: Handling = { grip: 0.5, lag: 0.5 }
const plan = brakingPlan()
const relative = vec3()
const cost = vec3()

/** Distance (m) beyond which nothing at rest limits an agent of this `speed` (m/s) that may turn before it brakes. */
export function brakingRange(agent: Agent, step: Step, speed: number): number {
  measure(agent)
  const { grip, lag } = handling
  const { x, y, z } = agent.course.x
  const brake = (BRAKE_SHARE * grip * evenForce(agent, -x, -y, -z)) / agent.mass
  return 2 * stoppingDistance(speed, brake, 0, lag + 2 * servoTime(agent, step))
}

/**
 * Tells `limits` how fast the agent may near a plane with the unit normal `n` (towards the agent) that moves with `wall` (m/s), `gap` (m)
 * before its hull: √(2·a·d), from which it can still stop with its real force, mass, damping and weight. Inside (negative gap) an
 * outward speed is demanded. What is told is not the speed of the profile here, but the v* that the servo F = m (v* − v) / τ must be
 * given so that, after this step, the speed lies on the profile at the place reached, or nears it with τ: the braking is fed forward, so
 * nothing lags behind the plan, and steps as long as τ are stable. Ships and birds, whose force depends on how they are
 * turned, count on their weakest direction, and on the time to turn. Total: any gap, any speed; finite. Call `measure` for the agent first.
 * `yields`: the demand gives way to those of walls and bodies, as it must when the plane stands for another agent.
 */
export function capPlane(
  agent: Agent,
  step: Step,
  n: Vec3Like,
  gap: number,
  wall: Vec3Like,
  limits: VelocityConstraints,
  yields = false,
): void {
  const { mass, velocity } = agent
  const { dt } = step
  const { grip, lag: turn } = handling
  const time = servoTime(agent, step)
  const lag = Math.max(time / 2, dt) + turn
  const coming = dot(wall, n)
  const into = -dot(velocity, n)
  const closing = into + coming
  const pace = length(sub(relative, velocity, wall))
  const share = pace > 0 ? Math.max(LEAST_SHARE, closing / pace) : 1
  const force = Math.min(agent.forceAlong(n.x, n.y, n.z), grip * evenForce(agent, n.x, n.y, n.z))
  const pull = agent.compensateGravity ? 0 : -dot(agent.gravity, n)
  const brake = Math.max(0, (BRAKE_SHARE * share * force) / mass - pull)
  const loss = agent.compensateDamping ? 0 : agent.damping
  // damping brakes the agent in its world: of no use against a wall that comes
  const damping = coming > 0 ? 0 : loss
  const top = Math.max(topSpeed(agent), agent.speed)
  plan.decel = brake
  plan.damping = damping
  plan.lag = lag
  // inside, outwards as fast as could be stopped at the surface
  plan.top = gap < 0 ? top : Infinity
  if (!(Math.abs(plannedSpeed(plan, gap)) < Infinity)) return
  const change = time * followPlan(plan, gap, closing, time, dt)
  const allowed = into + change + time * (loss * into - pull)
  if (allowed < top || gap <= 0) limits.addHalfSpace(n, Number.isFinite(allowed) ? -allowed : coming, yields)
}

/** Finds the weakest direction and the turning time. An agent that is as strong in all directions, like `Hover`, has neither. */
export function measure(agent: Agent): void {
  const { x, y, z } = agent.attitude
  const grip = Math.min(1, gripAlong(agent, x), gripAlong(agent, y), gripAlong(agent, z))
  handling.grip = Math.max(0, grip)
  handling.lag = 0
  if (grip > EVEN || !(agent.maxTorque > 0)) return
  const { inertia } = agent
  // a quarter turn: half of the way speeding up, half braking, no faster than it may
  const quarter = Math.PI / 2
  const swing = 2 * Math.sqrt((quarter * Math.max(inertia.x, inertia.y, inertia.z)) / agent.maxTorque)
  handling.lag = Math.min(swing + quarter / agent.maxTurnRate, LONGEST_TURN)
}

/** Share of an engine of equal strength that there is along an axis, both ways. */
function gripAlong(agent: Agent, { x, y, z }: Vec3Like): number {
  const there = evenForce(agent, x, y, z)
  const back = evenForce(agent, -x, -y, -z)
  const ahead = there > 0 ? agent.forceAlong(x, y, z) / there : 1
  return Math.min(ahead, back > 0 ? agent.forceAlong(-x, -y, -z) / back : 1)
}

/** Force (N) along a unit direction that engines of equal strength in all directions leave after paying for gravity. */
function evenForce(agent: Agent, x: number, y: number, z: number): number {
  const { maxForce } = agent
  if (!agent.compensateGravity) return maxForce
  scale(cost, agent.gravity, -agent.mass)
  const along = cost.x * x + cost.y * y + cost.z * z
  const left = maxForce * maxForce - (lengthSq(cost) - along * along)
  // gravity that is paid for may lend a hand, but the demand itself never exceeds maxForce
  return left > 0 ? Math.min(maxForce, Math.max(0, Math.sqrt(left) - along)) : 0
}
