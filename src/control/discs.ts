import type { FrameLike } from '../types.js'
import type { Bar } from './bar.js'
import type { Rim } from '../obstacles/shape.js'

/** A circle through the point behind the agent would be a line: it is taken as one of about this many radii, which is near enough. */
const LEAST = 1e-4

/**
 * The YZ plane of a local frame, with obstacles projected on it as discs (Green, Obstacle Avoidance, in 3D). Green projects along x,
 * which tells where a cylinder ahead is blocked; here directions are projected, a direction at angle θ from the x axis to the distance
 * tan(θ/2) from the origin (stereographic), so that the outline of every ball is a true circle at any angle, also behind.
 */
export class Discs implements Rim {
  /** `[3 × count]`: y and z of the centre and the radius, negative where all outside of the circle is blocked. */
  readonly data: Float64Array
  count = 0
  /** `[count]`: whose edges they are; new ones are those of `owner`. */
  readonly owners: Bar[] = []
  owner: Bar | null = null
  private frame: FrameLike | null = null

  constructor(capacity: number) {
    this.data = new Float64Array(3 * capacity)
  }

  /** Empties the plane. Its x axis is the origin. */
  begin(frame: FrameLike): void {
    this.frame = frame
    this.count = 0
  }

  /** Adds the circle of directions u with u · axis = cosine. Ignored when the plane is full. */
  circle(axisX: number, axisY: number, axisZ: number, cosine: number): void {
    if (3 * this.count >= this.data.length) return
    const { x, y, z } = this.frame!
    const ahead = axisX * x.x + axisY * x.y + axisZ * x.z
    const sum = ahead + cosine
    const k = 1 / (Math.abs(sum) > LEAST ? sum : sum < 0 ? -LEAST : LEAST)
    this.owners[this.count] = this.owner!
    const at = 3 * this.count++
    this.data[at] = (axisX * y.x + axisY * y.y + axisZ * y.z) * k
    this.data[at + 1] = (axisX * z.x + axisY * z.y + axisZ * z.z) * k
    this.data[at + 2] = Math.sqrt(Math.max(0, 1 - cosine * cosine)) * k
  }
}
