import { expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  Obstacles,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
} from 'three-steering'
import { v } from '../support/geometry.js'

// Whether an agent was on a route was asked of an AvoidObstacles that is used alone, too, and nobody
// answered: it took the answer of the agent before, also of another world. So its flight depended on what
// else flew.

/** Flies past many balls by AvoidObstacles alone. Calls `meanwhile` between its steps. */
function fly(meanwhile: () => void): number[] {
  const world = new SteeringWorld({ seed: 2 })
  const balls = Array.from({ length: 60 }, (_, i) => ({
    shape: new SphereShape(1.5 + (i % 3)),
    at: v(9 + 4 * Math.floor(i / 6), 7 * ((i % 3) - 1) + (i % 2), 8 * ((i % 2) - 0.5) + (i % 5)),
  }))
  const one = new SteeringController(null, {
    behavior: new AvoidObstacles({ obstacles: new Obstacles(balls) }),
    maxSpeed: 12,
    maxForce: 20,
    position: v(0, 0.3, 0.2),
    velocity: v(9, 0, 0),
  })
  world.add(one)
  const places = []
  for (let i = 0; i < 300; i++) {
    meanwhile()
    world.step(1 / 60)
    places.push(one.position.x, one.position.y, one.position.z)
  }
  return places
}

it('flies alike alone and beside one on a route', () => {
  const other = new SteeringWorld()
  const wall = { shape: new BoxShape(v(1, 30, 30)), at: v(10, 0, 0) }
  const wing = { shape: new BoxShape(v(12, 30, 1)), at: v(-1, 0, 29) }
  const behavior = within(
    [new AvoidObstacles({ obstacles: [wall, wing] })],
    new Arrive({ target: v(20, 0, 0) }),
  )
  other.add(new SteeringController(null, { behavior, maxSpeed: 4, maxForce: 8, plane: v(0, 1, 0) }))
  expect(fly(() => other.step(1 / 60))).toEqual(fly(() => undefined))
})
