const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const PAD = 61

/** Character codes by value, and the reverse. A code that is no letter has a bit that no value has. */
const codes = Uint8Array.from(LETTERS, (letter) => letter.charCodeAt(0))
const NOT_A_LETTER = 64
const values = new Uint8Array(256).fill(NOT_A_LETTER)
codes.forEach((code, value) => (values[code] = value))

/** Base64 (RFC 4648) of bytes. `btoa` takes a string: many times slower for the megabytes of a crowd. */
export function toBase64(bytes: Uint8Array): string {
  const { length } = bytes
  const out = new Uint8Array(4 * Math.ceil(length / 3))
  const rest = length % 3
  let o = 0
  for (let i = 0; i < length - rest; i += 3)
    o = put(out, o, (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!)
  if (rest > 0) {
    put(out, o, (bytes[length - rest]! << 16) | (rest > 1 ? bytes[length - 1]! << 8 : 0))
    out.fill(PAD, out.length - 3 + rest)
  }
  return new TextDecoder().decode(out)
}

/** Writes the four letters of three bytes. @returns the offset after them. */
function put(out: Uint8Array, offset: number, bits24: number): number {
  out[offset] = codes[bits24 >> 18]!
  out[offset + 1] = codes[(bits24 >> 12) & 63]!
  out[offset + 2] = codes[(bits24 >> 6) & 63]!
  out[offset + 3] = codes[bits24 & 63]!
  return offset + 4
}

/** The bytes of a base64 text; null when the text is not base64. */
export function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const length = text.length - padding
  const read = new TextEncoder().encode(text)
  if (read.length !== text.length) return null
  const out = new Uint8Array((text.length / 4) * 3)
  let bits = 0
  let o = 0
  for (let i = 0; i < length; i += 4) {
    const a = values[read[i]!]!
    const b = values[read[i + 1]!]!
    const c = i + 2 < length ? values[read[i + 2]!]! : 0
    const d = i + 3 < length ? values[read[i + 3]!]! : 0
    bits |= a | b | c | d
    const word = (a << 18) | (b << 12) | (c << 6) | d
    out[o++] = word >> 16
    out[o++] = word >> 8
    out[o++] = word
  }
  return bits >= NOT_A_LETTER ? null : out.slice(0, out.length - padding)
}
