import { expect, it } from 'vitest'
import { within, type Constraint } from 'three-steering'
import { v } from '../support/geometry.js'
import { Dummy, pilot, quietWorld } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'

// Between three neighbours two of 72 pilots changed between two corners of a thin wedge of demands at every step of 1/240 s, with all their
// force, for two seconds: each saw what the other had done a step ago.

/** In each other step 4 m/s upwards and a little less than that downwards, which cannot both be had; in the others 4 m/s downwards. */
const torn: Constraint = {
  steer: () => undefined,
  constrain: (_agent, { tick }, limits) => {
    if (tick % 2 === 0) limits.atLeast(v(0, 1, 0), 4)
    limits.atLeast(v(0, -1, 0), tick % 2 === 0 ? -3.9 : 4)
  },
}

/** Demands 4 m/s upwards. */
const firm = (): Constraint => ({
  steer: () => undefined,
  constrain: (_agent, _step, limits) => limits.atLeast(v(0, 1, 0), 4),
})

/** Forces (N) along y, step by step, of one that is held at rest. */
function forces(constraint: Constraint, rate: number, seconds: number, wish = v(5, 0, 0)): number[] {
  const { world } = quietWorld()
  const one = pilot(within([constraint], pushing(wish)), {
    maxForce: 1000,
    responseTime: 0.1,
    body: new Dummy(),
  })
  world.add(one)
  return Array.from({ length: Math.round(seconds * rate) }, () => {
    world.step(1 / rate)
    return one.demand.force.y
  })
}

it('demands that conflict in every other step hardly move the force', () => {
  const late = forces(torn, 240, 1).slice(120)
  expect(Math.max(...late.map(Math.abs))).toBeLessThan(0.2 * 40)
})

it.each([30, 60, 240])('one that stays is obeyed in full and from the first step, at 1/%i s', (rate) => {
  const all = forces(firm(), rate, 0.5)
  for (const force of all) expect(force).toBeCloseTo(40, 9)
})

it.each([30, 60, 240])('one that turns round once is obeyed at once, at 1/%i s', (rate) => {
  const turning: Constraint = {
    steer: () => undefined,
    constrain: (_agent, { time }, limits) => limits.atLeast(v(0, time < 0.499 ? 1 : -1, 0), 4),
  }
  const all = forces(turning, rate, 0.6)
  expect(all[Math.round(0.5 * rate) - 1]).toBeCloseTo(40, 9)
  expect(all[Math.round(0.5 * rate)]).toBeCloseTo(-40, 9)
})

it('where nothing is demanded the wish is done at once', () => {
  const none: Constraint = { steer: () => undefined, constrain: () => undefined }
  for (const force of forces(none, 240, 0.1, v(0, -7, 0))) expect(force).toBeCloseTo(-7, 9)
})
