import { Object3D, Vector3 } from 'three'
import type { Stage } from '../stage.js'
import { Chase } from './chase.js'
import { Escort } from './escort.js'

/** Distance behind the player's ship, and of the point that the camera looks at ahead of and above it (m). */
const BEHIND = 36
const AHEAD = 9
const ABOVE = 4.5

const AXIS = new Vector3()

/** The cameras of a game: around the station, behind the ship of the player, and beside any ship. */
export class StationCamera {
  readonly #stage: Stage
  readonly #escort: Escort
  readonly #chase: Chase
  readonly #ship: Object3D
  /** A point ahead of the ship, which moves and turns with it. */
  readonly #seat = new Object3D()
  #inChase = false

  constructor(stage: Stage, ship: Object3D) {
    this.#stage = stage
    this.#ship = ship
    this.#escort = new Escort(stage)
    this.#chase = new Chase(stage.camera, stage.controls)
  }

  /** Whether it is behind the ship of the player. */
  get chasing(): boolean {
    return this.#inChase
  }
  set chasing(on: boolean) {
    if (on === this.#inChase) return
    this.#inChase = on
    this.#sit()
    this.#chase.follow(on ? this.#seat : null, BEHIND, true)
    // the chase camera is always at its own distance
    this.#stage.controls.enabled = !on
  }

  /** Moves to a ship, or back to the station. */
  follow(object: Object3D | null, distance: number): void {
    if (object) this.chasing = false
    this.#escort.follow(object, this.#inChase ? 0 : distance)
  }

  /** Call once per frame, after all ships have moved. */
  update(seconds: number): void {
    if (this.#inChase) {
      this.#sit()
      this.#chase.update(seconds)
      return
    }
    this.#escort.update(seconds)
    if (!this.#escort.following) this.#stage.drift(0.014 * seconds)
  }

  dispose(): void {
    this.#stage.controls.enabled = true
    this.#escort.dispose()
  }

  #sit(): void {
    const { position, quaternion } = this.#ship
    this.#seat.quaternion.copy(quaternion)
    this.#seat.position.copy(position).add(AXIS.set(0, ABOVE, AHEAD).applyQuaternion(quaternion))
  }
}
