import { expect, it } from 'vitest'
import { SteeringController, SteeringWorld } from 'three-steering'
import { explain } from 'three-steering/explain'

// When the behaviours of an agent failed, its explanation lost its tree, but still showed the wanted and
// given force of the step before.

it('the explanation of a failed step shows no wanted and no given force', () => {
  const world = new SteeringWorld()
  const faults: string[] = []
  world.addEventListener('fault', ({ message }) => faults.push(message))
  let fails = false
  const pilot = new SteeringController(null, {
    maxSpeed: 10,
    maxForce: 100,
    behavior: {
      steer(_agent, _step, out) {
        if (fails) throw new Error('out of order')
        out.force.x = 7
      },
    },
  })
  world.add(pilot)
  const why = explain(world, pilot)
  world.step(0.1)
  expect([why.wanted.force.x, why.given.force.x, why.root?.asked.force.x]).toEqual([7, 7, 7])
  fails = true
  world.step(0.1)
  expect([why.wanted.force.x, why.given.force.x, why.root]).toEqual([0, 0, null])
  fails = false
  world.step(0.1)
  expect([why.wanted.force.x, why.given.force.x, why.root?.asked.force.x]).toEqual([7, 7, 7])
  expect(faults).toHaveLength(1)
})
