import type { Viewable } from 'three-steering'
import { Fleet, MAX_CROSSERS, type Pilotage } from './fleet.js'
import { DEFAULT_ROCKS, RockField } from './rock-field.js'

export interface AsteroidsOptions {
  readonly seed?: number
  readonly count?: number
  readonly rocks?: number
  readonly view?: (pilotage: Pilotage, index: number) => Viewable
}

export const DEFAULT_CROSSERS = 12

/**
 * Ships that cross a field of drifting rocks back and forth. For comparison, a second fleet can fly the
 * textbook method in the same field.
 */
export class Asteroids {
  readonly field: RockField
  readonly seed: number
  readonly count: number
  #fleet: Fleet
  #twins: Fleet | null = null
  #steps = 0
  readonly #view: AsteroidsOptions['view']

  constructor({ seed = 1, count = DEFAULT_CROSSERS, rocks = DEFAULT_ROCKS, view }: AsteroidsOptions = {}) {
    this.seed = seed
    this.count = Math.min(count, MAX_CROSSERS)
    this.#view = view
    this.field = new RockField(seed, rocks)
    this.#fleet = this.#launch('default')
  }

  /** The fleet with the default method. */
  get fleet(): Fleet {
    return this.#fleet
  }

  /** The fleet with the textbook method, while the two are compared. Otherwise null. */
  get twins(): Fleet | null {
    return this.#twins
  }

  /** Starts again, with or without the second fleet. */
  start(compared: boolean): void {
    this.dispose()
    this.#steps = 0
    this.field.place(0)
    this.#fleet = this.#launch('default')
    this.#twins = compared ? this.#launch('textbook') : null
  }

  step(dt: number): void {
    this.field.place(this.#steps++ * dt)
    this.#fleet.step(dt)
    this.#twins?.step(dt)
  }

  dispose(): void {
    this.#fleet.dispose()
    this.#twins?.dispose()
  }

  state(): Record<string, number | string> {
    const state: Record<string, number | string> = {
      rocks: this.field.rocks.length,
      ships: this.count,
      ...this.#fleet.state(),
    }
    if (this.#twins === null) return state
    for (const [name, value] of Object.entries(this.#twins.state())) state[`textbook ${name}`] = value
    return state
  }

  #launch(pilotage: Pilotage): Fleet {
    const { seed, count } = this
    const view = this.#view
    return new Fleet(this.field, pilotage, {
      seed,
      count,
      ...(view ? { view: (index) => view(pilotage, index) } : {}),
    })
  }
}
