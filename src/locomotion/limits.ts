import type { Agent, Step, Vec3 } from '../types.js'
import { shareWithin } from '../math/ball.js'
import { addScaled, dot, isZero, length, lengthSq, scale, truncate, vec3 } from '../math/vec3.js'

const paid = vec3()

/** Force (N) that cancels what gravity and the engine's damping do to the agent in this step, as far as it asked for that. */
export function feedForward(out: Vec3, agent: Agent, dt: number): Vec3 {
  const loss = agent.compensateDamping ? (-agent.mass * Math.expm1(-agent.damping * dt)) / dt : 0
  scale(out, agent.velocity, loss)
  return agent.compensateGravity ? addScaled(out, out, agent.gravity, -agent.mass) : out
}

/**
 * Shortens `force` to `maxForce`, and so that it does not raise the speed beyond `maxSpeed`: the nearest velocity inside the ball
 * of allowed ones is aimed at, so a turn at full speed stays a turn. An agent that something threw faster than `maxSpeed` keeps its
 * momentum; only thrust is capped. Plain numbers, because every agent pays for this in every step.
 */
export function capThrust(agent: Agent, dt: number, force: Vec3, maxForce: number): Vec3 {
  const { maxSpeed, speed, velocity } = agent
  let { x, y, z } = force
  const sq = x * x + y * y + z * z
  if (sq > maxForce * maxForce) {
    const k = sq < 1e280 ? maxForce / Math.sqrt(sq) : maxForce / length(force)
    x *= k
    y *= k
    z *= k
  }
  if (maxSpeed < Infinity) {
    const k = dt / agent.mass
    const vx = velocity.x + x * k
    const vy = velocity.y + y * k
    const vz = velocity.z + z * k
    const limit = maxSpeed > speed ? maxSpeed : speed
    const speedSq = vx * vx + vy * vy + vz * vz
    if (speedSq > limit * limit) {
      const share = limit / (speedSq < 1e280 ? Math.sqrt(speedSq) : Math.hypot(vx, vy, vz))
      x = (vx * share - velocity.x) / k
      y = (vy * share - velocity.y) / k
      z = (vz * share - velocity.z) / k
    }
  }
  force.x = x
  force.y = y
  force.z = z
  return force
}

/** Whether the locomotion of `agent` pays for something before it serves the demand. */
export function hasCosts(agent: Agent): boolean {
  return agent.compensateGravity || agent.compensateDamping
}

/**
 * The demand `force`, capped, plus what gravity and damping cost, all within `maxForce`. The cost comes first; the demand gets
 * the rest.
 */
export function payFirst(agent: Agent, step: Step, force: Vec3): Vec3 {
  if (!hasCosts(agent)) return capThrust(agent, step.dt, force, agent.maxForce)
  capThrust(agent, step.dt, force, Infinity)
  truncate(paid, feedForward(paid, agent, step.dt), agent.maxForce)
  return addScaled(force, paid, force, Math.min(1, shareWithin(paid, force, agent.maxForce)))
}

/**
 * Takes from `force` what would raise the speed beyond `maxSpeed`, along the velocity only: the lift of a turn at full speed is left
 * whole, less the hair's breadth by which a step of it would speed the agent up.
 */
export function capSpeed(agent: Agent, dt: number, force: Vec3): Vec3 {
  const { maxSpeed, speed, velocity } = agent
  const limit = Math.max(maxSpeed, speed)
  const k = dt / agent.mass
  if (limit === Infinity || lengthOfSum(velocity, force, k) <= limit) return force
  if (speed > 0) {
    const along = dot(force, velocity) / speed
    const across = Math.sqrt(Math.max(0, lengthSq(force) - along * along)) * k
    const allowed = (Math.sqrt(Math.max(0, limit * limit - across * across)) - speed) / k
    if (across < limit) return addScaled(force, force, velocity, (allowed - along) / speed)
  }
  // as good as at rest, with thrust for more than the whole speed in one step
  return capThrust(agent, dt, force, Infinity)
}

/** Shortens `force` as a whole so that it does not raise the speed beyond `maxSpeed` and a share `slack` of it. */
export function shortenToSpeed(agent: Agent, dt: number, force: Vec3, slack: number): Vec3 {
  const { maxSpeed, speed, velocity } = agent
  const limit = Math.max(maxSpeed * (1 + slack), speed)
  const k = dt / agent.mass
  if (limit === Infinity || isZero(force) || lengthOfSum(velocity, force, k) <= limit) return force
  // largest s with |v + s·F·k| = limit
  const a = lengthSq(force) * k * k
  const b = dot(velocity, force) * k
  const c = speed * speed - limit * limit
  return scale(force, force, Math.max(0, Math.min(1, (Math.sqrt(Math.max(0, b * b - a * c)) - b) / a)))
}

function lengthOfSum(a: Readonly<Vec3>, b: Readonly<Vec3>, k: number): number {
  return Math.hypot(a.x + b.x * k, a.y + b.y * k, a.z + b.z * k)
}

/** Damping is paid for in a step of this length (s) where the real one is not known. */
export const NOMINAL_STEP: number = 1 / 60
