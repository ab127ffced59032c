import {
  AvoidObstacles,
  contextMap,
  Seek,
  SphereShape,
} from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const obstacles = [
    { shape: new SphereShape(3), at: { x: -2, y: 0, z: 0 } },
    { shape: new SphereShape(2.5), at: { x: 5, y: 2, z: -3 } },
    { shape: new SphereShape(2.5), at: { x: 5, y: -2, z: 3 } },
  ]
  const tree = (y: number, z: number) =>
    contextMap({
      interest: [new Seek({ target: { x: 40, y, z } })],
      danger: [new AvoidObstacles({ obstacles })],
      directions: 120,
    })
  const ships = Array.from({ length: 9 }, (_, i) => {
    const y = 2.5 * (i % 3) - 2.5
    const z = 2.5 * Math.floor(i / 3) - 2.5
    return new SteeringController(null, {
      position: { x: -15, y, z },
      maxSpeed: 6, // m/s
      maxForce: 15, // N
      behavior: tree(y, z),
    })
  })
  for (const ship of ships) world.add(ship)
  return { world, agents: [ships], obstacles, lasts: 6 }
}
