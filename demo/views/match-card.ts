import type { Match } from '../scenarios/station-match.js'
import { POINTS, RAIDS, ROBBERIES } from '../scenarios/station-match.js'
import { add, write } from './dom.js'
import { PATIENCE } from './helm.js'

const BEST = 'three-steering station best'

/** What its buttons do: start a match, leave the ship to the autopilot, turn the sound on and off. */
interface Acts {
  start(): void
  watch(): void
  readonly sound: { on: boolean }
}

/** Says what the game is about, and how a match has ended. Its buttons start a match. */
export class MatchCard {
  readonly #card: HTMLElement
  readonly #title: HTMLElement
  readonly #text: HTMLElement
  readonly #keys: HTMLElement
  readonly #go: HTMLButtonElement
  readonly #watch: HTMLButtonElement
  readonly #hear: HTMLButtonElement
  readonly #sound: Acts['sound']
  #shown = ''

  constructor(acts: Acts, parent: Element) {
    this.#sound = acts.sound
    this.#card = add('section', parent, 'match')
    this.#card.setAttribute('role', 'status')
    this.#title = add('h2', this.#card)
    this.#text = add('p', this.#card)
    this.#keys = add('p', this.#card, 'keys')
    const row = add('div', this.#card)
    const button = (label: string, act: () => void): HTMLButtonElement => {
      const made = add('button', row) as HTMLButtonElement
      made.type = 'button'
      made.textContent = label
      made.addEventListener('click', () => {
        act()
        made.blur()
      })
      return made
    }
    this.#go = button('Fly', () => acts.start())
    this.#watch = button('Watch', () => acts.watch())
    this.#hear = button('', () => (acts.sound.on = !acts.sound.on))
  }

  update(match: Match): void {
    const { givenUp, over, phase } = match
    write(this.#hear, this.#sound.on ? 'Sound: on' : 'Sound: off')
    if (phase === this.#shown) return
    this.#shown = phase
    this.#card.hidden = phase === 'playing'
    this.#card.classList.toggle('over', over)
    this.#watch.hidden = !over
    write(this.#go, over ? 'Again' : 'Fly')
    if (over) this.#tell(match)
    else if (phase === 'idle') {
      write(this.#title, 'Hold the station')
      write(
        this.#text,
        givenUp
          ? `Nobody steered for ${PATIENCE} s: the autopilot flies, and the match is given up.`
          : `${RAIDS} raids come for the freighters. Lose ${ROBBERIES} freighters, and it is over.`,
      )
      write(this.#keys, keysOf())
    }
  }

  remove(): void {
    this.#card.remove()
  }

  #tell({ clean, phase, rank, score, tally: { robbed, wings, yours } }: Match): void {
    const best = readBest()
    write(this.#title, phase === 'won' ? 'The station is held' : 'The freighters are lost')
    const was = best === null ? '' : score > best ? ` · a new best, before ${best}` : ` · best ${best}`
    write(this.#text, `${signed(score)} points · ${rank}${was}`)
    const parts = [
      `you stopped ${yours}: ${signed(yours * POINTS.yours)}`,
      `the wing ${wings}: ${signed(wings * POINTS.wings)}`,
      `raids without loss ${clean}: ${signed(clean * POINTS.clean)}`,
      `robbed ${robbed}: ${signed(robbed * POINTS.robbed)}`,
    ]
    write(this.#keys, parts.join(' · '))
    if (phase === 'won' && (best === null || score > best)) saveBest(score)
  }
}

export const signed = (points: number): string => String(points).replace('-', '−')

/** What the device at hand steers with. */
function keysOf(): string {
  return window.matchMedia('(pointer: coarse)').matches
    ? 'Left thumb: thrust. Right thumb: turn. The red button fires at the yellow ring.'
    : 'W A S D thrust · arrows or mouse (X) turn · space fires at the yellow ring · 1 to 4: orders'
}

function readBest(): number | null {
  try {
    const text = window.localStorage.getItem(BEST)
    return text === null ? null : Number(text)
  } catch {
    // a page without storage forgets
    return null
  }
}

function saveBest(score: number): void {
  try {
    window.localStorage.setItem(BEST, String(score))
  } catch {
    // see above
  }
}
