import { add, write } from './dom.js'

/** One row of the card. */
export interface ScoreLine {
  readonly name: string
  readonly color: string
}

/** A card with a bar, a figure and a note per row, and buttons below. Bars may pass a mark. */
export class ScoreCard {
  readonly #card = document.createElement('aside')
  readonly #title: HTMLElement
  readonly #rows: readonly { row: HTMLElement; bar: HTMLElement; figure: HTMLElement; note: HTMLElement }[]
  readonly #buttons: HTMLElement

  /** `columns` are the headings of figures and notes. */
  constructor(lines: readonly ScoreLine[], columns: readonly [string, string], parent: Element) {
    this.#card.className = 'score'
    this.#title = add('h2', this.#card)
    const head = add('div', this.#card, 'line head')
    for (const text of ['', '', ...columns]) add('small', head).textContent = text
    this.#rows = lines.map(({ name, color }) => {
      const row = add('div', this.#card, 'line')
      row.style.setProperty('--tint', color)
      add('span', row).textContent = name
      const track = add('i', row)
      return { row, bar: add('b', track), figure: add('strong', row), note: add('small', row) }
    })
    this.#buttons = add('div', this.#card, 'buttons')
    parent.append(this.#card)
  }

  set shown(on: boolean) {
    this.#card.hidden = !on
  }

  set title(text: string) {
    write(this.#title, text)
  }

  /** Sets the bar of a row to `share` of its track, and its texts. */
  write(index: number, share: number, figure: string, note: string, mood: '' | 'done' | 'lost'): void {
    const line = this.#rows[index]!
    line.bar.style.width = `${(100 * Math.min(1, share)).toFixed(1)}%`
    write(line.figure, figure)
    write(line.note, note)
    if (line.row.dataset['mood'] !== mood) line.row.dataset['mood'] = mood
  }

  /** Adds buttons to choose one of several options. The first one is chosen initially. */
  choice(label: string, options: readonly string[], chosen: (option: string) => void): void {
    const group = add('div', this.#buttons, 'choice')
    group.setAttribute('role', 'group')
    group.setAttribute('aria-label', label)
    const buttons = options.map((option) => {
      const button = add('button', group) as HTMLButtonElement
      button.type = 'button'
      button.textContent = option
      button.addEventListener('click', () => {
        for (const each of buttons) each.setAttribute('aria-pressed', String(each === button))
        chosen(option)
      })
      return button
    })
    for (const [k, button] of buttons.entries()) button.setAttribute('aria-pressed', String(k === 0))
  }

  remove(): void {
    this.#card.remove()
  }
}
