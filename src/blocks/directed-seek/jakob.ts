import type { Vec3, Vec3Like, Waypoint } from '../../core/types.js'
import { TAU } from '../../core/math/scalar.js'
import {
  addScaled,
  copy,
  cross,
  dot,
  isFiniteVec,
  isZero,
  length,
  normalize,
  perpendicular,
  reject,
  scale,
  set,
  sub,
  vec3,
} from '../../core/math/vec3.js'

/**
 * Stage of the path: 1 turns onto the straight, 2 follows the straight, 3 turns into the direction of the
 * waypoint. 0: no path, keep the heading.
 */
export type JakobStage = 0 | 1 | 2 | 3

export interface JakobOptions {
  /**
   * Circles tried at the waypoint. `one`: the circle on the agent's side, and the path of the smaller total
   * angle, as published. `both`: the circle on the other side as well, and the shorter path. Several paths
   * have the same total angle, so rounding would decide between them.
   */
  readonly circles: 'one' | 'both'
  /** Normal of the plane of a flight in 2D, of any length except zero. Null: the steering plane Ω. */
  readonly plane: Vec3Like | null
  /**
   * Least distance (m, ≥ 0) to the waypoint for an agent whose heading is not in the steering plane; one that
   * is nearer keeps its heading until it is as far away (section 4: the problem "can be fully eliminated if a
   * condition on some minimum distance between A and W is added"). Default 0: no condition.
   */
  readonly leastDistance?: number
}

/** Tolerance of the tests "the same centre" and "parallel", as a share of the radius. */
const SLACK = 0.02
/**
 * Least tolerance, as a share of the distance flown per step. With less, a coarse step passes over the
 * tangent and the turn is flown again. Measured: with steps of 0.1 radii, 0.02 radii were too few and 0.06
 * radii enough.
 */
const STEP_SLACK = 0.6

const LEFT = 1
const RIGHT = -1
type Side = typeof LEFT | typeof RIGHT

/** An agent, or its heading, is on the waypoint's axis when closer to it than this share of the distance. */
const ON_AXIS = 1e-9

const offset = vec3()
const nose = vec3()

/**
 * The steering plane Ω of an agent, its waypoint and the waypoint's direction (Jakob 2004, section 4), or a
 * given plane. The waypoint is the origin of its coordinates, the waypoint's direction is x, and the agent is
 * on the side of positive y. Eq. 6 is normalised, as the text says and the formula does not. Where eq. 6 is
 * 0/0 because the agent is on the axis of the waypoint, Ω contains the agent's heading; where the heading is
 * on the axis too, any plane serves.
 */
class SteeringPlane {
  /** f_x, f_y and the normal x × y (unit, world axes). */
  readonly ahead: Vec3 = vec3()
  readonly aside: Vec3 = vec3()
  readonly normal: Vec3 = vec3()
  /** Position of the agent (m). */
  x = 0.5
  y = 0.5
  /** Its heading within the plane (unit), and the component of the heading across the plane (−1 … 1). */
  headX = 0.5
  headY = 0.5
  across = 0.5

  /**
   * Computes the plane and the coordinates.
   * @param normal of a given plane, of any length except zero; null for Ω.
   * @param back distance (m) by which the agent is put back along its heading.
   * @returns false when a position is not finite or a direction is zero.
   */
  update(from: Waypoint, to: Waypoint, normal: Vec3Like | null, back: number): boolean {
    const { ahead, aside } = this
    normalize(ahead, to.heading)
    normalize(nose, from.heading)
    sub(offset, from.position, to.position)
    addScaled(offset, offset, nose, -back)
    if (!(length(offset) < Infinity) || !isFiniteVec(ahead) || !isFiniteVec(nose)) return false
    if (isZero(ahead) || isZero(nose)) return false
    if (normal !== null) this.projectOnto(normal)
    this.findSide(normal)
    cross(this.normal, ahead, aside)
    this.x = dot(offset, ahead)
    this.y = dot(offset, aside)
    this.across = dot(nose, this.normal)
    const x = dot(nose, ahead)
    const y = dot(nose, aside)
    const size = Math.hypot(x, y)
    // for a heading across the plane all directions in it are equally close
    this.headX = size > ON_AXIS ? x / size : 1
    this.headY = size > ON_AXIS ? y / size : 0
    return true
  }

  /** Writes a direction of the plane in world axes (eq. 8). */
  toWorld(out: Vec3, x: number, y: number): Vec3 {
    scale(out, this.ahead, x)
    return normalize(out, addScaled(out, out, this.aside, y))
  }

  private projectOnto(plane: Vec3Like): void {
    const { ahead, normal } = this
    normalize(normal, plane)
    reject(offset, offset, normal)
    normalize(nose, reject(nose, nose, normal))
    normalize(ahead, reject(ahead, ahead, normal))
    // the waypoint's direction is across the plane
    if (isZero(ahead)) copy(ahead, nose)
    if (isZero(ahead)) perpendicular(ahead, normal)
  }

