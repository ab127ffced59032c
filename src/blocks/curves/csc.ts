import type { Vec3, Waypoint } from '../../core/types.js'
import { length, load, normalize, save, sub, vec3 } from '../../core/math/vec3.js'
import type { ArcPath } from './arc-path.js'
import { CscSearch } from './csc-search.js'
import { CscSolver, dotProduct, halve } from './csc-solver.js'
import { shortArcs } from './short-arcs.js'

const solver = new CscSolver()
const search = new CscSearch(solver)
const straightDirection = new Float64Array(3)
const vector = vec3()

/** Of the last call of {@link csc}: whether short arcs did not suffice, so that all starts were tried. */
export const lastCall = { searched: false }

/**
 * Finds the shortest path in space of an arc, a straight and an arc (any of them may be missing) from one
 * pose to another. The arcs have radii of their own (m, ≥ 0), for the speeds at both ends; with a radius of 0
 * the agent turns on the spot. Positions and radii must be finite, headings not zero.
 *
 * The path is a filleted polygon, solved by Newton's method for the direction of the straight. Arcs below π
 * are tried first; a path of them was the shortest of this kind in every case seen. Else the search has 104
 * starts, with arcs up to 2π. At 4 radii and more no result was improved by 400 random starts, in 550,000
 * cases; nearer about 1 of 10,000 was, by up to 0.6 %. Flown backwards the path is as long. With `hasty` only
 * half of the starts are tried.
 * @returns the length of the path (m); Infinity when none was found, then `out` is of no use.
 */
export function csc(
  out: ArcPath,
  from: Waypoint,
  to: Waypoint,
  startRadius: number,
  endRadius: number,
  hasty = false,
): number {
  const unit = Math.max(startRadius, endRadius)
  lastCall.searched = false
  if (!(unit > 0)) return turnOnTheSpot(out, from, to)
  setProblem(from, to, startRadius, endRadius, unit)
  lastCall.searched = !solveShortArcs()
  if (lastCall.searched && !search.run(hasty)) return Infinity
  writePath(out, from, startRadius, endRadius, unit)
  return out.length
}

/** A path of arc, straight and arc, roughly: where a search for one nearby begins. */
export interface CscGuess {
  /** Direction of the straight. */
  readonly along: Vec3
  /** Whether the arcs are longer than π. */
  longStart: boolean
  longGoal: boolean
}

/**
 * As {@link csc}, but of the paths of arc, straight and arc only the one next to `guess` is looked for: a few
 * steps of Newton's method. For poses that have changed little.
 * @returns the length of the path (m); Infinity where there is none nearby.
 */
export function cscNear(
  out: ArcPath,
  from: Waypoint,
  to: Waypoint,
  startRadius: number,
  endRadius: number,
  { along, longStart, longGoal }: CscGuess,
): number {
  const unit = Math.max(startRadius, endRadius)
  if (!(unit > 0)) return turnOnTheSpot(out, from, to)
  setProblem(from, to, startRadius, endRadius, unit)
  save(along, straightDirection, 0)
  halve(solver.startChord, solver.startHeading, straightDirection, longStart ? -1 : 1)
  halve(solver.goalChord, solver.goalHeading, straightDirection, longGoal ? -1 : 1)
  if (!solver.converge()) return Infinity
  writePath(out, from, startRadius, endRadius, unit)
  return out.length
}

function turnOnTheSpot(out: ArcPath, { position, heading }: Waypoint, to: Waypoint): number {
  const d = length(sub(vector, to.position, position))
  return out.begin(position, d > 0 ? vector : heading).straight(d).length
}

/** Gives the poses to the solver, in lengths of `unit` (m). */
function setProblem(
  from: Waypoint,
  to: Waypoint,
  startRadius: number,
  endRadius: number,
  unit: number,
): void {
  const { displacement, goalHeading, radii, startHeading } = solver
  save(normalize(vector, from.heading), startHeading, 0)
  save(normalize(vector, to.heading), goalHeading, 0)
  displacement[0] = (to.position.x - from.position.x) / unit
  displacement[1] = (to.position.y - from.position.y) / unit
  displacement[2] = (to.position.z - from.position.z) / unit
  radii[0] = startRadius / unit
  radii[1] = endRadius / unit
}

function writePath(out: ArcPath, from: Waypoint, startRadius: number, endRadius: number, unit: number): void {
  const { goalChord, parts, startChord: h, startHeading: u } = solver
  solver.measure()
  const begin = straightDirection
  for (let i = 0; i < 3; i++) begin[i] = startRadius > 0 ? u[i]! : 2 * dotProduct(h, u) * h[i]! - u[i]!
  out.begin(from.position, load(vector, begin, 0))
  writeArc(out, h, startRadius, parts[0]!)
  out.straight(parts[1]! * unit)
  writeArc(out, goalChord, endRadius, parts[2]!)
}

function writeArc(out: ArcPath, chord: Float64Array, radius: number, angle: number): void {
  if (angle > 1e-14 && radius > 0) out.arc(load(vector, chord, 0), radius, angle)
}

/** Gives the solver the path with arcs below π. @returns whether there is one. */
function solveShortArcs(): boolean {
  const { displacement, goalChord, goalHeading, radii, startChord, startHeading } = solver
  if (!shortArcs(straightDirection, startHeading, goalHeading, displacement, radii, false)) return false
  halve(startChord, startHeading, straightDirection, 1)
  halve(goalChord, goalHeading, straightDirection, 1)
  return true
}
