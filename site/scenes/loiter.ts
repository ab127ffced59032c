import {
  Flight,
  Loiter,
  SteeringController,
  SteeringWorld,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const target = { x: 0, y: 0, z: 0 }
  const loiter = new Loiter({
    target,
    radius: 5, // m
  })
  const gliders = [-12, 12].map(
    (x, i) =>
      new SteeringController(null, {
        position: { x, y: 4 * i, z: -10 },
        velocity: { x: 0, y: 0, z: 6 },
        maxSpeed: 6, // m/s
        maxForce: 12, // N
        locomotion: new Flight({ minSpeed: 3 }),
        behavior: loiter,
      }),
  )
  for (const glider of gliders) world.add(glider)
  return {
    world,
    agents: [gliders],
    targets: [target],
    controls: [
      [loiter, 'radius', 2, 6],
      [loiter, 'length', 2, 4],
    ],
  }
}
