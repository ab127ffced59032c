import { belowTop } from './below-top.js'

/** One line of the board. */
export interface LapLine {
  readonly name: string
  readonly color: string
  readonly text: string
  /** A class name of the style sheet. */
  readonly look: string
}

/** Who is where in a race, the leader on top. */
export class LapBoard {
  readonly #card = document.createElement('aside')
  readonly #title = document.createElement('h2')
  readonly #rows: readonly {
    readonly row: HTMLElement
    readonly dot: HTMLElement
    readonly who: HTMLElement
    readonly what: HTMLElement
  }[]

  constructor(count: number, parent: Element) {
    this.#card.className = 'board laps'
    const list = document.createElement('ul')
    this.#rows = Array.from({ length: count }, () => {
      const row = document.createElement('li')
      const dot = document.createElement('i')
      const who = document.createElement('span')
      const what = document.createElement('b')
      row.append(dot, who, what)
      list.append(row)
      return { row, dot, who, what }
    })
    this.#card.append(this.#title, list)
    parent.append(this.#card)
    this.#card.style.setProperty('--below', `${belowTop()}px`)
  }

  set title(text: string) {
    if (this.#title.textContent !== text) this.#title.textContent = text
  }

  /** How many places there are. */
  set places(count: number) {
    this.#rows.forEach(({ row }, place) => (row.hidden = place >= count))
  }

  /** Fills the line of a place, from 0. */
  tell(place: number, { name, color, text, look }: LapLine): void {
    const { row, dot, who, what } = this.#rows[place]!
    if (who.textContent !== name) {
      who.textContent = name
      dot.style.background = color
    }
    if (what.textContent !== text) what.textContent = text
    if (row.className !== look) row.className = look
  }

  remove(): void {
    this.#card.remove()
  }
}
