import { TAU } from '../../core/math/scalar.js'
import { ArcChain, type ChainEnds } from './arc-chain.js'
import { shorten } from './chain-descent.js'
import { dotProduct } from './csc-solver.js'
import type { NearPose } from './near-pose.js'

const UNKNOWNS = 6

// The numbers below are chosen by hand.

/** Poses lie nearly in one plane when that plane's arcs end this close to the goal (radii and rad). */
const COPLANAR = 0.3
/** Maximum steps of one descent. */
const STEPS = 16
/**
 * A descent that is nearly closed, and longer than the best path by this (radii), is given up; one from the
 * arcs of a plane is not begun.
 */
const MARGIN = 0.3
/** A descent that is not the last one ends when three steps gain less than this share of the length. */
const GAIN = 1e-4
/** Length (radii) that a start counts as longer for a gap of 1. Measured: 8 starts find what 12 found. */
const GAP_WEIGHT = 4
/** Maximum steps of the last descent, which begins at the shortest path found. */
const LAST_STEPS = 40

/**
 * Starts for three arcs in the frame of {@link NearPose}, six numbers each: rolls of the three arcs, then
 * their angles (rad). Solutions of 48 of 2,000 random pairs of poses up to 4.5 radii apart. They were chosen
 * one by one, each the one that shortens the paths of all pairs most when it is used as a start in addition
 * (a greedy cover), so the first few matter most. Made by `chooseStarts` in test/curves/near-starts.ts.
 */
// prettier-ignore
const STARTS: readonly number[] = [
  5.79, 4.09, 4.43, 0.7, 4.38, 0.62,
  5.01, 4.38, 5.22, 1.52, 3.56, 1.59,
  0.56, 3.84, 4.22, 0.81, 5.12, 0.72,
  4.89, 5.16, 6.02, 0.66, 2.38, 2.14,
  0.3, 3.43, 4.17, 0.54, 5.52, 0.34,
  5.28, 5.46, 5.5, 0.47, 5.18, 0.48,
  5.21, 4.96, 5.92, 0.65, 0.85, 3.73,
  4.95, 4.99, 5.54, 0.56, 0.3, 2.76,
  5.41, 4.11, 5.61, 1.23, 3.02, 1.51,
  5.14, 3.91, 5.73, 1.3, 2.35, 1.69,
  2.89, 3.18, 3.27, 0.78, 5.45, 0.69,
  5.01, 5.27, 5.87, 0.96, 1.15, 3.58,
  5.25, 4.88, 5.79, 1.07, 0.77, 4.02,
  5.35, 4.61, 5.83, 0.95, 3, 1.78,
  4.86, 5.45, 5.18, 1.27, 0.16, 4.08,
  4.83, 5.27, 5.51, 0.99, 3.32, 1.15,
  4.58, 5.63, 5.8, 1.34, 0.36, 3.7,
  3.9, 5.09, 5.35, 2.04, 0.37, 3.52,
  0.82, 3.14, 5.32, 1.2, 5.09, 0.49,
  5.48, 4.66, 5.98, 1.03, 1.4, 3.75,
  0.4, 3.74, 5.82, 1.34, 3.89, 1.49,
  4.34, 4.93, 4.99, 1.3, 0.21, 3.1,
  4.32, 3.99, 5.69, 1.45, 1.71, 2.02,
  5.1, 5.43, 5.55, 1.15, 4.2, 1.22,
  4.35, 5.18, 5.63, 0.75, 0.57, 2.04,
  0.29, 3.22, 3.71, 1.02, 5.12, 0.56,
  4.16, 4.82, 5.42, 1.52, 0.74, 2.76,
  5.12, 4.6, 5.64, 0.9, 2.79, 1.42,
  5.08, 4.55, 5.68, 1.22, 2.59, 1.91,
  6.03, 3.54, 5.92, 0.68, 4.03, 0.72,
  5.88, 3.75, 4.53, 1.12, 3.97, 0.78,
  6.04, 3.45, 5.01, 0.87, 4.26, 0.37,
  6.11, 4.09, 5.07, 0.69, 4.9, 0.64,
  5.46, 4.8, 5.11, 0.87, 4.21, 0.91,
  0.92, 3.4, 3.98, 0.8, 5.31, 0.58,
  6.12, 3.77, 3.91, 0.54, 4.98, 0.48,
  0.01, 3.15, 3.23, 1.16, 4.86, 0.46,
  5.98, 4.18, 4.47, 0.97, 4.41, 0.91,
  6.17, 4.41, 4.75, 0.83, 4.83, 0.81,
  6.23, 3.55, 4.13, 1.17, 4.39, 0.8,
  5.89, 4.17, 5.87, 1.05, 3.64, 1.64,
  0.09, 3.6, 3.82, 0.94, 4.74, 0.8,
  6.21, 3.48, 5.04, 0.91, 4.75, 0.5,
  6.12, 4.5, 5.43, 1.1, 4.58, 1.2,
  6.19, 3.55, 3.69, 0.77, 4.65, 0.66,
  1.42, 4, 5.67, 1.02, 4.85, 1.1,
  6.27, 3.67, 3.96, 0.91, 4.68, 0.75,
  5.71, 4.19, 5.84, 0.66, 3.86, 1.1,
]

