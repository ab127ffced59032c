import { Vector3 } from 'three'
import type { ArcPath } from 'three-steering/curves'
import type { Stage } from '../stage.js'

/** Time constant with which the camera moves to a new path (s). */
const GLIDE = 0.5

const low = new Vector3()
const high = new Vector3()
const point = new Vector3()

/**
 * Frames a path. When the path changes, the camera moves to it and keeps its direction. A move by the visitor
 * stops this.
 */
export class Framing {
  /** Centre and half extent of the path (m). */
  readonly middle = new Vector3()
  reach = 1
  readonly #stage: Stage
  readonly #margin: number
  /** Time left of the movement (s). */
  #left = 0

  /** `margin`: size of the view relative to the path. */
  constructor(stage: Stage, margin: number) {
    this.#stage = stage
    this.#margin = margin
    stage.controls.addEventListener('start', this.#onVisitor)
  }

  /** Measures a path flown with turns of `radius` m. */
  measure(path: ArcPath, radius: number): void {
    low.setScalar(Infinity)
    high.setScalar(-Infinity)
    for (let k = 0; k <= 48; k++) {
      path.pointAt(point, (path.length * k) / 48)
      low.min(point)
      high.max(point)
    }
    this.reach = Math.max(2.2 * radius, low.distanceTo(high) / 2 + 0.35 * radius)
    this.middle.addVectors(low, high).multiplyScalar(0.5)
  }

  /** Starts to move to the path measured last. */
  go(): void {
    this.#left = 3 * GLIDE
  }

  /** Call once per frame. */
  update(seconds: number): void {
    if (this.#left <= 0) return
    this.#left -= seconds
    this.#approach(1 - Math.exp(-seconds / GLIDE))
  }

  /** Jumps to the path measured last. */
  jump(): void {
    this.#approach(1)
  }

  dispose(): void {
    this.#stage.controls.removeEventListener('start', this.#onVisitor)
  }

  #approach(share: number): void {
    const { camera, controls } = this.#stage
    const half = (Math.PI / 360) * camera.fov
    const wanted =
      (this.#margin * this.reach) / Math.sin(Math.atan(Math.tan(half) * Math.min(1, camera.aspect)))
    const eye = point.copy(camera.position).sub(controls.target)
    const distance = eye.length()
    controls.target.lerp(this.middle, share)
    camera.position
      .copy(controls.target)
      .addScaledVector(eye, (distance + (wanted - distance) * share) / distance)
  }

  #onVisitor = (): void => {
    this.#left = 0
  }
}
