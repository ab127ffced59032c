import RAPIER from '@dimforge/rapier3d-compat'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { distanceTo, stepOrca, type OrcaAgent } from '../bench/peers/orca.js'
import { characterCrowd, flyWalkers, orcaCrowd, ownCrowd, type WalkerResult } from '../rigs/fly-walkers.js'
import { WALKER_SCENES } from '../rigs/walker-scenes.js'
import { ALL, FULL, pick, report } from '../support/tier.js'
import { CROWD } from '../support/walkers.js'

// Horizons of 2 s and 5 s, and for walls 0.2 s, 0.5 s and 1 s, were tried on two seeds of three scenes.
// In the office 0.2 s let one walker more arrive.
const ORCA = { horizon: 2, wallHorizon: 0.5, neighbors: 10, neighborDistance: 10 }

/** Who has not arrived by then does not (s). */
const LIMIT = 60

const own = ownCrowd()
const orca = orcaCrowd(ORCA)

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
  it.each(pick(['concentric circles'], names, names))(
    '%s: all arrive without a contact, in less than 1.4 times the mean time of ORCA',
    (name) => {
      const fly = (make: typeof own) =>
        seeds.map((seed) => flyWalkers(WALKER_SCENES[name]!(seed), seed, make, LIMIT))
      const ours = fly(own)
      const crowd = FULL ? fly(ownCrowd(CROWD)) : []
      const theirs = fly(orca)
      report(name, ours)
      report(`${name}, as recommended`, crowd)
      report(`${name}, ORCA`, theirs)
      expectNoContact(ours)
      expectNoContact(crowd)
      for (const [i, { meanRatio }] of theirs.entries()) {
        expect(ours[i]!.meanRatio, `seed ${seeds[i]}`).toBeLessThan(1.4 * meanRatio)
        if (FULL) expect(crowd[i]!.meanRatio, `seed ${seeds[i]}`).toBeLessThan(1.2 * meanRatio)
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

describe('planar ORCA, the yardstick', () => {
  const agentAt = (x: number, z: number, wantedX: number, wantedZ: number): OrcaAgent => ({
    x,
    z,
    vx: wantedX,
    vz: wantedZ,
    wantedX,
    wantedZ,
    radius: 0.3,
    maxSpeed: 1.4,
  })

  it('two who meet nearly head-on pass each other, and each makes half of the way round', () => {
    const [a, b] = [agentAt(-4, 0, 1.4, 0), agentAt(4, 0.01, -1.4, 0)]
    let least = Infinity
    let [lowest, highest] = [0, 0]
    for (let i = 0; i < 400; i++) {
      stepOrca([a, b], [], ORCA, 1 / 60)
      least = Math.min(least, Math.hypot(a.x - b.x, a.z - b.z))
      lowest = Math.min(lowest, a.z)
      highest = Math.max(highest, b.z)
    }
    expect(least).toBeGreaterThan(0.6 - 1e-6)
    expect(a.x).toBeGreaterThan(4)
    expect(-lowest).toBeCloseTo(highest - 0.01, 3)
  })

  it('an agent takes the wanted velocity where that is free, else one that is free for the horizon', () => {
    const coordinate = fc.double({ min: -2, max: 2, noNaN: true })
    const pair = fc.tuple(coordinate, coordinate)
    const extent = fc.double({ min: 0.05, max: 2, noNaN: true })
    const extents = fc.tuple(extent, extent)
    fc.assert(
      fc.property(pair, extents, pair, pair, ([x, z], [width, depth], [vx, vz], [wantedX, wantedZ]) => {
        const wall = [
          { x, z },
          { x: x + width, z },
          { x: x + width, z: z + depth },
          { x, z: z + depth },
        ]
        fc.pre(distanceTo(wall) > 0.301)
        const share = Math.min(1, 1.4 / Math.hypot(wantedX, wantedZ))
        const agent = { ...agentAt(0, 0, wantedX * share, wantedZ * share), vx: vx / 2, vz: vz / 2 }
        const least = (velocityX: number, velocityZ: number) =>
          Math.min(
            ...Array.from({ length: 41 }, (_, i) => {
              const t = (i / 40) * ORCA.wallHorizon
              return distanceTo(
                wall.map((corner) => ({ x: corner.x - t * velocityX, z: corner.z - t * velocityZ })),
              )
            }),
          )
        stepOrca([agent], [wall], ORCA, 1 / 60)
        expect(least(agent.vx, agent.vz)).toBeGreaterThan(0.3 - 1e-6)
        // a velocity that was free and wanted is kept
        const kept = agentAt(0, 0, agent.vx, agent.vz)
        stepOrca([kept], [wall], ORCA, 1 / 60)
        expect(Math.hypot(kept.vx - agent.vx, kept.vz - agent.vz)).toBeLessThan(1e-6)
      }),
      { numRuns: pick(200, 1000, 1000) },
    )
  })
})
