import {
  Arrive,
  AvoidObstacles,
  SphereShape,
  truncatedSum,
} from 'three-steering'
import {
  SteeringController,
  SteeringWorld,
  Wander,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 2 })
  const obstacles = [
    { shape: new SphereShape(3.5), at: { x: 0, y: 0, z: 0 } },
  ]
  // in this order, until the force is used up
  const avoid = new AvoidObstacles({ obstacles })
  const wander = { behavior: new Wander(), weight: 0.4 }
  const ships = Array.from({ length: 9 }, (_, i) => {
    const y = 2.5 * (i % 3) - 2.5
    const z = 2.5 * Math.floor(i / 3) - 2.5
    const arrive = new Arrive({ target: { x: 14, y, z } })
    return new SteeringController(null, {
      position: { x: -15, y, z },
      maxSpeed: 6, // m/s
      maxForce: 15, // N
      behavior: truncatedSum([avoid, arrive, wander], {
        project: true,
      }),
    })
  })
  for (const ship of ships) world.add(ship)
  return { world, agents: [ships], obstacles, lasts: 11 }
}
