import type { Agent, Step, Vec3 } from '../types.js'
import { addScaled, dot, length, lengthSq, scale, truncate, vec3 } from '../math/vec3.js'

const paid = vec3()

/** Force (N) that cancels what gravity and the engine's damping do to the agent in this step, as far as it asked for that. */
export function feedForward(out: Vec3, agent: Agent, dt: number): Vec3 {
  const loss = agent.compensateDamping ? (-agent.mass * Math.expm1(-agent.damping * dt)) / dt : 0
  scale(out, agent.velocity, loss)
  return agent.compensateGravity ? addScaled(out, out, agent.gravity, -agent.mass) : out
}

/**
 * Shortens `force` to `maxForce`, and so that it does not raise the speed beyond `maxSpeed`: the nearest velocity inside the ball
 * of allowed ones is aimed at. An agent that something threw faster than `maxSpeed` keeps its momentum; only thrust is capped.
 * Plain numbers, because every agent pays for this in every step.
 */
export function capThrust(agent: Agent, dt: number, force: Vec3): Vec3 {
  const { maxSpeed, maxForce, speed, velocity } = agent
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
      const share = limit / Math.sqrt(speedSq)
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

/** Shortens `force` as a whole, without turning it, so that it does not raise the speed beyond `maxSpeed`. */
export function scaleToSpeed(agent: Agent, dt: number, force: Vec3): Vec3 {
  const { maxSpeed, speed, mass, velocity } = agent
  const k = dt / mass
  const limit = Math.max(maxSpeed, speed)
  const b = dot(velocity, force) * k
  const a = lengthSq(force) * k * k
  const c = speed * speed - limit * limit
  if (limit === Infinity || a + 2 * b + c <= 0) return force
  // largest s in [0, 1] with |v + s·F·dt/m| = limit
  return scale(force, force, Math.max(0, (Math.sqrt(Math.max(0, b * b - a * c)) - b) / a))
}

/** `force`, which is within `maxForce`, plus what gravity and damping cost. The cost comes first; the demand gets the rest. */
export function payFirst(agent: Agent, step: Step, force: Vec3): Vec3 {
  if (!agent.compensateGravity && !agent.compensateDamping) return force
  truncate(paid, feedForward(paid, agent, step.dt), agent.maxForce)
  const share = Math.min(1, shareWithin(paid, force, agent.maxForce))
  return addScaled(force, paid, force, share)
}

/** Largest s with |base + s·addition| = radius; 0 when there is no addition. `base` lies inside. */
export function shareWithin(base: Vec3, addition: Readonly<Vec3>, radius: number): number {
  const a = lengthSq(addition)
  if (a === 0 || radius === Infinity) return a === 0 ? 0 : Infinity
  const b = dot(base, addition)
  const c = Math.min(0, lengthSq(base) - radius * radius)
  return Math.max(0, (Math.sqrt(b * b - a * c) - b) / a)
}
