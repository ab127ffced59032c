import type { Agent, Step, Vec3, Vec3Like, Wrench } from '../../core/types.js'
import { shareWithin } from '../../core/math/ball.js'
import { vectorToWorld } from '../../core/math/frame.js'
import { addScaled, dot, length, normalize, reject, scale, truncate, vec3 } from '../../core/math/vec3.js'
import { reportGoalDistance } from '../../core/control/wish.js'

/** Bisections for the share of a force that is cut: the share is found to 0.4 %. */
const HALVINGS = 8

const weightForce = vec3()
const beside = vec3()
const sum = vec3()
const direction = vec3()
const way = vec3()
const engine = vec3()

/**
 * Largest force (N) along the unit `axis`, or against it, that remains while the weight is held, even where
 * the locomotion does not compensate the weight itself.
 */
export function forceLeft(agent: Agent, axis: Vec3Like, sign: 1 | -1 = 1): number {
  const { x, y, z } = scale(direction, axis, sign)
  const force = Math.min(agent.forceAlong(x, y, z), agent.maxForce)
  if (agent.compensateGravity) return force
  const { gravity, mass } = agent
  const engineLimit = force + mass * (gravity.x * x + gravity.y * y + gravity.z * z)
  holdWeight(weightForce, agent)
  const totalLimit = shareWithin(weightForce, direction, agent.maxForce)
  return Math.max(0, Math.min(engineLimit, totalLimit))
}

/** As `forceLeft`, along a unit direction of the steering frame, or against it. */
export function engineAlong(agent: Agent, axis: Vec3Like, sign: 1 | -1): number {
  return forceLeft(agent, vectorToWorld(engine, agent.attitude, axis), sign)
}

/**
 * Adds the force `wanted` (N), and the force that holds the weight if the locomotion does not. The weight
 * comes first; `wanted` gets the rest of `maxForce`. Inside a combination that asks for a wish, the force is
 * not cut, and `distance` (m) is reported as the distance to the goal.
 */
export function addForce(agent: Agent, wanted: Vec3, distance: number, out: Vec3): void {
  const { wish } = agent
  if (wish !== null) reportGoalDistance(agent, distance)
  else truncate(wanted, wanted, agent.maxForce)
  if (agent.compensateGravity) addScaled(out, out, wanted, 1)
  else {
    addScaled(out, out, holdWeight(weightForce, agent), 1)
    const share = wish === null ? shareWithin(weightForce, wanted, agent.maxForce) : 1
    addScaled(out, out, wanted, Math.min(1, share))
  }
}

/**
 * Cuts `force` (N) to the limits of the engines. The part along the unit `axis` has priority. If each engine
 * were cut to its limit by itself, the direction of the force would change, and a force meant to act across
 * would push along the axis.
 */
export function cutAcross(agent: Agent, force: Vec3, axis: Vec3Like): void {
  const along = dot(force, axis)
  reject(beside, force, axis)
  limitTo(agent, scale(force, axis, along))
  addWithinLimits(agent, force, beside)
}

/**
 * Cuts `force` (N) to the limits of the engines. The part across the unit `axis` has priority: an agent that
 * is too fast to stop before an obstacle may still pass it.
 */
export function cutAlong(agent: Agent, force: Vec3, axis: Vec3Like): void {
  scale(beside, axis, dot(force, axis))
  limitTo(agent, reject(force, force, axis))
  addWithinLimits(agent, force, beside)
}

/** Cuts `force` (N) to what the engines can give in its direction. */
export function limitTo(agent: Agent, force: Vec3): void {
  truncate(force, force, forceLeft(agent, normalize(way, force)))
}

/** Adds to `force` (N) the largest share of `more` with which the engines can still produce the sum. */
export function addWithinLimits(agent: Agent, force: Vec3, more: Vec3Like): void {
  let share = 1
  for (let i = 1; i <= HALVINGS; i++) {
    addScaled(sum, force, more, share)
    // whether the engines can produce it
    const isPossible = length(sum) <= forceLeft(agent, normalize(way, sum)) * (1 + 1e-9)
    if (isPossible && i === 1) break
    share += (isPossible ? 1 : -1) * 0.5 ** i
  }
  addScaled(force, force, more, share)
}

/**
 * Lets an agent rest that something else holds: nothing turns it, and the locomotion's own compensation of
 * gravity and damping is cancelled (N).
 */
export function restHeld(agent: Agent, step: Step, out: Wrench): void {
  const { damping, mass } = agent
  const { force } = out
  if (agent.compensateDamping)
    addScaled(force, force, agent.velocity, (mass * Math.expm1(-damping * step.dt)) / step.dt)
  if (agent.compensateGravity) addScaled(force, force, agent.gravity, mass)
  out.turns = true
}

/** Writes the force (N) that holds the agent against gravity, as far as its engines can. */
function holdWeight(out: Vec3, agent: Agent): Vec3 {
  return truncate(out, scale(out, agent.gravity, -agent.mass), agent.maxForce)
}
