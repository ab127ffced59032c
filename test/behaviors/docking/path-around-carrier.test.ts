import { describe, expect, it } from 'vitest'
import { type Vec3 } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { pathAroundCarrier } from '../../../src/behaviors/docking/path-around-carrier.js'
import { crossOf, dotOf, minus, norm, plus, times, unit, v } from '../../support/geometry.js'

const RADIUS = 10
const STEP = 0.02

interface Flown {
  /** m: as told at the start, and as flown. */
  readonly told: number
  readonly length: number
  /** Nearest to the centre, m: at all, and after 1.5 radii. */
  readonly least: number
  readonly later: number
}

/** Flies the way round in small steps, until the straight way is clear, and then that. */
function flown(here: Vec3, goal: Vec3): Flown | null {
  const way = v(0, 0, 0)
  const told = pathAroundCarrier(way, here, goal, RADIUS, v(0, 0, 0))
  if (told < 0) return null
  let place = here
  let length = 0
  let least = Infinity
  let later = Infinity
  while (pathAroundCarrier(way, place, goal, RADIUS, v(0, 0, 0)) >= 0 && length < 100 * RADIUS) {
    expect(Math.abs(norm(way) - 1)).toBeLessThan(1e-9)
    place = plus(place, way, STEP)
    length += STEP
    least = Math.min(least, norm(place))
    if (length > 1.5 * RADIUS) later = Math.min(later, norm(place))
  }
  return { told, length: length + norm(minus(goal, place)), least, later }
}

describe('the way round a ball', () => {
  const random = seeded(1987)
  const any = (): Vec3 => unit(v(random() - 0.5, random() - 0.5, random() - 0.5))

  it('from outside keeps out of it, and is as long as is told', () => {
    let count = 0
    for (let i = 0; i < 150; i++) {
      const one = flown(times(any(), RADIUS * (1 + 4 * random())), times(any(), RADIUS * (1 + 4 * random())))
      if (one === null) continue
      count++
      expect(one.least).toBeGreaterThan(0.97 * RADIUS)
      expect(one.length / one.told).toBeGreaterThan(0.98)
      expect(one.length / one.told).toBeLessThan(1.02)
    }
    expect(count).toBeGreaterThan(20)
  })

  it('from inside leads out first, and never deeper', () => {
    for (let i = 0; i < 60; i++) {
      const side = any()
      const here = times(side, RADIUS * (0.2 + 0.75 * random()))
      // beyond the ball, or beside it
      const goal = times(
        unit(plus(times(side, -random()), unit(crossOf(side, any())))),
        RADIUS * (1.2 + random()),
      )
      const one = flown(here, goal)!
      expect(one.least).toBeGreaterThan(norm(here) - 1e-6)
      expect(one.later).toBeGreaterThan(0.95 * RADIUS)
      expect(one.length).toBeLessThan((Math.PI + 3) * RADIUS)
    }
  })

  it('to what lies right behind leads to the side that is flown to already', () => {
    for (let i = 0; i < 20; i++) {
      const here = times(any(), 3 * RADIUS)
      const hint = unit(crossOf(here, any()))
      const way = v(0, 0, 0)
      expect(pathAroundCarrier(way, here, times(here, -1), RADIUS, hint)).toBeGreaterThan(6 * RADIUS)
      expect(dotOf(way, hint)).toBeCloseTo(1 / 3, 6)
    }
  })
})
