import type { Agent, Behavior, Step, Vec3, Vec3Like } from '../types.js'
import type { ConstraintSet } from './constraint-set.js'
import { servoGain } from '../control/drive.js'
import { length, load, scale, set, vec3 } from '../math/vec3.js'

/** A force below this share of `maxForce` is a rounding error. */
const ROUNDING_SHARE = 1e-6

const force: Vec3 = vec3()
let changes = new Float64Array(0)
let violations = new Float64Array(0)

/**
 * Reports to the explainer by which force each of the constraints changed the velocity from `wanted` to
 * `solved`, if it `changed`. Constraints whose demands that velocity violates are reported as overruled.
 */
export function explainConstraints(
  agent: Agent,
  step: Step,
  constraintSet: ConstraintSet,
  constraints: readonly Behavior[],
  wanted: Vec3Like,
  solved: Vec3Like,
  changed: boolean,
): void {
  const { explainer } = agent
  if (explainer === null) return
  if (violations.length < constraints.length) {
    changes = new Float64Array(3 * constraints.length)
    violations = new Float64Array(constraints.length)
  }
  violations.fill(0)
  changes.fill(0)
  if (changed) constraintSet.attributeChange(changes, wanted, solved)
  constraintSet.addViolations(violations, solved)
  const gain = servoGain(agent, step)
  for (let i = 0; i < constraints.length; i++) {
    scale(force, load(force, changes, 3 * i), gain)
    if (length(force) < ROUNDING_SHARE * agent.maxForce) set(force, 0, 0, 0)
    explainer.addChange(constraints[i]!, force, violations[i])
  }
}
