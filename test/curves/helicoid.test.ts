import { describe, expect, it } from 'vitest'
import { ArcPath } from 'three-steering/curves'
import { csc } from '../../src/blocks/curves/csc.js'
import { helicoid } from '../../src/blocks/curves/helicoid.js'
import { posesOf } from '../rigs/dubins-cases.js'
import { NEAR_BEST } from './near-best.js'
import { ccc, expectPath, likes, quantile } from './near-kit.js'
import { shortestByShooting } from './near-oracle.js'
import { FULL, pick } from '../support/tier.js'

const path = new ArcPath()
const seeds = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

describe('helicoid', () => {
  it.each([0, 1, 2])('meets the end pose within the curvature limit (effort %i)', (effort) => {
    let found = 0
    for (const seed of seeds([100, 40, 8][effort]!)) {
      const { from, to } = posesOf('near', seed, false)
      const length = helicoid(path, from, to, 1, effort)
      if (length === Infinity) continue
      found++
      expectPath(path, from, to, 1, length)
    }
    expect(found).toBeGreaterThan(2)
  })

  it.each([
    [0, 1.025, 1.12],
    [1, 1.001, 1.01],
    [2, 1.0005, 1.003],
  ])('is close to the shortest known path: effort %i', (effort, most, all) => {
    const known = NEAR_BEST.slice(0, FULL ? NEAR_BEST.length : [120, 60, 25][effort])
    const ratios = known.map((best, i) => {
      const { from, to } = posesOf('near', i + 1, false)
      return Math.min(helicoid(path, from, to, 1, effort), csc(path, from, to, 1, 1)) / best
    })
    expect(Math.min(...ratios)).toBeGreaterThan(0.999)
    expect(quantile(ratios, 0.95)).toBeLessThan(most)
    expect(Math.max(...ratios)).toBeLessThan(all)
  })

  it('is not longer than solutions of the equations of Sussmann by shooting from random starts', () => {
    let compared = 0
    for (const seed of FULL ? seeds(100) : [3, 17, 25]) {
      const { from, to } = posesOf('near', seed, false)
      const shot = shortestByShooting(from, to, pick(20, 30, 200), seed)
      if (shot === Infinity) continue
      compared++
      const length = Math.min(helicoid(path, from, to, 1), csc(path, from, to, 1, 1))
      expect(length / shot, `seed ${seed}`).toBeLessThan(1.002)
    }
    expect(compared).toBeGreaterThan(FULL ? 40 : 2)
  })

  it('is not longer than three arcs', () => {
    for (const seed of seeds(50)) {
      const { from, to } = posesOf('near', seed, false)
      const arcs = ccc(path, from, to, 1)
      expect(helicoid(path, from, to, 1, 1)).toBeLessThanOrEqual(arcs * (1 + 1e-12))
    }
  })

  it('has the same length when the poses are moved, turned, scaled, mirrored and reversed, where it is the shorter', () => {
    for (const seed of seeds(FULL ? 400 : 40)) {
      const { from, to } = posesOf('near', seed, false)
      const other = csc(path, from, to, 1, 1)
      const length = Math.min(other, helicoid(path, from, to, 1, 1))
      for (const like of likes(from, to)) {
        const found = Math.min(other, helicoid(path, like.from, like.to, like.size, 1) / like.size)
        expect(Math.abs(found / length - 1), `${like.name} of ${seed}`).toBeLessThan(1e-9)
      }
    }
  })
})
