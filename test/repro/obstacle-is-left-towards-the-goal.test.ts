import { expect, it } from 'vitest'
import { Arrive, AvoidObstacles, BoxShape, Obstacle, SteeringWorld, within } from 'three-steering'
import { v } from '../support/geometry.js'
import { fly, pilot } from '../support/pilot.js'

// An agent inside an obstacle left it on the nearest side, whatever its goal. It left a long wall on the far
// side and then had to fly all around it.

it('a ship inside a wall leaves it on the side of its goal', () => {
  const wall = new Obstacle({ shape: new BoxShape(v(30, 30, 2)) })
  const world = new SteeringWorld()
  const goal = v(0, 0, 12)
  const ship = pilot(within([new AvoidObstacles({ obstacles: [wall] })], new Arrive({ target: goal })), {
    position: v(1, 2, -0.5),
    maxForce: 20,
  })
  world.add(ship)
  let least = 0
  let arrived = Infinity
  fly({ world }, 10, 1 / 60, () => {
    const { x, y, z } = ship.position
    least = Math.min(least, z)
    if (arrived === Infinity && Math.hypot(x, y, z - goal.z) < 0.1) arrived = world.time
  })
  expect(least).toBeGreaterThan(-0.51)
  expect(arrived).toBeLessThan(3)
})
