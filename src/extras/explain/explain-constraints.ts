import type { Behavior, Explainer, Vec3, Vec3Like } from '../../core/types.js'
import type { ConstraintSet } from '../../core/solver/constraint-set.js'
import type { VelocityProgram } from '../../core/solver/velocity-program.js'
import { servoGain } from '../../core/control/drive.js'
import { length, load, scale, set, vec3 } from '../../core/math/vec3.js'

/** A force below this share of `maxForce` is a rounding error. */
const ROUNDING_SHARE = 1e-6
/** A velocity nearer to a plane than this (m/s, and as a share) lies on it, when changes are attributed. */
const TOUCHING = 1e-6
/** Iterations of that attribution. */
const ROUNDS = 60
/** A demand (m/s) violated by less than this share of itself and of 1 m/s counts as met. */
const MET_SHARE = 1e-3

const force: Vec3 = vec3()
const ahead: Vec3 = vec3()
let changes = new Float64Array(0)
let violations = new Float64Array(0)

/** What a combination tells of its constraints, see `Explainer`. */
export type ConstraintChange = Parameters<Explainer['addConstraints']>

/**
 * Adds by which force each of the constraints changed the velocity from `wanted` to `solved`, if it
 * `changed`, and how much (m/s) it is violated by that velocity. Called after the solution.
 */
export function explainConstraints(
  add: (part: Behavior, force: Vec3Like, violation: number) => void,
  ...[agent, step, demands, constraints, wanted, solved, changed]: ConstraintChange
): void {
  const constraintSet = demands as ConstraintSet
  if (violations.length < constraints.length) {
    changes = new Float64Array(3 * constraints.length)
    violations = new Float64Array(constraints.length)
  }
  violations.fill(0)
  changes.fill(0)
  if (changed) attributeAll(constraintSet, wanted, solved)
  addViolations(constraintSet.program, solved)
  const gain = servoGain(agent, step)
  for (let i = 0; i < constraints.length; i++) {
    scale(force, load(force, changes, 3 * i), gain)
    if (length(force) < ROUNDING_SHARE * agent.maxForce) set(force, 0, 0, 0)
    add(constraints[i]!, force, violations[i]!)
  }
}

/**
 * Attributes the change from `wanted` to `solved` (m/s) to the constraints: first the choice of direction and
 * speed, then the half-spaces.
 */
function attributeAll(constraintSet: ConstraintSet, wanted: Vec3Like, solved: Vec3Like): void {
  const { exitOwner, isExiting, plannedVelocity: planned, program } = constraintSet
  const offset = 3 * (isExiting ? exitOwner : blockingOwner(constraintSet))
  changes[offset]! += planned.x - wanted.x
  changes[offset + 1]! += planned.y - wanted.y
  changes[offset + 2]! += planned.z - wanted.z
  attributeChange(program, changes, planned, solved)
}

/**
 * Index of the constraint whose obstacle the wanted velocity would hit first; if there is none, of the
 * nearest obstacle.
 */
function blockingOwner({ flight, viewCount, views, wantedVelocity }: ConstraintSet): number {
  const speed = (flight.speed = length(wantedVelocity))
  let owner = 0
  let first = Infinity
  let nearest = Infinity
  scale(ahead, wantedVelocity, speed > 0 ? 1 / speed : 0)
  for (let i = 0; i < viewCount; i++) {
    const view = views[i]!
    const outlineDistance = speed > 0 ? view.distanceToOutline(ahead, flight) : Infinity
    if (!(outlineDistance < first || (first === Infinity && view.clearance < nearest))) continue
    first = outlineDistance
    nearest = view.clearance
    owner = view.owner
  }
  return owner
}

/** Raises the violation (m/s) of each owner to that of its demands. */
function addViolations(program: VelocityProgram, solved: Vec3Like): void {
  const { count, firm, owners, planes, relaxed, relaxedYields } = program
  for (let i = 0; i < count; i++) {
    const n = 4 * i
    const least = planes[n + 3]! + (i < firm ? relaxed : relaxedYields)
    const violation = least - (planes[n]! * solved.x + planes[n + 1]! * solved.y + planes[n + 2]! * solved.z)
    if (violation > MET_SHARE * (1 + Math.abs(least)) && violation > violations[owners[i]!]!)
      violations[owners[i]!] = violation
  }
}

/**
 * Attributes the change from `wanted` to `solved` (m/s) in the last `solve` to the owners: adds the part of
 * each to `out`, `[3 × owners]`. The part of the ball is attributed to no owner.
 */
export function attributeChange(
  { count, owners, planes }: VelocityProgram,
  out: Float64Array,
  wanted: Vec3Like,
  solved: Vec3Like,
): void {
  const active: number[] = []
  for (let i = 0; i < count; i++) {
    const n = 4 * i
    const clearance =
      planes[n]! * solved.x + planes[n + 1]! * solved.y + planes[n + 2]! * solved.z - planes[n + 3]!
    if (clearance < TOUCHING * (1 + Math.abs(planes[n + 3]!))) active.push(n)
  }
  // least squares with factors ≥ 0, by coordinate descent
  const factors = active.map(() => 0)
  const rest = [solved.x - wanted.x, solved.y - wanted.y, solved.z - wanted.z]
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, n] of active.entries()) {
      const along = rest[0]! * planes[n]! + rest[1]! * planes[n + 1]! + rest[2]! * planes[n + 2]!
      const more = Math.max(along, -factors[i]!)
      factors[i]! += more
      for (let k = 0; k < 3; k++) rest[k]! -= more * planes[n + k]!
    }
  for (const [i, n] of active.entries())
    for (let k = 0; k < 3; k++) out[3 * owners[n / 4]! + k]! += factors[i]! * planes[n + k]!
}
