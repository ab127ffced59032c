import type { Vec3, Vec3Like } from 'three-steering'

/**
 * A hash of numbers as a short text. It changes if any bit of any number changes (FNV-1a over their bytes).
 */
export class Fingerprint {
  #hash = 0x811c9dc5
  readonly #number = new Float64Array(1)
  readonly #bytes = new Uint8Array(this.#number.buffer)

  add(value: number): this {
    this.#number[0] = value
    for (const byte of this.#bytes) this.#hash = Math.imul(this.#hash ^ byte, 0x01000193)
    return this
  }

  addVector({ x, y, z }: Vec3Like): this {
    return this.add(x).add(y).add(z)
  }

  toString(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0')
  }
}

export function distance(a: Vec3Like, b: Vec3Like): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
}

export function magnitude({ x, y, z }: Vec3Like): number {
  return Math.hypot(x, y, z)
}

/**
 * Counts how often the turn of a velocity changes its sense: the turn rate ω = v × v′ / (|v|² dt) is opposite
 * to the last one above 0.15 rad/s. `jumps` counts changes from one step to the next, `count` all changes.
 */
export class Flips {
  count = 0
  jumps = 0
  readonly #slowest: number
  readonly #before: Vec3 = { x: 0, y: 0, z: 0 }
  readonly #rate: Vec3 = { x: 0, y: 0, z: 0 }
  #noDirection = true
  #straight = true

  /** @param slowest Below this speed (m/s) a velocity has no direction. */
  constructor(slowest: number) {
    this.#slowest = slowest
  }

  /** Call after each step of `dt` seconds. */
  see(velocity: Vec3Like, dt: number): void {
    const before = this.#before
    const { x, y, z } = velocity
    const speed = magnitude(velocity)
    const slow = !(speed > this.#slowest)
    if (!slow && !this.#noDirection) {
      const k = 1 / (speed * magnitude(before) * dt)
      this.#turn(
        k * (before.y * z - before.z * y),
        k * (before.z * x - before.x * z),
        k * (before.x * y - before.y * x),
      )
    }
    if (slow) this.#straight = true
    this.#noDirection = slow
    before.x = x
    before.y = y
    before.z = z
  }

  #turn(x: number, y: number, z: number): void {
    const rate = this.#rate
    if (!(Math.hypot(x, y, z) > 0.15)) {
      this.#straight = true
      return
    }
    if (x * rate.x + y * rate.y + z * rate.z < 0) {
      this.count++
      if (!this.#straight) this.jumps++
    }
    this.#straight = false
    rate.x = x
    rate.y = y
    rate.z = z
  }
}
