import { expect, it } from 'vitest'
import { blend, within, type Behavior } from 'three-steering'
import { pilot, quietWorld } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'

// A wish or a sum of weights below 1e-308 has no finite reciprocal: means became NaN, and the agent was
// dropped. The same happened with a demand above 1e154 N together with gravity compensation.

const some = (): Behavior => pushing({ x: 3, y: 0, z: 0 })
const tiny: Behavior = {
  steer(_agent, _step, out) {
    out.force.x = out.torque.x = 1e-312
  },
}

function fly(behavior: Behavior, compensateGravity = false) {
  const { world, faults } = quietWorld({ gravity: { x: 0, y: compensateGravity ? -9.81 : 0, z: 0 } })
  const one = pilot(behavior, { compensateGravity, maxSpeed: Infinity, maxForce: 60 })
  world.add(one)
  for (let i = 0; i < 3; i++) world.step(1 / 60)
  expect(faults).toEqual([])
  return one
}

it.each<[string, Behavior]>([
  ['a wish', within([], [{ behavior: tiny, weight: 0.5 }])],
  ['the weight of a wish', within([], [{ behavior: some(), weight: 1e-310 }])],
  ['the sum of weights of a blend', blend([{ behavior: some(), weight: 1e-310 }], { average: true })],
])('%s may be subnormal', (_name, behavior) => {
  expect(Math.abs(fly(behavior).force.x)).toBeLessThan(1e-300)
})

it.each([1e155, 1e200, 1e300])(
  'a demand of %d N with gravity compensation is limited to maxForce',
  (huge) => {
    const { x, y, z } = fly(pushing({ x: huge, y: huge, z: 0 }), true).force
    expect(Math.hypot(x, y, z)).toBeCloseTo(60, 6)
    expect(x).toBeGreaterThan(20)
    expect(y).toBeGreaterThan(x)
  },
)
