import { Alignment, blend, Cruise, Flock, Tether } from 'three-steering'
import { SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 3 })
  const alignment = new Alignment({ neighborDistance: 5, weight: 1 })
  const birds = new Flock({
    count: 80,
    maxSpeed: 6, // m/s
    maxForce: 12, // N
    behavior: blend([
      alignment,
      { behavior: new Cruise(), weight: 0.5 },
      new Tether({ target: { x: 0, y: 0, z: 0 }, radius: 9 }),
    ]),
  })
  world.add(birds)
  return {
    world,
    agents: [birds],
    controls: [
      [alignment, 'weight', 0, 2],
      [alignment, 'neighborDistance', 0.5, 10],
    ],
  }
}
