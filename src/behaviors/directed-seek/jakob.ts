import type { Vec3, Vec3Like, Waypoint } from '../../types.js'
import { TAU } from '../../math/scalar.js'
import { set } from '../../math/vec3.js'
import { SteeringPlane } from './steering-plane.js'

/** Stages of the way: turning onto the straight, the straight, turning into the direction of the waypoint. 0: none, hold the heading. */
export type JakobStage = 0 | 1 | 2 | 3

export interface JakobOptions {
  /**
   * Circles tried at the waypoint. `one`: that on the agent's side, and the path of the smaller total angle, as published. `both`: that in
   * the opposite half-space as well, and the shorter path; several paths have the same total angle, so by it rounding would decide.
   */
  readonly circles: 'one' | 'both'
  /** Normal of the plane of a flight in 2D, of any length but zero. Null: the steering plane Ω. */
  readonly plane: Vec3Like | null
}

/** "The same centre" and "parallel" hold within this share of the radius, and within … */
const SLACK = 0.02
/** … this share of the way flown per step: with less, a coarse step passes over the tangent and the turn is flown again. */
const STEP_SLACK = 0.6

const LEFT = 1
const RIGHT = -1
type Side = typeof LEFT | typeof RIGHT

const plane = new SteeringPlane()
const radii = { start: 0.5, goal: 0.5 }

/** Unit direction and length (m) of the straight between two circles. */
const tangent = { x: 0.5, y: 0.5, length: 0.5 }

/** The direction to turn to, the stage, and of `circles: 'both'` the length of the way, m. */
const wanted: { x: number; y: number; length: number; stage: JakobStage } = {
  x: 0.5,
  y: 0.5,
  length: 0.5,
  stage: 0,
}

/**
 * Directed seek of Jakob, Directional Extensions of Seek Steering Behavior (2004), figure 5: the unit direction to turn to, at most a right
 * angle from the heading, so that an agent at `from` that turns with `radius` (m) passes `to` in its direction, turning there with
 * `goalRadius` (m). `way` (m) is what it flies per step. Without state. In 3D it works on the steering plane Ω (section 4).
 *
 * Departures:
 * - The agent is looked at half a step back: engines that step the velocity first have it there in the middle of the last step. Otherwise all
 *   turns end half a step late, and the agent goes round for ever in 2 % of flights by the shorter path.
 * - The tests of the stages have tolerances, see above; on the straight the direction is that of the tangent, so that what the tolerance
 *   let by is taken out.
 * - min_w turns the short way where the directed angle is above 270°, against the text ("tightest 0_W-oriented turn"). It is what the paper's
 *   formula does, and a correction: overshoot is turned back the short way. Without it one flies 1.6 x as far (p95, mid distance).
 * - Two radii (section 6): tangents of unequal circles; where one circle holds the other there is none, and the larger radius counts for both.
 * - `circles: 'both'` (section 6): all four words of two turns and a straight, by length.
 *
 * Total: with radius 0 it turns on the spot; where something is not finite, or a direction zero, `out` is zero and the stage 0.
 */
