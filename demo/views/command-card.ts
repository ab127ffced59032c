import { add, write } from './dom.js'

/** A button of the card, and the key that does the same. */
export interface Command {
  readonly id: string
  readonly label: string
  readonly key: string
}

/** A card with commands to a wing, bars and lines of text. */
export class CommandCard {
  readonly #card = document.createElement('aside')
  readonly #title: HTMLElement
  readonly #gauges: HTMLElement
  readonly #buttons = new Map<string, HTMLButtonElement>()
  readonly #note: HTMLElement

  constructor(rows: readonly (readonly Command[])[], chosen: (id: string) => void, parent: Element) {
    this.#card.className = 'command'
    this.#title = add('h2', this.#card)
    this.#gauges = add('p', this.#card, 'gauges')
    for (const row of rows) {
      const group = add('div', this.#card, 'row')
      for (const { id, key, label } of row) {
        const button = add('button', group) as HTMLButtonElement
        button.type = 'button'
        button.append(label)
        if (key) add('kbd', button).textContent = key
        button.addEventListener('click', () => {
          chosen(id)
          // otherwise the space bar, which fires, would press it again
          button.blur()
        })
        this.#buttons.set(id, button)
      }
    }
    this.#note = add('p', this.#card, 'note')
    parent.append(this.#card)
  }

  set title(text: string) {
    write(this.#title, text)
  }

  set note(text: string) {
    write(this.#note, text)
  }

  /** Marks a button, if there is one, as chosen or not, and changes its label. */
  mark(id: string, on: boolean, label?: string): void {
    const button = this.#buttons.get(id)
    if (!button) return
    const pressed = String(on)
    if (button.getAttribute('aria-pressed') !== pressed) button.setAttribute('aria-pressed', pressed)
    const text = button.firstChild as Text
    if (label !== undefined && text.data !== label) text.data = label
  }

  /** Sets the bars, as shares in [0, 1]. */
  gauge(shares: Readonly<Record<string, number>>): void {
    Object.entries(shares).forEach(([name, share], k) => {
      const bar = this.#gauges.children[k] ?? add('span', this.#gauges)
      const fill = bar.querySelector('b') ?? add('b', add('i', bar))
      if (bar.lastChild?.nodeType !== Node.TEXT_NODE) bar.append(name)
      fill.style.width = `${(100 * share).toFixed(0)}%`
      ;(bar as HTMLElement).dataset['is'] = share < 0.4 ? 'poor' : ''
    })
  }

  remove(): void {
    this.#card.remove()
  }
}
