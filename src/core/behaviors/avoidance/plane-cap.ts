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
import { isLocked, movablePart } from '../../control/lock.js'
import { dot, length, lengthSq, scale, sub, vec3 } from '../../math/vec3.js'

// The numbers below are chosen by hand unless they say otherwise.

/**
 * Least share of the brakes that the plan for one wall may use. The share is the cosine between the velocity
 * and the normal of the wall, so that the three walls of a corner, which are braked for together, need no
 * more force than there is.
 */
const LEAST_SHARE = 0.25

/** From this share of an engine of equal strength in all directions on, attitude does not matter. */
const ISOTROPIC = 0.99

/** One that is locked to a plane or a line does not move along an axis with less than this share in it. */
const MOVABLE = 0.5

/** Upper limit of the time (s) that a vehicle is assumed to need to turn its engines. */
const MAX_TURN_TIME = 2

/** Force and turning time that the braking plan relies on, whatever the attitude of the vehicle by then. */
interface VehicleAgility {
  /** Force in the weakest direction, as a share of an engine of equal strength in all directions. */
  forceShare: number
  /** Time to turn the engines to the direction of braking, s. */
  turnTime: number
}

const agility: VehicleAgility = { forceShare: 0.5, turnTime: 0.5 }
const plan = brakingPlan()
const relative = vec3()
const gravityForce = vec3()

/** Distance (m) beyond which nothing at rest limits one of this `speed` (m/s) that may turn to brake. */
export function brakingRange(agent: Agent, step: Step, speed: number): number {
  measureAgility(agent)
  const { forceShare, turnTime } = agility
  const { x, y, z } = agent.course.x
  const brake = (BRAKE_SHARE * forceShare * evenForce(agent, -x, -y, -z)) / agent.mass
  return 2 * stoppingDistance(speed, brake, 0, turnTime + 2 * servoTime(agent, step))
}

/**
 * Limits the speed at which the agent approaches a plane with the unit `normal` (towards the agent) that
 * moves with `wallVelocity` (m/s) and is at `distance` (m) from its hull. The limit is √(2·a·d), from which
 * the agent can still stop with its real force, mass, damping and weight. Inside (negative distance) an
 * outward speed is demanded.
 *
 * The limit added to `limits` is not the speed of the braking profile at the present place. It is the v* that
 * the servo F = m (v* − v) / τ must be given so that after this step the speed lies on the profile at the
 * place reached, or approaches it with τ. The braking is fed forward, so nothing lags behind the plan, and
 * steps as long as τ are stable. Ships and birds, whose force depends on their attitude, rely on their
 * weakest direction and allow for the time to turn. Total: any distance and speed give finite output.
 *
 * Call `measureAgility` for the agent first. `yields`: the constraint gives way to those of walls and bodies,
 * as it must when the plane stands for another agent.
 */
export function capPlane(
  agent: Agent,
  step: Step,
  normal: Vec3Like,
  distance: number,
  wallVelocity: Vec3Like,
  limits: VelocityConstraints,
  yields = false,
): void {
  const { mass, velocity } = agent
  const { dt } = step
  const { forceShare, turnTime } = agility
  const time = servoTime(agent, step)
  const lag = Math.max(time / 2, dt) + turnTime
  const wallSpeed = dot(wallVelocity, normal)
  const agentSpeed = -dot(velocity, normal)
  const closing = agentSpeed + wallSpeed
  const relativeSpeed = length(sub(relative, velocity, wallVelocity))
  const share = relativeSpeed > 0 ? Math.max(LEAST_SHARE, closing / relativeSpeed) : 1
  const force = Math.min(
    agent.forceAlong(normal.x, normal.y, normal.z),
    forceShare * evenForce(agent, normal.x, normal.y, normal.z),
  )
  const gravityAlong = agent.compensateGravity ? 0 : -dot(agent.gravity, normal)
  const brake = Math.max(0, (BRAKE_SHARE * share * force) / mass - gravityAlong)
  const ownDamping = agent.compensateDamping ? 0 : agent.damping
  // damping brakes the agent relative to the world: of no use against a wall that approaches
  const damping = wallSpeed > 0 ? 0 : ownDamping
  const maxSpeed = Math.max(topSpeed(agent), agent.speed)
  plan.decel = brake
  plan.damping = damping
  plan.lag = lag
  // inside: outwards at most as fast as it could stop from at the surface
  plan.top = distance < 0 ? maxSpeed : Infinity
  const planned = plannedSpeed(plan, distance)
  if (!(Math.abs(planned) < Infinity)) return
  const velocityChange = time * followPlan(plan, distance, closing, time, dt, planned)
  const allowed = agentSpeed + velocityChange + time * (ownDamping * agentSpeed - gravityAlong)
  if (allowed < maxSpeed || distance <= 0)
    limits.addHalfSpace(normal, Number.isFinite(allowed) ? -allowed : wallSpeed, yields)
}

/**
 * Measures the weakest direction and the turning time into `agility`. An agent of equal strength in all
 * directions, such as `Hover`, has a share of 1 and no turning time.
 */
export function measureAgility(agent: Agent): void {
  const { x, y, z } = agent.attitude
  // on feet or wheels there is no force up or down, and no need of it
  const upShare = forceShareAlong(agent, y)
  const forceShare = Math.min(upShare > 0 ? upShare : 1, forceShareAlong(agent, x), forceShareAlong(agent, z))
  agility.forceShare = Math.max(0, forceShare)
  agility.turnTime = 0
  if (forceShare > ISOTROPIC || !(agent.maxTorque > 0)) return
  const { inertia } = agent
  // a quarter turn: half of it accelerating, half braking, no faster than the agent may turn
  const quarter = Math.PI / 2
  const freeTurnTime = 2 * Math.sqrt((quarter * Math.max(inertia.x, inertia.y, inertia.z)) / agent.maxTorque)
  agility.turnTime = Math.min(freeTurnTime + quarter / agent.maxTurnRate, MAX_TURN_TIME)
}

/**
 * Force along an axis, the lesser of both ways, as a share of an engine of equal strength in all directions;
 * 1 where the agent does not move that way.
 */
function forceShareAlong(agent: Agent, along: Vec3Like): number {
  if (isLocked(agent) && length(movablePart(relative, along, agent)) < MOVABLE) return 1
  const { x, y, z } = along
  const evenForward = evenForce(agent, x, y, z)
  const evenBackward = evenForce(agent, -x, -y, -z)
  const forwardShare = evenForward > 0 ? agent.forceAlong(x, y, z) / evenForward : 1
  return Math.min(forwardShare, evenBackward > 0 ? agent.forceAlong(-x, -y, -z) / evenBackward : 1)
}

/** Force (N) along a unit direction that equal engines on all sides have left after holding gravity. */
function evenForce(agent: Agent, x: number, y: number, z: number): number {
  const { maxForce } = agent
  if (!agent.compensateGravity) return maxForce
  scale(gravityForce, agent.gravity, -agent.mass)
  const along = gravityForce.x * x + gravityForce.y * y + gravityForce.z * z
  const remainingSq = maxForce * maxForce - (lengthSq(gravityForce) - along * along)
  // compensated gravity may add to the force, but the demand itself never exceeds maxForce
  return remainingSq > 0 ? Math.min(maxForce, Math.max(0, Math.sqrt(remainingSq) - along)) : 0
}
