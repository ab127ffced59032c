import type { Agent, Behavior, Step, Vec3, Vec3Like } from '../types.js'
import type { ConstraintSet } from './constraint-set.js'
import { servoGain } from '../control/drive.js'
import { length, load, scale, set, vec3 } from '../math/vec3.js'

/** Less than this share of `maxForce` is rounding. */
const CRUMB = 1e-6

const force: Vec3 = vec3()
let moves = new Float64Array(0)
let lacks = new Float64Array(0)

/**
 * Tells the ledger by which force each of the constraints, the askers of `demands`, brought the velocity `wanted` to that which was `solved`, if they
 * `changed` anything. Those whose demands that velocity violates are told to be overruled.
 */
export function explainConstraints(
  agent: Agent,
  step: Step,
  demands: ConstraintSet,
  askers: readonly Behavior[],
  wanted: Vec3Like,
  solved: Vec3Like,
  changed: boolean,
): void {
  const { explainer: ledger } = agent
  if (ledger === null) return
  if (lacks.length < askers.length) {
    moves = new Float64Array(3 * askers.length)
    lacks = new Float64Array(askers.length)
  }
  lacks.fill(0)
  moves.fill(0)
  if (changed) demands.attributeChange(moves, wanted, solved)
  demands.addViolations(lacks, solved)
  const gain = servoGain(agent, step)
  for (let i = 0; i < askers.length; i++) {
    scale(force, load(force, moves, 3 * i), gain)
    if (length(force) < CRUMB * agent.maxForce) set(force, 0, 0, 0)
    ledger.addChange(askers[i]!, force, lacks[i])
  }
}
