import type { Vec3Like } from 'three-steering'
import type { Pilot } from './course.js'

/** Gaps below this share of the sum of the radii must open before the next contact counts. */
const SKIN = 0.01

/**
 * Counts contacts between the pilots of a crowd. Contacts of two pilots that are both blind do not count. A
 * contact is a gap below 0, and lasts until the gap exceeds `SKIN`.
 */
export class Encounters {
  contacts = 0
  /** Deepest overlap over the smaller radius. */
  depth = 0
  /** Smallest gap over the smaller radius. */
  gap = Infinity
  readonly #radii: readonly number[]
  readonly #blind: readonly boolean[]
  /** Distance (m) that each pair must approach before it is measured again. */
  readonly #far: Float64Array
  readonly #touching: Uint8Array
  readonly #before: Vec3Like[] = []
  readonly #moved: Float64Array

  constructor(pilots: readonly Pick<Pilot, 'radius' | 'blind'>[]) {
    const count = pilots.length
    this.#radii = pilots.map(({ radius }) => radius)
    this.#blind = pilots.map(({ blind }) => blind === true)
    this.#far = new Float64Array(count * count)
    this.#touching = new Uint8Array(count * count)
    this.#moved = new Float64Array(count)
  }

  /** Call after each step, with all agents in the order of the pilots. */
  update(crowd: readonly { readonly position: Vec3Like }[]): void {
    const count = this.#radii.length
    const moved = this.#moved
    for (let i = 0; i < count; i++) {
      const { x, y, z } = crowd[i]!.position
      const before = this.#before[i]
      moved[i] =
        before === undefined
          ? Infinity
          : Math.sqrt((x - before.x) ** 2 + (y - before.y) ** 2 + (z - before.z) ** 2)
      this.#before[i] = { x, y, z }
    }
    for (let i = 1; i < count; i++)
      for (let j = 0; j < i; j++) {
        if (this.#blind[i]! && this.#blind[j]!) continue
        const pair = count * i + j
        this.#far[pair]! -= moved[i]! + moved[j]!
        if (!(this.#far[pair]! > 0))
          this.#far[pair] = this.#measure(pair, i, j, this.#before[i]!, this.#before[j]!)
      }
  }

  #measure(pair: number, i: number, j: number, a: Vec3Like, b: Vec3Like): number {
    const sum = this.#radii[i]! + this.#radii[j]!
    const small = Math.min(this.#radii[i]!, this.#radii[j]!)
    const gap = Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2) - sum
    if (gap < 0 && this.#touching[pair] === 0) this.contacts++
    if (gap < 0) this.#touching[pair] = 1
    else if (gap > SKIN * small) this.#touching[pair] = 0
    this.depth = Math.max(this.depth, -gap / small)
    this.gap = Math.min(this.gap, gap / small)
    return gap - small
  }
}
