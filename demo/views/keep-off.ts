import { Vector3, type PerspectiveCamera, type Vector3Like } from 'three'

/** Time constant with which the camera returns after it gave way (s). */
const RETURN = 0.8

/** Moves the camera out of the way of large animals, so that none swims through the lens. */
export class KeepOff {
  readonly #camera: PerspectiveCamera
  /** By how much the camera was moved (m). */
  readonly #moved = new Vector3()
  readonly #away = new Vector3()

  constructor(camera: PerspectiveCamera) {
    this.#camera = camera
  }

  /** Call once per frame, after the camera has moved. Keeps `clearance` m from the centres of `bodies`. */
  update(bodies: readonly Vector3Like[], clearance: number, seconds: number): void {
    const { position } = this.#camera
    position.sub(this.#moved)
    this.#moved.multiplyScalar(Math.exp(-seconds / RETURN))
    for (const body of bodies) {
      const away = this.#away.copy(position).add(this.#moved).sub(body)
      const distance = away.length()
      if (distance >= clearance || distance === 0) continue
      this.#moved.addScaledVector(away, clearance / distance - 1)
    }
    position.add(this.#moved)
  }

  /** Forgets how far the camera was moved, after it jumped. */
  reset(): void {
    this.#moved.set(0, 0, 0)
  }
}
