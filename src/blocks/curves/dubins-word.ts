import { TAU } from '../../core/math/scalar.js'

/**
 * Error (radii) that is allowed so that a word has no piece that is only rounding: a turn this close to 0 or
 * to a whole turn counts as 0, and so does a straight or a gap this short. Three of them may add up, to less
 * than 1e-9.
 */
export const SLACK = 2.5e-10
/** Share by which a word must be shorter than an earlier one, so that rounding does not decide. */
export const EQUAL = 1e-12

/**
 * The shortest forward-only path in a plane, with a turn radius of 1: one of six words of three pieces, left,
 * right or straight (L. E. Dubins, On Curves of Minimal Length with a Constraint on Average Curvature, 1957).
 * All in radii and radians. Computed from circle to circle with vectors, so that far goals lose no digits,
 * and with {@link SLACK}, so that goals at the edge of a word get no whole turn by rounding. Each goal
 * straight ahead is at such an edge.
 */
export class DubinsWord {
  /** Direction of each piece: 1 to the left, 0 straight, −1 to the right. */
  readonly turns: Int8Array = new Int8Array(3)
  /** Length of each piece, ≥ 0. */
  readonly lengths: Float64Array = new Float64Array(3)
  readonly count = 3
  /** Length of the path. */
  length = 0.1
  private angle = 0.1
  /** Lengths of the present word. In an array, since numbers passed as arguments may be boxed. */
  private readonly trial = new Float64Array(3)

  /** Finds the path to a goal as {@link PlaneView} writes it. */
  solve(goal: Float64Array): void {
    this.angle = Math.atan2(goal[3]!, goal[2]!)
    this.length = Infinity
    // Words of two circles on one side come first: they include the paths of a single arc.
    this.outer(goal, 1)
    this.outer(goal, -1)
    this.inner(goal, 1)
    this.inner(goal, -1)
  }

  /** Words that begin and end on `side`, written for the left: LSL and, for close circles, LRL. */
  private outer(goal: Float64Array, side: number): void {
    const { trial } = this
    const angle = side * this.angle
    const dx = goal[0]! - side * goal[3]!
    const dy = side * goal[1]! + goal[2]! - 1
    const gap = Math.sqrt(dx * dx + dy * dy)
    const same = gap < SLACK
    // there is no direction between a circle and itself
    const course = same ? 0 : Math.atan2(dy, dx)
    if (gap < this.length) {
      trial[0] = turn(course, gap)
      trial[1] = same ? 0 : gap
      trial[2] = turn(angle - course, 0)
      this.offer(side, 0, side)
    }
    if (gap > 4) return
    const middle = Math.PI + 2 * Math.acos(gap / 4)
    if (middle > this.length) return
    const first = course + middle / 2
    trial[0] = turn(first, 4)
    trial[1] = middle
    trial[2] = turn(angle - first + middle, 0)
    this.offer(side, -side, side)
  }

  /** The word that begins on `side` and ends on the other, written for the left: LSR. */
  private inner(goal: Float64Array, side: number): void {
    const { trial } = this
    const angle = side * this.angle
    const dx = goal[0]! + side * goal[3]!
    const dy = side * goal[1]! - goal[2]! - 1
    const sq = dx * dx + dy * dy - 4
    if (sq < -4 * SLACK) return
    const gap = sq > 4 * SLACK ? Math.sqrt(sq) : 0
    if (!(gap < this.length)) return
    const course = Math.atan2(dy * gap + 2 * dx, dx * gap - 2 * dy)
    trial[0] = turn(course, gap)
    trial[1] = gap
    trial[2] = turn(course - angle, 0)
    this.offer(side, 0, -side)
  }

  private offer(first: number, middle: number, last: number): void {
    const { trial } = this
    const length = trial[0]! + trial[1]! + trial[2]!
    if (!(length < this.length * (1 - EQUAL)) && this.length < Infinity) return
    const { turns, lengths } = this
    this.length = length
    turns[0] = first
    turns[1] = middle
    turns[2] = last
    lengths.set(trial)
  }
}

/** `angle` in [0, 2π); 0 where that moves a point at the distance `reach` by no more than the slack. */
function turn(angle: number, reach: number): number {
  const turned = angle - TAU * Math.floor(angle / TAU)
  const slack = Math.max(SLACK / (1 + reach), 1e-15)
  return turned < slack || turned > TAU - slack ? 0 : turned
}
