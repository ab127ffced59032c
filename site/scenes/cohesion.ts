import {
  blend,
  Cohesion,
  Flock,
  SteeringWorld,
  Wander,
} from 'three-steering'
import { Separation, Tether } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 5 })
  const cohesion = new Cohesion({ neighborDistance: 6, weight: 0.8 })
  const birds = new Flock({
    count: 80,
    maxSpeed: 5, // m/s
    maxForce: 12, // N
    behavior: blend([
      cohesion,
      new Separation({ neighborDistance: 1.5 }),
      { behavior: new Wander(), weight: 0.5 },
      new Tether({ target: { x: 0, y: 0, z: 0 }, radius: 10 }),
    ]),
  })
  world.add(birds)
  return {
    world,
    agents: [birds],
    controls: [
      [cohesion, 'weight', 0, 2],
      [cohesion, 'neighborDistance', 0.5, 12],
    ],
  }
}
