import { Vector3, type Object3D, type PerspectiveCamera } from 'three'
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js'

/** Behind and above, m, in the axes of what is followed. */
const SEAT = new Vector3(0, 0.42, -1)

const seat = new Vector3()
const moved = new Vector3()

/** Lets the camera travel with an object; the visitor still orbits around it. */
export class Chase {
  readonly #camera: PerspectiveCamera
  readonly #controls: OrbitControls
  readonly #last = new Vector3()
  readonly #homeFrom = new Vector3()
  readonly #homeTo = new Vector3()
  #object: Object3D | null = null

  constructor(camera: PerspectiveCamera, controls: OrbitControls) {
    this.#camera = camera
    this.#controls = controls
  }

  /** Sits down `distance` metres behind an object; null goes back to where the camera was. */
  follow(object: Object3D | null, distance: number): void {
    if (!this.#object) {
      this.#homeFrom.copy(this.#camera.position)
      this.#homeTo.copy(this.#controls.target)
    }
    this.#object = object
    if (object) {
      seat.copy(SEAT).multiplyScalar(distance).applyQuaternion(object.quaternion)
      this.#camera.position.copy(object.position).add(seat)
      this.#controls.target.copy(object.position)
      this.#last.copy(object.position)
    } else {
      this.#camera.position.copy(this.#homeFrom)
      this.#controls.target.copy(this.#homeTo)
    }
    this.#controls.update()
  }

  get following(): boolean {
    return this.#object !== null
  }

  /** Call once per frame, after the object has moved. */
  update(): void {
    if (!this.#object) return
    moved.subVectors(this.#object.position, this.#last)
    this.#camera.position.add(moved)
    this.#controls.target.copy(this.#object.position)
    this.#last.copy(this.#object.position)
  }
}
