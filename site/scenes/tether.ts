import {
  blend,
  Flock,
  SteeringWorld,
  Tether,
  Wander,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 5 })
  const roost = { x: 0, y: 0, z: 0 }
  const tether = new Tether({ target: roost, radius: 6 /* m */ })
  const birds = new Flock({
    count: 30,
    maxSpeed: 7, // m/s
    maxForce: 12, // N
    behavior: blend([new Wander(), tether]),
  })
  world.add(birds)
  return {
    world,
    agents: [birds],
    targets: [roost],
    controls: [
      [tether, 'radius', 0, 12],
      [tether, 'weight', 0.1, 3],
    ],
  }
}
