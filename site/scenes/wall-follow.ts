import {
  BoxShape,
  CapsuleShape,
  SphereShape,
  WallFollow,
} from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const obstacles = [
    { shape: new SphereShape(4), at: { x: -6, y: 0, z: 0 } },
    {
      shape: new BoxShape({ x: 4, y: 2, z: 3 }),
      at: { x: 3, y: 0, z: 0 },
    },
    { shape: new CapsuleShape(1.5, 6), at: { x: 9, y: 0, z: 0 } },
  ]
  const follow = new WallFollow({ obstacles, distance: 1.5 /* m */ })
  const probes = [-2, 0, 2].map(
    (z) =>
      new SteeringController(null, {
        position: { x: -14, y: 3, z },
        velocity: { x: 3, y: z, z: 1 },
        maxSpeed: 6, // m/s
        maxForce: 20, // N
        behavior: follow,
      }),
  )
  for (const probe of probes) world.add(probe)
  return {
    world,
    agents: [probes],
    obstacles,
    controls: [[follow, 'distance', 0.5, 4]],
  }
}
