import { Seek, SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const target = { x: 3, y: 1, z: 0 }
  const seek = new Seek({ target, speed: 8 /* m/s */ })
  const ship = new SteeringController(null, {
    position: { x: -14, y: -5, z: 4 },
    maxSpeed: 8, // m/s
    maxForce: 12, // N
    behavior: seek,
  })
  world.add(ship)
  return {
    world,
    agents: [ship],
    targets: [target],
    controls: [
      [ship, 'maxForce', 2, 40],
      [seek, 'speed', 1, 8],
    ],
  }
}
