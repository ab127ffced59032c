import { Color } from 'three'
import { type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { type Flow } from 'three-steering/flow'
import { Trails } from '../trails.js'

export interface FlowMotesOptions {
  readonly flow: Flow
  readonly count: number
  /** Writes a start position (m). */
  readonly placeAt: (random: () => number, out: Vec3) => void
  readonly color: string
  readonly opacity: number
}

/** Range of the life time of a mote (s). */
const SHORTEST = 3
const LONGEST = 7
/** Below this speed of the flow (m/s) a mote starts elsewhere. */
const SLOW = 2

/** Motes that drift with a flow and leave trails of light, which make the flow visible. */
export class FlowMotes {
  readonly object
  readonly #trails: Trails
  readonly #flow: Flow
  readonly #placeAt: FlowMotesOptions['placeAt']
  readonly #random = seeded(12)
  readonly #places: Vec3[]
  readonly #left: Float64Array
  readonly #life: Float64Array
  readonly #velocity: Vec3 = { x: 0, y: 0, z: 0 }
  #next = 0

  constructor({ flow, count, placeAt, color, opacity }: FlowMotesOptions) {
    this.#flow = flow
    this.#placeAt = placeAt
    this.#trails = new Trails({
      count,
      points: 48,
      width: 0.22,
      opacity,
      color: () => new Color(color),
    })
    this.object = this.#trails.object
    this.#places = Array.from({ length: count }, () => ({ x: 0, y: 0, z: 0 }))
    this.#left = new Float64Array(count)
    this.#life = new Float64Array(count)
    for (let k = 0; k < count; k++) this.#begin(k, SHORTEST * this.#random())
  }

  /** Starts a mote at a position. The motes take turns. */
  put(place: Vec3Like): void {
    this.#next = (this.#next + 1) % this.#places.length
    Object.assign(this.#places[this.#next]!, { x: place.x, y: place.y, z: place.z })
    this.#restart(this.#next, LONGEST)
  }

  /** Call once per frame. */
  advance(time: number, seconds: number): void {
    const velocity = this.#velocity
    this.#places.forEach((place, k) => {
      this.#left[k]! -= seconds
      this.#flow.velocityAt(velocity, place, time)
      const speed = Math.hypot(velocity.x, velocity.y, velocity.z)
      if (this.#left[k]! < 0 || speed < SLOW) this.#begin(k)
      place.x += velocity.x * seconds
      place.y += velocity.y * seconds
      place.z += velocity.z * seconds
      const age = 1 - this.#left[k]! / this.#life[k]!
      const glow = Math.min(1, 5 * age) * Math.min(1, 4 * (1 - age))
      this.#trails.put(k, place.x, place.y, place.z, Math.max(0, glow))
    })
    this.#trails.advance(seconds)
  }

  dispose(): void {
    this.#trails.dispose()
  }

  #begin(k: number, early = 0): void {
    this.#placeAt(this.#random, this.#places[k]!)
    this.#restart(k, SHORTEST + (LONGEST - SHORTEST) * this.#random() - early)
  }

  #restart(k: number, life: number): void {
    const { x, y, z } = this.#places[k]!
    this.#life[k] = this.#left[k] = life
    this.#trails.restart(k, x, y, z)
  }
}
