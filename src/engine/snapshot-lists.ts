/** Numbers in one list of a snapshot at most: more is forged. */
const MOST = 2 ** 26

/** Lists of neighbours, see `Candidates`. */
interface Lists {
  readonly end: number
  readonly length: Int32Array
  readonly list: Int32Array
  readonly room: Int32Array
  readonly start: Int32Array
}

/** @throws RangeError for a length that no list has. */
export function requireLength(what: string, length: number): number {
  if (!(Number.isInteger(length) && length >= 0 && length <= MOST)) throw forged(`${what} is ${length}`)
  return length
}

/** @throws RangeError where lists of neighbours, or the grid they are of, lead nowhere. */
export function requireLists(lists: Lists, grid: { isSound(count: number): boolean }, count: number): void {
  const { end, length, list, room, start } = lists
  for (let row = 0; row < count; row++)
    if (
      !(
        start[row]! >= 0 &&
        length[row]! >= 0 &&
        room[row]! >= length[row]! &&
        start[row]! + room[row]! <= end
      )
    )
      throw forged('its lists of neighbours')
  for (let i = 0; i < count; i++)
    for (let n = start[i]!; n < start[i]! + length[i]!; n++)
      if (!isBelow(list[n]!, count)) throw forged('its lists of neighbours')
  if (!grid.isSound(count)) throw forged('its grid')
}

export function isBelow(value: number, limit: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < limit
}

export function forged(how: string): RangeError {
  return new RangeError(`restore: got a snapshot that cannot be (${how}), must be as it was written`)
}
