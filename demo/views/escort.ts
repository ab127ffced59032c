import { Vector3, type Object3D } from 'three'
import type { Stage } from '../stage.js'

/** Time constant with which the camera moves to its target (s). */
const GLIDE = 0.28

/** Time constant with which the camera turns to its preferred direction (s). */
const SWING = 3

const moved = new Vector3()
const eye = new Vector3()
const place = new Vector3()

/** Moves the camera smoothly from one moving object to another. The visitor can orbit and zoom meanwhile. */
export class Escort {
  readonly #stage: Stage
  readonly #last = new Vector3()
  #object: Object3D | null = null
  /** Point to look at when no object is followed, and distance to reach (m). 0 keeps the present distance. */
  readonly #home = new Vector3()
  #distance = 0
  /** Whether the visitor has moved the camera. It then keeps its direction. */
  #movedByVisitor = false

  constructor(stage: Stage) {
    this.#stage = stage
    this.#home.copy(stage.controls.target)
    stage.controls.addEventListener('start', this.#onVisitor)
  }

  get following(): Object3D | null {
    return this.#object
  }

  /** Moves to an object, or back to the first target of the camera, at `distance` metres. */
  follow(object: Object3D | null, distance: number): void {
    this.#object = object
    this.#distance = distance
    this.#movedByVisitor = false
    if (object) this.#last.copy(object.position)
  }

  /** Jumps to the followed object, with the camera at `seat` relative to it (m). */
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
    if (this.#object && !this.#movedByVisitor) this.#turn(seconds)
  }

  dispose(): void {
    this.#stage.controls.removeEventListener('start', this.#onVisitor)
  }

  /**
   * Turns the camera so that the centre of the scene is behind the object, seen from slightly above. The
   * wanted direction is ahead of it, because the camera lags behind an object that moves.
   */
  #turn(seconds: number): void {
    const { camera, controls } = this.#stage
    const { position, quaternion } = this.#object!
    eye.subVectors(camera.position, controls.target)
    const far = eye.length()
    moved.set(0, 0, 0.1).applyQuaternion(quaternion)
    moved.addScaledVector(place.copy(position).normalize(), 1)
    moved.y = 0.35 * moved.y + 0.24
    eye.divideScalar(far).lerp(moved.normalize(), 1 - Math.exp(-seconds / SWING))
    camera.position.copy(controls.target).addScaledVector(eye.normalize(), far)
  }

  /** The visitor has moved the camera, so its distance and direction are no longer changed. */
  readonly #onVisitor = (): void => {
    this.#distance = 0
    this.#movedByVisitor = true
  }
}
