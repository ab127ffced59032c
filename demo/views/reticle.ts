import { Vector3, type Object3D } from 'three'
import { intercept, type Moving } from 'three-steering'
import type { Stage } from '../stage.js'
import { add, write } from './dom.js'

const at = new Vector3()

/** Marks over the picture for a pilot: where the nose points, the target, and where to aim. */
export class Reticle {
  readonly #stage: Stage
  readonly #box = document.createElement('div')
  readonly #nose: HTMLElement
  readonly #target: HTMLElement
  readonly #far: HTMLElement
  readonly #aim: HTMLElement

  constructor(stage: Stage) {
    this.#stage = stage
    this.#box.className = 'reticle'
    this.#nose = add('i', this.#box, 'nose')
    this.#target = add('i', this.#box, 'target')
    this.#far = add('b', this.#target)
    this.#aim = add('i', this.#box, 'aim')
    stage.canvas.parentElement!.append(this.#box)
  }

  /** Call once per frame, after the camera has moved. `range` (m) and `muzzle` (m/s) are those of the gun. */
  update(ship: Object3D | null, self: Moving, target: Moving | null, range: number, muzzle: number): void {
    this.#box.hidden = ship === null
    if (ship === null) return
    this.#stage.camera.updateMatrixWorld()
    this.#put(this.#nose, at.set(0, 0, 70).applyQuaternion(ship.quaternion).add(ship.position))
    const meeting = target && intercept(self, target, muzzle)
    const far = target ? at.copy(target.position).distanceTo(ship.position) : 0
    if (target) {
      this.#put(this.#target, at.copy(target.position))
      write(this.#far, `${far.toFixed(0)} m`)
    } else this.#target.hidden = true
    if (meeting && far < range) this.#put(this.#aim, at.copy(meeting.aim))
    else this.#aim.hidden = true
  }

  remove(): void {
    this.#box.remove()
  }

  /** Moves a mark to a place in the scene. One that is not in the picture is hidden. */
  #put(mark: HTMLElement, place: Vector3): void {
    const { camera, canvas } = this.#stage
    place.project(camera)
    const seen = place.z < 1 && Math.abs(place.x) < 1 && Math.abs(place.y) < 1
    if (mark.hidden === seen) mark.hidden = !seen
    if (!seen) return
    const x = (0.5 + 0.5 * place.x) * canvas.clientWidth
    const y = (0.5 - 0.5 * place.y) * canvas.clientHeight
    mark.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`
  }
}
