import type { Vec3 } from '../types.js'
import type { Obstacle } from './obstacle.js'
import { grown } from '../math/grown.js'
import { set, vec3 } from '../math/vec3.js'

/** Relative room for rounding, so that no point of a shape lies outside of its box. */
const ROOM = 1e-12

const axis = vec3()

/** World boxes of numbered obstacles, kept up as the obstacles move. */
export class Boxes {
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
