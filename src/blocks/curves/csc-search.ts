import type { Vec3 } from '../../core/types.js'
import { addScaled, copy, cross, isZero, lengthSq, load } from '../../core/math/vec3.js'
import { normalize, perpendicular, reject, save, scale, vec3 } from '../../core/math/vec3.js'
import { TAU } from '../../core/math/scalar.js'
import { dotProduct, halve, type CscSolver } from './csc-solver.js'
import { DubinsWord } from './dubins-word.js'

/** Beyond this distance (radii) the starts of the cube found no further solutions. */
const CLEAR = 10
/** Number of planes tried around a heading. */
const ROLLS = 8
/** Poses are nearly on one line when the squares of the sines of their angles from it are below this. */
const NEARLY_IN_LINE = 0.1
/** Lower bound for lengths that are divisors, in units of the larger radius. */
const TINY = 1e-12
/** Component of the unit diagonal of a cube along each of its edges. */
const DIAGONAL = Math.sqrt(1 / 3)

/** Search for the shortest path of arc, straight and arc, with arcs up to 2π: Newton from many starts. */
export class CscSearch {
  private readonly solver: CscSolver
  /** Length of the best path so far, in units of the larger radius, and its chords. */
  private best = Infinity
  private readonly bestStartChord = new Float64Array(3)
  private readonly bestGoalChord = new Float64Array(3)
  // the poses, and axes that turn with them (unit)
  private readonly start = vec3()
  private readonly goal = vec3()
  private readonly ahead = vec3()
  private readonly side = vec3()
  private readonly up = vec3()
  private readonly turn = vec3()
  /** Direction of the straight of the present start. */
  private readonly along = new Float64Array(3)
  private readonly word = new DubinsWord()
  private readonly flatGoal = new Float64Array(4)

  constructor(solver: CscSolver) {
    this.solver = solver
  }

  /**
   * Searches for the pair of poses of the solver. Newton's method begins with the direction of the straight
   * at the first arc, so the same start may lead to another path when it is flown backwards; the search is
   * made both ways. A `hasty` one is made one way, and not from the corners of the cube.
   * @returns whether paths were found; then the solver has the chords of the shortest.
   */
  run(hasty: boolean): boolean {
    const { bestGoalChord, bestStartChord, solver } = this
    this.best = Infinity
    this.tryStarts()
    if (!hasty) {
      this.tryCorners()
      this.reverse()
      this.tryStarts()
      this.tryCorners()
      this.reverse()
    }
    solver.startChord.set(bestStartChord)
    solver.goalChord.set(bestGoalChord)
    // once more: where an arc is almost π, the error is larger than the last step
    if (!solver.converge()) {
      solver.startChord.set(bestStartChord)
      solver.goalChord.set(bestGoalChord)
    }
    return this.best < Infinity
  }

  /** The same problem flown backwards in a point mirror: the ends change places, the displacement remains. */
  private reverse(): void {
    exchange(this.solver.startHeading, this.solver.goalHeading)
    this.solver.radii.reverse()
    exchange(this.bestStartChord, this.bestGoalChord)
  }

  /** Tries the straight along the line of sight, with an arc of π, and for near poses along the headings. */
  private tryStarts(): void {
    const { ahead, along, goal, start } = this
    const { displacement, goalChord, goalHeading, radii, startChord, startHeading } = this.solver
    load(start, startHeading, 0)
    load(goal, goalHeading, 0)
    load(ahead, displacement, 0)
    normalize(ahead, ahead)
    save(ahead, along, 0)
    this.tryAlong()
    for (let sign = 1; sign >= -1; sign -= 2) {
      this.tryHalfTurn(startChord, startHeading, goalChord, goalHeading, radii[1]!, sign)
      this.tryHalfTurn(goalChord, goalHeading, startChord, startHeading, radii[0]!, sign)
      across(startChord, displacement, startHeading, sign)
      across(goalChord, displacement, goalHeading, sign)
      this.converge()
      this.tryHalfTurns(sign)
    }
    this.setFrame()
    if (this.isNearlyInLine()) this.tryPlanes()
    if (this.isFar()) return
    save(start, along, 0)
    this.tryAlong()
    save(goal, along, 0)
    this.tryAlong()
  }

