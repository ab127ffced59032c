import type { Vec3, Vec3Like, Waypoint } from 'three-steering'
import { inner, minus, outer, plus, times, unit, vec } from '../../demo/scenarios/vectors.js'

const { PI, atan2, cos, hypot, min, sin } = Math
const size = ({ x, y, z }: Vec3Like): number => hypot(x, y, z)

/** The same pair flown backwards: exchanged, with opposite headings. */
export function backwards(from: Waypoint, to: Waypoint): [Waypoint, Waypoint] {
  const back = ({ position, heading }: Waypoint): Waypoint => ({ position, heading: times(heading, -1) })
  return [back(to), back(from)]
}

/**
 * The error when the first arc turns by `a` in the plane at `roll` about the heading, and the length of the
 * path.
 */
type Trial = (a: number, roll: number) => { x: number; y: number; length: number }

/** The rest of the path: a straight, and an arc by the smaller or the larger angle. */
function trialOf(from: Waypoint, to: Waypoint, radii: readonly [number, number], long: boolean): Trial {
  const [u, w] = [unit(from.heading), unit(to.heading)]
  const [side, up] = across(u)
  const displacement = minus(to.position, from.position)
  return (a, roll) => {
    const m = plus(times(side, cos(roll)), up, sin(roll))
    const t = plus(times(u, cos(a)), m, sin(a))
    const afterArc = minus(displacement, plus(times(u, radii[0] * sin(a)), m, radii[0] * (1 - cos(a))))
    const [sum, difference] = [plus(t, w), minus(t, w)]
    const turn = 2 * atan2(size(difference), size(sum))
    const chord = times(unit(sum), (long ? -1 : 1) * radii[1] * size(difference))
    const straight = minus(afterArc, chord)
    const left = minus(straight, times(t, inner(straight, t)))
    const normal = outer(u, m)
    // across the straight, in the plane of the first arc and out of it
    const flat = plus(times(u, -sin(a)), m, cos(a))
    const ahead = inner(straight, t)
    const length = ahead < -1e-9 ? NaN : radii[0] * a + ahead + radii[1] * (long ? 2 * PI - turn : turn)
    return { x: inner(left, flat), y: inner(left, normal), length }
  }
}

function across(u: Vec3Like): [Vec3, Vec3] {
  const side = unit(outer(u, Math.abs(u.x) < 0.6 ? vec(1, 0, 0) : vec(0, 1, 0)))
  return [side, outer(u, side)]
}

/**
 * Shortest arc, straight and arc by brute force: the equation of the first arc's angle and plane, solved with
 * differences from every start of a lattice, forwards and, since the last arc has no plane where it is π,
 * backwards. Independent of the solver.
 */
export function byLattice(from: Waypoint, to: Waypoint, radii: readonly [number, number]): number {
  const [start, goal] = backwards(from, to)
  return min(forwards(from, to, radii), forwards(start, goal, [radii[1], radii[0]]))
}

const ANGLES = [0.05, 0.6, 1.2, 1.8, 2.4, 2.9, 3.1, 3.2, 3.4, 3.9, 4.6, 5.3, 6]

function forwards(from: Waypoint, to: Waypoint, radii: readonly [number, number]): number {
  let least = Infinity
  for (const long of [false, true]) {
    const trial = trialOf(from, to, radii, long)
    for (const a of ANGLES)
      for (let roll = 0; roll < 2 * PI; roll += PI / 6) {
        const length = root(trial, a, roll)
        if (length < least) least = length
      }
  }
  return least
}

/** Newton's method with differences; NaN where it does not converge. */
function root(trial: Trial, a: number, roll: number): number {
  const h = 1e-6
  for (let i = 0; i < 25; i++) {
    const at = trial(a, roll)
    const off = hypot(at.x, at.y)
    if (off < 1e-11) return a >= 0 && a <= 2 * PI ? at.length : NaN
    const byA = trial(a + h, roll)
    const byRoll = trial(a, roll + h)
    const [p, q, r, s] = [
      (byA.x - at.x) / h,
      (byRoll.x - at.x) / h,
      (byA.y - at.y) / h,
      (byRoll.y - at.y) / h,
    ]
    const det = p * s - q * r
    const stepA = (q * at.y - s * at.x) / det
    const stepRoll = (r * at.x - p * at.y) / det
    const share = min(1, 0.6 / hypot(stepA, stepRoll))
    a += share * stepA
    roll += share * stepRoll
    if (!(a > -1 && a < 8)) return NaN
  }
  return NaN
}
