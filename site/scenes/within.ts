import {
  Arrive,
  AvoidObstacles,
  ReciprocalAvoidance,
} from 'three-steering'
import { SphereShape, within } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const obstacles = [
    { shape: new SphereShape(3), at: { x: 0, y: 0, z: 0 } },
    { shape: new SphereShape(1.5), at: { x: 5, y: 3, z: 3 } },
    { shape: new SphereShape(2), at: { x: -5, y: -2, z: -4 } },
  ]
  // what must hold, and what is wanted
  const constraints = [
    new AvoidObstacles({ obstacles }),
    new ReciprocalAvoidance(),
  ]
  const ships = Array.from({ length: 16 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 16
    const from = {
      x: 13 * Math.cos(angle),
      y: i % 3,
      z: 13 * Math.sin(angle),
    }
    const wish = new Arrive({
      target: { x: -from.x, y: from.y, z: -from.z },
    })
    return new SteeringController(null, {
      position: { ...from },
      maxSpeed: 6, // m/s
      maxForce: 15, // N
      behavior: within(constraints, wish),
    })
  })
  for (const ship of ships) world.add(ship)
  return { world, agents: [ships], obstacles, lasts: 11 }
}
