import { expect, it } from 'vitest'
import { flyNeighbors } from '../rigs/docking-neighbors.js'
import { ALL, pick } from '../support/tier.js'

/**
 * Nine ships that turn their main engine to brake share three ports without constraints. They gave way with
 * that engine alone, and struck each other, or the hull, while their nose turned: five of the ships of seed
 * 2. One of seed 25 struck the hull: it began its run-in at 8 m/s across the axis.
 */
it.each(ALL ? [30, 60, 144] : [60])('nine ships with weak engines astern, at %i steps a second', (rate) => {
  for (const seed of pick([2, 25], [2, 25, 31], [2, 25, 31, 35, 56])) {
    const results = flyNeighbors(seed, {
      engines: 'weakRetro',
      dt: 1 / rate,
      ports: 3,
      ships: 9,
      any: true,
      leaves: true,
      among: 'none',
    })
    for (const result of results) expect(result).toMatchObject({ docked: true, left: true, contacts: 0 })
  }
})