const chain = new ArcChain()
/** Estimated length from each start; Infinity once it has been followed. */
const estimates = new Float64Array(STARTS.length / UNKNOWNS)

/**
 * Finds a short chain of three arcs, each in a plane of its own, from one pose to another. It is for poses
 * closer than 4.5 radii, where {@link csc} is not always the shortest; beyond 6 radii there is none.
 *
 * A local search: the length is reduced (see `shorten`) from the most promising starts of a table, which are
 * solutions of other pairs of poses, and from the arcs of the plane in which the poses nearly lie. Mirrored,
 * turned, scaled and reversed pairs have the same length to rounding. With 8 starts it takes 0.2 ms; more
 * find the shortest for more pairs.
 * @returns its length (radii); Infinity when none was found, then `out` is of no use.
 */
export function findCcc(out: ArcChain, ends: NearPose, starts: number): number {
  chain.ends = out.ends = ends
  chain.share = out.share = 1
  let length = Infinity
  estimateStarts()
  for (let n = 0; n < starts && load(takeBestStart()); n++) length = descend(out, length, STEPS, GAIN)
  for (let kind = 0; kind < 4; kind++) {
    if (!planarCcc(chain.unknowns, ends, kind) || chain.walk(chain.unknowns) > COPLANAR) continue
    if (chain.lengthOf(chain.unknowns) > length + MARGIN) continue
    length = descend(out, length, STEPS, GAIN)
  }
  if (!(length < Infinity)) return length
  chain.unknowns.set(out.unknowns)
  return descend(out, length, LAST_STEPS, 0)
}

/** Shortens the chain, and stores it in `out` if it is the shortest so far. @returns the least length. */
function descend(out: ArcChain, length: number, steps: number, gain: number): number {
  const found = shorten(chain, steps, length + MARGIN, undefined, gain)
  if (!(found < length)) return length
  out.unknowns.set(chain.unknowns)
  return found
}

/** Estimates the length from each start: longer by a share of the gap that the descent has to close. */
function estimateStarts(): void {
  for (let i = 0; i < estimates.length; i++) {
    load(i)
    estimates[i] = chain.lengthOf(chain.unknowns) + GAP_WEIGHT * chain.walk(chain.unknowns)
  }
}

/** Takes the best start that has not been followed; −1 when there is none. */
function takeBestStart(): number {
  let found = -1
  let least = Infinity
  for (let i = 0; i < estimates.length; i++) {
    if (!(estimates[i]! < least)) continue
    least = estimates[i]!
    found = i
  }
  if (found >= 0) estimates[found] = Infinity
  return found
}

/** Loads a start into the chain. @returns false when there is none. */
function load(start: number): boolean {
  if (start < 0) return false
  for (let k = 0; k < UNKNOWNS; k++) chain.unknowns[k] = STARTS[start * UNKNOWNS + k]!
  return true
}

/**
 * Writes three arcs in the plane of the first heading and the goal's position, first and last to one side,
 * the middle one to the other (Dubins 1957), as unknowns of a chain of three links. They are exact where the
 * goal's heading lies in that plane, else for its projection. `kind` 0 … 3: the side of the first turn and
 * that of the middle circle.
 * @returns false when there are no such arcs.
 */
function planarCcc(unknowns: Float64Array, ends: ChainEnds, kind: number): boolean {
  const { headingA: a, sideA: n, headingB: b, position: p } = ends
  const ahead = dotProduct(b, a)
  const across = dotProduct(b, n)
  const size = Math.sqrt(ahead * ahead + across * across)
  const side = kind & 1 ? 1 : -1
  // from the first centre to the last
  const x = dotProduct(p, a) - (side * across) / size
  const y = dotProduct(p, n) + side * (ahead / size - 1)
  const away = Math.sqrt(x * x + y * y)
  if (!(away <= 4)) return false
  const apart = (kind & 2 ? 1 : -1) * Math.acos(away / 4)
  const toMiddle = Math.atan2(y, x) + apart
  const fromMiddle = toMiddle - 2 * apart
  const started = (-side * Math.PI) / 2
  const ended = Math.atan2(-side * ahead, side * across)
  unknowns[0] = side > 0 ? 0 : Math.PI
  unknowns[1] = unknowns[2] = Math.PI
  unknowns[3] = positiveAngle(side * (toMiddle - started))
  unknowns[4] = positiveAngle(-side * (fromMiddle - toMiddle - Math.PI))
  unknowns[5] = positiveAngle(side * (ended - fromMiddle - Math.PI))
  return true
}

/** The angle in (0, 2π), at least a hair: a chain cannot lack a link. */
function positiveAngle(angle: number): number {
  return Math.max(angle - TAU * Math.floor(angle / TAU), 1e-9)
}
