/** One line of the board. */
export interface LapLine {
  readonly name: string
  readonly color: string
  readonly text: string
  /** Class of the style sheet. */
  readonly look: string
}

/** Ranking of a race, the leader on top. */
export class LapBoard {
  readonly #card = document.createElement('aside')
  readonly #title = document.createElement('h2')
  readonly #rows: readonly {
    readonly row: HTMLElement
    readonly dot: HTMLElement
    readonly label: HTMLElement
    readonly figures: HTMLElement
  }[]

  constructor(count: number, parent: Element) {
    this.#card.className = 'board laps'
    const list = document.createElement('ul')
    this.#rows = Array.from({ length: count }, () => {
      const row = document.createElement('li')
      const dot = document.createElement('i')
      const label = document.createElement('span')
      const figures = document.createElement('b')
      row.append(dot, label, figures)
      list.append(row)
      return { row, dot, label, figures }
    })
    this.#card.append(this.#title, list)
    parent.append(this.#card)
  }

  set title(text: string) {
    if (this.#title.textContent !== text) this.#title.textContent = text
  }

  /** Number of lines shown. */
  set places(count: number) {
    this.#rows.forEach(({ row }, place) => (row.hidden = place >= count))
  }

  /** Fills the line of a place. The first is 0. */
  write(place: number, { name, color, text, look }: LapLine): void {
    const { row, dot, label, figures } = this.#rows[place]!
    if (label.textContent !== name) {
      label.textContent = name
      dot.style.background = color
    }
    if (figures.textContent !== text) figures.textContent = text
    if (row.className !== look) row.className = look
  }

  remove(): void {
    this.#card.remove()
  }
}
