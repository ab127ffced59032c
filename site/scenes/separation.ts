import {
  blend,
  Flock,
  Separation,
  SteeringWorld,
  Tether,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 4 })
  const separation = new Separation({ neighborDistance: 4, weight: 1 })
  const home = new Tether({
    target: { x: 0, y: 0, z: 0 },
    radius: 0,
    fadeWidth: 20,
  })
  const drones = new Flock({
    count: 90,
    maxSpeed: 5, // m/s
    maxForce: 12, // N
    behavior: blend([separation, home]),
    spawn: (i, { position, velocity }) => {
      position.x = 0.3 * Math.cos(i)
      position.y = 0.3 * Math.sin(i)
      position.z = 0.01 * i
      velocity.x = velocity.y = velocity.z = 0
    },
  })
  world.add(drones)
  return {
    world,
    agents: [drones],
    controls: [
      [separation, 'neighborDistance', 0.5, 8],
      [separation, 'weight', 0, 3],
    ],
  }
}
