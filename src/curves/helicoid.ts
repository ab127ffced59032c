import type { Waypoint } from '../types.js'
import { ArcChain, MAX_LINKS, SECTIONS } from './arc-chain.js'
import type { ArcPath } from './arc-path.js'
import { findCcc } from './ccc.js'
import { shorten } from './chain-descent.js'
import { NearPose } from './near-pose.js'

/** Effort of {@link helicoid} (0 … 2): the highest. */
const MOST_EFFORT = 2

/**
 * Starts followed, links of the finest chain, and maximum steps of a descent, by effort. The first step of a
 * descent may be bold where the chain was fine before. Measured: with 24 links 95 % of the paths are within
 * 0.1 % of the shortest known, with 12 within 0.35 %.
 */
const STARTS = [8, 8, 72]
const LINKS = [6, 24, MAX_LINKS]
const STEPS = [12, 20, 80]
const DAMPING = [0.1, 1e-3, 0.1]

/**
 * Shares of the length, by effort. A descent ends when it gains less; the chain is not cut further when that
 * gained less than `GAIN_BY_CUT`: the next cut gains a quarter. Measured: lengths grow by less than 0.01 %.
 */
const GAIN = [5e-5, 5e-5, 0]
const GAIN_BY_CUT = [3e-4, 3e-4, 0]

const pose = new NearPose()
const chain = new ArcChain()
const finer = new ArcChain()

/**
 * Finds a short path in space of curvature 1 / `radius` (m, > 0) throughout and any torsion, from one pose to
 * another. For near poses the shortest path of bounded curvature is often such a helicoidal arc (Sussmann,
 * Shortest 3-dimensional paths with a prescribed curvature bound, 1995).
 *
 * Sussmann's differential equations are not solved. The path is a chain of up to 48 short arcs with planes
 * that turn at the joints, the shortest of all such chains (a direct method). It is made from the best three
 * arcs found, by cutting each into more and more pieces and shortening the whole again. It is flown as it is:
 * curvature and end pose are exact, and with 48 pieces its length is within a share of about 0.0005 of that
 * of the smooth curve.
 *
 * @param effort 0 … 2 (dimensionless), default 2. With 6, 24, 48 pieces it takes about 0.3, 0.4, 15 ms.
 * @returns its length (m), never more than that of {@link ccc}; Infinity when none was found, then `out` is
 * of no use.
 */
export function helicoid(
  out: ArcPath,
  from: Waypoint,
  to: Waypoint,
  radius: number,
  effort: number = MOST_EFFORT,
): number {
  if (!pose.read(from, to, radius)) return Infinity
  const level = Math.min(Math.max(Math.round(effort), 0), STARTS.length - 1)
  let length = findCcc(chain, pose, STARTS[level]!)
  if (!(length < Infinity)) return Infinity
  while (chain.share * SECTIONS < LINKS[level]!) {
    finer.refine(chain, 2)
    const found = shorten(finer, STEPS[level]!, Infinity, DAMPING[level], GAIN[level])
    if (!(found <= length)) break
    chain.assign(finer)
    const gained = length - found
    length = found
    if (gained < GAIN_BY_CUT[level]! * length) break
  }
  return pose.write(out, chain, from, radius)
}
