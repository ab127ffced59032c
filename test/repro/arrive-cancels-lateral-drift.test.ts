import { expect, it } from 'vitest'
import { Arrive, SteeringController, SteeringWorld } from 'three-steering'
import { apart } from '../laws/kit.js'

// Arrive limited its force to maxForce as a whole vector. Far from the goal the force to speed up is large
// and the force against a lateral drift is small, so nearly all thrust went forward. The drift stayed until
// the goal was near. The agent overshot it by metres and had to come back.

it.each([2, 4, 8])('a lateral drift of %i m/s is cancelled before the goal', (drift) => {
  const goal = { x: 0, y: 0, z: 134 }
  const world = new SteeringWorld()
  const pilot = new SteeringController(null, {
    behavior: new Arrive({ target: goal }),
    maxSpeed: 30,
    maxForce: 0.675,
    velocity: { x: drift, y: 0, z: 0 },
  })
  world.add(pilot)
  let past = 0
  for (let i = 0; i < 60 * 60; i++) {
    world.step(1 / 60)
    past = Math.max(past, pilot.position.z - goal.z)
  }
  expect(past).toBeLessThan(0.01)
  expect(apart(pilot.position, goal)).toBeLessThan(0.02)
})
