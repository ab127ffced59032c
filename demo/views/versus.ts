import type { PerspectiveCamera } from 'three'
import type { Stage } from '../stage.js'

/** Two pictures of one scene beside each other, with a figure over each. */
export class Versus {
  readonly #stage: Stage
  readonly #sides: readonly { readonly show: () => void }[]
  readonly #card = document.createElement('div')
  readonly #figures: readonly HTMLElement[]

  /** `show` of each side makes visible what belongs to it, and hides the rest. */
  constructor(stage: Stage, left: Side, right: Side) {
    this.#stage = stage
    this.#sides = [left, right]
    this.#card.className = 'versus'
    this.#figures = [left, right].map(({ title, look }) => {
      const side = document.createElement('p')
      side.className = look
      side.textContent = title
      const figure = document.createElement('b')
      side.append(figure)
      this.#card.append(side)
      return figure
    })
    stage.canvas.parentElement!.append(this.#card)
    stage.draw = () => this.#draw()
  }

  /** Writes the figures. */
  tell(left: string, right: string): void {
    const [one, other] = this.#figures
    if (one!.textContent !== left) one!.textContent = left
    if (other!.textContent !== right) other!.textContent = right
  }

  remove(): void {
    this.#card.remove()
    this.#stage.draw = null
    this.#stage.renderer.setScissorTest(false)
    this.#stage.resize()
  }

  #draw(): void {
    const { renderer, camera, scene, canvas } = this.#stage
    const width = canvas.clientWidth
    const height = canvas.clientHeight
    squeeze(camera, width / 2 / height)
    renderer.setScissorTest(true)
    for (const [k, { show }] of this.#sides.entries()) {
      show()
      const left = Math.round((k * width) / 2)
      renderer.setViewport(left, 0, width / 2, height)
      renderer.setScissor(left, 0, width / 2, height)
      renderer.render(scene, camera)
    }
  }
}

export interface Side {
  readonly title: string
  readonly look: 'better' | 'worse'
  readonly show: () => void
}

function squeeze(camera: PerspectiveCamera, aspect: number): void {
  if (Math.abs(camera.aspect - aspect) < 1e-6) return
  camera.aspect = aspect
  camera.fov = aspect < 1 ? 62 : 45
  camera.updateProjectionMatrix()
}
