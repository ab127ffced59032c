import { Vector3, type Object3D } from 'three'
import type { Stage } from '../stage.js'

/** A press that moves farther than this is a drag (px). */
const STEADY = 7
/** Largest distance of a click from an object (px), wide enough for a thumb. */
const NEAR = 34

const at = new Vector3()

/** Detects which object was clicked or tapped: the one nearest to the pointer on the screen. */
export class Picker {
  readonly #stage: Stage
  readonly #objects: readonly Object3D[]
  readonly #picked: (index: number) => void
  #down: { readonly x: number; readonly y: number } | null = null

  constructor(stage: Stage, objects: readonly Object3D[], picked: (index: number) => void) {
    this.#stage = stage
    this.#objects = objects
    this.#picked = picked
    stage.canvas.addEventListener('pointerdown', this.#press)
    stage.canvas.addEventListener('pointerup', this.#lift)
  }

  dispose(): void {
    this.#stage.canvas.removeEventListener('pointerdown', this.#press)
    this.#stage.canvas.removeEventListener('pointerup', this.#lift)
  }

  /** Index of the object nearest to a point of the canvas (px), or −1 if none is near. */
  find(x: number, y: number): number {
    const { camera, canvas } = this.#stage
    let best = -1
    let least = NEAR
    for (const [k, { position }] of this.#objects.entries()) {
      at.copy(position).project(camera)
      if (at.z > 1) continue
      const distance = Math.hypot(
        (0.5 + 0.5 * at.x) * canvas.clientWidth - x,
        (0.5 - 0.5 * at.y) * canvas.clientHeight - y,
      )
      if (distance >= least) continue
      least = distance
      best = k
    }
    return best
  }

  readonly #press = ({ clientX: x, clientY: y }: PointerEvent): void => {
    this.#down = { x, y }
  }

  readonly #lift = ({ clientX: x, clientY: y }: PointerEvent): void => {
    const down = this.#down
    this.#down = null
    if (down === null || Math.hypot(x - down.x, y - down.y) > STEADY) return
    const { left, top } = this.#stage.canvas.getBoundingClientRect()
    const found = this.find(x - left, y - top)
    if (found >= 0) this.#picked(found)
  }
}
