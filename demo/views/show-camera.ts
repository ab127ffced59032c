import { MathUtils, Vector3, type Object3D, type PerspectiveCamera } from 'three'
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { heightAt } from './seashore.js'

/**
 * Camera positions: chosen by the programme; on the ground; behind the formation; around it; beside one of
 * its members.
 */
export const SEATS = ['director', 'ground', 'chase', 'orbit', 'wing man'] as const
export type Seat = (typeof SEATS)[number]

/** Eye position of a spectator (m). */
const EYES = new Vector3(-14, 9, 88)
/** Time for which the visitor keeps the camera after a drag (s). */
const PATIENCE = 14
/** Time constant with which the camera turns (s). */
const GAZE = 0.25

const from = new Vector3()
const to = new Vector3()
const back = new Vector3()

/** What the camera shows. */
export interface Subject {
  /** Centre of the formation, and its flight direction. */
  readonly middle: Vector3
  readonly ahead: Vector3
  /** Half its width (m). */
  readonly reach: number
  /** The last member of the formation. */
  readonly wingMan: Object3D
}

/** Films the formation, with cuts given by the figures. A drag by the visitor interrupts it. */
export class ShowCamera {
  seat: Seat = 'director'
  readonly #camera: PerspectiveCamera
  readonly #controls: OrbitControls
  readonly #look = new Vector3()
  readonly #last = new Vector3()
  readonly #fov: number
  #seat: Seat | '' = ''
  #chosen: Seat = 'director'
  #angle = 0.6
  #visitorTimeLeft = 0
  readonly #onDrag = (): void => {
    this.#visitorTimeLeft = PATIENCE
  }

  constructor(camera: PerspectiveCamera, controls: OrbitControls) {
    this.#camera = camera
    this.#controls = controls
    this.#fov = camera.fov
    controls.addEventListener('start', this.#onDrag)
  }

  dispose(): void {
    this.#controls.removeEventListener('start', this.#onDrag)
  }

  /** Call once per frame, after the formation has moved. `cue` is the seat given by the figure. */
  update(subject: Subject, cue: Seat, seconds: number): void {
    const { middle } = subject
    const { position } = this.#camera
    // a seat chosen by the visitor takes effect at once
    this.#visitorTimeLeft = this.seat === this.#chosen ? Math.max(0, this.#visitorTimeLeft - seconds) : 0
    this.#chosen = this.seat
    const seat = this.seat === 'director' ? cue : this.seat
    // after a drag the camera keeps its position relative to the formation
    if (this.#visitorTimeLeft > 0) this.#moveAlong(middle)
    else {
      this.#take(subject, seat, seat !== this.#seat, seconds)
      this.#seat = seat
    }
    this.#last.copy(middle)
    position.y = Math.max(position.y, Math.max(0, heightAt(position.x, position.z)) + 2.5)
    this.#controls.target.copy(this.#look)
    this.#camera.updateProjectionMatrix()
  }

  #moveAlong(middle: Vector3): void {
    back.subVectors(middle, this.#last)
    this.#look.add(back)
    this.#camera.position.add(back)
  }

  #take(subject: Subject, seat: Seat, cut: boolean, seconds: number): void {
    const { middle, ahead, reach, wingMan } = subject
    const share = cut ? 1 : 1 - Math.exp(-seconds / GAZE)
    to.copy(middle)
    let fov = this.#fov
    // a narrow picture shows the whole formation from farther away
    const narrow = Math.min(1, 1.3 * this.#camera.aspect)
    const slow = cut ? 1 : 1 - Math.exp(-seconds / 0.9)
    if (seat === 'ground') {
      from.copy(EYES)
      // field of view for the width of the formation with some margin
      const far = middle.distanceTo(from)
      const half = (1.5 * reach + 18) / Math.min(1, 0.8 * this.#camera.aspect)
      fov = MathUtils.clamp(2 * MathUtils.RAD2DEG * Math.atan(half / far), 14, 62)
      to.y -= 0.1 * half
    } else if (seat === 'orbit') {
      this.#angle += 0.11 * seconds
      const out = (2.4 * reach + 40) / narrow
      from.set(Math.sin(this.#angle), 0.22, Math.cos(this.#angle)).multiplyScalar(out).add(middle)
    } else if (seat === 'chase') {
      from
        .copy(ahead)
        .multiplyScalar(-(2.2 * reach + 34) / narrow)
        .add(middle)
      from.y += 0.5 * reach + 9
    } else {
      from.set(0, 4.2, -21).applyQuaternion(wingMan.quaternion).add(wingMan.position)
      to.lerp(wingMan.position, 0.5).addScaledVector(ahead, 12)
    }
    const { position } = this.#camera
    if (seat === 'ground' || cut || seat === 'wing man') position.copy(from)
    else position.add(back.subVectors(middle, this.#last)).lerp(from, slow)
    if (cut || seat === 'wing man') this.#look.copy(to)
    else if (seat === 'ground') this.#look.lerp(to, share)
    else this.#look.add(back.subVectors(middle, this.#last)).lerp(to, share)
    this.#camera.fov += (fov - this.#camera.fov) * slow
  }
}
