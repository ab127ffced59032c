import { expect, it } from 'vitest'
import { Arrive, AvoidObstacles, Obstacles, SphereShape, within } from 'three-steering'
import { norm, minus, v } from '../support/geometry.js'
import { pilot, quietWorld } from '../support/pilot.js'

// What was higher than the head of an agent on the ground counted as a ceiling, also while it came down.

it.each([30, 60, 144])('an agent in a plane steps aside before a ball falls on it, at %d Hz', (rate) => {
  const { world } = quietWorld()
  const comet = { position: v(0.2, 14, 0.1), velocity: v(0, -4, 0) }
  const obstacles = new Obstacles([{ shape: new SphereShape(1.5), at: comet }])
  const agent = pilot(within([new AvoidObstacles({ obstacles })], new Arrive({ target: v(0, 0, 0) })), {
    plane: v(0, 1, 0),
    maxSpeed: 5,
    maxForce: 5,
  })
  world.add(agent)
  let least = Infinity
  for (let i = 0; i < 7 * rate; i++) {
    comet.position.y -= 4 / rate
    world.step(1 / rate)
    least = Math.min(least, norm(minus(agent.position, comet.position)) - 1.5 - agent.radius)
  }
  expect(least).toBeGreaterThan(0)
})
