import { shifts, type Obstacle } from './obstacle.js'
import { isOwn } from '../math/own.js'
import { grown } from '../math/grown.js'
import { Tree } from './tree.js'
import type { Vec3, Vec3Like } from '../types.js'
import { rotate } from '../math/quat.js'
import { add, set, vec3 } from '../math/vec3.js'

/** With more new and removed obstacles than this, plus a share of those in the tree, it is rebuilt. */
const BASE_CHANGES = 16
/** That share. Larger: fewer rebuilds, and slower queries. */
const SHARE_OF_CHANGES = 1 / 32

const corner = vec3()

/**
 * The members of a set of obstacles, and their places. Each member has a number, in the order of adding. The
 * tree holds the numbers below `built`, except unbounded obstacles, which are listed in `endless`. Obstacles
 * added since have the numbers from `built` on. A removed obstacle leaves null in `members` until the tree is
 * rebuilt.
 */
export class ObstacleIndex {
  readonly numberOf: Map<Obstacle, number> = new Map<Obstacle, number>()
  readonly members: (Obstacle | null)[] = []
  readonly endless: number[] = []
  readonly tree: Tree = new Tree()
  /** `[> members]`: results of the tree. */
  found: Int32Array = new Int32Array(BASE_CHANGES)
  built = 0
  private readonly boxes = new Boxes()
  /** Numbers of the obstacles that follow a body. */
  private readonly followers: number[] = []
  /** The fastest obstacle at the last refresh, and its speed, m/s. */
  private first: Obstacle | null = null
  private firstSpeed = 0.5
  /** Radius (m) of the largest ball around a bounded obstacle that moved at the last refresh. */
  widest = 0.5
  private removed = 0
  private isWorn = false
  /** Shifts that the boxes have followed. */
  private shifts = shifts.count

  add(obstacle: Obstacle): void {
    const number = this.members.push(obstacle) - 1
    this.numberOf.set(obstacle, number)
    if (obstacle.followed !== null) this.followers.push(number)
  }

  /** False for an obstacle that is not in the set. */
  remove(obstacle: Obstacle): boolean {
    const number = this.numberOf.get(obstacle)
    if (number === undefined) return false
    this.numberOf.delete(obstacle)
    this.members[number] = null
    this.removed++
    if (number < this.built) this.boxes.setEmpty(number)
    return true
  }

  clear(): void {
    this.numberOf.clear()
    this.members.length = this.endless.length = this.followers.length = 0
    this.built = this.removed = 0
    this.tree.buildOver(this.boxes.corners, this.boxes.balls, 0)
  }

  /** Reads the bodies that the obstacles follow, and refits the tree. */
  refresh(): void {
    let moved = false
    this.first = null
    this.firstSpeed = this.widest = 0
    for (let i = 0; i < this.followers.length; i++) {
      const number = this.followers[i]!
      const obstacle = this.members[number] ?? null
      if (obstacle === null) continue
      obstacle.read()
      this.compare(obstacle)
      if (number < this.built && this.boxes.update(number, obstacle)) moved = true
    }
    if (this.shifts !== shifts.count) {
      this.shifts = shifts.count
      for (let number = 0; number < this.built; number++) {
        const obstacle = this.members[number] ?? null
        if (obstacle !== null && this.boxes.update(number, obstacle)) moved = true
      }
    }
    if (moved && this.tree.refit()) this.isWorn = true
  }

  /**
   * Adds to `sum` a point (m) of each obstacle that follows a body and is at rest: one off its axes, which
   * also moves when it turns. Returns their number.
   */
  addAtRest(sum: Vec3): number {
    let count = 0
    for (let i = 0; i < this.followers.length; i++) {
      const obstacle = this.seen(this.followers[i]!)
      if (obstacle === null || obstacle.moves) continue
      const { boundingRadius: r, position, quaternion } = obstacle
      if (r < Infinity) add(sum, sum, rotate(corner, quaternion, set(corner, 0.7 * r, 0.6 * r, 0.4 * r)))
      add(sum, sum, position)
      count++
    }
    return count
  }

  /** Speed of the fastest obstacle at the last refresh, m/s. */
  get fastest(): number {
    return this.first !== null && isOwn(this.first) ? this.fastestOther() : this.firstSpeed
  }

  /** The same for the one agent to which the fastest obstacle belongs. */
  private fastestOther(): number {
    const { first, firstSpeed } = this
    this.firstSpeed = 0
    for (let i = 0; i < this.followers.length; i++) {
      const obstacle = this.seen(this.followers[i]!)
      if (obstacle !== null) this.compare(obstacle)
    }
    const speed = this.firstSpeed
    this.first = first
    this.firstSpeed = firstSpeed
    return speed
  }

  private compare(obstacle: Obstacle): void {
    const speed = obstacle.fastest()
    const { boundingRadius } = obstacle
    if (speed > 0 && boundingRadius > this.widest && boundingRadius < Infinity) this.widest = boundingRadius
    if (!(speed > this.firstSpeed)) return
    this.first = obstacle
    this.firstSpeed = speed
  }

