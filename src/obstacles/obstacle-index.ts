import type { Obstacle } from './obstacle.js'
import { grown } from '../math/grown.js'
import { Tree } from './tree.js'
import type { Vec3 } from '../types.js'
import { set, vec3 } from '../math/vec3.js'

/** As many newcomers as this, and a share of those in the tree, are tested one by one before the tree is built anew. */
const FEW = 16
const SHARE = 1 / 32

/**
 * Who is in a set of obstacles, and where. Each has a number, in the order of adding. The tree knows those below `built`, but
 * for those without an end, which are in `endless`; newcomers follow from `built` on. Who has left leaves a gap, until the tree is built anew.
 */
export class ObstacleIndex {
  readonly numberOf: Map<Obstacle, number> = new Map<Obstacle, number>()
  readonly members: (Obstacle | null)[] = []
  readonly endless: number[] = []
  readonly tree: Tree = new Tree()
  /** `[≥ members]`, for the answers of the tree. */
  found: Int32Array<ArrayBuffer> = new Int32Array(FEW)
  built = 0
  private readonly boxes = new Boxes()
  /** Numbers of those that follow something. */
  private readonly followers: number[] = []
  /** Speed of the fastest at the last refresh, m/s. */
  fastest = 0
  private gone = 0
  private worn = false

  add(obstacle: Obstacle): void {
    const number = this.members.push(obstacle) - 1
    this.numberOf.set(obstacle, number)
    if (obstacle.followed !== null) this.followers.push(number)
  }

  /** False for a stranger. */
  remove(obstacle: Obstacle): boolean {
    const number = this.numberOf.get(obstacle)
    if (number === undefined) return false
    this.numberOf.delete(obstacle)
    this.members[number] = null
    this.gone++
    if (number < this.built) this.boxes.drop(number)
    return true
  }

  clear(): void {
    this.numberOf.clear()
    this.members.length = this.endless.length = this.followers.length = 0
    this.built = this.gone = 0
    this.tree.build(this.boxes.corners, 0)
  }

  /** Reads again what the obstacles follow, and fits the tree. */
  refresh(): void {
    let moved = false
    let fastest = 0
    for (let i = 0; i < this.followers.length; i++) {
      const number = this.followers[i]!
      const obstacle = this.members[number] ?? null
      if (obstacle === null) continue
      obstacle.read()
      fastest = Math.max(fastest, obstacle.fastest())
      if (number < this.built && this.boxes.follow(number, obstacle)) moved = true
    }
    this.fastest = fastest
    if (moved && this.tree.refit()) this.worn = true
  }

  /** Must be called before a question: builds the tree anew when too many have come or gone, or it has worn out. */
  prepare(): void {
    const { members, built } = this
    const few = FEW + SHARE * built
    if (!this.worn && members.length - built <= few && this.gone <= few) return
    this.close()
    this.boxes.reserve(members.length)
    this.endless.length = 0
    for (let number = 0; number < members.length; number++)
      if (!this.boxes.take(number, members[number]!)) this.endless.push(number)
    this.tree.build(this.boxes.corners, members.length)
    this.built = members.length
    this.worn = false
    if (this.found.length < members.length) this.found = grown(this.found, 2 * members.length)
  }

  /** Numbers the members anew, without gaps. */
  private close(): void {
    if (this.gone === 0) return
    let count = 0
    this.followers.length = 0
    for (const obstacle of this.members) {
      if (obstacle === null) continue
      this.numberOf.set(obstacle, count)
      if (obstacle.followed !== null) this.followers.push(count)
      this.members[count++] = obstacle
    }
    this.members.length = count
    this.gone = 0
  }
}

/** Relative room for rounding, so that no point of a shape lies outside of its box. */
const ROOM = 1e-12

const axis = vec3()

