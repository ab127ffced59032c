import type { Agent, Step, Vec3, Vec3Like } from '../../types.js'
import { shareWithin } from '../../math/ball.js'
import { addScaled, dot, isZero, normalize, reject, scale, set, truncate, vec3 } from '../../math/vec3.js'
import { reportGoalDistance } from '../../control/wish.js'

/** Halvings of the share of a force that is cut. */
const HALVINGS = 8

const held = vec3()
const beside = vec3()
const sum = vec3()
const direction = vec3()
const up = vec3()

/** Largest force (N) along a unit direction that is left once the weight is held: also where the locomotion leaves that to others. */
export function forceLeft(agent: Agent, x: number, y: number, z: number): number {
  const force = Math.min(agent.forceAlong(x, y, z), agent.maxForce)
  if (agent.compensateGravity) return force
  const { gravity, mass } = agent
  const box = force + mass * (gravity.x * x + gravity.y * y + gravity.z * z)
  const ball = shareWithin(weightOf(agent), set(direction, x, y, z), agent.maxForce)
  return Math.max(0, Math.min(box, ball))
}

/** Force (N) that is left, as `forceLeft`, along the weakest of up and of the axes of its attitude, both ways. */
export function leastForceLeft(agent: Agent): number {
  const { attitude, gravity } = agent
  let least = agent.maxForce
  for (let i = 0; i < 6; i++) {
    const { x, y, z } = i % 3 === 0 ? attitude.x : i % 3 === 1 ? attitude.y : attitude.z
    const sign = i < 3 ? 1 : -1
    least = Math.min(least, forceLeft(agent, sign * x, sign * y, sign * z))
  }
  normalize(up, gravity)
  return isZero(up) ? least : Math.min(least, forceLeft(agent, -up.x, -up.y, -up.z))
}

/**
 * Adds the force `wanted` (N), and what holds the weight where the locomotion does not: that comes first, the rest gets what is left of `maxForce`. As
 * a wish it is not cut, and tells `distance` (m).
 */
export function press(agent: Agent, wanted: Vec3, distance: number, out: Vec3): void {
  const { wish } = agent
  if (wish !== null) reportGoalDistance(agent, distance)
  else truncate(wanted, wanted, agent.maxForce)
  if (agent.compensateGravity) addScaled(out, out, wanted, 1)
  else {
    addScaled(out, out, weightOf(agent), 1)
    const share = wish === null ? shareWithin(held, wanted, agent.maxForce) : 1
    addScaled(out, out, wanted, Math.min(1, share))
  }
}

/**
 * Cuts `force` (N) to what the engines can do: what is along the unit `axis` comes first. Each engine by itself cut to its limit would turn
 * the force, and what was meant to go across would push along the axis.
 */
export function cutAcross(agent: Agent, force: Vec3, axis: Vec3Like): void {
  const { x, y, z } = axis
  const along = dot(force, axis)
  reject(beside, force, axis)
  const most = along < 0 ? forceLeft(agent, -x, -y, -z) : forceLeft(agent, x, y, z)
  const first = Math.max(-most, Math.min(most, along))
  scale(force, axis, first)
  let share = 1
  for (let i = 1; i <= HALVINGS; i++) {
    addScaled(sum, force, beside, share)
    const isPossible = within(agent, sum)
    if (isPossible && i === 1) break
    share += (isPossible ? 1 : -1) * 0.5 ** i
  }
  addScaled(force, force, beside, share)
}

/** Whether the engines can do this force, N. */
function within(agent: Agent, { x, y, z }: Vec3Like): boolean {
  const size = Math.hypot(x, y, z)
  return size === 0 || size <= forceLeft(agent, x / size, y / size, z / size) * (1 + 1e-9)
}

/** Takes back what the locomotion spends against gravity and damping: who stands on something needs no thrust. */
export function standDown(agent: Agent, step: Step, out: Vec3): void {
  const { damping, mass } = agent
  if (agent.compensateDamping)
    addScaled(out, out, agent.velocity, (mass * Math.expm1(-damping * step.dt)) / step.dt)
  if (agent.compensateGravity) addScaled(out, out, agent.gravity, mass)
}

/** The force (N) that holds the agent against gravity, as far as its engines can, into `held`. */
function weightOf(agent: Agent): Vec3 {
  return truncate(held, scale(held, agent.gravity, -agent.mass), agent.maxForce)
}
