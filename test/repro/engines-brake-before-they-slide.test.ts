import { expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  Obstacles,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { v } from '../support/geometry.js'

// Each engine gives what it can. A change of the velocity along a surface took the thrust that was to brake
// before it: of ships whose goal was inside a box, every second one touched the box.
it('a ship whose lateral engines are weak brakes before a surface rather than slides along it', () => {
  const obstacles = new Obstacles([{ shape: new BoxShape(v(3, 4, 2)) }])
  let least = Infinity
  for (let seed = 1; seed <= 12; seed++) {
    const random = seeded(seed)
    const any = (size: number) => size * (2 * random() - 1)
    const pilot = new SteeringController(null, {
      position: v(any(12), any(12), 10),
      velocity: v(any(4), any(4), any(4)),
      radius: 0.5,
      maxSpeed: 8,
      maxForce: 20,
      maxTorque: 8,
      locomotion: new Thrusters({ ahead: 20 }),
      behavior: within(
        [new AvoidObstacles({ obstacles })],
        new Arrive({ target: v(any(1), any(1), any(1)) }),
      ),
    })
    const world = new SteeringWorld().add(pilot)
    for (let n = 0; n < 60 * 8; n++) {
      world.step(1 / 60)
      least = Math.min(least, obstacles.distance(pilot.position))
    }
  }
  expect(least).toBeGreaterThan(0.5)
})
