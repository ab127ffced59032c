import { describe, expect, it } from 'vitest'
import { type Vec3 } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { pathAroundCarrier } from '../../../src/blocks/docking/path-around-carrier.js'
import { crossOf, dotOf, minus, norm, plus, times, unit, v } from '../../support/geometry.js'

const RADIUS = 10
const STEP = 0.02

interface Flown {
  /** Length (m): as predicted at the start, and as flown. */
  readonly predicted: number
  readonly length: number
  /** Least distance from the centre (m): on the whole path, and after 1.5 radii. */
  readonly least: number
  readonly later: number
}

/** Flies around the ball in small steps until the straight line is clear, and then straight. */
function flown(here: Vec3, goal: Vec3): Flown | null {
  const direction = v(0, 0, 0)
  const predicted = pathAroundCarrier(direction, here, goal, RADIUS, v(0, 0, 0))
  if (predicted < 0) return null
  let place = here
  let length = 0
  let least = Infinity
  let later = Infinity
  let stretch = 0
  while (pathAroundCarrier(direction, place, goal, RADIUS, v(0, 0, 0)) >= 0 && length < 100 * RADIUS) {
    stretch = Math.max(stretch, Math.abs(norm(direction) - 1))
    place = plus(place, direction, STEP)
    length += STEP
    least = Math.min(least, norm(place))
    if (length > 1.5 * RADIUS) later = Math.min(later, norm(place))
  }
  expect(stretch).toBeLessThan(1e-9)
  return { predicted, length: length + norm(minus(goal, place)), least, later }
}

describe('the path around a ball', () => {
  const random = seeded(1987)
  const any = (): Vec3 => unit(v(random() - 0.5, random() - 0.5, random() - 0.5))

  it('keeps out of the ball from outside, and is as long as predicted', () => {
    let count = 0
    for (let i = 0; i < 150; i++) {
      const one = flown(times(any(), RADIUS * (1 + 4 * random())), times(any(), RADIUS * (1 + 4 * random())))
      if (one === null) continue
      count++
      expect(one.least).toBeGreaterThan(0.97 * RADIUS)
      expect(one.length / one.predicted).toBeGreaterThan(0.98)
      expect(one.length / one.predicted).toBeLessThan(1.02)
    }
    expect(count).toBeGreaterThan(20)
  })

  it('leads out of the ball first from inside, and never deeper into it', () => {
    for (let i = 0; i < 60; i++) {
      const side = any()
      const here = times(side, RADIUS * (0.2 + 0.75 * random()))
      // behind the ball, or beside it
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

  it('leads to a goal exactly behind the ball on the side of the present motion', () => {
    for (let i = 0; i < 20; i++) {
      const here = times(any(), 3 * RADIUS)
      const hint = unit(crossOf(here, any()))
      const direction = v(0, 0, 0)
      expect(pathAroundCarrier(direction, here, times(here, -1), RADIUS, hint)).toBeGreaterThan(6 * RADIUS)
      expect(dotOf(direction, hint)).toBeCloseTo(1 / 3, 6)
    }
  })
})
