import type { PerspectiveCamera } from 'three'
import type { Stage } from '../stage.js'

/** By how much of its height each view is shifted down, for the figure above it. */
const LOWER = 0.07

/**
 * Two views of one scene with a figure above each: side by side, or above each other on a portrait screen.
 */
export class Versus {
  readonly #stage: Stage
  readonly #sides: readonly { readonly show: () => void }[]
  readonly #card = document.createElement('div')
  readonly #figures: readonly HTMLElement[]
  readonly #notes: readonly HTMLElement[]

  /** `show` of a side shows the objects of that side, and hides the others. */
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
    this.#notes = this.#figures.map((figure) => {
      const note = document.createElement('small')
      figure.after(note)
      return note
    })
    stage.canvas.parentElement!.append(this.#card)
    this.#card.style.setProperty('--below', `${Math.max(12, stage.freeArea.top - 4)}px`)
    stage.draw = () => this.#draw()
  }

  /** Sets the figures. */
  write(left: string, right: string): void {
    write(this.#figures, left, right)
  }

  /** Sets a line of text below each figure. */
  note(left: string, right: string): void {
    write(this.#notes, left, right)
  }

  remove(): void {
    this.#card.remove()
    this.#stage.draw = null
    this.#stage.renderer.setScissorTest(false)
    this.#stage.camera.clearViewOffset()
    this.#stage.resize()
  }

  #draw(): void {
    const { renderer, camera, scene, canvas } = this.#stage
    const width = canvas.clientWidth
    const height = canvas.clientHeight
    const upright = height > width
    this.#card.classList.toggle('upright', upright)
    const wide = upright ? width : width / 2
    const high = upright ? height / 2 : height
    squeeze(camera, wide / high)
    // below the figures
    camera.setViewOffset(wide, high, 0, -LOWER * high, wide, high)
    renderer.setScissorTest(true)
    for (const [k, { show }] of this.#sides.entries()) {
      show()
      const left = upright ? 0 : Math.round(k * wide)
      const bottom = upright ? Math.round((1 - k) * high) : 0
      renderer.setViewport(left, bottom, wide, high)
      renderer.setScissor(left, bottom, wide, high)
      renderer.render(scene, camera)
    }
  }
}

export interface Side {
  readonly title: string
  readonly look: 'better' | 'worse'
  readonly show: () => void
}

function write(lines: readonly HTMLElement[], ...texts: readonly string[]): void {
  for (const [k, line] of lines.entries()) if (line.textContent !== texts[k]) line.textContent = texts[k]!
}

function squeeze(camera: PerspectiveCamera, aspect: number): void {
  if (Math.abs(camera.aspect - aspect) < 1e-6) return
  camera.aspect = aspect
  camera.fov = aspect < 1 ? 62 : 45
  camera.updateProjectionMatrix()
}
