import type { Vec3, Waypoint } from '../../core/types.js'
import { addScaled, copy, cross, distance, isZero } from '../../core/math/vec3.js'
import { normalize, perpendicular, scale, set, sub, vec3 } from '../../core/math/vec3.js'
import { ArcPath } from './arc-path.js'
import { csc } from './csc.js'
import { dubins3d } from './dubins3d.js'
import { coplanar, LOST } from './plane.js'
import { reedsShepp } from './reeds-shepp.js'
import { requirePoses, requireRadius } from './solver-input.js'

// The numbers below are chosen by hand.

/** Number of directions of an arc in the grid of guesses. More: better paths, and longer searches. */
const DIRECTIONS = 8
/** Number of its angles in that grid. */
const ANGLES = 5
/** Largest of these angles (rad). */
const MAX_ANGLE = 2.2
/** Below this distance (radii) a change of gear at both ends is tried; farther apart it gains nothing. */
const NEAR = 4.5
/** Share by which a path must be shorter to be taken. */
const EQUAL = 1e-9
/** The search ends below this step (rad). Smaller: shorter paths by a hair, and longer searches. */
const FINE = 1e-3

const GEARS: readonly (1 | -1)[] = [1, -1]

interface UnitPose {
  readonly position: Vec3
  readonly heading: Vec3
}

const trial = new ArcPath()
const aside = vec3()
const across = vec3()
const startPose = makePose()
const goalPose = makePose()
const reversedStart = makePose()
const reversedGoal = makePose()

/**
 * Fills `out` with a short path in space from one pose to another for an agent that can also fly astern, with
 * a turn radius of `radius` (m). It is the shortest of these: the path ahead, the path astern (both by
 * `dubins3d`), that of `reedsShepp` if both poses lie in a plane, and, found by a search, paths with an arc
 * in the other gear at the start, at the end, or at both. No exact solution is known in space. It takes about
 * 1 ms, and 35 ms nearer than 4.5 radii: not for every frame. In a plane `reedsShepp` takes 3 µs. Inputs
 * without a path are as in `dubins3d`.
 * @returns its length (m).
 * @throws TypeError / RangeError naming the argument: a pose without position and heading, or a radius that
 * is negative or no number.
 */
export function reverse3d(out: ArcPath, from: Waypoint, to: Waypoint, radius: number): number {
  requirePoses('reverse3d', from, to)
  requireRadius('reverse3d', 'radius', radius)
  let least = dubins3d(out, from, to, radius)
  if (!(least < Infinity) || !(radius > LOST * distance(from.position, to.position))) return least
  const start = startPose
  const goal = goalPose
  const sight = sub(vec3(), to.position, from.position)
  setPose(start, from, sight, 1)
  setPose(goal, to, sight, 1)
  scale(sight, sub(sight, goal.position, start.position), 1 / radius)
  if (coplanar(across, start.heading, sight, goal.heading)) {
    const planar = reedsShepp(trial, start, goal, radius, across)
    if (planar < least * (1 - EQUAL)) {
      out.copy(trial)
      least = planar
    }
  }
  setPose(reversedStart, start, sight, -1)
  setPose(reversedGoal, goal, sight, -1)
  if (dubins3d(trial, reversedStart, reversedGoal, radius) < least * (1 - EQUAL)) {
    out.begin(start.position, start.heading)
    least = appendInGear(out, trial, -1).length
  }
  for (const gear of GEARS) {
    search.begin(start, goal, radius, gear)
    const found = search.run(least)
    if (!(found < least * (1 - EQUAL))) continue
    least = found
    search.writeBest(out)
  }
  return out.length
}

/**
 * Search for paths with an arc in `gear` at the start and one in the other gear at the end; the path between
 * them is flown in the other gear.
 */
class TwoArcSearch {
  private start = startPose
  private goal = goalPose
  private radius = 0.5
  private gear: 1 | -1 = 1
  /** Direction and angle of the arc at the start, and of that at the end (rad); and the best found. */
  private readonly arcs = new Float64Array(4)
  private readonly best = new Float64Array(4)
  /** Pose at which the arc at the start ends, and pose at which the arc at the end begins. */
  private readonly leave = makePose()
  private readonly enter = makePose()
  /** Centres of the circles of both arcs (m). */
  private readonly startCenter = vec3()
  private readonly goalCenter = vec3()

  begin(start: UnitPose, goal: UnitPose, radius: number, gear: 1 | -1): void {
    this.start = start
    this.goal = goal
    this.radius = radius
    this.gear = gear
  }

