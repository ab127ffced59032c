import { expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  Obstacles,
  SteeringController,
  SteeringWorld,
} from 'three-steering'
import { within } from 'three-steering'
import { car } from 'three-steering/vehicles'

// A car that came to a wall on a slant steered as for its top speed, by 2°, could not stop on that curve, and
// so crept along the wall at 0.1 m/s for ever: so in 15 of 500 scenes of four walls.

it.each([1 / 30, 1 / 60, 1 / 144])(
  'a car drives on past a wall that it met on a slant, at steps of %f s',
  (dt) => {
    for (const [x, half] of [
      [10, 8],
      [10, 4],
      [12, 8],
    ] as const) {
      const world = new SteeringWorld()
      const obstacles = new Obstacles([
        { shape: new BoxShape({ x: 0.3, y: 3, z: half }), at: { x, y: 0, z: 3 } },
      ])
      const agent = new SteeringController(null, {
        ...car(),
        behavior: within(
          [new AvoidObstacles({ obstacles })],
          new Arrive({ target: { x: x + 10, y: 0, z: 2 } }),
        ),
      })
      world.add(agent)
      let gap = Infinity
      while (world.time < 14 && agent.position.x < x + 9.5) {
        world.step(dt)
        gap = Math.min(gap, obstacles.distance(agent.position, { x: 0, y: 0, z: 0 }))
      }
      expect(world.time, `wall of ${2 * half} m at ${x} m`).toBeLessThan(14)
      expect(gap).toBeGreaterThan(2)
    }
  },
)
