import type { Waypoint } from '../../core/types.js'
import { ArcChain, type ChainEnds, MAX_LINKS, SECTIONS } from './arc-chain.js'
import type { ArcPath } from './arc-path.js'
import { findCcc } from './ccc.js'
import { shorten } from './chain-descent.js'
import { dotProduct } from './csc-solver.js'
import { NearPose } from './near-pose.js'
import { shortArcs } from './short-arcs.js'

/** Effort of {@link helicoid} (0 … 2): the highest. */
const MOST_EFFORT = 2

/** Starts that are followed, by effort. */
const STARTS = [8, 8, 72]
/**
 * Links of the finest chain, by effort. Measured: with 24 links 95 % of the paths are within 0.1 % of the
 * shortest known, with 12 within 0.35 %.
 */
const LINKS = [6, 24, MAX_LINKS]
/** Maximum steps of a descent, by effort. */
const STEPS = [24, 60, 80]
/** Damping of the first step, by effort. Less: a bolder step, right where the chain was fine before. */
const DAMPING = [0.1, 1e-3, 0.1]

/** A descent ends when it gains less than this share of the length, by effort. */
const GAIN = [5e-5, 1e-4, 0]
/**
 * The chain is not cut further when a cut gained less than this share of the length, by effort: the next cut
 * gains a quarter. Measured: with both shares lengths grow by less than 0.01 %.
 */
const GAIN_BY_CUT = [3e-4, 3e-4, 0]

/** Links per section of a chain of two overlapping arcs. With fewer its plane cannot turn fast enough. */
const OVERLAP_SHARE = 4
/** Maximum steps of its descent. */
const OVERLAP_STEPS = 16
/** The angle with which its middle section begins, and the least with which its arcs begin (rad). */
const OVERLAP_ANGLE = 0.02
/** It is not tried where its end is farther from the goal than this (radii and rad). */
const OVERLAP_GAP = 1
/** Its descent ends when three steps gain less than this share of the length. */
const OVERLAP_GAIN = 1e-4
/** Its descent is given up when it is nearly closed, and longer than the best path by this (radii). */
const MARGIN = 0.3

const pose = new NearPose()
const chain = new ArcChain()
const finer = new ArcChain()
const arcs = new ArcChain()
const overlap = new ArcChain()
/** Direction of the straight (unit). */
const along = new Float64Array(3)
/** Axis of the first arc, and the direction above heading and side (unit). */
const axis = new Float64Array(3)
const up = new Float64Array(3)
const EQUAL_RADII = new Float64Array([1, 1])

/**
 * Finds a short path in space of curvature 1 / `radius` (m, > 0) throughout and any torsion, from one pose to
 * another. For near poses the shortest path of bounded curvature is often such a helicoidal arc (Sussmann,
 * Shortest 3-dimensional paths with a prescribed curvature bound, 1995).
 *
 * Sussmann's differential equations are not solved. The path is a chain of up to 48 short arcs with planes
 * that turn at the joints, the shortest of all such chains (a direct method). It is made from the best three
 * arcs found, or of two that overlap, by cutting each into more and more pieces and shortening the whole
 * again. It is flown as it is:
 * curvature and end pose are exact, and with 48 pieces its length is within a share of about 0.0005 of that
 * of the smooth curve.
 *
 * @param effort 0 … 2 (dimensionless), default 2. With 6, 24, 48 pieces it takes about 0.3, 0.4, 15 ms.
 * @returns its length (m), never more than that of {@link findCcc}; Infinity when none was found, then `out`
 * is of no use.
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
  const three = refine(chain, findCcc(chain, pose, STARTS[level]!), level)
  const two = findOverlap(three)
  if (two < three) {
    refine(overlap, two, level)
    return pose.write(out, overlap, from, radius)
  }
  return three < Infinity ? pose.write(out, chain, from, radius) : Infinity
}

/**
 * Cuts the links of a chain of `length` (radii) in two and shortens it, until it has the links of the effort
 * or is no longer shortened.
 * @returns its length.
 */
function refine(of: ArcChain, length: number, level: number): number {
  let best = length
  while (best < Infinity && of.share * SECTIONS < LINKS[level]!) {
    finer.refine(of, 2)
    const found = shorten(finer, STEPS[level]!, Infinity, DAMPING[level], GAIN[level])
    if (!(found <= best)) break
    of.assign(finer)
    const gained = best - found
    best = found
    if (gained < GAIN_BY_CUT[level]! * best) break
  }
  return best
}

/**
 * Shortens a chain that begins as the arcs of a path of two short arcs and a straight for which the poses are
 * a little too close, so that the straight would be negative. Here the length of the shortest path of an arc,
 * a straight and an arc jumps by up to a turn, while that of the helicoidal arc grows without a jump.
 * @returns its length (radii); Infinity when the poses are no such ones, or it is longer than `limit`.
 */
function findOverlap(limit: number): number {
  const { headingA, headingB, position } = pose
  if (!shortArcs(along, headingA, headingB, position, EQUAL_RADII, true)) return Infinity
  arcs.ends = pose
  arcs.share = 1
  layOverlap(arcs.unknowns, pose)
  if (arcs.walk(arcs.unknowns) > OVERLAP_GAP || arcs.lengthOf(arcs.unknowns) > limit) return Infinity
  return shorten(overlap.refine(arcs, OVERLAP_SHARE), OVERLAP_STEPS, limit + MARGIN, undefined, OVERLAP_GAIN)
}

/** Writes the arcs to and from the straight `along`, with half of the roll between them on each side. */
function layOverlap(unknowns: Float64Array, { headingA: u, sideA, headingB: w }: ChainEnds): void {
  const ahead = Math.min(dotProduct(along, u), 1)
  const ended = Math.min(dotProduct(along, w), 1)
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3
    const k = (i + 2) % 3
    axis[i] = u[j]! * along[k]! - u[k]! * along[j]!
    up[i] = u[j]! * sideA[k]! - u[k]! * sideA[j]!
  }
  unknowns[0] = Math.atan2(dotProduct(along, up), dotProduct(along, sideA))
  unknowns[1] = unknowns[2] = Math.atan2(dotProduct(axis, w), ahead * ended - dotProduct(u, w)) / 2
  unknowns[3] = Math.max(Math.acos(ahead), OVERLAP_ANGLE)
  unknowns[4] = OVERLAP_ANGLE
  unknowns[5] = Math.max(Math.acos(ended), OVERLAP_ANGLE)
}
