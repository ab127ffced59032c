import { grown } from '../../core/math/grown.js'

/**
 * Ones before a number in full, and its bits: those of the difference of two numbers of 32 bits with its
 * sign.
 */
const MOST_ONES = 20
const WIDE = 34

/** Bytes in a buffer of their own: `Uint8Array<ArrayBuffer>`, which TypeScript before 5.7 cannot say. */
export type Bytes = ReturnType<typeof Uint8Array.of>

/** Most bits that are handled at once: shifts work on 32 bits, of which up to 7 are those of a byte begun. */
const AT_ONCE = 24

/** Writes whole numbers of any number of bits behind each other, the highest bit first. */
export class BitWriter {
  bytes: Bytes = new Uint8Array(1024)
  private at = 0
  /** The bits of the byte that has been begun, and their number. */
  private begun = 0
  private count = 0

  /** Begins behind so many bytes. */
  begin(at: number): void {
    this.at = at
    this.begun = this.count = 0
  }

  /** @param whole 0 … 2^bits − 1. */
  write(whole: number, bits: number): void {
    if (bits > AT_ONCE) {
      const upper = Math.floor(whole / 2 ** AT_ONCE)
      this.write(upper, bits - AT_ONCE)
      this.write(whole - upper * 2 ** AT_ONCE, AT_ONCE)
      return
    }
    if (this.at + 4 >= this.bytes.length) this.bytes = grown(this.bytes, 2 * this.bytes.length)
    const all = (this.begun << bits) | whole
    let count = this.count + bits
    for (; count >= 8; count -= 8) this.bytes[this.at++] = all >>> (count - 8)
    this.begun = all & ((1 << count) - 1)
    this.count = count
  }

  /** Fills the byte that has been begun with zeros. */
  align(): void {
    if (this.count > 0) this.write(0, 8 - this.count)
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

  /** Ends with a whole byte. @returns the byte behind it. */
  end(): number {
    this.align()
    return this.at
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
    if (bits > AT_ONCE) return this.read(bits - AT_ONCE) * 2 ** AT_ONCE + this.read(AT_ONCE)
    const { at, view } = this
    const byte = at >>> 3
    let all = 0
    if (byte + 4 <= view.byteLength) all = view.getInt32(byte)
    else for (let i = byte; i < view.byteLength; i++) all |= view.getUint8(i) << (24 - 8 * (i - byte))
    this.at += bits
    // in two steps: a shift by 32 would be one by 0
    return ((all << (at & 7)) >>> 1) >>> (31 - bits)
  }

  readRice(low: number): number {
    let upper = 0
    while (upper < MOST_ONES && this.read(1) === 1) upper++
    return upper < MOST_ONES ? upper * 2 ** low + this.read(low) : this.read(WIDE)
  }

  align(): void {
    this.at = 8 * this.end()
  }

  skip(bytes: number): void {
    this.at += 8 * bytes
  }

  /** The byte behind the last one; beyond the end where there were too few. */
  end(): number {
    return Math.ceil(this.at / 8)
  }
}
