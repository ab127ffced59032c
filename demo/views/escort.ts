import { Vector3, type Object3D } from 'three'
import type { Stage } from '../stage.js'

/** Times in which the camera comes to what it follows, and in which the picture makes room for a panel, s. */
const GLIDE = 0.28
const SHIFT = 0.3

/** Time in which it comes round to where it is best to look from, s. */
const SWING = 3

const moved = new Vector3()
const eye = new Vector3()
const place = new Vector3()

/** Takes the camera from one moving thing to another without a jump; the visitor orbits and zooms meanwhile. */
export class Escort {
  /** Shares of the picture by which its middle gives way to what covers it, to the right and upwards. */
  left = 0
  bottom = 0
  readonly #stage: Stage
  readonly #last = new Vector3()
  #object: Object3D | null = null
  /** Where it is going, when nothing is followed, and how far it stays off, m; 0 is as far as it is. */
  readonly #home = new Vector3()
  #distance = 0
  /** Whether the visitor has taken the camera: then it does not come round. */
  #taken = false
  #x = 0
  #y = 0

  constructor(stage: Stage) {
    this.#stage = stage
    this.#home.copy(stage.controls.target)
    stage.controls.addEventListener('start', this.#take)
  }

  get following(): Object3D | null {
    return this.#object
  }

  /** Sets off to an object, or back to the place at which the camera looked when this was made, to `distance` metres from it. */
  follow(object: Object3D | null, distance: number): void {
    this.#object = object
    this.#distance = distance
    this.#taken = false
    if (object) this.#last.copy(object.position)
  }

  /** Is there at once, and looks from a place, m from the object. */
  jump(seat: Vector3): void {
    const { camera, controls } = this.#stage
    if (!this.#object) return
    const { position } = this.#object
    controls.target.copy(position)
    camera.position.copy(position).add(seat)
    this.#last.copy(position)
    this.#distance = 0
  }

  /** Call once per frame, after the object has moved. */
  update(seconds: number): void {
    const { camera, controls } = this.#stage
    const { target } = controls
    if (this.#object) {
      moved.subVectors(this.#object.position, this.#last)
      this.#last.copy(this.#object.position)
      camera.position.add(moved)
      target.add(moved)
    }
    const share = 1 - Math.exp(-seconds / GLIDE)
    moved.subVectors(this.#object?.position ?? this.#home, target).multiplyScalar(share)
    target.add(moved)
    camera.position.add(moved)
    if (this.#distance > 0) {
      eye.subVectors(camera.position, target)
      const far = eye.length()
      const next = far + (this.#distance - far) * share
      if (Math.abs(next - this.#distance) < 0.2) this.#distance = 0
      camera.position.copy(target).addScaledVector(eye, next / far)
    }
    if (this.#object && !this.#taken) this.#comeRound(seconds)
    this.#makeRoom(seconds)
  }

  dispose(): void {
    this.#stage.controls.removeEventListener('start', this.#take)
    this.#stage.camera.clearViewOffset()
  }

  /** So that the middle of the scene is behind it, from a little above and behind. */
  #comeRound(seconds: number): void {
    const { camera, controls } = this.#stage
    const { position, quaternion } = this.#object!
    eye.subVectors(camera.position, controls.target)
    const far = eye.length()
    moved.set(0, 0, -0.45).applyQuaternion(quaternion)
    moved.addScaledVector(place.copy(position).normalize(), 1)
    moved.y = 0.35 * moved.y + 0.38
    eye.divideScalar(far).lerp(moved.normalize(), 1 - Math.exp(-seconds / SWING))
    camera.position.copy(controls.target).addScaledVector(eye.normalize(), far)
  }

  #makeRoom(seconds: number): void {
    const { camera, canvas } = this.#stage
    const share = seconds > 0 ? 1 - Math.exp(-seconds / SHIFT) : 1
    this.#x += (-this.left / 2 - this.#x) * share
    this.#y += (this.bottom / 2 - this.#y) * share
    const { clientHeight: high, clientWidth: wide } = canvas
    camera.setViewOffset(wide, high, this.#x * wide, this.#y * high, wide, high)
  }

  /** The visitor takes the camera: its distance is his. */
  readonly #take = (): void => {
    this.#distance = 0
    this.#taken = true
  }
}
