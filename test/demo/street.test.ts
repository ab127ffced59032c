import { describe, expect, it } from 'vitest'
import { Street } from '../../demo/scenarios/street.js'
import { pick } from '../support/tier.js'

const SECONDS = pick(15, 90)

describe('traffic of the street', () => {
  // in seed 9 a car passes a walker by 4 cm with its corner, which is no contact
  it.each(pick([3], [9], [1, 2, 3, 4, 5, 6, 7, 8, 9]))('flows without contacts (seed %i)', (seed) => {
    const street = new Street({ seed })
    // in the first half minute the street fills: a trip takes about as long
    let least = Infinity
    let trips = NaN
    for (let k = 0; k < 60 * SECONDS; k++) {
      street.step(1 / 60)
      if (k % (60 * 30) !== 60 * 30 - 1) continue
      if (trips >= 0) least = Math.min(least, street.trips - trips)
      trips = street.trips
    }
    expect(street.contacts).toBe(0)
    expect(street.walkers.every(({ pilot }) => Number.isFinite(pilot.position.x))).toBe(true)
    // a jam ends all traffic
    expect(street.trips).toBeGreaterThan(0)
    expect(least).toBeGreaterThan(3)
    street.dispose()
  })
})
