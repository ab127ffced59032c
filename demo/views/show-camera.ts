import { MathUtils, Vector3, type Object3D } from 'three'
import { Director } from './director.js'
import { heightAt } from './seashore.js'

/**
 * Camera positions: chosen by the programme; on the ground; behind the formation; around it; beside one of
 * its members.
 */
export const SEATS = ['director', 'ground', 'chase', 'orbit', 'wing man'] as const
export type Seat = (typeof SEATS)[number]

/** Eye position of a spectator (m). */
const EYES = new Vector3(-14, 9, 88)

const from = new Vector3()
const to = new Vector3()

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
export class ShowCamera extends Director {
  seat: Seat = 'director'
  readonly #fov = this.camera.fov
  #seat: Seat | '' = ''
  #chosen: Seat = 'director'
  #angle = 0.6

  /** Call once per frame, after the formation has moved. `cue` is the seat given by the figure. */
  update(subject: Subject, cue: Seat, seconds: number): void {
    // a seat chosen by the visitor takes effect at once
    if (this.seat !== this.#chosen) this.cut()
    this.#chosen = this.seat
    const seat = this.seat === 'director' ? cue : this.seat
    if (!this.waits(subject.middle, seconds)) {
      this.#take(subject, seat, seat !== this.#seat, seconds)
      this.#seat = seat
    }
    const { position } = this.camera
    position.y = Math.max(position.y, Math.max(0, heightAt(position.x, position.z)) + 2.5)
  }

  #take({ ahead, middle, reach, wingMan }: Subject, seat: Seat, cut: boolean, seconds: number): void {
    to.copy(middle)
    let fov = this.#fov
    // a narrow picture shows the whole formation from farther away
    const narrow = Math.min(1, 1.3 * this.camera.aspect)
    if (seat === 'ground') {
      from.copy(EYES)
      // field of view for the width of the formation with some margin
      const half = (1.15 * reach + 9) / Math.min(1, 0.8 * this.camera.aspect)
      fov = MathUtils.clamp(2 * MathUtils.RAD2DEG * Math.atan(half / middle.distanceTo(from)), 7, 62)
      to.y -= 0.1 * half
    } else if (seat === 'orbit') {
      this.#angle += 0.11 * seconds
      const out = (2.4 * reach + 40) / narrow
      from.set(Math.sin(this.#angle), 0.22, Math.cos(this.#angle)).multiplyScalar(out).add(middle)
    } else if (seat === 'chase') {
      from.copy(middle).addScaledVector(ahead, -(2.2 * reach + 34) / narrow)
      from.y += 0.5 * reach + 9
    } else {
      from.set(0, 4.2, -21).applyQuaternion(wingMan.quaternion).add(wingMan.position)
      to.lerp(wingMan.position, 0.5).addScaledVector(ahead, 12)
    }
    const hold = seat === 'ground' ? 'still' : seat === 'wing man' ? 'stiff' : 'along'
    this.shoot({ middle, from, to, fov }, hold, cut, seconds)
  }
}
