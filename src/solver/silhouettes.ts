import type { FrameLike } from '../types.js'
import type { ObstacleView } from './obstacle-view.js'
import { grown } from '../math/grown.js'
import type { OutlineSink } from '../obstacles/shape.js'

/** A circle through the point behind the agent would be a line: it is taken as one of about this many radii, which is near enough. */
const LEAST_DENOMINATOR = 1e-4

/** Circles that miss each other by this share touch. */
const TOUCHING = 1e-12

/**
 * The YZ plane of a local frame, with obstacles projected on it as discs (Green, Obstacle Avoidance, in 3D). Green projects along x,
 * which tells where a cylinder ahead is blocked; here directions are projected, a direction at angle θ from the x axis to the distance
 * tan(θ/2) from the origin (stereographic), so that the outline of every ball is a true circle at any angle, also behind.
 */
export class Silhouettes implements OutlineSink {
  /** `[3 × count]`: y and z of the centre and the radius, negative where all outside of the circle is blocked. */
  data: Float64Array<ArrayBuffer> = new Float64Array(3 * 64)
  count = 0
  /** `[count]`: whose edges they are; new ones are those of `owner`. */
  readonly owners: (ObstacleView | null)[] = []
  owner: ObstacleView | null = null
  /** A point of the plane, and a second one: answers of `nearest` and `cross`. */
  y = 0
  z = 0
  otherY = 0
  otherZ = 0
  private frame: FrameLike | null = null

  /** Empties the plane. Its x axis is the origin. */
  begin(frame: FrameLike): void {
    this.frame = frame
    this.count = 0
  }

  /** Adds the circle of directions u with u · axis = cosine. */
  circle(axisX: number, axisY: number, axisZ: number, cosine: number): void {
    if (3 * this.count === this.data.length) this.data = grown(this.data, 6 * this.count)
    const { x, y, z } = this.frame!
    const ahead = axisX * x.x + axisY * x.y + axisZ * x.z
    const sum = ahead + cosine
    const denominator =
      Math.abs(sum) > LEAST_DENOMINATOR ? sum : sum < 0 ? -LEAST_DENOMINATOR : LEAST_DENOMINATOR
    const k = 1 / denominator
    // one that is bent off the point behind is a little wider or narrower
    const bent = denominator - ahead
    this.owners[this.count] = this.owner
    const at = 3 * this.count++
    this.data[at] = (axisX * y.x + axisY * y.y + axisZ * y.z) * k
    this.data[at + 1] = (axisX * z.x + axisY * z.y + axisZ * z.z) * k
    this.data[at + 2] = Math.sqrt(Math.max(0, 1 - bent * bent)) * k
  }

  /** Distance from the origin to the nearest point of edge i. */
  edgeDistance(i: number): number {
    const y = this.data[3 * i]!
    const z = this.data[3 * i + 1]!
    return Math.abs(Math.sqrt(y * y + z * z) - Math.abs(this.data[3 * i + 2]!))
  }

  /**
   * Writes into `y` and `z` the point of edge i nearest to the origin; where the origin lies within, the point is drawn towards
   * (hintY, hintZ), whose length against 1 is the strength, which decides at the very centre. False where there is none.
   */
  nearest(i: number, hintY: number, hintZ: number): boolean {
    const y = this.data[3 * i]!
    const z = this.data[3 * i + 1]!
    const radius = Math.abs(this.data[3 * i + 2]!)
    const d = Math.sqrt(y * y + z * z)
    let ey = y
    let ez = z
    if (d < radius) {
      ey = hintY - y / radius
      ez = hintZ - z / radius
    }
    const length = Math.sqrt(ey * ey + ez * ez)
    if (!(length > 0)) return false
    ey /= length
    ez /= length
    // nearest crossing of the edge with the ray from the origin along e
    const along = ey * y + ez * z
    const root = Math.sqrt(Math.max(0, along * along + (radius - d) * (radius + d)))
    const t = d < radius ? along + root : along - root
    this.y = ey * t
    this.z = ez * t
    return true
  }

  /** Writes the two points where edges i and j cross into `y`, `z`, `otherY` and `otherZ`. False where they do not. */
  cross(i: number, j: number): boolean {
    const { data } = this
    const y = data[3 * i]!
    const z = data[3 * i + 1]!
    const r = Math.abs(data[3 * i + 2]!)
    const s = Math.abs(data[3 * j + 2]!)
    const dy = data[3 * j]! - y
    const dz = data[3 * j + 1]! - z
    const sq = dy * dy + dz * dz
    const a = (sq + (r - s) * (r + s)) / 2
    const half = r * r * sq - a * a
    // the edge of a box and the corner where it ends touch by construction: rounding must not decide
    if (!(half > -TOUCHING * r * r * sq)) return false
    const k = a / sq
    const h = half > TOUCHING * r * r * sq ? Math.sqrt(half) / sq : 0
    this.y = y + k * dy - h * dz
    this.z = z + k * dz + h * dy
    this.otherY = y + k * dy + h * dz
    this.otherZ = z + k * dz - h * dy
    return true
  }
}
