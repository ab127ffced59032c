import { Vector3 } from 'three'
import type { ArcPath } from 'three-steering/curves'
import type { Stage } from '../stage.js'

/** Time in which the camera comes to another path, s. */
const GLIDE = 0.5

const low = new Vector3()
const high = new Vector3()
const point = new Vector3()

/** SnapshotState a path in the picture: glides there when it changes, from where the visitor looks; a visitor who takes the camera has it. */
export class Framing {
  /** Middle and half extent of what is to be seen, m. */
  readonly middle = new Vector3()
  reach = 1
  readonly #stage: Stage
  readonly #margin: number
  /** Time left to come there, s. */
  #left = 0

  /** `margin`: how much larger than the path the picture is. */
  constructor(stage: Stage, margin: number) {
    this.#stage = stage
    this.#margin = margin
    stage.controls.addEventListener('start', this.#take)
    stage.onResize = () => this.#shift()
    this.#shift()
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

  /** Sets off to what was measured last. */
  go(): void {
    this.#left = 3 * GLIDE
  }

  /** Call once per frame. */
  update(seconds: number): void {
    if (this.#left <= 0) return
    this.#left -= seconds
    this.#approach(1 - Math.exp(-seconds / GLIDE))
  }

  /** Is there at once. */
  jump(): void {
    this.#approach(1)
  }

  dispose(): void {
    this.#stage.camera.clearViewOffset()
    this.#stage.controls.removeEventListener('start', this.#take)
  }

  #approach(share: number): void {
    const { camera, controls } = this.#stage
    const half = (Math.PI / 360) * camera.fov
    const away =
      (this.#margin * this.reach) / Math.sin(Math.atan(Math.tan(half) * Math.min(1, camera.aspect)))
    const eye = point.copy(camera.position).sub(controls.target)
    const distance = eye.length()
    controls.target.lerp(this.middle, share)
    camera.position
      .copy(controls.target)
      .addScaledVector(eye, (distance + (away - distance) * share) / distance)
  }

  #take = (): void => {
    this.#left = 0
  }

  /** On a phone the figures are above: the middle of what is free lies lower. */
  #shift(): void {
    const { camera, canvas } = this.#stage
    const { clientWidth: wide, clientHeight: high } = canvas
    if (wide > 640 || wide > high || document.body.classList.contains('bare')) camera.clearViewOffset()
    else camera.setViewOffset(wide, high, 0, -0.11 * high, wide, high)
  }
}