  /**
   * Tries a grid over one arc or both, then steps downhill. @returns the length of the best path (m), or
   * `toBeat` if none is shorter.
   */
  run(toBeat: number): number {
    const { arcs, best, goal, radius, start } = this
    best.fill(0)
    let least = toBeat
    const near = distance(start.position, goal.position) < NEAR * radius
    const guesses = DIRECTIONS * ANGLES + 1
    for (let i = 0; i < guesses; i++) {
      // far apart only one arc at a time
      const second = near || i === 0 ? guesses : 1
      for (let k = 0; k < second; k += near && i > 0 ? 3 : 1) {
        this.guess(0, i)
        this.guess(2, k)
        least = this.tryArcs(least)
      }
    }
    let step = 0.5
    while (step > FINE && least < toBeat) {
      const before = least
      for (let k = 0; k < 8; k++) {
        arcs.set(best)
        arcs[k >> 1]! += (k & 1) === 0 ? step : -step
        if (arcs[1]! >= 0 && arcs[3]! >= 0) least = this.tryArcs(least)
      }
      if (!(least < before * (1 - EQUAL))) step /= 2
    }
    return least
  }

  writeBest(out: ArcPath): void {
    const { arcs, enter, gear, radius, start } = this
    arcs.set(this.best)
    this.place()
    csc(trial, this.leave, enter, radius, radius)
    const towards = sub(vec3(), this.startCenter, start.position)
    out.begin(start.position, start.heading).arc(towards, radius, arcs[1]!, gear)
    appendInGear(out, trial, gear === 1 ? -1 : 1)
    out.arc(sub(towards, this.goalCenter, enter.position), radius, arcs[3]!, gear)
  }

  private guess(offset: number, i: number): void {
    this.arcs[offset] = ((i % DIRECTIONS) * 2 * Math.PI) / DIRECTIONS
    this.arcs[offset + 1] = (Math.ceil(i / DIRECTIONS) * MAX_ANGLE) / ANGLES
  }

  /** Stores `arcs` if they give a path shorter than `least` (m). @returns the shorter length. */
  private tryArcs(least: number): number {
    const { arcs, enter, leave, radius } = this
    const ends = (arcs[1]! + arcs[3]!) * radius
    this.place()
    if (ends + distance(leave.position, enter.position) >= least) return least
    const length = ends + csc(trial, leave, enter, radius, radius)
    if (!(length < least)) return least
    this.best.set(arcs)
    return length
  }

  /** Sets `leave` and `enter`, with headings along the motion in the other gear. */
  private place(): void {
    const { arcs, enter, gear, goal, leave, radius, start } = this
    followArc(leave, this.startCenter, start, arcs[0]!, arcs[1]!, radius, gear)
    followArc(enter, this.goalCenter, goal, arcs[2]!, arcs[3]!, radius, gear === 1 ? -1 : 1)
    scale(leave.heading, leave.heading, -gear)
    scale(enter.heading, enter.heading, -gear)
  }
}

const search = new TwoArcSearch()

/** Writes the pose after an arc, and the centre of its circle, at `direction` (rad) about the heading. */
function followArc(
  out: UnitPose,
  center: Vec3,
  { position, heading }: UnitPose,
  direction: number,
  angle: number,
  radius: number,
  gear: 1 | -1,
): void {
  perpendicular(aside, heading)
  cross(across, heading, aside)
  scale(aside, aside, Math.cos(direction))
  addScaled(aside, aside, across, Math.sin(direction))
  addScaled(center, position, aside, radius)
  const along = gear * Math.sin(angle)
  addScaled(out.position, position, heading, radius * along)
  addScaled(out.position, out.position, aside, 2 * radius * Math.sin(angle / 2) ** 2)
  scale(out.heading, heading, Math.cos(angle))
  addScaled(out.heading, out.heading, aside, along)
  // exactly the same heading for an arc of 0
  if (angle === 0) copy(out.heading, heading)
}

function appendInGear(out: ArcPath, path: ArcPath, gear: 1 | -1): ArcPath {
  const curvature = vec3()
  for (let i = 0; i < path.count; i++) {
    const bend = path.bendOf(i)
    const size = path.startOf(i + 1) - path.startOf(i)
    if (bend === 0) out.straight(size, gear)
    else out.arc(path.curvatureAt(curvature, path.startOf(i)), 1 / bend, size * bend, gear)
  }
  return out
}

function makePose(): UnitPose {
  return { position: vec3(), heading: vec3() }
}

/** Writes a pose with a unit heading, times `sign`; a zero heading counts as the line of sight. */
function setPose(out: UnitPose, { position, heading }: Waypoint, sight: Vec3, sign: number): void {
  copy(out.position, position)
  copy(out.heading, isZero(heading) ? sight : heading)
  if (isZero(out.heading)) set(out.heading, 1, 0, 0)
  scale(out.heading, normalize(out.heading, out.heading), sign)
}
