import { add, write } from './dom.js'

/** Name of a line, and the colour of its dot. */
export interface BoardLine {
  readonly name: string
  readonly color: string
}

/** A card with one line per agent that shows what it is doing. */
export class Board {
  readonly #card: HTMLElement
  readonly #title: HTMLElement
  readonly #rows: readonly Record<'row' | 'dot' | 'label' | 'text', HTMLElement>[]

  constructor(title: string, lines: readonly BoardLine[], parent: Element) {
    this.#card = add('aside', parent, 'board')
    this.#title = add('h2', this.#card)
    const list = add('ul', this.#card)
    this.#rows = lines.map(() => {
      const row = add('li', list)
      return { row, dot: add('i', row), label: add('span', row), text: add('b', row) }
    })
    lines.forEach((line, index) => this.name(index, line))
    this.title = title
  }

  set shown(on: boolean) {
    this.#card.hidden = !on
  }

  set title(text: string) {
    write(this.#title, text)
    this.#title.hidden = text === ''
  }

  /** Number of lines shown. */
  set places(count: number) {
    this.#rows.forEach(({ row }, place) => (row.hidden = place >= count))
  }

  /** Says of whom line `index` is. */
  name(index: number, { name, color }: BoardLine): void {
    const { dot, label } = this.#rows[index]!
    write(label, name)
    if (dot.dataset['color'] !== color) dot.style.background = dot.dataset['color'] = color
  }

  /** Sets the text of line `index`, and its class in the style sheet. */
  write(index: number, words: string, look: string): void {
    const { row, text } = this.#rows[index]!
    write(text, words)
    if (row.className !== look) row.className = look
  }

  remove(): void {
    this.#card.remove()
  }
}
