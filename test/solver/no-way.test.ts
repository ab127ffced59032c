import { expect, it } from 'vitest'
import type { Vec3 } from 'three-steering'
import { Barred } from '../../src/core/solver/barred.js'
import { v } from '../support/geometry.js'
import { standIn, stepOf } from '../support/stand-in.js'

/** Time (s) after which an agent that is 20 m from its goal and comes no nearer has no way. */
function timeUntilTold(placeAt: (time: number) => Vec3, speed: number, patience?: number): number {
  const noWay = new Barred()
  const agent = standIn({ speed })
  for (let time = 0; time < 60; time += 0.1) {
    Object.assign(agent.position, placeAt(time))
    if (noWay.update(agent, stepOf(0.1), 20, patience)) return time
  }
  return Infinity
}

const stands = (): Vec3 => v(3, 0, 0)
const circles = (time: number): Vec3 => v(5 * Math.cos(time), 0, 5 * Math.sin(time))

it('one that goes round and round has no way, and one that stands has none once it loses its patience', () => {
  // three diameters a round, five without end
  expect(timeUntilTold(circles, 5)).toBeCloseTo(10, 0)
  expect(timeUntilTold((time) => circles(time / 4), 5 / 4)).toBeCloseTo(40, 0)
  expect(timeUntilTold(stands, 0)).toBe(Infinity)
  expect(timeUntilTold(stands, 0, 25)).toBeCloseTo(25, 0)
  expect(timeUntilTold(circles, 5, 25)).toBeCloseTo(10, 0)
})
