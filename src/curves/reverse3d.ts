import type { Vec3, Waypoint } from '../types.js'
import { addScaled, copy, cross, distance, isZero } from '../math/vec3.js'
import { normalize, perpendicular, scale, set, sub, vec3 } from '../math/vec3.js'
import { ArcPath } from './arc-path.js'
import { csc } from './csc.js'
import { dubins3d } from './dubins3d.js'
import { coplanar, LOST } from './plane.js'
import { reedsShepp } from './reeds-shepp.js'

/** Pieces of a grid of first guesses: directions of an arc, and its angles up to the largest, rad. */
const WAYS = 8
const ANGLES = 5
const LARGEST = 2.2
/** Nearer than this, in radii, a change of gear at both ends is tried; farther out it gains nothing. */
const NEAR = 4.5
/** Share by which a path must be shorter to be taken, and at which the search ends, rad. */
const EQUAL = 1e-9
const FINE = 1e-3

const trial = new ArcPath()
/** Direction and angle of the arc at the start, the same at the end, rad; and the best found. */
const arcs = new Float64Array(4)
const best = new Float64Array(4)
const start = { position: vec3(), heading: vec3() }
const goal = { position: vec3(), heading: vec3() }
/**
 * Where the arc at the start ends and that at the end begins; the way between them is flown in the other
 * gear.
 */
const leave = { position: vec3(), heading: vec3() }
const enter = { position: vec3(), heading: vec3() }
const aside = vec3()
const across = vec3()
const toStart = vec3()
const toEnd = vec3()
const spot = vec3()

/**
 * Fills `out` with a short path in space from one pose to another for an agent that can also go astern, with
 * a turn radius of `radius` m, and returns its length in m: the shortest of the way ahead, the way astern
 * (both by `dubins3d`), that of `reedsShepp` where both poses are in a plane, and, found by search, ways with
 * an arc in the other gear at the start, at the end, or at both. In space no exact solution is known. Takes
 * about 1 ms, and 35 ms nearer than 4.5 radii: not for every frame. In a plane `reedsShepp` takes 3 µs.
 * Inputs without a path are as in `dubins3d`.
 */
export function reverse3d(out: ArcPath, from: Waypoint, to: Waypoint, radius: number): number {
  let least = dubins3d(out, from, to, radius)
  if (!(least < Infinity) || !(radius > LOST * distance(from.position, to.position))) return least
  sub(spot, to.position, from.position)
  pose(start, from, 1)
  pose(goal, to, 1)
  scale(spot, sub(spot, goal.position, start.position), 1 / radius)
  if (coplanar(across, start.heading, spot, goal.heading))
    least = taken(out, least, reedsShepp(trial, start, goal, radius, across))
  pose(leave, start, -1)
  pose(enter, goal, -1)
  if (dubins3d(trial, leave, enter, radius) < least * (1 - EQUAL)) {
    out.begin(start.position, start.heading)
    least = flown(out, trial, -1).length
  }
  for (const gear of GEARS) {
    best.fill(0)
    const found = search(gear, radius, least)
    if (!(found < least * (1 - EQUAL))) continue
    least = found
    arcs.set(best)
    lay(out, gear, radius)
  }
  return out.length
}

const GEARS: readonly (1 | -1)[] = [1, -1]

/** Takes over the trial, where it is shorter. */
function taken(out: ArcPath, least: number, found: number): number {
  if (!(found < least * (1 - EQUAL))) return least
  out.copy(trial)
  return found
}

/**
 * Grids over one arc, then over both, then steps downhill. Returns the length, with `best` set, or what was
 * to be beaten.
 */