  /** Finds the direction y, to the agent's side of the axis. */
  private findSide(plane: Vec3Like | null): void {
    const { ahead, aside, normal } = this
    reject(aside, offset, ahead)
    if (!(length(aside) > ON_AXIS * length(offset))) {
      reject(aside, nose, ahead)
      if (!(length(aside) > ON_AXIS)) {
        if (plane === null) perpendicular(aside, ahead)
        else cross(aside, normal, ahead)
      }
    }
    normalize(aside, aside)
    // again: the rest of a vector almost along the axis is mostly rounding
    normalize(aside, reject(aside, aside, ahead))
  }
}

const plane = new SteeringPlane()
const radii = { start: 0.5, goal: 0.5 }

/** Unit direction and length (m) of the straight between two circles. */
const tangent = { x: 0.5, y: 0.5, length: 0.5 }

/** The direction to turn to, the stage, and with `circles: 'both'` the length of the path (m). */
const wanted: { x: number; y: number; length: number; stage: JakobStage } = {
  x: 0.5,
  y: 0.5,
  length: 0.5,
  stage: 0,
}

/**
 * Directed seek of Jakob, Directional Extensions of Seek Steering Behavior (2004), figure 5. Writes the unit
 * direction to turn to, at most a right angle from the heading, so that an agent at `from` that turns with
 * `radius` (m) passes `to` in its direction, turning there with `goalRadius` (m). Without state. In 3D it
 * works on the steering plane Ω (section 4).
 *
 * Departures:
 * - The position of the agent is taken half a step back: integrators that update the velocity first have the
 *   present velocity there, in the middle of the last step. Otherwise all turns end half a step late, and the
 *   agent circles for ever in 2 % of flights by the shorter path.
 * - The tests of the stages have tolerances, see above. On the straight the direction is that of the tangent,
 *   which removes the error that the tolerance permitted.
 * - min_w turns by the smaller angle where the directed angle is above 270°, contrary to the text ("tightest
 *   0_W-oriented turn"). The paper's formula does so, and it corrects overshoot, which is turned back by the
 *   smaller angle. Without it an agent flies 1.6 times as far (p95, mid distance).
 * - Two radii (section 6): tangents of unequal circles. Where one circle contains the other there is no
 *   tangent, and the larger radius counts for both.
 * - `circles: 'both'` (section 6): all four words of two turns and a straight, by length.
 *
 * Total: with radius 0 the agent turns on the spot. Where a number is not finite, or a direction is zero,
 * `out` is zero and the stage 0.
 * @param stepLength distance that the agent flies per step (m).
 */
export function jakobHeading(
  out: Vec3,
  from: Waypoint,
  to: Waypoint,
  radius: number,
  goalRadius: number,
  stepLength: number,
  options: JakobOptions,
): JakobStage {
  if (!plane.update(from, to, options.plane, stepLength / 2)) {
    set(out, 0, 0, 0)
    return 0
  }
  const choose = options.circles === 'one' ? chooseOne : chooseShortest
  const slack = setRadii(radius, goalRadius, stepLength)
  const { leastDistance = 0 } = options
  if (length(offset) < leastDistance && Math.abs(plane.across) * Math.max(radius, goalRadius) > slack) {
    normalize(out, from.heading)
    return 0
  }
  wanted.x = plane.headX
  wanted.y = plane.headY
  wanted.stage = 0
  if (!choose(slack)) {
    radii.start = radii.goal = Math.max(radius, goalRadius)
    choose(slack)
  }
  plane.toWorld(out, wanted.x, wanted.y)
  return wanted.stage
}

/**
 * As {@link jakobHeading} with `circles: 'both'` on the steering plane, for an agent that heads along that
 * plane.
 * @returns length of the path (m). Infinity for an agent that heads out of the plane, NaN where there is no
 * path: then `out` is not written.
 */
export function shortestOnPlane(
  out: Vec3,
  from: Waypoint,
  to: Waypoint,
  radius: number,
  goalRadius: number,
  stepLength: number,
): number {
  if (!plane.update(from, to, null, stepLength / 2)) return NaN
  const slack = setRadii(radius, goalRadius, stepLength)
  if (Math.abs(plane.across) * Math.max(radius, goalRadius) > slack || !chooseShortest(slack)) return Infinity
  plane.toWorld(out, wanted.x, wanted.y)
  return wanted.length
}

/** Sets the radii (m). @returns the tolerance of the tests of the stages (m). */
function setRadii(radius: number, goalRadius: number, stepLength: number): number {
  radii.start = radius
  radii.goal = goalRadius
  return Math.max(SLACK * Math.max(radius, goalRadius), STEP_SLACK * stepLength)
}

