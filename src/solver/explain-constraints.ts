import type { Agent, Behavior, Step, Vec3, Vec3Like } from '../types.js'
import type { ConstraintSet } from './constraint-set.js'
import { servoGain } from '../control/drive.js'
import { length, load, scale, set, vec3 } from '../math/vec3.js'

/** Less than this share of `maxForce` is rounding. */
const ROUNDING_SHARE = 1e-6

const force: Vec3 = vec3()
let changes = new Float64Array(0)
let violations = new Float64Array(0)

/**
 * Tells the ledger by which force each of the constraints, the askers of `demands`, brought the velocity `wanted` to that which was `solved`, if they
 * `changed` anything. Those whose demands that velocity violates are told to be overruled.
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
