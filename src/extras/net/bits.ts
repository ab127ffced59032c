import { grown } from '../../core/math/grown.js'

/**
 * Ones before a number in full, and its bits: those of the difference of two numbers of 32 bits with its
 * sign.
 */
const MOST_ONES = 20
const WIDE = 34

/** Bytes in a buffer of their own: `Uint8Array<ArrayBuffer>`, which TypeScript before 5.7 cannot say. */
export type Bytes = ReturnType<typeof Uint8Array.of>

/** Writes whole numbers of any number of bits behind each other, the highest bit first. */
export class BitWriter {
  bytes: Bytes = new Uint8Array(1024)
  private at = 0
  /** Bits that are left in the byte. */
  private left = 8

  /** Begins behind so many bytes. */
  begin(at: number): void {
    this.at = at
    this.left = 8
    this.bytes[at] = 0
  }

  /** @param whole 0 … 2^bits − 1. */
  write(whole: number, bits: number): void {
    let rest = whole
    for (let open = bits; open > 0;) {
      if (this.left === 0) this.goOn()
      const now = Math.min(open, this.left)
      open -= now
      this.left -= now
      const upper = Math.floor(rest / 2 ** open)
      rest -= upper * 2 ** open
      this.bytes[this.at]! |= upper << this.left
    }
  }

  /**
   * Writes a whole number ≥ 0 in a Rice code: what is above its lowest `low` bits as so many ones and a zero,
   * then these bits. Short for small numbers, and never above 54 bits.
   */
  writeRice(whole: number, low: number): void {
    const upper = Math.floor(whole / 2 ** low)
    if (upper < MOST_ONES) {
      this.write(2 ** (upper + 1) - 2, upper + 1)
      this.write(whole - upper * 2 ** low, low)
    } else {
      this.write(2 ** MOST_ONES - 1, MOST_ONES)
      this.write(whole, WIDE)
    }
  }

  /** The byte behind the last one. */
  end(): number {
    return this.at + 1
  }

  private goOn(): void {
    this.at++
    this.left = 8
    if (this.at >= this.bytes.length) this.bytes = grown(this.bytes, 2 * this.at)
    this.bytes[this.at] = 0
  }
}

/** Reads what a `BitWriter` has written. Behind the end there are zeros. */
export class BitReader {
  private view: DataView = new DataView(new ArrayBuffer(0))
  /** In bits. */
  private at = 0

  begin(view: DataView, at: number): void {
    this.view = view
    this.at = 8 * at
  }

  read(bits: number): number {
    let whole = 0
    for (let open = bits; open > 0;) {
      const byte = Math.floor(this.at / 8)
      const left = 8 - (this.at % 8)
      const now = Math.min(open, left)
      const all = byte < this.view.byteLength ? this.view.getUint8(byte) : 0
      whole = whole * 2 ** now + ((all >> (left - now)) & (2 ** now - 1))
      open -= now
      this.at += now
    }
    return whole
  }

  readRice(low: number): number {
    let upper = 0
    while (upper < MOST_ONES && this.read(1) === 1) upper++
    return upper < MOST_ONES ? upper * 2 ** low + this.read(low) : this.read(WIDE)
  }

  /** The byte behind the last one; beyond the end where there were too few. */
  end(): number {
    return Math.ceil(this.at / 8)
  }
}
