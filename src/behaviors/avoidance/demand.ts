import type { Agent, Step, Vec3Like } from '../../types.js'
import type { VelocityConstraints } from '../../solver/constraint.js'
import { servoGain } from '../../control/drive.js'
import { dot, length, normalize, scale, vec3 } from '../../math/vec3.js'

const way = vec3()

/** A force (N) of the textbook as a constraint: at least as much of its own way as it asks for. None when it is zero. */
export function demandForce(
  agent: Agent,
  step: Step,
  force: Vec3Like,
  limits: VelocityConstraints,
  yields = false,
): void {
  scale(way, force, 1 / servoGain(agent, step))
  const more = length(way)
  normalize(way, way)
  if (more > 0) limits.addHalfSpace(way, dot(agent.velocity, way) + more, yields)
}
