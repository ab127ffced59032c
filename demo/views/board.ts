/** A board with one line per ship that shows what the ship is doing. */
export class Board {
  readonly #card = document.createElement('aside')
  readonly #rows: readonly { readonly stage: HTMLElement; readonly row: HTMLElement }[]

  constructor(
    title: string,
    ships: readonly { readonly name: string; readonly color: string }[],
    parent: Element,
  ) {
    this.#card.className = 'board'
    const heading = document.createElement('h2')
    heading.textContent = title
    heading.hidden = title === ''
    const list = document.createElement('ul')
    this.#rows = ships.map(({ name, color }) => {
      const row = document.createElement('li')
      const dot = document.createElement('i')
      dot.style.background = color
      const label = document.createElement('span')
      label.textContent = name
      const stage = document.createElement('b')
      row.append(dot, label, stage)
      list.append(row)
      return { row, stage }
    })
    this.#card.append(heading, list)
    parent.append(this.#card)
  }

  set shown(on: boolean) {
    this.#card.hidden = !on
  }

  /** Sets the text of ship `index`, and the class of its line in the style sheet. */
  write(index: number, text: string, look: string): void {
    const { row, stage } = this.#rows[index]!
    if (stage.textContent !== text) stage.textContent = text
    if (row.className !== look) row.className = look
  }

  remove(): void {
    this.#card.remove()
  }
}
