import { Vector3, type InstancedMesh, type Object3D, type PerspectiveCamera } from 'three'
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js'

/** Direction from the followed object to the camera, in the object's axes: behind and above. */
const SEAT = new Vector3(0, 0.42, -1).normalize()

/** Time constant with which the camera turns to stay behind the object (s). */
const SWING = 0.6

const seat = new Vector3()
const moved = new Vector3()

/** Moves the camera with an object. The visitor can still orbit around it. */
export class Chase {
  readonly #camera: PerspectiveCamera
  readonly #controls: OrbitControls
  readonly #last = new Vector3()
  readonly #homeFrom = new Vector3()
  readonly #homeTo = new Vector3()
  #object: Object3D | null = null
  #turns = false

  constructor(camera: PerspectiveCamera, controls: OrbitControls) {
    this.#camera = camera
    this.#controls = controls
  }

  get following(): boolean {
    return this.#object !== null
  }

  /**
   * Puts the camera `distance` metres behind an object, and turns with it if `turns` is true. Null returns to
   * the view before.
   */
  follow(object: Object3D | null, distance: number, turns = false): void {
    if (!this.#object) {
      this.#homeFrom.copy(this.#camera.position)
      this.#homeTo.copy(this.#controls.target)
    }
    this.#object = object
    this.#turns = turns
    if (object) {
      if (turns) behind(seat, object)
      else seat.copy(SEAT).applyQuaternion(object.quaternion)
      seat.multiplyScalar(distance)
      this.#camera.position.copy(object.position).add(seat)
      this.#controls.target.copy(object.position)
      this.#last.copy(object.position)
    } else {
      this.#camera.position.copy(this.#homeFrom)
      this.#controls.target.copy(this.#homeTo)
    }
    this.#controls.update()
  }

  /** Call once per frame, after the object has moved. */
  update(seconds: number): void {
    const object = this.#object
    if (!object) return
    const { position } = this.#camera
    position.add(moved.subVectors(object.position, this.#last))
    this.#controls.target.copy(object.position)
    this.#last.copy(object.position)
    if (!this.#turns) return
    // the visitor controls the distance; the direction stays behind the object
    position.sub(object.position)
    const distance = position.length()
    position.divideScalar(distance).lerp(behind(seat, object), 1 - Math.exp(-seconds / SWING))
    position.setLength(distance).add(object.position)
  }
}

/**
 * Direction from an object to a camera behind it. It follows the pitch only in part, and ignores the bank.
 */
function behind(out: Vector3, object: Object3D): Vector3 {
  out.set(0, 0, -1).applyQuaternion(object.quaternion)
  out.y = 0.7 * out.y + 0.1
  return out.normalize()
}

/** Copies the interpolated pose of an instance to `object`. */
export function copyInstancePose(object: Object3D, mesh: InstancedMesh, index: number): void {
  mesh.getMatrixAt(index, object.matrix)
  object.matrix.decompose(object.position, object.quaternion, object.scale)
}
