import type { Vec3Like } from '../types.js'
import { ROUNDING } from './wide-nodes.js'

/** The straight path of a ball among boxes, see `TreeNodes`. */
export class BallPath {
  /** Distance (m) at which the path ends. */
  limit = 0.5
  /** How far (m) the ball flies at least until it touches the box that it was last found to meet. */
  enter = 0.5
  private x = 0.5
  private y = 0.5
  private z = 0.5
  private inverseX = 0.5
  private inverseY = 0.5
  private inverseZ = 0.5
  private radius = 0.5

  aim({ x, y, z }: Vec3Like, direction: Vec3Like, radius: number): void {
    this.x = x
    this.y = y
    this.z = z
    this.inverseX = 1 / direction.x
    this.inverseY = 1 / direction.y
    this.inverseZ = 1 / direction.z
    this.radius = radius
  }

  /**
   * Whether the ball may meet the box at index `i`: false only where it passes. A path parallel to a face
   * gives infinite numbers, and in the face itself 0 · ∞ = NaN, which no comparison counts.
   */
  meets(boxes: Float64Array, i: number): boolean {
    const { x, y, z, inverseX, inverseY, inverseZ, limit, radius } = this
    const lowX = (boxes[i]! - radius - x) * inverseX
    const highX = (boxes[i + 3]! + radius - x) * inverseX
    const lowY = (boxes[i + 1]! - radius - y) * inverseY
    const highY = (boxes[i + 4]! + radius - y) * inverseY
    const lowZ = (boxes[i + 2]! - radius - z) * inverseZ
    const highZ = (boxes[i + 5]! + radius - z) * inverseZ
    const fromX = inverseX > 0 ? lowX : highX
    const toX = inverseX > 0 ? highX : lowX
    const fromY = inverseY > 0 ? lowY : highY
    const toY = inverseY > 0 ? highY : lowY
    const fromZ = inverseZ > 0 ? lowZ : highZ
    const toZ = inverseZ > 0 ? highZ : lowZ
    let enter = 0
    let leave = limit
    if (fromX > enter) enter = fromX
    if (toX < leave) leave = toX
    if (fromY > enter) enter = fromY
    if (toY < leave) leave = toY
    if (fromZ > enter) enter = fromZ
    if (toZ < leave) leave = toZ
    this.enter = enter * (1 - ROUNDING)
    return this.enter <= leave * (1 + ROUNDING)
  }
}
