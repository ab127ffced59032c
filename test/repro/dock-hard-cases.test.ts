import { expect, it } from 'vitest'
import { flawOf, flyRow, type Row } from '../rigs/docking-table.js'

/**
 * Ships that did not dock, or hit the hull or each other: the time of the meeting with a spinning carrier was
 * found anew in each step; forces were compared after gravity; only the docking point counted, not the hull;
 * the default clearance was 0; the speed error was cut as one vector; fixed times stood for the turn time; a
 * ship followed the rotating axis at any distance; nothing kept waiting ships apart.
 */
const CASES: readonly (readonly [Row, number])[] = [
  ['spin 0.2', 10],
  ['spin 0.3', 21],
  ['spin 0.3', 146],
  ['gravity', 11],
  ['nose outward', 1],
  ['clearance by default', 19],
  ['too fast to stop', 1],
  ['ten seconds to turn round', 1],
  ['three ships, one port', 15],
]

it.each(CASES)('a ship docks without a contact: %s, seed %i', (row, seed) => {
  expect(flyRow(row, seed).map(flawOf).join('')).toBe('')
})
