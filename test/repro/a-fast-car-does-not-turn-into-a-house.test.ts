import { expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  Obstacles,
  SteeringController,
  SteeringWorld,
  Wheels,
  within,
} from 'three-steering'
import { v } from '../support/geometry.js'
import { pick } from '../support/tier.js'

// Cars at 14 and 20 m/s in streets of 14 m, whose goal was round a corner that they could not take, drove
// through the houses: 108 of 108. They braked on the curve that led into the wall, with the grip that the
// curve left.

const HALF = v(18, 5, 23)
const HOUSES = [v(25, 5, 30), v(-25, 5, 30), v(-25, 5, 90), v(25, 5, 90)]

it.each(
  pick([14.4, 20], [10], [10, 14.4, 20]).flatMap((speed) =>
    pick([60], [30, 144], [30, 60, 144]).map((rate) => [speed, rate] as const),
  ),
)('at %d m/s, %d Hz', (speed, rate) => {
  const obstacles = new Obstacles(HOUSES.map((at) => ({ shape: new BoxShape(HALF), at })))
  for (const x of [18, 30, 42])
    for (const z of [58, 62]) {
      const world = new SteeringWorld({ seed: 1 })
      const car = new SteeringController(null, {
        plane: v(0, 1, 0),
        mass: 1200,
        maxForce: 6000,
        maxSpeed: speed,
        radius: 1.5,
        position: v(x, 0, z),
        velocity: v(-speed, 0, 0),
        quaternion: { x: 0, y: -Math.SQRT1_2, z: 0, w: Math.SQRT1_2 },
        locomotion: new Wheels({ wheelbase: 2.5 }),
        behavior: within([new AvoidObstacles({ obstacles })], new Arrive({ target: v(-12, 0, 120) })),
      })
      world.add(car)
      let least = Infinity
      let nearest = Infinity
      for (let i = 0; i < 50 * rate; i++) {
        world.step(1 / rate)
        const { position } = car
        for (const at of HOUSES) {
          const aside = Math.max(Math.abs(position.x - at.x) - HALF.x, 0)
          const ahead = Math.max(Math.abs(position.z - at.z) - HALF.z, 0)
          least = Math.min(least, Math.hypot(aside, ahead) - car.radius)
        }
        nearest = Math.min(nearest, Math.hypot(position.x + 12, position.z - 120))
      }
      expect(least).toBeGreaterThan(-0.02)
      expect(nearest).toBeLessThan(1)
    }
})
