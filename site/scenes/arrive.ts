import {
  Arrive,
  SteeringController,
  SteeringWorld,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const target = { x: 9, y: 4, z: 0 }
  const ship = new SteeringController(null, {
    position: { x: -15, y: -5, z: 5 },
    velocity: { x: 0, y: 4, z: -4 },
    maxSpeed: 12, // m/s
    maxForce: 8, // N
    behavior: new Arrive({ target }),
  })
  world.add(ship)
  return {
    world,
    agents: [ship],
    targets: [target],
    controls: [
      [ship, 'maxForce', 2, 40],
      [ship, 'maxSpeed', 2, 20],
    ],
    lasts: 10,
  }
}
