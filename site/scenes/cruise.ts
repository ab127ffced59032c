import {
  blend,
  Cruise,
  Flock,
  SteeringWorld,
  Tether,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 3 })
  const cruise = new Cruise({ speedShare: 0.7 })
  const home = new Tether({ target: { x: 0, y: 0, z: 0 }, radius: 9 })
  const swarm = new Flock({
    count: 40,
    maxSpeed: 9, // m/s
    maxForce: 14, // N
    behavior: blend([cruise, home]),
  })
  world.add(swarm)
  return {
    world,
    agents: [swarm],
    size: 22,
    controls: [
      [cruise, 'speedShare', 0.1, 1],
      [home, 'radius', 2, 14],
    ],
  }
}
