import { add, write } from './dom.js'

const FISH = 'M2 10c4-6 10-6 14 0l5-4v8l-5-4c-4 6-10 6-14 0z'

export type Mood = 'free' | 'seen' | 'caught'

/** The score of a game of hide and seek: part of the round, time, a small fish for each player. */
export class GameCard {
  readonly #card: HTMLElement
  readonly #title: HTMLElement
  readonly #clock: HTMLElement
  readonly #bar: HTMLElement
  readonly #score: HTMLElement
  readonly #before: HTMLElement
  readonly #players: readonly HTMLElement[]

  constructor(colors: readonly string[], parent: Element) {
    const card = (this.#card = add('aside', parent, 'game'))
    const head = add('h2', card)
    this.#title = add('span', head)
    this.#clock = add('b', head)
    this.#bar = add('i', add('div', card, 'track'))
    const row = add('div', card, 'players')
    this.#players = colors.map((color) => {
      const player = add('span', row)
      player.style.setProperty('--tint', color)
      player.innerHTML = `<svg viewBox="0 0 23 20" aria-hidden="true"><path d="${FISH}" /></svg>`
      return player
    })
    this.#score = add('p', card)
    this.#score.setAttribute('role', 'status')
    this.#before = add('small', card)
  }

  /** `share`: part of the time that is left, in [0, 1]. */
  write(title: string, clock: string, share: number, score: string, before: string): void {
    write(this.#title, title)
    write(this.#clock, clock)
    this.#bar.style.width = `${(100 * share).toFixed(1)}%`
    write(this.#score, score)
    write(this.#before, before)
  }

  mark(index: number, mood: Mood): void {
    const player = this.#players[index]!
    if (player.dataset['mood'] !== mood) player.dataset['mood'] = mood
  }

  remove(): void {
    this.#card.remove()
  }
}
