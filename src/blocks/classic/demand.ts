import type { Agent, Step, Vec3Like } from '../../core/types.js'
import type { VelocityConstraints } from '../../core/solver/constraint.js'
import { servoGain } from '../../core/control/drive.js'
import { dot, length, normalize, scale, vec3 } from '../../core/math/vec3.js'

const direction = vec3()

/**
 * Adds a force (N) to `limits` as a constraint: the velocity must change along the force by at least as much
 * as the force asks for. Adds nothing when the force is zero.
 */
export function demandForce(
  agent: Agent,
  step: Step,
  force: Vec3Like,
  limits: VelocityConstraints,
  yields = false,
): void {
  scale(direction, force, 1 / servoGain(agent, step))
  const change = length(direction)
  normalize(direction, direction)
  if (change > 0) limits.addHalfSpace(direction, dot(agent.velocity, direction) + change, yields)
}
