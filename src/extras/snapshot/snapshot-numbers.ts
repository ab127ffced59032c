/** Largest length of a list. A longer one is forged: refused before memory is taken. Chosen by hand. */
const MAX_LENGTH = 2 ** 26

/** @throws RangeError for a value that is not the length of a list. */
export function requireLength(what: string, length: number): number {
  if (!(Number.isInteger(length) && length >= 0 && length <= MAX_LENGTH)) throw forged(`${what} is ${length}`)
  return length
}

export function isBelow(value: number, limit: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < limit
}

export function forged(how: string): RangeError {
  return new RangeError(
    `restoreSnapshot: got a snapshot with impossible content (${how}), must be as it was saved`,
  )
}