function search(gear: 1 | -1, radius: number, toBeat: number): number {
  let least = toBeat
  const near = distance(start.position, goal.position) < NEAR * radius
  const guesses = WAYS * ANGLES + 1
  for (let i = 0; i < guesses; i++) {
    // far apart only one of them
    const second = near || i === 0 ? guesses : 1
    for (let k = 0; k < second; k += near && i > 0 ? 3 : 1) {
      guess(0, i)
      guess(2, k)
      least = tried(gear, radius, least)
    }
  }
  let step = 0.5
  while (step > FINE && least < toBeat) {
    const before = least
    for (let k = 0; k < 8; k++) {
      arcs.set(best)
      arcs[k >> 1]! += (k & 1) === 0 ? step : -step
      if (arcs[1]! >= 0 && arcs[3]! >= 0) least = tried(gear, radius, least)
    }
    if (!(least < before * (1 - EQUAL))) step /= 2
  }
  return least
}

function guess(at: number, i: number): void {
  arcs[at] = ((i % WAYS) * 2 * Math.PI) / WAYS
  arcs[at + 1] = (Math.ceil(i / WAYS) * LARGEST) / ANGLES
}

/** Length with `arcs`, kept in `best`, where it is below `least`. */
function tried(gear: 1 | -1, radius: number, least: number): number {
  const ends = (arcs[1]! + arcs[3]!) * radius
  place(gear, radius)
  if (ends + distance(leave.position, enter.position) >= least) return least
  const length = ends + csc(trial, leave, enter, radius, radius)
  if (!(length < least)) return least
  best.set(arcs)
  return length
}

/** Sets `leave` and `enter`, with headings along the motion in the other gear. */
function place(gear: 1 | -1, radius: number): void {
  turn(leave, toStart, start, arcs[0]!, arcs[1]!, radius, gear)
  turn(enter, toEnd, goal, arcs[2]!, arcs[3]!, radius, gear === 1 ? -1 : 1)
  scale(leave.heading, leave.heading, -gear)
  scale(enter.heading, enter.heading, -gear)
}

/** Flies an arc from a pose; `center` is that of its circle. */
function turn(
  out: Pose,
  center: Vec3,
  { position, heading }: Pose,
  way: number,
  angle: number,
  radius: number,
  gear: 1 | -1,
): void {
  perpendicular(aside, heading)
  cross(across, heading, aside)
  scale(aside, aside, Math.cos(way))
  addScaled(aside, aside, across, Math.sin(way))
  addScaled(center, position, aside, radius)
  const along = gear * Math.sin(angle)
  addScaled(out.position, position, heading, radius * along)
  addScaled(out.position, out.position, aside, 2 * radius * Math.sin(angle / 2) ** 2)
  scale(out.heading, heading, Math.cos(angle))
  addScaled(out.heading, out.heading, aside, along)
  // nothing turned in this much: as it was
  if (angle === 0) copy(out.heading, heading)
}

function lay(out: ArcPath, gear: 1 | -1, radius: number): void {
  place(gear, radius)
  csc(trial, leave, enter, radius, radius)
  out.begin(start.position, start.heading).arc(sub(spot, toStart, start.position), radius, arcs[1]!, gear)
  flown(out, trial, gear === 1 ? -1 : 1)
  out.arc(sub(spot, toEnd, enter.position), radius, arcs[3]!, gear)
}

/** Adds the pieces of `path` in `gear`. */
function flown(out: ArcPath, path: ArcPath, gear: 1 | -1): ArcPath {
  for (let i = 0; i < path.count; i++) {
    const bend = path.bendOf(i)
    const size = path.startOf(i + 1) - path.startOf(i)
    if (bend === 0) out.straight(size, gear)
    else out.arc(path.curvatureAt(spot, path.startOf(i)), 1 / bend, size * bend, gear)
  }
  return out
}

interface Pose {
  readonly position: Vec3
  readonly heading: Vec3
}

/** A unit heading; without one, along the way in `spot`, as `dubins3d` has it. */
function pose(out: Pose, { position, heading }: Waypoint, sign: number): void {
  copy(out.position, position)
  copy(out.heading, isZero(heading) ? spot : heading)
  if (isZero(out.heading)) set(out.heading, 1, 0, 0)
  scale(out.heading, normalize(out.heading, out.heading), sign)
}
