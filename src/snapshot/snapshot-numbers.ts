/** Numbers in one list of a snapshot at most: more is forged. */
const MAX_LENGTH = 2 ** 26

/** @throws RangeError for a length that no list has. */
export function requireLength(what: string, length: number): number {
  if (!(Number.isInteger(length) && length >= 0 && length <= MAX_LENGTH)) throw forged(`${what} is ${length}`)
  return length
}

export function isBelow(value: number, limit: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < limit
}

export function forged(how: string): RangeError {
  return new RangeError(`restore: got a snapshot that cannot be (${how}), must be as it was written`)
}
