import { Vector3, type Camera } from 'three'
import { add, write } from './dom.js'

/** Figures on a card. */
export interface Figures {
  readonly contacts: number
  readonly jitter: number
  readonly starved: number
  readonly of: number
  readonly trips: number
  /** Contacts with rocks and with the glass. */
  readonly rocks: number
  readonly glass: number
}

interface Card {
  readonly button: HTMLButtonElement
  readonly contacts: HTMLElement
  readonly unit: HTMLElement
  readonly jitter: HTMLElement
  readonly starved: HTMLElement
  readonly trips: HTMLElement
  /** Below the column: whether it fails, at what, and why. */
  readonly verdict: HTMLElement
  readonly word: HTMLElement
  readonly hits: HTMLElement
}

const projected = new Vector3()

/** Jitter above which flight looks unsteady (1/s). */
const TREMBLES = 2

/** Duration of the highlight after a change of a setting (ms). */
const HIGHLIGHT_TIME = 700

/** One card per column, at its position in the scene: a button with the name and the figures. */
export class ColumnCards {
  readonly #box = document.createElement('div')
  readonly #cards: readonly Card[]
  readonly #note: HTMLElement
  readonly #timers: number[] = []

  /** `note` explains the figures. */
  constructor(
    columns: readonly { readonly name: string; readonly rule: string; readonly why: string }[],
    note: string,
    parent: Element,
    chosen: (index: number) => void,
  ) {
    this.#box.className = 'columns'
    this.#cards = columns.map(({ name, rule, why }, index) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.title = rule
      button.addEventListener('click', () => chosen(index))
      add('span', button).textContent = name
      const figure = add('p', button)
      const contacts = add('b', figure)
      const unit = add('i', figure)
      const rows = add('dl', button)
      const [jitter, starved, trips] = ['jitter', 'starved', 'trips'].map((word) => {
        add('dt', rows).textContent = word
        return add('dd', rows)
      })
      this.#box.append(button)
      const verdict = add('div', this.#box)
      const word = add('strong', verdict)
      const hits = add('em', verdict)
      add('q', verdict).textContent = why
      return {
        button,
        contacts,
        unit,
        jitter: jitter!,
        starved: starved!,
        trips: trips!,
        verdict,
        word,
        hits,
      }
    })
    this.#note = add('small', this.#box)
    this.#note.textContent = note
    parent.append(this.#box)
  }

  /** Whether cards stand to the left of horizontal tubes instead of above upright tubes. */
  set horizontal(on: boolean) {
    this.#box.classList.toggle('lying', on)
  }

  set chosen(index: number) {
    for (const [k, { button }] of this.#cards.entries())
      button.setAttribute('aria-pressed', String(k === index))
  }

  /** Highlights cards for a moment. */
  flash(indices: readonly number[]): void {
    for (const index of indices) {
      const { button } = this.#cards[index]!
      button.classList.add('heard')
      window.clearTimeout(this.#timers[index])
      this.#timers[index] = window.setTimeout(() => button.classList.remove('heard'), HIGHLIGHT_TIME)
    }
  }

  write(index: number, { contacts, jitter, starved, of, trips, rocks, glass }: Figures): void {
    const card = this.#cards[index]!
    write(card.contacts, String(contacts))
    write(card.unit, contacts === 1 ? 'touch' : 'touches')
    write(card.jitter, `${jitter.toFixed(1)}/s`)
    write(card.starved, `${starved} of ${of}`)
    write(card.trips, `${trips.toFixed(0)}/min`)
    mood(card.contacts, contacts > 0 ? 'bad' : 'good')
    mood(card.jitter, jitter > TREMBLES ? 'bad' : '')
    mood(card.starved, starved > 0 ? 'bad' : '')
    const failure =
      contacts > 0 ? 'collides' : starved > 0 ? 'gets stuck' : jitter > TREMBLES ? 'trembles' : ''
    write(card.word, failure || 'works')
    mood(card.word, failure ? 'bad' : 'good')
    const hits = [
      [contacts - rocks - glass, 'drone'],
      [rocks, 'rock'],
      [glass, 'glass'],
    ] as const
    write(
      card.hits,
      hits
        .filter(([count]) => count > 0)
        .map(([count, name]) => `${count} ${name}${count > 1 && name !== 'glass' ? 's' : ''}`)
        .join(', '),
    )
  }

  /**
   * Puts card `index` at a point of the world (m), and its verdict at another, both `wide` px wide. Call once
   * per frame, after the camera has moved.
   */
  put(index: number, at: Vector3, below: Vector3, camera: Camera, canvas: HTMLElement, wide: number): void {
    const { button, verdict } = this.#cards[index]!
    // beside a tube a card ends at the point, and begins in the window
    place(button, at, camera, canvas, wide, this.#box.classList.contains('lying') ? wide + 2 : 0)
    place(verdict, below, camera, canvas, wide)
  }

  /** Puts the note between `left` and `right`, with its upper edge at `top` (px). */
  explainAt(left: number, right: number, top: number): void {
    const { style } = this.#note
    style.left = `${left.toFixed(0)}px`
    style.width = `${(right - left).toFixed(0)}px`
    style.top = `${top.toFixed(0)}px`
  }

  remove(): void {
    for (const timer of this.#timers) window.clearTimeout(timer)
    this.#box.remove()
  }
}

function place(
  { style }: HTMLElement,
  point: Vector3,
  camera: Camera,
  canvas: HTMLElement,
  wide: number,
  least = 0,
): void {
  projected.copy(point).project(camera)
  const x = (0.5 + 0.5 * projected.x) * canvas.clientWidth
  const y = (0.5 - 0.5 * projected.y) * canvas.clientHeight
  style.left = `${Math.max(least, x).toFixed(1)}px`
  style.top = `${y.toFixed(1)}px`
  style.width = `${wide.toFixed(0)}px`
}

function mood(element: HTMLElement, is: string): void {
  if (element.className !== is) element.className = is
}
