import { expect, it } from 'vitest'
import {
  blend,
  Hover,
  SteeringController,
  SteeringWorld,
  within,
  type Behavior,
  type Vec3Like,
} from 'three-steering'

// A wish, or a sum of weights, of less than 1e-308 has no reciprocal: means became NaN, and the agent was dropped. So it was with a demand of
// more than 1e154 N beside what gravity costs.

const pushing = (force: Vec3Like): Behavior => ({
  steer: (_agent, _step, out) => void Object.assign(out.force, force),
})
const some = (): Behavior => pushing({ x: 3, y: 0, z: 0 })
const hardly: Behavior = {
  steer(_agent, _step, out) {
    out.force.x = out.torque.x = 1e-312
  },
}

function fly(behavior: Behavior, compensateGravity = false) {
  const world = new SteeringWorld({ gravity: { x: 0, y: compensateGravity ? -9.81 : 0, z: 0 } })
  const faults: unknown[] = []
  world.addEventListener('fault', (fault) => faults.push(fault))
  const locomotion = new Hover()
  const pilot = new SteeringController(null, {
    behavior,
    locomotion,
    compensateGravity,
    maxSpeed: Infinity,
    maxForce: 60,
  })
  world.add(pilot)
  for (let i = 0; i < 3; i++) world.step(1 / 60)
  expect(faults).toEqual([])
  return pilot
}

it.each<[string, Behavior]>([
  ['a wish', within([], [{ behavior: hardly, weight: 0.5 }])],
  ['the weight of a wish', within([], [{ behavior: some(), weight: 1e-310 }])],
  ['the sum of weights of a blend', blend([{ behavior: some(), weight: 1e-310 }], { average: true })],
])('%s may be next to nothing', (_name, behavior) => {
  expect(Math.abs(fly(behavior).force.x)).toBeLessThan(1e-300)
})

it.each([1e155, 1e200, 1e300])('a demand of %d N beside what gravity costs is cut', (huge) => {
  const { x, y, z } = fly(pushing({ x: huge, y: huge, z: 0 }), true).force
  expect(Math.hypot(x, y, z)).toBeCloseTo(60, 6)
  expect(x).toBeGreaterThan(20)
  expect(y).toBeGreaterThan(x)
})