  private isFar(): boolean {
    const { displacement } = this.solver
    return dotProduct(displacement, displacement) > CLEAR * CLEAR
  }

  /** Tries starts with the straight to the corners of a cube. */
  private tryCorners(): void {
    if (this.isFar()) return
    for (let corner = 0; corner < 8; corner++)
      this.tryCorner(
        corner & 1 ? DIAGONAL : -DIAGONAL,
        corner & 2 ? DIAGONAL : -DIAGONAL,
        corner & 4 ? DIAGONAL : -DIAGONAL,
      )
  }

  /** Both arcs are π: their chords and the part of the displacement across the heading form a triangle. */
  private tryHalfTurns(sign: number): void {
    const { along, side, solver, turn, up } = this
    const { displacement, goalChord, goalHeading, radii, startChord, startHeading } = solver
    let sq = 0
    for (let i = 0; i < 3; i++) {
      along[i] = startHeading[i]! + goalHeading[i]!
      sq += along[i]! * along[i]!
    }
    // the headings are opposite
    if (!(sq > 1)) return
    load(turn, along, 0)
    normalize(turn, turn)
    save(turn, along, 0)
    across(startChord, displacement, along, 1)
    load(side, startChord, 0)
    cross(up, turn, side)
    const base = Math.max(dotProduct(displacement, startChord), TINY)
    const a = 2 * radii[0]!
    const b = 2 * radii[1]!
    this.lean(startChord, (base * base + a * a - b * b) / (2 * base * a), sign)
    this.lean(goalChord, (base * base + b * b - a * a) / (2 * base * b), -sign)
    this.converge()
  }

  /** Writes the chord at an angle to `side`, towards `up` or, with a negative sign, away from it. */
  private lean(chord: Float64Array, cosine: number, sign: number): void {
    const { side, up } = this
    const c = Math.min(Math.max(cosine, -1), 1)
    const s = sign * Math.sqrt(1 - c * c)
    chord[0] = c * side.x + s * up.x
    chord[1] = c * side.y + s * up.y
    chord[2] = c * side.z + s * up.z
  }

  /** Tries the straight along a diagonal of the frame. */
  private tryCorner(x: number, y: number, z: number): void {
    const { ahead, along, side, up } = this
    along[0] = x * ahead.x + y * side.x + z * up.x
    along[1] = x * ahead.y + y * side.y + z * up.y
    along[2] = x * ahead.z + y * side.z + z * up.z
    this.tryAlong()
  }

  /** Tries short and long arcs with the straight along `along`. */
  private tryAlong(): void {
    const { along } = this
    const { goalChord, goalHeading, startChord, startHeading } = this.solver
    for (let i = 0; i < 4; i++) {
      halve(startChord, startHeading, along, i & 1 ? -1 : 1)
      halve(goalChord, goalHeading, along, i & 2 ? -1 : 1)
      this.converge()
    }
  }

  /**
   * The arc of `chord` is π, so the straight is opposite to its heading. That gives the other arc, and that
   * the plane of this one.
   */
  private tryHalfTurn(
    chord: Float64Array,
    heading: Float64Array,
    otherChord: Float64Array,
    otherHeading: Float64Array,
    otherRadius: number,
    sign: number,
  ): void {
    const { along } = this
    const { displacement } = this.solver
    for (let i = 0; i < 3; i++) along[i] = -heading[i]!
    halve(otherChord, otherHeading, along, sign)
    const c = dotProduct(otherChord, otherHeading)
    const length = 2 * otherRadius * Math.sqrt(Math.max(0, 1 - c * c))
    const out = dotProduct(displacement, heading) - length * dotProduct(otherChord, heading)
    for (let i = 0; i < 3; i++) chord[i] = displacement[i]! - length * otherChord[i]! - out * heading[i]!
    const unit = 1 / Math.sqrt(dotProduct(chord, chord))
    for (let i = 0; i < 3; i++) chord[i]! *= unit
    this.converge()
  }

