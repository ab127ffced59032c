import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it } from 'vitest'
import { characterCrowd, flyWalkers, ownCrowd, type WalkerResult } from '../rigs/fly-walkers.js'
import { WALKER_SCENES } from '../rigs/walker-scenes.js'
import { ALL, FULL, pick, report } from '../support/tier.js'
import { CROWD } from '../support/walkers.js'

/**
 * Mean time of planar ORCA (van den Berg et al. 2011) in these scenes over that of the way at full speed,
 * five seeds each: docs/measurements-notebook.md.
 */
const ORCA: Readonly<Record<string, number>> = {
  hallway: 1,
  crossing: 1.06,
  'concentric circles': 1.37,
  bottleneck: 1.35,
  office: 1.21,
}

/** Who has not arrived by then does not (s). */
const LIMIT = 60

const own = ownCrowd()

const seeds = Array.from({ length: pick(1, 1, 5) }, (_, i) => i + 1)
const names = Object.keys(WALKER_SCENES)

function expectNoContact(flights: readonly WalkerResult[]): void {
  for (const [i, { count, arrived, pairContacts, wallContacts }] of flights.entries())
    expect({ arrived, pairContacts, wallContacts }, `seed ${seeds[i]}`).toEqual({
      arrived: count,
      pairContacts: 0,
      wallContacts: 0,
    })
}

describe('walkers beside planar ORCA', () => {
  it.each(pick(['concentric circles'], names))(
    '%s: all arrive without a contact, in less than 1.4 times the mean time of ORCA',
    (name) => {
      const fly = (make: typeof own) =>
        seeds.map((seed) => flyWalkers(WALKER_SCENES[name]!(seed), seed, make, LIMIT))
      const ours = fly(own)
      const crowd = FULL ? fly(ownCrowd(CROWD)) : []
      report(name, ours)
      report(`${name}, as recommended`, crowd)
      expectNoContact(ours)
      expectNoContact(crowd)
      for (const [i, { meanRatio }] of ours.entries()) {
        expect(meanRatio, `seed ${seeds[i]}`).toBeLessThan(1.4 * ORCA[name]!)
        if (FULL) expect(crowd[i]!.meanRatio, `seed ${seeds[i]}`).toBeLessThan(1.2 * ORCA[name]!)
      }
    },
    600_000,
  )
})

describe.runIf(ALL)('characters of Rapier in a crowd', () => {
  beforeAll(() => RAPIER.init())

  it.each(pick([], ['crossing'], names))(
    '%s: all arrive without a contact',
    (name) => {
      const flights = seeds.map((seed) =>
        flyWalkers(WALKER_SCENES[name]!(seed), seed, characterCrowd(), LIMIT),
      )
      report(`${name}, characters of Rapier`, flights)
      expectNoContact(flights)
    },
    600_000,
  )
})
