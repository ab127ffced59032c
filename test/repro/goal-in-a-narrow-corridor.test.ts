import { expect, it } from 'vitest'
import { Arrive, AvoidObstacles, BoxShape, Obstacles, within } from 'three-steering'
import { norm, v } from '../support/geometry.js'
import { pilot, quietWorld } from '../support/pilot.js'

// An agent that came round the end of a corridor passed its mouth at full speed, for ever: it stopped before
// a narrow door only where another waypoint lay behind it, and here the goal does.

it.each([
  [0.7, v(0, 0, 6), 20],
  [0.75, v(3, 0, -8), 30],
  [0.7, v(-6, 0, 3), 8],
])('is reached, half width %f', (half, position, long) => {
  const { world } = quietWorld()
  const walls = [1, -1].map((side) => ({
    shape: new BoxShape({ x: long / 2, y: 5, z: 0.5 }),
    at: v(0, 0, side * (half + 0.5)),
  }))
  const agent = pilot(
    within([new AvoidObstacles({ obstacles: new Obstacles(walls) })], new Arrive({ target: v(0, 0, 0) })),
    { position, plane: v(0, 1, 0), maxSpeed: 4, maxForce: 10, radius: 0.5 },
  )
  world.add(agent)
  for (let i = 0; i < 15 * 60; i++) world.step(1 / 60)
  expect(norm(agent.position)).toBeLessThan(0.05)
})
