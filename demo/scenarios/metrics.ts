import type { Vec3Like } from 'three-steering'

/** A short text that changes when any of the numbers changes in any bit (FNV-1a over their bytes). */
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
