import { blend, Cruise, Flock, Flocking, Tether } from 'three-steering'
import { SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 7 })
  const flocking = new Flocking({
    separation: { neighborDistance: 2, weight: 1.2 },
    alignment: { neighborDistance: 5, weight: 1 },
    cohesion: { neighborDistance: 5, weight: 0.6 },
  })
  const birds = new Flock({
    count: 150,
    radius: 0.3, // m
    maxSpeed: 7, // m/s
    maxForce: 14, // N
    maxNeighbors: 7,
    behavior: blend([
      flocking,
      { behavior: new Cruise({ speedShare: 0.8 }), weight: 0.5 },
      new Tether({ target: { x: 0, y: 0, z: 0 }, radius: 7 /* m */ }),
    ]),
  })
  world.add(birds)
  return {
    world,
    agents: [birds],
    controls: [
      [flocking.separation, 'weight', 0, 3, 'separation'],
      [flocking.alignment, 'weight', 0, 3, 'alignment'],
      [flocking.cohesion, 'weight', 0, 3, 'cohesion'],
    ],
  }
}