export function jakobHeading(
  out: Vec3,
  from: Waypoint,
  to: Waypoint,
  radius: number,
  goalRadius: number,
  way: number,
  options: JakobOptions,
): JakobStage {
  if (!plane.look(from, to, options.plane, way / 2)) {
    set(out, 0, 0, 0)
    return 0
  }
  const choose = options.circles === 'one' ? chooseOne : chooseShortest
  const slack = turnWith(radius, goalRadius, way)
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
 * The same, `circles: 'both'`, on the steering plane, for an agent that heads along it.
 * @returns length of the way, m. Infinity for an agent that heads out of it, NaN where there is no answer: then `out` is untouched.
 */
export function shortestOnPlane(
  out: Vec3,
  from: Waypoint,
  to: Waypoint,
  radius: number,
  goalRadius: number,
  way: number,
): number {
  if (!plane.look(from, to, null, way / 2)) return NaN
  const slack = turnWith(radius, goalRadius, way)
  if (Math.abs(plane.across) * Math.max(radius, goalRadius) > slack || !chooseShortest(slack)) return Infinity
  plane.toWorld(out, wanted.x, wanted.y)
  return wanted.length
}

/** Takes the radii, m. @returns the slack of the tests of the stages, m. */
function turnWith(radius: number, goalRadius: number, way: number): number {
  radii.start = radius
  radii.goal = goalRadius
  return Math.max(SLACK * Math.max(radius, goalRadius), STEP_SLACK * way)
}

/** Figure 5. @returns false when the circles have no tangent. */
function chooseOne(slack: number): boolean {
  if (isConcentric(LEFT, slack)) return turn(LEFT, 1, 0, 3)
  if (!findTangent(LEFT, LEFT)) return false
  const { x, y } = tangent
  if (isAhead(x, y, slack)) return turn(LEFT, x, y, 2)
  const { headX, headY } = plane
  const direct = angle(LEFT, headX, headY, x, y) + angle(LEFT, x, y, 1, 0)
  if (!findTangent(RIGHT, LEFT)) return turn(LEFT, x, y, 1)
  const { x: crossX, y: crossY } = tangent
  const crossing = angle(RIGHT, headX, headY, crossX, crossY) + angle(LEFT, crossX, crossY, 1, 0)
  return crossing < direct ? turn(RIGHT, crossX, crossY, 1) : turn(LEFT, x, y, 1)
}

/** The shortest of all pairs of circles. @returns false when none has a tangent. */
function chooseShortest(slack: number): boolean {
  let best = follow(LEFT, LEFT, slack, Infinity)
  best = follow(RIGHT, LEFT, slack, best)
  best = follow(LEFT, RIGHT, slack, best)
  wanted.length = follow(RIGHT, RIGHT, slack, best)
  return wanted.length < Infinity
}

/** Takes the way of one pair of circles if it is shorter than `best` (m). @returns the shorter length. */
function follow(first: Side, last: Side, slack: number, best: number): number {
  const { headX, headY } = plane
  const { start, goal } = radii
  if (first === last && isConcentric(last, slack)) {
    const left = rest(last, headX, headY, 1, 0, slack / goal)
    if (!(goal * left < best)) return best
    turnBy(last, left, 1, 0, 3)
    return goal * left
  }
  if (!findTangent(first, last)) return best
  const { x, y } = tangent
  const entry = rest(first, headX, headY, x, y, slack / start)
  const whole = start * entry + tangent.length + goal * rest(last, x, y, 1, 0, slack / goal)
  if (!(whole < best)) return best
  turnBy(first, entry, x, y, isAhead(x, y, slack) ? 2 : 1)
  return whole
}

/** Whether the agent is on the waypoint's circle of that side and heads along it: the centre of its own turn is the same. */
function isConcentric(side: Side, slack: number): boolean {
  const { x, y, headX, headY } = plane
  const r = side * radii.goal
  return Math.hypot(x - r * headY, y + r * headX - r) <= slack
}

/** Finds the straight from the agent's circle on its `first` side to the waypoint's on its `last` side. @returns false when there is none. */
function findTangent(first: Side, last: Side): boolean {
  const { x, y, headX, headY } = plane
  const { start, goal } = radii
  const dx = first * start * headY - x
  const dy = last * goal - first * start * headX - y
  const d = Math.hypot(dx, dy)
  // centre to centre is the straight, and this across it
  const k = last * goal - first * start
  if (!(d > 0) || Math.abs(k) > d) return false
  const across = k / d
  const along = Math.sqrt((1 - across) * (1 + across))
  tangent.x = (along * dx + across * dy) / d
  tangent.y = (along * dy - across * dx) / d
  tangent.length = along * d
  return true
}

/** Whether the heading is the unit direction (x, y), but for `slack` (m) on the circle. */
function isAhead(x: number, y: number, slack: number): boolean {
  const { headX, headY } = plane
  return x * headX + y * headY > 0 && Math.abs(x * headY - y * headX) * radii.start <= slack
}

/** Directed angle φ from the unit direction a to b, turning to `side`, in [0, 2π). */
function angle(side: Side, ax: number, ay: number, bx: number, by: number): number {
  const turned = side * Math.atan2(ax * by - ay * bx, ax * bx + ay * by)
  return turned < 0 ? turned + TAU : turned
}

/** The same, but overshoot of no more than `slack` (rad) is turned back the short way, at no cost. */
function rest(side: Side, ax: number, ay: number, bx: number, by: number, slack: number): number {
  const whole = angle(side, ax, ay, bx, by)
  return whole > TAU - slack ? 0 : whole
}

/** A turn by `left` rad. Its length is that of the whole of it: who took min_w's short way would come to prefer the other side, and so on. */
function turnBy(side: Side, left: number, x: number, y: number, stage: JakobStage): void {
  const { headX, headY } = plane
  if (left > 1.5 * Math.PI && radii.start > 0) turn(side, -side * headY, side * headX, stage)
  else turn(side, x, y, stage)
}

/** min_w: the direction, or the side, whichever is nearer to the heading. */
function turn(side: Side, x: number, y: number, stage: JakobStage): true {
  const { headX, headY } = plane
  const far = x * headX + y * headY < 0
  wanted.x = far ? -side * headY : x
  wanted.y = far ? side * headX : y
  wanted.stage = stage
  return true
}
