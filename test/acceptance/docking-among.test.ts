import { describe, expect, it } from 'vitest'
import { AvoidObstacles } from 'three-steering'
import { obstaclesFromCannon } from 'three-steering/cannon'
import { flyNeighbors, type Among, type NeighborResult } from '../rigs/docking-neighbors.js'
import { flyDocking, type Engines } from '../rigs/docking-trials.js'
import { ALL, pick } from '../support/tier.js'

/**
 * Docking within constraints that know everything: the carrier, and the ships at the ports beside. Nobody
 * touches anything before its latch.
 */
const ENGINES: readonly Engines[] = ['free', 'weakRetro', 'tinyRetro', 'noSide']
const RATES = ALL ? [30, 60, 144] : [60]
const AMONG = pick(['all'], ['agents', 'all'], ['agents', 'reciprocal', 'all']) as Among[]

function flaws(seed: number, results: readonly NeighborResult[], leaves = false): string[] {
  return results.flatMap(({ contacts, docked, impact, left, stages }, k) =>
    docked && contacts === 0 && left === leaves
      ? []
      : [`seed ${seed}, ship ${k}: ${contacts} contacts at ${impact} m/s, ${stages.slice(-3).join(' > ')}`],
  )
}

const seeds = Array.from({ length: pick(1, 5, 20) }, (_, i) => i + 1)

describe.each(RATES)('at %i steps a second', (rate) => {
  const dt = 1 / rate

  it.each(ENGINES)('docks within AvoidObstacles that has the carrier: %s', (engines) => {
    for (const seed of seeds) {
      const result = flyDocking(seed, {
        engines,
        dt,
        within: ({ world }) => [new AvoidObstacles({ obstacles: obstaclesFromCannon(world) })],
      })
      expect(result).toMatchObject({ docked: true, contacts: 0 })
      expect(result.lateral).toBeLessThan(0.02)
    }
  })

  // without engines across a ship leans, and needs more than its width
  it.each(ENGINES)('two ships dock at ports side by side: %s', (engines) => {
    const gap = engines === 'noSide' ? 8 : 5
    for (const among of AMONG)
      for (const seed of seeds)
        expect(flaws(seed, flyNeighbors(seed, { engines, dt, gap, among }))).toEqual([])
  })

  it('six ships share three ports 5 m apart, and leave', () => {
    for (const seed of seeds) {
      const results = flyNeighbors(seed, { dt, ports: 3, gap: 5, ships: 6, any: true, leaves: true })
      expect(flaws(seed, results, true)).toEqual([])
    }
  })

  // fails where a ship that gives way is held at its place by what it wants itself
  it('nine ships without constraints share three ports, and leave', () => {
    for (const seed of seeds) {
      const options = { dt, ports: 3, ships: 9, any: true, leaves: true, among: 'none' } as const
      expect(flaws(seed, flyNeighbors(seed, options), true)).toEqual([])
    }
  })
})
