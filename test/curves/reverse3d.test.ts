import { describe, expect, it } from 'vitest'
import { type Waypoint } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { ArcPath, reedsShepp, reverse3d } from 'three-steering/curves'
import { BAND_NAMES, posesOf } from '../rigs/dubins-cases.js'
import { direction, times, vec } from '../../demo/scenarios/vectors.js'
import { dubins3d } from '../../src/blocks/curves/dubins3d.js'
import { missOf, ROWS, START } from './planar-kit.js'
import { pick } from '../support/tier.js'

const CASES = pick(10, 10, 300)
const path = new ArcPath()

describe('reverse3d', () => {
  it.each(BAND_NAMES)(
    'meets the goal, no longer than ahead, astern or in the plane: %s',
    (band) => {
      const astern = ({ position, heading }: Waypoint): Waypoint => ({
        position,
        heading: times(heading, -1),
      })
      let cusps = 0
      const cases = band === 'near' ? pick(2, 5, 150) : CASES
      for (let seed = 0; seed < cases; seed++)
        for (const flat of [false, true]) {
          const { from, to } = posesOf(band, seed, flat)
          const alone = Math.min(dubins3d(path, from, to, 1), dubins3d(path, astern(from), astern(to), 1))
          const exact = flat ? reedsShepp(path, from, to, 1) : Infinity
          const length = reverse3d(path, from, to, 1)
          expect(length).toBe(path.length)
          expect(length).toBeLessThan(Math.min(alone, exact) * (1 + 1e-8))
          expect(missOf(path, from, to, 1)).toBeLessThan(1e-9)
          if (length < 0.99 * alone) cusps++
          // nose and tail can be exchanged, but for near poses the search may end in another local minimum
          const other = reverse3d(path, astern(from), astern(to), 1)
          expect(Math.abs(other / length - 1)).toBeLessThan(0.05)
        }
      expect(cusps).toBeGreaterThan(cases / 4)
    },
    600_000,
  )

  it('finds paths as short as drives of three arcs with two cusps in nine of ten cases', () => {
    const random = seeded(4)
    let found = 0
    for (let i = 0; i < CASES; i++) {
      const drive = new ArcPath().begin(vec(0, 0, 0), vec(1, 0, 0))
      const gear = random() < 0.5 ? 1 : -1
      for (const way of [gear, -gear, gear])
        drive.arc(direction(random), 1, 0.2 + random(), way === 1 ? 1 : -1)
      const end = drive.length
      const heading = times(drive.tangentAt(vec(0, 0, 0), end), drive.gearAt(end))
      const to = { position: drive.pointAt(vec(0, 0, 0), end), heading }
      if (reverse3d(path, START, to, 1) < end * 1.01) found++
    }
    expect(found / CASES).toBeGreaterThan(0.9)
  }, 600_000)

  it.each(ROWS)('is finite with a radius and with a radius of 0: $name', ({ to, length }) => {
    expect(reverse3d(path, START, to, 1)).toBeLessThan(length + 1e-9 * Math.max(1, length))
    expect(missOf(path, START, to, 1)).toBeLessThan(1e-9)
    expect(reverse3d(path, START, to, 0)).toBeCloseTo(Math.hypot(to.position.x, to.position.z), 9)
    const { position } = to
    const sight = reverse3d(path, START, { position, heading: position }, 1)
    expect(reverse3d(path, START, { position, heading: vec(0, 0, 0) }, 1)).toBeLessThan(Infinity)
    if (Math.hypot(position.x, position.z) > 0) expect(path.length).toBeCloseTo(sight, 9)
    expect(reverse3d(path, START, { ...to, heading: vec(NaN, 0, 0) }, 1)).toBe(Infinity)
    expect(path.count).toBe(0)
  })
})