  /**
   * The obstacle with a number; null for one that was removed, or that belongs to the agent that asks. All
   * queries read the members by it.
   */
  seen(number: number): Obstacle | null {
    const obstacle = this.members[number]!
    return obstacle === null || isOwn(obstacle) ? null : obstacle
  }

  /** Number of obstacles that every query looks at: those that are not in the tree. */
  get others(): number {
    return this.endless.length + this.members.length - this.built
  }

  /** Number of the obstacle that a query looks at k-th: first the `boxes` in `found`, then the others. */
  candidate(k: number, boxes: number): number {
    const { built, endless, found } = this
    const others = boxes + endless.length
    return k < boxes ? found[k]! : k < others ? endless[k - boxes]! : built + k - others
  }

  /** Writes the first `count` in `found` into `out` from `at` on, in the order of adding. Returns the end. */
  list(out: Obstacle[], at: number, count: number): number {
    const { found, members } = this
    sortUpwards(found, count)
    for (let i = 0; i < count; i++) out[at + i] = members[found[i]!]!
    return at + count
  }

  /** Whether `seen` is null for all. */
  get isEmpty(): boolean {
    for (let number = 0; number < this.members.length; number++) if (this.seen(number) !== null) return false
    return true
  }

  /**
   * Must be called before a query: rebuilds the tree when too many obstacles were added or removed, or its
   * boxes have grown too much.
   */
  prepare(): void {
    const { members, built } = this
    // one more, because candidates are written before they are tested
    if (this.found.length <= members.length) this.found = grown(this.found, 2 * members.length + 1)
    const allowed = BASE_CHANGES + SHARE_OF_CHANGES * built
    if (!this.isWorn && members.length - built <= allowed && this.removed <= allowed) return
    this.renumber()
    this.boxes.reserve(members.length)
    this.endless.length = 0
    for (let number = 0; number < members.length; number++)
      if (!this.boxes.setBox(number, members[number]!)) this.endless.push(number)
    this.tree.buildOver(this.boxes.corners, this.boxes.balls, members.length)
    this.built = members.length
    this.isWorn = false
  }

  /** Whether an obstacle is in the set, and its surface is not nearer to `point` than `distance` (m). */
  isBeyond(number: number, point: Vec3Like, distance: number): boolean {
    const { balls } = this.boxes
    const i = 4 * number
    const x = point.x - balls[i]!
    const y = point.y - balls[i + 1]!
    const z = point.z - balls[i + 2]!
    const range = distance + balls[i + 3]!
    const obstacle = this.seen(number)
    if (obstacle === null) return false
    // most are so far away that the ball around them shows it
    if (number < this.built && (range < 0 || x * x + y * y + z * z > range * range)) return true
    return !obstacle.isNearer(point, distance, normal)
  }

  /** Numbers the members from 0 without gaps. */
  private renumber(): void {
    if (this.removed === 0) return
    let count = 0
    this.followers.length = 0
    for (const obstacle of this.members) {
      if (obstacle === null) continue
      this.numberOf.set(obstacle, count)
      if (obstacle.followed !== null) this.followers.push(count)
      this.members[count++] = obstacle
    }
    this.members.length = count
    this.removed = 0
  }
}

/** Gaps of Ciura, Best increments for the average case of Shellsort, 2001, continued by a factor of 2.25. */
const GAPS = [1, 4, 10, 23, 57, 132, 301, 701, 1577, 3548, 7983, 17961, 40412, 90927, 204585, 460316]

/**
 * Sorts the first `count` numbers in ascending order, in place and without a view, which would be allocated
 * (Shellsort).
 */
function sortUpwards(numbers: Int32Array, count: number): void {
  let g = 0
  while (g + 1 < GAPS.length && GAPS[g + 1]! < count) g++
  for (; g >= 0; g--) {
    const gap = GAPS[g]!
    for (let i = gap; i < count; i++) {
      const number = numbers[i]!
      let j = i
      for (; j >= gap && numbers[j - gap]! > number; j -= gap) numbers[j] = numbers[j - gap]!
      numbers[j] = number
    }
  }
}

/**
 * Boxes are enlarged by this share, so that no point of a shape lies outside of its box because of rounding.
 */
const ROUNDING = 1e-12

const axis = vec3()
const normal = vec3()

/** World boxes of numbered obstacles, updated as the obstacles move. */
class Boxes {
  /** `[6 × capacity]`: lowest x, y, z, highest x, y, z, m. An empty box extends from ∞ to −∞. */
  corners: Float64Array = new Float64Array(0)
  /**
   * `[4 × capacity]`: center and radius (m) of a ball around what is in each box; NaN around an empty box, so
   * that no comparison is true.
   */
  balls: Float64Array = new Float64Array(0)
  /** `[6 × capacity]`: the same relative to the position of the obstacle, for its attitude, m. */
  private extents: Float64Array = new Float64Array(0)
  /**
   * `[7 × capacity]`: position and quaternion that the box was made for. They are compared because other sets
   * may refresh the same obstacle.
   */
  private poses: Float64Array = new Float64Array(0)

