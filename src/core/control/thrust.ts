import type { Agent, Step, Vec3 } from '../types.js'
import { length } from '../math/vec3.js'

/** The part of an agent that its thrust depends on. */
type Vehicle = Pick<Agent, 'mass' | 'maxForce' | 'maxSpeed' | 'speed' | 'velocity'>

/**
 * Limits `force` to `maxForce`, if it is `limited`, and so that it does not raise the speed above `maxSpeed`:
 * the velocity after the step becomes the nearest one inside the ball of allowed velocities, so a turn at
 * full speed remains a turn. An agent that was thrown faster than `maxSpeed` keeps its momentum; only the
 * thrust is limited. Written with plain numbers, because it runs for every agent in every step.
 */
export function capThrust(agent: Vehicle, step: Pick<Step, 'dt'>, force: Vec3, limited: boolean): Vec3 {
  const { maxForce, maxSpeed, speed, velocity } = agent
  let { x, y, z } = force
  const sq = x * x + y * y + z * z
  if (limited && sq > maxForce * maxForce) {
    const k = sq < 1e280 ? maxForce / Math.sqrt(sq) : maxForce / length(force)
    x *= k
    y *= k
    z *= k
  }
  if (maxSpeed < Infinity) {
    const k = step.dt / agent.mass
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
