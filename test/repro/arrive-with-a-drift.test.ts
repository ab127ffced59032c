import { expect, it } from 'vitest'
import { Arrive, SteeringController, SteeringWorld } from 'three-steering'
import { apart } from '../laws/kit.js'

// Arrive cut its force to maxForce as a whole. Far away the wish to speed up is huge and a drift across the way is small, so all
// thrust went ahead, the drift stayed until the goal was near, and the agent flew past it by metres, round it and back.

it.each([2, 4, 8])('a drift of %i m/s across the way is gone before the goal', (drift) => {
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
