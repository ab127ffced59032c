import type { Raid } from './station-raid.js'
import type { Wing } from './station-wing.js'
import { noseOf } from './station-guns.js'
import { plus } from './vectors.js'

/** Raids of a match, and robberies at which it is lost. */
export const RAIDS = 5
export const ROBBERIES = 3
/** Time between two raids of a match (s), and distance at which the first one appears ahead (m). */
const PAUSE = 8
/** What a hit takes of the shields of a freighter in a match, as a share. */
const HARM = 0.04
const AHEAD = 250
/** Factor of the harm that shots of the wing do in a match: it helps, and the player decides. */
const HELP = 0.2
/** Points: for a raider stopped by the player, by the wing; for a raid without a robbery; for a robbery. */
export const POINTS = { yours: 100, wings: 20, clean: 100, robbed: -150 } as const
/** The least points of each rank. */
const RANKS = [
  [2000, 'Ace'],
  [1400, 'Captain'],
  [1000, 'Pilot'],
  [-Infinity, 'Cadet'],
] as const

/** `idle`: the autopilot flies, and nothing is counted. */
export type Phase = 'idle' | 'playing' | 'won' | 'lost'

/** What was counted since the start, or at the start. */
interface Tally {
  readonly yours: number
  readonly wings: number
  readonly robbed: number
  readonly beaten: number
}

/** A match of the player against the raiders: a goal, a score, and an end. */
export class Match {
  phase: Phase = 'idle'
  /** Whether the last match ended because nobody flew any more. */
  givenUp = false
  score = 0
  tally: Tally = { yours: 0, wings: 0, robbed: 0, beaten: 0 }
  /** What has brought or cost points, since the list was last emptied. The reader empties it. */
  readonly news: string[] = []
  readonly #raid: Raid
  readonly #wing: Wing
  /** Raids that were beaten without a robbery. */
  clean = 0
  readonly #usual: { readonly pause: number; readonly harm: number }
  #from: Tally = this.tally
  /** Whether a freighter was robbed in the raid that is underway. */
  #lossy = false

  constructor(raid: Raid, wing: Wing) {
    this.#raid = raid
    this.#wing = wing
    this.#usual = { pause: raid.pause, harm: raid.harm }
  }

  get over(): boolean {
    return this.phase === 'won' || this.phase === 'lost'
  }

  get rank(): string {
    return RANKS.find(([least]) => this.score >= least)![1]
  }

  /** Starts anew. The player flies, and raiders appear ahead, unless some are there already. */
  start(time: number): void {
    const { leader } = this.#wing
    this.#wing.played = true
    this.#wing.order = 'form'
    this.#raid.summon(plus(leader.body.position, noseOf(leader), AHEAD), time)
    this.#raid.pause = PAUSE
    this.#raid.harm = HARM
    this.#from = this.#counts()
    this.tally = { yours: 0, wings: 0, robbed: 0, beaten: 0 }
    this.score = this.clean = 0
    this.givenUp = false
    for (const ship of this.#wing.ships) ship.power = HELP
    this.news.length = 0
    this.phase = 'playing'
  }

  /** Gives the ship to the autopilot. A match that is not over is given up. */
  leave(): void {
    this.#wing.played = false
    this.#end('idle')
  }

  /** Counts. Call once per step. */
  step(time: number): void {
    const { played } = this.#wing
    if (played && this.phase === 'idle') this.start(time)
    if (this.phase !== 'playing') return
    this.givenUp = !played
    if (!played) return this.#end('idle')
    const now = this.#counts()
    const from = this.#from
    const before = this.tally
    this.tally = {
      yours: now.yours - from.yours,
      wings: now.wings - from.wings,
      robbed: now.robbed - from.robbed,
      beaten: now.beaten - from.beaten,
    }
    const { beaten, robbed, wings, yours } = this.tally
    if (yours > before.yours) this.#add('Raider stopped', POINTS.yours * (yours - before.yours))
    if (wings > before.wings) this.#add('Stopped by the wing', POINTS.wings * (wings - before.wings))
    if (robbed > before.robbed) {
      this.#lossy = true
      this.#add('Freighter robbed', POINTS.robbed * (robbed - before.robbed))
    }
    if (beaten > before.beaten) {
      if (!this.#lossy) {
        this.clean++
        this.#add(`Raid ${beaten} beaten, nothing lost`, POINTS.clean)
      }
      this.#lossy = false
    }
    if (robbed >= ROBBERIES) this.#end('lost')
    else if (beaten >= RAIDS) this.#end('won')
  }

  #counts(): Tally {
    const { beaten, byLeader, intercepted, robbed } = this.#raid
    return { yours: byLeader, wings: intercepted - byLeader, robbed, beaten }
  }

  #add(text: string, points: number): void {
    this.score += points
    this.news.push(`${text} ${points > 0 ? '+' : '−'}${Math.abs(points)}`)
  }

  #end(phase: Phase): void {
    this.phase = phase
    this.#lossy = false
    this.#raid.pause = this.#usual.pause
    this.#raid.harm = this.#usual.harm
    for (const ship of this.#wing.ships) ship.power = 1
    this.#wing.played = false
  }
}