  /** Sets axes that turn with the poses, are mirrored with them, and are the same backwards. */
  private setFrame(): void {
    const { ahead, goal, side, start, up } = this
    if (isZero(ahead)) copy(ahead, start)
    for (let sign = 1; sign >= -1; sign -= 2) {
      reject(side, addScaled(side, start, goal, sign), ahead)
      if (lengthSq(side) > 1e-6) break
      perpendicular(side, ahead)
    }
    cross(up, ahead, normalize(side, side))
  }

  /** Whether the plane of the path is almost free. Then from most starts the turn of the plane diverges. */
  private isNearlyInLine(): boolean {
    const { ahead, goal, start, turn } = this
    return (
      lengthSq(reject(turn, start, ahead)) < NEARLY_IN_LINE &&
      lengthSq(reject(turn, goal, ahead)) < NEARLY_IN_LINE
    )
  }

  /** Tries planes all around the start's heading, and those with the other heading and the displacement. */
  private tryPlanes(): void {
    const { ahead, goal, side, start, turn, up } = this
    perpendicular(side, start)
    cross(up, start, side)
    for (let i = 0; i < ROLLS; i++) {
      const roll = (i * TAU) / ROLLS
      this.tryPlane(addScaled(turn, scale(turn, side, Math.cos(roll)), up, Math.sin(roll)))
    }
    for (let sign = -1; sign <= 1; sign += 2) {
      this.tryPlane(normalize(turn, reject(turn, scale(turn, goal, sign), start)))
      this.tryPlane(normalize(turn, reject(turn, scale(turn, ahead, sign), start)))
    }
  }

  /** Tries the shortest path in the plane of the start's heading and `beside`, to the projected goal. */
  private tryPlane(beside: Vec3): void {
    const { along, flatGoal, solver, word } = this
    const { displacement, goalChord, goalHeading, startChord, startHeading } = solver
    if (isZero(beside)) return
    save(beside, along, 0)
    flatGoal[0] = dotProduct(displacement, startHeading)
    flatGoal[1] = dotProduct(displacement, along)
    flatGoal[2] = dotProduct(goalHeading, startHeading)
    flatGoal[3] = dotProduct(goalHeading, along)
    word.solve(flatGoal)
    const { turns, lengths } = word
    if (turns[1] !== 0) return
    const first = turns[0]! * lengths[0]!
    this.aim(startChord, first / 2)
    this.aim(goalChord, first + (turns[2]! * lengths[2]!) / 2)
    this.converge()
  }

  /** Writes the chord at `angle` (rad) from the start's heading towards `along`. */
  private aim(chord: Float64Array, angle: number): void {
    const { startHeading } = this.solver
    for (let i = 0; i < 3; i++)
      chord[i] = startHeading[i]! * Math.cos(angle) + this.along[i]! * Math.sin(angle)
  }

  /** Newton's method from the present chords. Stores a path that is shorter than the best so far. */
  private converge(): void {
    const { bestGoalChord, bestStartChord, solver } = this
    if (!solver.converge()) return
    const length = solver.measure()
    if (!(length < this.best)) return
    this.best = length
    bestStartChord.set(solver.startChord)
    bestGoalChord.set(solver.goalChord)
  }
}

/** Writes the chord of an arc of π towards the goal, or, with a negative sign, away from it. */
function across(chord: Float64Array, displacement: Float64Array, heading: Float64Array, sign: number): void {
  const out = dotProduct(displacement, heading)
  for (let i = 0; i < 3; i++) chord[i] = displacement[i]! - out * heading[i]!
  const unit = sign / Math.sqrt(dotProduct(chord, chord))
  for (let i = 0; i < 3; i++) chord[i]! *= unit
}

function exchange(a: Float64Array, b: Float64Array): void {
  for (let i = 0; i < a.length; i++) {
    const x = a[i]!
    a[i] = b[i]!
    b[i] = x
  }
}
