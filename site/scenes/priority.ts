import {
  Arrive,
  AvoidObstacles,
  priority,
  SphereShape,
} from 'three-steering'
import {
  Separation,
  SteeringController,
  SteeringWorld,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const obstacles = [
    { shape: new SphereShape(3), at: { x: 0, y: 0.5, z: 0 } },
    { shape: new SphereShape(2), at: { x: 6, y: -2, z: 3 } },
  ]
  // the first part that asks for something steers alone
  const avoid = new AvoidObstacles({ obstacles })
  const apart = new Separation({ neighborDistance: 1.5 })
  const ships = Array.from({ length: 9 }, (_, i) => {
    const y = 2.5 * (i % 3) - 2.5
    const z = 2.5 * Math.floor(i / 3) - 2.5
    return new SteeringController(null, {
      position: { x: -15, y, z },
      maxSpeed: 6, // m/s
      maxForce: 15, // N
      behavior: priority([
        avoid,
        apart,
        new Arrive({ target: { x: 14, y, z } }),
      ]),
    })
  })
  for (const ship of ships) world.add(ship)
  return { world, agents: [ships], obstacles, lasts: 10 }
}
