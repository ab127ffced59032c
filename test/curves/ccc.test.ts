import { describe, expect, it } from 'vitest'
import { type Vec3, type Waypoint } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { ArcPath, dubins2d } from 'three-steering/curves'
import { csc } from '../../src/blocks/curves/csc.js'
import { posesOf } from '../rigs/dubins-cases.js'
import { between, direction, plus, vec } from '../../demo/scenarios/vectors.js'
import { NEAR_BEST } from './near-best.js'
import { ccc, expectPath, likes, quantile } from './near-kit.js'
import { chooseStarts } from './near-starts.js'
import { FULL } from '../support/tier.js'

const path = new ArcPath()
const seeds = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)
const START: Waypoint = { position: vec(0, 0, 0), heading: vec(1, 0, 0) }
const pose = (position: Vec3, heading: Vec3): Waypoint => ({ position, heading })

/**
 * Degenerate poses, seen from the origin with the heading +x, and the length of their shortest path of three
 * arcs.
 */
const DEGENERATE: [string, Waypoint, number][] = [
  ['back at the start, opposite', pose(vec(0, 0, 0), vec(-1, 0, 0)), (7 / 3) * Math.PI],
  ['back at the start, across', pose(vec(0, 0, 0), vec(0, 1, 0)), 6.4085131383],
  ['abreast by 0.5, opposite', pose(vec(0, 0.5, 0), vec(-1, 0, 0)), 6.724251829],
  ['abreast by 1, opposite', pose(vec(0, 0, 1), vec(-1, 0, 0)), 6.0325296448],
  ['abreast by 2, opposite', pose(vec(0, 2, 0), vec(-1, 0, 0)), Math.PI],
  ['abreast by 2, same heading', pose(vec(0, 2, 0), vec(1, 0, 0)), 2 * Math.PI],
  ['behind by 0.1, same heading', pose(vec(-0.1, 0, 0), vec(1, 0, 0)), 6.3831957268],
]

describe('ccc', () => {
  it('meets the end pose within the curvature limit, at any size', () => {
    let found = 0
    for (const seed of seeds(FULL ? 2000 : 250)) {
      const { from, to } = posesOf('near', seed, false)
      const radius = between(seeded(seed), 0.7, 1.6)
      const length = ccc(path, from, to, radius)
      if (length === Infinity) continue
      found++
      expectPath(path, from, to, radius, length)
      expect(path.count).toBe(3)
    }
    expect(found).toBeGreaterThan(200)
  })

  it('where it is shorter than arc, straight and arc, it is within 12 % of the shortest known path in 95 % of cases', () => {
    const ratios = NEAR_BEST.map((best, i) => {
      const { from, to } = posesOf('near', i + 1, false)
      return Math.min(ccc(path, from, to, 1), csc(path, from, to, 1, 1)) / best
    })
    expect(Math.min(...ratios)).toBeGreaterThan(0.999)
    expect(quantile(ratios, 0.5)).toBeLessThan(1.000001)
    expect(quantile(ratios, 0.95)).toBeLessThan(1.09)
  })

  it('has the same length when the poses are moved, turned, scaled, mirrored and reversed, where it is the shorter', () => {
    for (const seed of seeds(FULL ? 1000 : 100)) {
      const { from, to } = posesOf('near', seed, false)
      const other = csc(path, from, to, 1, 1)
      const length = Math.min(other, ccc(path, from, to, 1))
      for (const like of likes(from, to)) {
        const found = Math.min(other, ccc(path, like.from, like.to, like.size) / like.size)
        expect(Math.abs(found / length - 1), `${like.name} of ${seed}`).toBeLessThan(1e-9)
      }
    }
  })

  it('is never longer in space than in the plane', () => {
    for (const seed of seeds(200)) {
      const { from, to } = posesOf('near', seed, true)
      const planar = dubins2d(path, from, to, 1)
      const spatial = Math.min(ccc(path, from, to, 1), csc(path, from, to, 1, 1))
      expect(spatial / planar, `seed ${seed}`).toBeLessThan(1 + 1e-9)
    }
  })

  it.each(DEGENERATE)('has the known length %s', (_name, to, length) => {
    expect(ccc(path, START, to, 1)).toBeCloseTo(length, 9)
    expectPath(path, START, to, 1, path.length)
  })

  it.each(DEGENERATE)('is finite and correct close to %s', (_name, { position, heading }, length) => {
    const random = seeded(11)
    let missed = 0
    const count = FULL ? 20_000 : 100
    for (let i = 0; i < count; i++) {
      const size = 10 ** between(random, -12, 0)
      const to = pose(plus(position, direction(random), size), plus(heading, direction(random), 0.99 * size))
      const found = ccc(path, START, to, 1)
      if (found < Infinity) expectPath(path, START, to, 1, found)
      // the length is continuous except where a branch ends: there it lies between both
      const near = Math.min(found, csc(path, START, to, 1, 1))
      if (size < 1e-3 && !(near < length + 0.1)) missed++
    }
    expect(missed / count).toBeLessThan(0.02)
  })

  it('its table of starts can be computed again', () => {
    // from a few pairs and starts here; ACCEPTANCE=full prints a new table
    const starts = FULL ? chooseStarts(48, 2000, 90, 777) : chooseStarts(3, 30, 15, 777)
    if (FULL) console.info(starts.map((start) => start.map((x) => x.toFixed(2)).join(', ')).join('\n'))
    expect(starts.length).toBeGreaterThan(2)
    for (const start of starts) expect(start.every(Number.isFinite)).toBe(true)
  })

  it('returns Infinity for invalid input', () => {
    const to = pose(vec(1, 1, 0), vec(0, 0, 1))
    for (const radius of [0, -1, NaN, Infinity]) expect(ccc(path, START, to, radius)).toBe(Infinity)
    expect(ccc(path, START, pose(vec(NaN, 0, 0), vec(1, 0, 0)), 1)).toBe(Infinity)
    expect(ccc(path, START, pose(vec(1, 0, 0), vec(0, 0, 0)), 1)).toBe(Infinity)
    expect(ccc(path, START, pose(vec(7, 0, 0), vec(0, 1, 0)), 1)).toBe(Infinity)
  })
})
