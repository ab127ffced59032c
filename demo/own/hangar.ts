import { add, write } from '../views/dom.js'
import type { Flyable } from './flyable.js'

export interface HangarCalls {
  /** Opens a file that the visitor chose or dropped. Rejects with an Error in words for the visitor. */
  open(file: File): Promise<void>
  /** Turns the model by a quarter about an axis of the ship. */
  turn(axis: 'x' | 'y' | 'z'): void
  choose(task: string): void
}

const TURNS = [
  ['y', 'left', 'M10 4a6 6 0 1 0 6 6M10 4l3-2.6M10 4l3 2.6'],
  ['x', 'up', 'M4 13l6-7 6 7M10 6v11'],
  ['z', 'roll', 'M4 12a6 6 0 0 1 12 0M16 12l-2.8-2M16 12l1.8-2.9'],
] as const

/** The card of the visitor's model: opens a file, takes a dropped one, gives orders, turns the nose. */
export class Hangar {
  readonly #card: HTMLElement
  readonly #calls: HangarCalls
  readonly #name: HTMLElement
  readonly #note: HTMLElement
  readonly #tasks: ReadonlyMap<string, HTMLElement>
  readonly #listening = new AbortController()
  /** Number of the last file that was opened, since a larger one may take longer. */
  #opened = 0

  constructor(parent: Element, tasks: readonly string[], calls: HangarCalls) {
    this.#calls = calls
    const card = (this.#card = add('aside', parent, 'hangar'))
    this.#name = add('h2', card)
    const label = add('label', card, 'file')
    label.append('Open or drop your .glb')
    const input = add('input', label) as HTMLInputElement
    input.type = 'file'
    input.accept = '.glb,model/gltf-binary'
    this.#note = add('p', card)
    this.#note.setAttribute('role', 'status')
    const choice = add('div', card, 'tasks')
    this.#tasks = new Map(
      tasks.map((task) => [task, button(choice, task, task, () => calls.choose(task))] as const),
    )
    const nose = add('div', card, 'nose')
    add('span', nose).textContent = 'Nose'
    for (const [axis, name, path] of TURNS) {
      const each = button(nose, '', `Turn its nose: ${name}, by 90°`, () => calls.turn(axis))
      each.innerHTML = `<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${path}" /></svg>${name}`
    }
    input.addEventListener('change', () => {
      const [file] = input.files ?? []
      if (file) void this.#open(file)
      // the same file may be chosen again
      input.value = ''
    })
    this.#listen()
  }

  /** Shows the ship that flies. */
  show({ name, triangles }: Flyable, { x, y, z }: { x: number; y: number; z: number }): void {
    write(this.#name, name)
    const size = [2 * z, 2 * x, 2 * y].map((side) => side.toFixed(1)).join(' × ')
    this.#say(`${triangles.toLocaleString('en')} triangles, ${size} m`)
  }

  mark(task: string): void {
    for (const [name, each] of this.#tasks) each.setAttribute('aria-pressed', String(name === task))
  }

  remove(): void {
    this.#listening.abort()
    document.body.classList.remove('dropping')
    this.#card.remove()
  }

  #say(text: string, isError = false): void {
    write(this.#note, text)
    this.#note.classList.toggle('error', isError)
  }

  async #open(file: File): Promise<void> {
    const turn = ++this.#opened
    this.#say(`Opening ${file.name} …`)
    try {
      await this.#calls.open(file)
    } catch (error) {
      if (turn === this.#opened) this.#say(error instanceof Error ? error.message : String(error), true)
    }
  }

  /** A file may be dropped anywhere. Without this the browser would leave the page and show the file. */
  #listen(): void {
    const { signal } = this.#listening
    const hover = (on: boolean) => (event: DragEvent) => {
      event.preventDefault()
      document.body.classList.toggle('dropping', on)
    }
    window.addEventListener('dragenter', hover(true), { signal })
    window.addEventListener('dragover', hover(true), { signal })
    window.addEventListener('dragend', hover(false), { signal })
    window.addEventListener(
      'dragleave',
      (event) => {
        // out of the window, not into another element
        if (event.relatedTarget === null) hover(false)(event)
      },
      { signal },
    )
    window.addEventListener(
      'drop',
      (event) => {
        hover(false)(event)
        const [file] = event.dataTransfer?.files ?? []
        if (file) void this.#open(file)
        else this.#say('That was no file. Drop a .glb from your computer.', true)
      },
      { signal },
    )
  }
}

function button(parent: Element, text: string, title: string, click: () => void): HTMLElement {
  const made = add('button', parent) as HTMLButtonElement
  made.type = 'button'
  made.title = title
  made.textContent = text
  made.addEventListener('click', click)
  return made
}
