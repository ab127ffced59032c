import {
  Arrive,
  AvoidObstacles,
  dither,
  SphereShape,
} from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 4 })
  const obstacles = [
    { shape: new SphereShape(3.5), at: { x: 0, y: 0, z: 0 } },
  ]
  const avoid = new AvoidObstacles({ obstacles })
  const often = { behavior: avoid, probability: 0.9 }
  const ships = Array.from({ length: 9 }, (_, i) => {
    const y = 2.5 * (i % 3) - 2.5
    const z = 2.5 * Math.floor(i / 3) - 2.5
    return new SteeringController(null, {
      position: { x: -15, y, z },
      maxSpeed: 6, // m/s
      maxForce: 15, // N
      behavior: dither([
        often,
        new Arrive({ target: { x: 14, y, z } }),
      ]),
    })
  })
  for (const ship of ships) world.add(ship)
  return { world, agents: [ships], obstacles, lasts: 10 }
}
