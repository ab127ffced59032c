import { Object3D, Vector3, type Vector3Like } from 'three'
import { phone } from '../preferences.js'
import type { Stage } from '../stage.js'
import { Chase } from './chase.js'
import { Director, type Cue } from './director.js'
import { Escort } from './escort.js'

/** Distance behind the player's ship, and of the point that the camera looks at ahead of and above it (m). */
const BEHIND = 36
const AHEAD = 9
const ABOVE = 4.5
/** The same way ahead on a phone, where a ship that turns would else leave the narrow picture (m). */
const AHEAD_UPRIGHT = 2

/** How far the ship stands higher in the picture of a phone, above the thumbs, as a share of its height. */
const LIFT = 0.07

/** Time constant of a kick (s), its frequency (rad/s), and the largest way (m). */
const CALM = 0.13
const SHAKE = 70
const MOST = 1.4

const AXIS = new Vector3()

/** The cameras of a game: of a director, behind the ship of the player, and beside any ship. */
export class StationCamera {
  readonly #stage: Stage
  readonly #escort: Escort
  readonly #chase: Chase
  readonly #director: Director
  readonly #cue: () => Cue
  readonly #ship: Object3D
  /** A point ahead of the ship, which moves and turns with it. */
  readonly #seat = new Object3D()
  #inChase = false
  readonly #lessMotion = window.matchMedia('(prefers-reduced-motion: reduce)')
  /** Way of the camera by kicks, strength of the kick (m), and time since (s). */
  readonly #kicked = new Vector3()
  #strength = 0
  #since = 0

  /** The director films what `cue` tells. `isBlocked`: see there. */
  constructor(
    stage: Stage,
    ship: Object3D,
    cue: () => Cue,
    isBlocked: (from: Vector3Like, to: Vector3Like) => boolean,
  ) {
    this.#cue = cue
    this.#director = new Director(stage.camera, stage.controls, isBlocked)
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
    this.#kicked.setScalar(0)
    this.#strength = 0
    this.#sit()
    this.#director.cut()
    this.#chase.follow(on ? this.#seat : null, BEHIND, true)
    // the chase camera is always at its own distance, with the ship in the middle
    this.#stage.controls.enabled = !on
    this.#stage.movesAside = !on
    if (!on) return
    const { camera, canvas } = this.#stage
    const { clientHeight: height, clientWidth: width } = canvas
    if (phone.matches) camera.setViewOffset(width, height, 0, LIFT * height, width, height)
    else camera.clearViewOffset()
  }

  /** Moves to a ship, or back to the station. */
  follow(object: Object3D | null, distance: number): void {
    if (object) this.chasing = false
    this.#escort.follow(object, this.#inChase ? 0 : distance)
    this.#director.cut()
  }

  /** Call once per frame, after all ships have moved. */
  update(seconds: number): void {
    this.#shift(-1)
    if (this.#inChase) {
      this.#sit()
      this.#chase.update(seconds)
      this.#since += seconds
      this.#strength *= Math.exp(-seconds / CALM)
      const phase = SHAKE * this.#since
      const way = AXIS.set(Math.sin(phase), Math.cos(1.3 * phase), 0).multiplyScalar(this.#strength)
      this.#kicked.copy(way.applyQuaternion(this.#stage.camera.quaternion))
      this.#shift(1)
      return
    }
    this.#kicked.setScalar(0)
    if (this.#escort.following) this.#escort.update(seconds)
    else this.#director.frame(this.#cue(), seconds)
  }

  /** Shakes the view of a pilot (m), but not for a visitor who prefers less motion. */
  kick(strength: number): void {
    if (!this.#lessMotion.matches) this.#strength = Math.min(MOST, this.#strength + strength)
  }

  dispose(): void {
    this.#stage.controls.enabled = true
    this.#escort.dispose()
    this.#director.dispose()
  }

  #shift(sign: 1 | -1): void {
    this.#stage.camera.position.addScaledVector(this.#kicked, sign)
    this.#stage.controls.target.addScaledVector(this.#kicked, sign)
  }

  #sit(): void {
    const { position, quaternion } = this.#ship
    this.#seat.quaternion.copy(quaternion)
    this.#seat.position
      .copy(position)
      .add(AXIS.set(0, ABOVE, phone.matches ? AHEAD_UPRIGHT : AHEAD).applyQuaternion(quaternion))
  }
}
