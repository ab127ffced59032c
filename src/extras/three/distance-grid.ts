import type { Vec3, Vec3Like } from '../../core/types.js'
import { vec3 } from '../../core/math/vec3.js'

// The numbers below are chosen by hand unless they say otherwise.

/** Greatest number of cells. More: closer bounds, and more memory. */
const MOST_CELLS = 1 << 18
/** Cells for each triangle of a smaller mesh. */
const CELLS_PER_TRIANGLE = 8
/** A path is given up after this number of steps. */
const STEPS = 12
/** Shorter steps than this share of the side of a cell lead nowhere. */
const LEAST_STEP = 0.05
/** Distances are stored in single precision, and reduced by this share so that none is too large. */
const ROUNDING = 1e-6

/**
 * Lower bounds of the distance to a surface, in the cells of a grid around it: the distance from the middle
 * of a cell, less that of the point to the middle. A cell is measured when it is first asked for, so answers
 * do not depend on earlier questions, but the time does.
 */
export class DistanceGrid {
  private readonly distanceTo: (point: Vec3Like) => number
  private readonly lowX: number
  private readonly lowY: number
  private readonly lowZ: number
  private readonly side: number
  private readonly countX: number
  private readonly countY: number
  private readonly countZ: number
  /** `[cells]`: distance from the middle of each, m; NaN where it is not known yet. */
  private readonly distances: Float32Array
  private readonly middle: Vec3 = vec3()
  private readonly place: Vec3 = vec3()
  private least = 0.5

  /**
   * @param bounds lowest x, y, z and highest x, y, z of the surface, m.
   * @param triangles their number.
   * @param distanceTo distance (m, ≥ 0) from a point to the surface.
   */
  constructor(bounds: ArrayLike<number>, triangles: number, distanceTo: (point: Vec3Like) => number) {
    const most = Math.min(MOST_CELLS, CELLS_PER_TRIANGLE * triangles)
    const sizes = [bounds[3]! - bounds[0]!, bounds[4]! - bounds[1]!, bounds[5]! - bounds[2]!]
    const longest = Math.max(...sizes)
    // relative to the longest side, so that no number overflows; a flat surface gets one layer
    const volume = sizes.reduce((product, size) => product * Math.max(size / longest, 1 / Math.cbrt(most)), 1)
    let side = longest * Math.cbrt(volume / most)
    const cells = (size: number): number => Math.max(1, Math.ceil(size / side))
    while (sizes.reduce((product, size) => product * cells(size), 1) > most && side < longest) side *= 1.02
    this.side = side
    this.countX = cells(sizes[0]!)
    this.countY = cells(sizes[1]!)
    this.countZ = cells(sizes[2]!)
    this.lowX = bounds[0]!
    this.lowY = bounds[1]!
    this.lowZ = bounds[2]!
    this.distanceTo = distanceTo
    this.distances = new Float32Array(this.countX * this.countY * this.countZ).fill(NaN)
  }

  /**
   * Whether a ball that flies from `origin` along the unit `direction` certainly touches nothing within
   * `limit` (m). False where it may touch.
   */
  isFree(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): boolean {
    const { place } = this
    let t = 0
    for (let step = 0; step < STEPS; step++) {
      place.x = origin.x + t * direction.x
      place.y = origin.y + t * direction.y
      place.z = origin.z + t * direction.z
      this.bound(place)
      const free = this.least - radius
      if (!(free > LEAST_STEP * this.side)) return false
      t += free
      if (t > limit) return true
    }
    return false
  }

  /** Whether the surface is certainly farther from a point than `distance` (m). */
  isBeyond(point: Vec3Like, distance: number): boolean {
    this.bound(point)
    return this.least > distance
  }

  /** Writes a lower bound of the distance to the surface into `least`: a returned number would be boxed. */
  private bound(point: Vec3Like): void {
    const { countX, countY, countZ, distances, side } = this
    const x = point.x - this.lowX
    const y = point.y - this.lowY
    const z = point.z - this.lowZ
    // outside of the grid the cell at its edge
    const i = Math.min(Math.max(Math.floor(x / side), 0), countX - 1)
    const j = Math.min(Math.max(Math.floor(y / side), 0), countY - 1)
    const k = Math.min(Math.max(Math.floor(z / side), 0), countZ - 1)
    const cell = (i * countY + j) * countZ + k
    if (Number.isNaN(distances[cell]!)) this.measure(cell, i, j, k)
    const ox = x - (i + 0.5) * side
    const oy = y - (j + 0.5) * side
    const oz = z - (k + 0.5) * side
    this.least = distances[cell]! - Math.sqrt(ox * ox + oy * oy + oz * oz)
  }

  private measure(cell: number, i: number, j: number, k: number): void {
    const { distances, lowX, lowY, lowZ, middle, side } = this
    middle.x = lowX + (i + 0.5) * side
    middle.y = lowY + (j + 0.5) * side
    middle.z = lowZ + (k + 0.5) * side
    distances[cell] = this.distanceTo(middle) * (1 - ROUNDING)
  }
}
