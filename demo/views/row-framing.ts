import { Vector3 } from 'three'
import type { FreeArea, Stage } from '../stage.js'

/** Field of view, small so that objects at the sides look like those in the middle. */
const FIELD = 16 // degrees

/** Time constant with which the view follows a change of the free area (s). */
const GLIDE = 0.35

/** Fits a flat row of objects into the free area of the window. A visitor who moves the camera keeps it. */
export class RowFraming {
  /** Free area at the last update. */
  freeArea: FreeArea
  readonly #stage: Stage
  readonly #measureFreeArea: () => FreeArea
  readonly #middle = new Vector3()
  /** Size of the area to show (m). */
  #wide = 1
  #high = 1
  #around = 0
  #movedByVisitor = false
  #fresh = true
  /** Shift of the view (px), and distance of the camera (m). */
  #x = 0
  #y = 0
  #away = 1
  #time = 0

  constructor(stage: Stage, measureFreeArea: () => FreeArea) {
    this.#stage = stage
    this.#measureFreeArea = measureFreeArea
    this.freeArea = measureFreeArea()
    stage.movesAside = false
    const { controls } = stage
    controls.minAzimuthAngle = -0.9
    controls.maxAzimuthAngle = 0.9
    controls.minPolarAngle = 0.9
    controls.maxPolarAngle = 2.1
    controls.enablePan = false
    controls.addEventListener('start', this.#onVisitor)
  }

  /** Sets the size of the area to show (m), and the angle from which it is seen (rad). */
  show(wide: number, high: number, around = 0): void {
    this.#around = around
    this.#wide = wide
    this.#high = high
    this.#movedByVisitor = false
    this.#fresh = true
  }

  /** Pixels per metre. */
  get pixels(): number {
    return this.#stage.canvas.clientHeight / (2 * this.#away * Math.tan((Math.PI / 360) * FIELD))
  }

  /** Call once per frame. */
  update(seconds: number): void {
    const { camera, canvas, controls } = this.#stage
    const { clientWidth: width, clientHeight: height } = canvas
    this.freeArea = this.#measureFreeArea()
    const { left, top, right, bottom } = this.freeArea
    const scale = Math.max(0.5, Math.min((right - left) / this.#wide, (bottom - top) / this.#high))
    const away = height / (2 * scale * Math.tan((Math.PI / 360) * FIELD))
    // without smoothing while the scene is paused
    const share = this.#fresh || seconds === 0 ? 1 : 1 - Math.exp(-seconds / GLIDE)
    this.#x += (width / 2 - (left + right) / 2 - this.#x) * share
    this.#y += (height / 2 - (top + bottom) / 2 - this.#y) * share
    this.#away += (away - this.#away) * share
    if (this.#fresh) camera.position.set(0, 0.1, 1)
    this.#fresh = false
    if (!this.#movedByVisitor) {
      this.#time += seconds
      controls.target.copy(this.#middle)
      // a slow sway shows the depth
      const { x, y, z } = camera.position.setLength(this.#away)
      const around = this.#around + 0.09 * Math.sin(0.2 * this.#time)
      const horizontal = Math.hypot(x, z)
      camera.position.set(horizontal * Math.sin(around), y, horizontal * Math.cos(around))
    }
    camera.fov = FIELD
    camera.setViewOffset(width, height, this.#x, this.#y, width, height)
    camera.updateProjectionMatrix()
    controls.minDistance = 20
    controls.maxDistance = 1.3 * away
  }

  dispose(): void {
    const { camera, controls } = this.#stage
    camera.clearViewOffset()
    controls.minAzimuthAngle = -Infinity
    controls.maxAzimuthAngle = Infinity
    controls.enablePan = true
    controls.removeEventListener('start', this.#onVisitor)
  }

  #onVisitor = (): void => {
    this.#movedByVisitor = true
  }
}