/** Figure 5 of the paper. @returns false when the circles have no tangent. */
function chooseOne(slack: number): boolean {
  if (isConcentric(LEFT, slack)) return setTurn(LEFT, 1, 0, 3)
  if (!findTangent(LEFT, LEFT)) return false
  const { x, y } = tangent
  if (isAhead(x, y, slack)) return setTurn(LEFT, x, y, 2)
  const { headX, headY } = plane
  const direct = angle(LEFT, headX, headY, x, y) + angle(LEFT, x, y, 1, 0)
  if (!findTangent(RIGHT, LEFT)) return setTurn(LEFT, x, y, 1)
  const { x: crossX, y: crossY } = tangent
  const crossing = angle(RIGHT, headX, headY, crossX, crossY) + angle(LEFT, crossX, crossY, 1, 0)
  return crossing < direct ? setTurn(RIGHT, crossX, crossY, 1) : setTurn(LEFT, x, y, 1)
}

/** Finds the shortest path of all pairs of circles. @returns false when no pair has a tangent. */
function chooseShortest(slack: number): boolean {
  let best = tryPair(LEFT, LEFT, slack, Infinity)
  best = tryPair(RIGHT, LEFT, slack, best)
  best = tryPair(LEFT, RIGHT, slack, best)
  wanted.length = tryPair(RIGHT, RIGHT, slack, best)
  return wanted.length < Infinity
}

/** Takes the path of one pair of circles if it is shorter than `best` (m). @returns the shorter length. */
function tryPair(first: Side, last: Side, slack: number, best: number): number {
  const { headX, headY } = plane
  const { start, goal } = radii
  if (first === last && isConcentric(last, slack)) {
    const left = remainingTurn(last, headX, headY, 1, 0, slack / goal)
    if (!(goal * left < best)) return best
    setTurnOf(last, left, 1, 0, 3)
    return goal * left
  }
  if (!findTangent(first, last)) return best
  const { x, y } = tangent
  const entry = remainingTurn(first, headX, headY, x, y, slack / start)
  const pathLength = start * entry + tangent.length + goal * remainingTurn(last, x, y, 1, 0, slack / goal)
  if (!(pathLength < best)) return best
  setTurnOf(first, entry, x, y, isAhead(x, y, slack) ? 2 : 1)
  return pathLength
}

/** Whether the agent flies along the waypoint's circle of that side: the centres of the circles coincide. */
function isConcentric(side: Side, slack: number): boolean {
  const { x, y, headX, headY } = plane
  const r = side * radii.goal
  return Math.hypot(x - r * headY, y + r * headX - r) <= slack
}

/**
 * Finds the straight from the agent's circle on its `first` side to the waypoint's circle on its `last` side.
 * @returns false when there is none.
 */
function findTangent(first: Side, last: Side): boolean {
  const { x, y, headX, headY } = plane
  const { start, goal } = radii
  const dx = first * start * headY - x
  const dy = last * goal - first * start * headX - y
  const d = Math.hypot(dx, dy)
  // between the centres lie the straight and, across it, the difference of the signed radii
  const k = last * goal - first * start
  if (!(d > 0) || Math.abs(k) > d) return false
  const across = k / d
  const along = Math.sqrt((1 - across) * (1 + across))
  tangent.x = (along * dx + across * dy) / d
  tangent.y = (along * dy - across * dx) / d
  tangent.length = along * d
  return true
}

/** Whether the heading is the unit direction (x, y) within `slack` (m) on the circle. */
function isAhead(x: number, y: number, slack: number): boolean {
  const { headX, headY } = plane
  return x * headX + y * headY > 0 && Math.abs(x * headY - y * headX) * radii.start <= slack
}

/** Directed angle φ from the unit direction a to b, turning to `side`, in [0, 2π) (rad). */
function angle(side: Side, ax: number, ay: number, bx: number, by: number): number {
  const turned = side * Math.atan2(ax * by - ay * bx, ax * bx + ay * by)
  return turned < 0 ? turned + TAU : turned
}

/** As `angle`, but 0 for an overshoot of at most `slack` (rad), which is turned back at no cost. */
function remainingTurn(side: Side, ax: number, ay: number, bx: number, by: number, slack: number): number {
  const turned = angle(side, ax, ay, bx, by)
  return turned > TAU - slack ? 0 : turned
}

/**
 * Sets a turn by `left` (rad) to `side`, even where min_w would turn by the smaller angle: its length was
 * counted as that of the whole turn, and after a smaller turn the other side would be preferred, and so on.
 */
function setTurnOf(side: Side, left: number, x: number, y: number, stage: JakobStage): void {
  const { headX, headY } = plane
  if (left > 1.5 * Math.PI && radii.start > 0) setTurn(side, -side * headY, side * headX, stage)
  else setTurn(side, x, y, stage)
}

/** min_w: sets the direction (x, y), or a right angle to `side`, whichever is closer to the heading. */
function setTurn(side: Side, x: number, y: number, stage: JakobStage): true {
  const { headX, headY } = plane
  const far = x * headX + y * headY < 0
  wanted.x = far ? -side * headY : x
  wanted.y = far ? side * headX : y
  wanted.stage = stage
  return true
}
