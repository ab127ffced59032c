import { Vector3, type Object3D } from 'three'
import type { Stage } from '../stage.js'

/** Objects farther than the first distance or nearer than the second have no tag (m). */
const FAR = 380
const NEAR = 4

const at = new Vector3()

interface Tag {
  readonly button: HTMLButtonElement
  readonly state: HTMLElement
}

/** A small tag above each object with its name and state. It is a button that chooses the object. */
export class Tags {
  readonly #stage: Stage
  readonly #objects: readonly Object3D[]
  readonly #box = document.createElement('div')
  readonly #tags: readonly Tag[]
  #chosen = -1

  constructor(
    stage: Stage,
    objects: readonly Object3D[],
    names: readonly string[],
    chosen: (index: number) => void,
  ) {
    this.#stage = stage
    this.#objects = objects
    this.#box.className = 'tags'
    this.#tags = names.map((name, index) => {
      const button = document.createElement('button')
      button.type = 'button'
      // arrow keys choose agents, so the tab order skips the tags
      button.tabIndex = -1
      button.append(document.createElement('i'), name)
      const state = document.createElement('b')
      button.append(state)
      button.addEventListener('click', () => chosen(index))
      this.#box.append(button)
      return { button, state }
    })
    stage.canvas.parentElement!.append(this.#box)
  }

  set shown(on: boolean) {
    this.#box.hidden = !on
  }

  /** The chosen object has no tag. */
  set chosen(index: number) {
    this.#chosen = index
  }

  write(index: number, state: string): void {
    const { button, state: word } = this.#tags[index]!
    if (button.dataset['is'] === state) return
    button.dataset['is'] = state
    word.textContent = state
  }

  /** Call once per frame, after objects and camera have moved. */
  update(): void {
    const { camera, canvas } = this.#stage
    camera.updateMatrixWorld()
    for (const [k, { position }] of this.#objects.entries()) {
      const { button } = this.#tags[k]!
      const far = camera.position.distanceTo(position)
      at.copy(position).project(camera)
      const seen =
        k !== this.#chosen && at.z < 1 && Math.abs(at.x) < 1 && Math.abs(at.y) < 1 && far < FAR && far > NEAR
      if (button.hidden === seen) button.hidden = !seen
      if (!seen) continue
      // above the object, higher for near objects
      const lift = 12 + 900 / far
      const x = (0.5 + 0.5 * at.x) * canvas.clientWidth
      const y = (0.5 - 0.5 * at.y) * canvas.clientHeight - lift
      button.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -100%)`
      button.style.opacity = String(Math.min(1, 1.25 - far / FAR))
    }
  }

  remove(): void {
    this.#box.remove()
  }
}
