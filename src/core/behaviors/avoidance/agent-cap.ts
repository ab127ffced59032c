import type { Agent, Step } from '../../types.js'
import type { VelocityConstraints } from '../../solver/constraint.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import { exemptsAgent } from '../../solver/exemption.js'
import {
  addScaled,
  copy,
  dot,
  isZero,
  lengthSq,
  normalize,
  reject,
  scale,
  set,
  sub,
  vec3,
} from '../../math/vec3.js'
import { capPlane } from './plane-cap.js'
import { yieldShare } from './right-of-way.js'
import { nextPath } from './wall-cap.js'

const drift = vec3()
const normal = vec3()
const offset = vec3()
const path = vec3()

/**
 * For the input of a player: limits the speed towards the agent in `row` of the neighbours, as towards a wall
 * at the place where the two would meet with their centres `kept` (m) apart. Call `measureAgility` for the
 * agent first.
 */
export function capAgent(
  agent: Agent,
  step: Step,
  row: number,
  kept: number,
  limits: VelocityConstraints,
): void {
  const neighbors = neighborsOf(agent)
  const { exemption, wantedVelocity } = limits
  if (yieldShare(agent.priority, neighbors.priority(row)) === 0) return
  if (exemption !== undefined && exemptsAgent(exemption, neighbors, row, kept)) return
  const { position, velocity } = neighbors
  const p = 3 * row
  set(offset, position[p]!, position[p + 1]!, position[p + 2]!)
  sub(offset, offset, agent.position)
  set(drift, velocity[p]!, velocity[p + 1]!, velocity[p + 2]!)
  copy(normal, offset)
  if (lengthSq(offset) > kept * kept) {
    if (!(nextPath(agent, step, drift, wantedVelocity, path) > 0)) return
    const along = dot(offset, path)
    const half = kept * kept - lengthSq(reject(normal, offset, path))
    if (!(along > 0 && half > 0)) return
    // from the agent to the other one when they touch
    addScaled(normal, normal, path, Math.sqrt(half))
  }
  scale(normal, normalize(normal, normal), -1)
  if (!isZero(normal)) capPlane(agent, step, normal, -dot(offset, normal) - kept, drift, limits, true)
}
