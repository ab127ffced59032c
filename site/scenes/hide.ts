import {
  AvoidObstacles,
  Hide,
  Orbit,
  SphereShape,
} from 'three-steering'
import {
  SteeringController,
  SteeringWorld,
  within,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const rocks = [
    { shape: new SphereShape(2), at: { x: -6, y: 0, z: -3 } },
    { shape: new SphereShape(2.5), at: { x: 5, y: 1, z: -4 } },
    { shape: new SphereShape(2), at: { x: 0, y: -1, z: 5 } },
  ]
  const seeker = new SteeringController(null, {
    position: { x: 14, y: 0, z: 0 },
    maxSpeed: 3, // m/s
    maxForce: 10, // N
    behavior: new Orbit({
      target: { x: 0, y: 0, z: 0 },
      radius: 14, // m
      axis: { x: 0, y: 1, z: 0 },
    }),
  })
  const hide = new Hide({
    target: seeker,
    obstacles: rocks,
    clearance: 0.5,
  })
  const avoid = new AvoidObstacles({ obstacles: rocks })
  const hiders = [-4, 0, 4].map(
    (x) =>
      new SteeringController(null, {
        position: { x, y: 2, z: 0 },
        maxSpeed: 7, // m/s
        maxForce: 20, // N
        behavior: within([avoid], hide),
      }),
  )
  for (const each of [seeker, ...hiders]) world.add(each)
  return {
    world,
    agents: [hiders, seeker],
    obstacles: rocks,
    controls: [
      [hide, 'clearance', 0.1, 3],
      [hide, 'panicDistance', 0, 12],
    ],
  }
}
