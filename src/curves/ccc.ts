import type { Waypoint } from '../types.js'
import { ArcChain } from './arc-chain.js'
import type { ArcPath } from './arc-path.js'
import { CCC_STARTS } from './ccc-starts.js'
import { shorten } from './chain-descent.js'
import { NearPose } from './near-pose.js'
import { PLANAR_KINDS, planarCcc } from './planar-ccc.js'

/** Starts that are followed, of those in the table, unless said otherwise: 0.2 ms. */
export const DEFAULT_STARTS = 8

const UNKNOWNS = 6
/** Poses lie nearly in one plane when the arcs of that plane end no farther from the goal, in radii and rad. */
const COPLANAR = 0.3
/** Steps of one descent: what has not met by then does not. */
const STEPS = 16
/** A descent that has all but met and is longer than the best by this much is given up, in radii. */
const MARGIN = 0.3
/** Steps of the last descent, from the shortest found. */
const LAST_STEPS = 40

const pose = new NearPose()
const chain = new ArcChain()
const best = new ArcChain()
const promise = new Float64Array(CCC_STARTS.length / UNKNOWNS)

/**
 * Shortest path in space of three arcs of one `radius` (m, > 0), each in a plane of its own, from one pose to another, in `out`.
 * Returns its length, m, or Infinity where none was found; then `out` is of no use. For poses closer than 4.5 radii, where {@link csc}
 * is not always the shortest; there is none beyond 6 radii.
 *
 * A local search: the length is brought down (see `shorten`) from the most promising of a table of starts, which are solutions of
 * other pairs of poses, and of the arcs of the plane in which the poses nearly lie. Mirror images, turned, scaled and reversed pairs
 * have the same length to rounding.
 */
export function ccc(
  out: ArcPath,
  from: Waypoint,
  to: Waypoint,
  radius: number,
  starts: number = DEFAULT_STARTS,
): number {
  if (!pose.read(from, to, radius)) return Infinity
  const length = findCcc(best, pose, starts)
  return length < Infinity ? pose.write(out, best, from, radius) : Infinity
}

/** The same in the frame of a pair of poses, left in `out`. Returns the length in radii. */
export function findCcc(out: ArcChain, ends: NearPose, starts: number): number {
  chain.ends = out.ends = ends
  chain.share = out.share = 1
  let length = Infinity
  rank()
  for (let n = 0; n < starts && take(mostPromising()); n++) length = descend(out, length, STEPS)
  for (let kind = 0; kind < PLANAR_KINDS; kind++) {
    if (!planarCcc(chain.unknowns, ends, kind) || chain.walk(chain.unknowns) > COPLANAR) continue
    length = descend(out, length, STEPS)
  }
  if (!(length < Infinity)) return length
  chain.unknowns.set(out.unknowns)
  return descend(out, length, LAST_STEPS)
}

/** Goes down from where the chain is, and keeps it if that is the shortest. */
function descend(out: ArcChain, length: number, steps: number): number {
  const found = shorten(chain, steps, length + MARGIN)
  if (!(found < length)) return length
  out.unknowns.set(chain.unknowns)
  return found
}

function rank(): void {
  for (let i = 0; i < promise.length; i++) {
    take(i)
    promise[i] = chain.lengthOf(chain.unknowns)
  }
}

/** The best start not yet followed, −1 when there is none. */
function mostPromising(): number {
  let found = -1
  let least = Infinity
  for (let i = 0; i < promise.length; i++) {
    if (!(promise[i]! < least)) continue
    least = promise[i]!
    found = i
  }
  if (found >= 0) promise[found] = Infinity
  return found
}

function take(start: number): boolean {
  if (start < 0) return false
  for (let k = 0; k < UNKNOWNS; k++) chain.unknowns[k] = CCC_STARTS[start * UNKNOWNS + k]!
  return true
}