  /** Grows the arrays for `count` boxes. */
  reserve(count: number): void {
    if (6 * count <= this.corners.length) return
    const capacity = count + (count >> 1)
    this.corners = grown(this.corners, 6 * capacity)
    this.balls = grown(this.balls, 4 * capacity)
    this.extents = grown(this.extents, 6 * capacity)
    this.poses = grown(this.poses, 7 * capacity)
  }

  /**
   * Computes the box of an obstacle. Returns false, and stores an empty box, when the obstacle is unbounded
   * in some direction.
   */
  setBox(index: number, obstacle: Obstacle): boolean {
    this.measure(index, obstacle)
    this.place(index, obstacle)
    const { corners } = this
    let sum = 0
    for (let k = 6 * index; k < 6 * index + 6; k++) sum += Math.abs(corners[k]!)
    if (Number.isFinite(sum)) return true
    this.setEmpty(index)
    return false
  }

  /** Updates the box of an obstacle. True when the obstacle has moved. */
  update(index: number, obstacle: Obstacle): boolean {
    const { position, quaternion } = obstacle
    const { poses } = this
    const i = 7 * index
    // the attitude of a ball does not matter
    const turned =
      obstacle.ballRadius < 0 &&
      (poses[i + 3] !== quaternion.x ||
        poses[i + 4] !== quaternion.y ||
        poses[i + 5] !== quaternion.z ||
        poses[i + 6] !== quaternion.w)
    if (!turned && poses[i] === position.x && poses[i + 1] === position.y && poses[i + 2] === position.z)
      return false
    if (turned) this.measure(index, obstacle)
    this.place(index, obstacle)
    return true
  }

  /** Stores an empty box, which is near to nothing. */
  setEmpty(index: number): void {
    this.corners.fill(Infinity, 6 * index, 6 * index + 3)
    this.corners.fill(-Infinity, 6 * index + 3, 6 * index + 6)
    this.balls.fill(NaN, 4 * index, 4 * index + 4)
  }

  private place(index: number, { ballRadius, position }: Obstacle): void {
    const { balls, corners, extents, poses } = this
    const i = 6 * index
    const { x, y, z } = position
    corners[i] = x + extents[i]! - ROUNDING * (Math.abs(x) + Math.abs(extents[i]!))
    corners[i + 1] = y + extents[i + 1]! - ROUNDING * (Math.abs(y) + Math.abs(extents[i + 1]!))
    corners[i + 2] = z + extents[i + 2]! - ROUNDING * (Math.abs(z) + Math.abs(extents[i + 2]!))
    corners[i + 3] = x + extents[i + 3]! + ROUNDING * (Math.abs(x) + Math.abs(extents[i + 3]!))
    corners[i + 4] = y + extents[i + 4]! + ROUNDING * (Math.abs(y) + Math.abs(extents[i + 4]!))
    corners[i + 5] = z + extents[i + 5]! + ROUNDING * (Math.abs(z) + Math.abs(extents[i + 5]!))
    poses[7 * index] = x
    poses[7 * index + 1] = y
    poses[7 * index + 2] = z
    const hx = (corners[i + 3]! - corners[i]) / 2
    const hy = (corners[i + 4]! - corners[i + 1]!) / 2
    const hz = (corners[i + 5]! - corners[i + 2]!) / 2
    balls[4 * index] = corners[i] + hx
    balls[4 * index + 1] = corners[i + 1]! + hy
    balls[4 * index + 2] = corners[i + 2]! + hz
    // around the box of a ball there is far more room
    balls[4 * index + 3] = ballRadius < 0 ? Math.sqrt(hx * hx + hy * hy + hz * hz) : Math.max(hx, hy, hz)
  }

  /** Measures the extents of the shape along the world axes, for its attitude. */
  private measure(index: number, { shape, quaternion }: Obstacle): void {
    const { extents, poses } = this
    const { x, y, z, w } = quaternion
    const i = 6 * index
    // the axes of the world, in the axes of the shape: the rows of its rotation matrix
    set(axis, 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y))
    extents[i + 3] = shape.support(axis)
    extents[i] = -shape.support(negate(axis))
    set(axis, 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x))
    extents[i + 4] = shape.support(axis)
    extents[i + 1] = -shape.support(negate(axis))
    set(axis, 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    extents[i + 5] = shape.support(axis)
    extents[i + 2] = -shape.support(negate(axis))
    poses[7 * index + 3] = x
    poses[7 * index + 4] = y
    poses[7 * index + 5] = z
    poses[7 * index + 6] = w
  }
}

function negate(a: Vec3): Vec3 {
  return set(a, -a.x, -a.y, -a.z)
}