/** World boxes of numbered obstacles, kept up as the obstacles move. */
class Boxes {
  /** `[6 × capacity]`: lowest x, y, z, highest x, y, z, m. Nobody's box is upside down: ∞ … −∞. */
  corners: Float64Array<ArrayBuffer> = new Float64Array(0)
  /** `[6 × capacity]`: the same from the position of the obstacle, for its attitude. */
  private reach: Float64Array<ArrayBuffer> = new Float64Array(0)
  /** `[7 × capacity]`: position and quaternion that the box was made for. Obstacles may be refreshed by others, too. */
  private poses: Float64Array<ArrayBuffer> = new Float64Array(0)

  /** Makes room for `count` boxes. */
  reserve(count: number): void {
    if (6 * count <= this.corners.length) return
    const capacity = count + (count >> 1)
    this.corners = grown(this.corners, 6 * capacity)
    this.reach = grown(this.reach, 6 * capacity)
    this.poses = grown(this.poses, 7 * capacity)
  }

  /** Takes the box of an obstacle. False, and nobody's box, when it has no end in some direction. */
  take(index: number, obstacle: Obstacle): boolean {
    this.measure(index, obstacle)
    this.place(index, obstacle)
    const { corners } = this
    let sum = 0
    for (let k = 6 * index; k < 6 * index + 6; k++) sum += Math.abs(corners[k]!)
    if (Number.isFinite(sum)) return true
    this.drop(index)
    return false
  }

  /** Follows an obstacle that has a box. True when it has moved. */
  follow(index: number, obstacle: Obstacle): boolean {
    const { position, quaternion } = obstacle
    const { poses } = this
    const i = 7 * index
    const turned =
      poses[i + 3] !== quaternion.x ||
      poses[i + 4] !== quaternion.y ||
      poses[i + 5] !== quaternion.z ||
      poses[i + 6] !== quaternion.w
    if (!turned && poses[i] === position.x && poses[i + 1] === position.y && poses[i + 2] === position.z)
      return false
    if (turned) this.measure(index, obstacle)
    this.place(index, obstacle)
    return true
  }

  /** Leaves nobody's box, which nothing is near to. */
  drop(index: number): void {
    this.corners.fill(Infinity, 6 * index, 6 * index + 3)
    this.corners.fill(-Infinity, 6 * index + 3, 6 * index + 6)
  }

  private place(index: number, { position }: Obstacle): void {
    const { corners, reach, poses } = this
    const i = 6 * index
    const { x, y, z } = position
    corners[i] = x + reach[i]! - ROOM * (Math.abs(x) + Math.abs(reach[i]!))
    corners[i + 1] = y + reach[i + 1]! - ROOM * (Math.abs(y) + Math.abs(reach[i + 1]!))
    corners[i + 2] = z + reach[i + 2]! - ROOM * (Math.abs(z) + Math.abs(reach[i + 2]!))
    corners[i + 3] = x + reach[i + 3]! + ROOM * (Math.abs(x) + Math.abs(reach[i + 3]!))
    corners[i + 4] = y + reach[i + 4]! + ROOM * (Math.abs(y) + Math.abs(reach[i + 4]!))
    corners[i + 5] = z + reach[i + 5]! + ROOM * (Math.abs(z) + Math.abs(reach[i + 5]!))
    poses[7 * index] = x
    poses[7 * index + 1] = y
    poses[7 * index + 2] = z
  }

  /** How far the shape reaches along the axes of the world, as it is turned. */
  private measure(index: number, { shape, quaternion }: Obstacle): void {
    const { reach, poses } = this
    const { x, y, z, w } = quaternion
    const i = 6 * index
    // the axes of the world, in the axes of the shape: the rows of its rotation matrix
    set(axis, 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y))
    reach[i + 3] = shape.support(axis)
    reach[i] = -shape.support(flip(axis))
    set(axis, 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x))
    reach[i + 4] = shape.support(axis)
    reach[i + 1] = -shape.support(flip(axis))
    set(axis, 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    reach[i + 5] = shape.support(axis)
    reach[i + 2] = -shape.support(flip(axis))
    poses[7 * index + 3] = x
    poses[7 * index + 4] = y
    poses[7 * index + 5] = z
    poses[7 * index + 6] = w
  }
}

function flip(a: Vec3): Vec3 {
  return set(a, -a.x, -a.y, -a.z)
}
