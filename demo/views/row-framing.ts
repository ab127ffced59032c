import { Vector3 } from 'three'
import type { Stage } from '../stage.js'

/** A long lens: what stands at the sides is seen almost as what stands in the middle. */
const FIELD = 16 // degrees

/** Time in which the picture follows when there is more room or less, s. */
const GLIDE = 0.35

/** Room in px. */
export interface Room {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Holds a flat row of things in what is free of the window; a visitor who takes the camera has it. */
export class RowFraming {
  /** What was free at the last look. */
  room: Room
  readonly #stage: Stage
  readonly #roomOf: () => Room
  readonly #middle = new Vector3()
  /** Metres that are to be seen. */
  #wide = 1
  #high = 1
  #around = 0
  #taken = false
  #fresh = true
  /** Shift of the picture, px, and how far away the camera is, m. */
  #x = 0
  #y = 0
  #away = 1
  #time = 0

  constructor(stage: Stage, roomOf: () => Room) {
    this.#stage = stage
    this.#roomOf = roomOf
    this.room = roomOf()
    const { controls } = stage
    controls.minAzimuthAngle = -0.9
    controls.maxAzimuthAngle = 0.9
    controls.minPolarAngle = 0.9
    controls.maxPolarAngle = 2.1
    controls.enablePan = false
    controls.addEventListener('start', this.#take)
  }

  /** What is to be seen, m, and from how far aside of its middle, rad. */
  show(wide: number, high: number, around = 0): void {
    this.#around = around
    this.#wide = wide
    this.#high = high
    this.#taken = false
    this.#fresh = true
  }

  /** How many px a metre is. */
  get pixels(): number {
    return this.#stage.canvas.clientHeight / (2 * this.#away * Math.tan((Math.PI / 360) * FIELD))
  }

  /** Call once per frame. */
  update(seconds: number): void {
    const { camera, canvas, controls } = this.#stage
    const { clientWidth: width, clientHeight: height } = canvas
    this.room = this.#roomOf()
    const { left, top, right, bottom } = this.room
    const scale = Math.max(0.5, Math.min((right - left) / this.#wide, (bottom - top) / this.#high))
    const away = height / (2 * scale * Math.tan((Math.PI / 360) * FIELD))
    // while the scene is paused there is no time to glide
    const share = this.#fresh || seconds === 0 ? 1 : 1 - Math.exp(-seconds / GLIDE)
    this.#x += (width / 2 - (left + right) / 2 - this.#x) * share
    this.#y += (height / 2 - (top + bottom) / 2 - this.#y) * share
    this.#away += (away - this.#away) * share
    if (this.#fresh) camera.position.set(0, 0.1, 1)
    this.#fresh = false
    if (!this.#taken) {
      this.#time += seconds
      controls.target.copy(this.#middle)
      // a slow sway shows that there is depth
      const { x, y, z } = camera.position.setLength(this.#away)
      const around = this.#around + 0.09 * Math.sin(0.2 * this.#time)
      const off = Math.hypot(x, z)
      camera.position.set(off * Math.sin(around), y, off * Math.cos(around))
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
    controls.removeEventListener('start', this.#take)
  }

  #take = (): void => {
    this.#taken = true
  }
}
