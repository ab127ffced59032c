import { expect, it } from 'vitest'
import { Arrive, AvoidObstacles, BoxShape, Obstacles } from 'three-steering'
import { ReciprocalAvoidance, SteeringWorld, within, type Vec3 } from 'three-steering'
import { norm, v } from '../support/geometry.js'
import { pilot } from '../support/pilot.js'
import { pick } from '../support/tier.js'

// An agent that swung to and fro before one at rest did not count as held up, and so never pressed on.

const ROWS = [
  { half: 1.3, from: v(12, 0, 0.3), rate: 60 },
  { half: 1.3, from: v(12, 0, 3), rate: 144 },
  { half: 1.3, from: v(0, 0, 4), rate: 60 },
]
it.each(pick(ROWS.slice(2), ROWS))(
  'one at rest in the end of a corridor of $half m to each side makes way, at $rate Hz',
  (scene) => {
    const { half, from, rate } = scene
    const wall = new BoxShape(v(10, 2, 0.5))
    const obstacles = new Obstacles([
      { shape: wall, at: v(0, 0, half + 0.5) },
      { shape: wall, at: v(0, 0, -half - 0.5) },
    ])
    const world = new SteeringWorld({ seed: 5 })
    const add = (position: Vec3, target: Vec3) => {
      const behavior = within(
        [new ReciprocalAvoidance(), new AvoidObstacles({ obstacles })],
        new Arrive({ target }),
      )
      const agent = pilot(behavior, { position, plane: v(0, 1, 0), maxSpeed: 4, maxForce: 10, radius: 0.5 })
      world.add(agent)
      return agent
    }
    const one = add(from, v(0, 0, 0))
    add(v(10, 0, 0), v(10, 0, 0))
    for (let i = 0; i < 40 * rate; i++) world.step(1 / rate)
    expect(norm(one.position)).toBeLessThan(0.2)
  },
)
