import { BoxShape, Contain, Flock, HollowShape } from 'three-steering'
import { SteeringWorld, Wander, within } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 9 })
  const tank = new HollowShape(new BoxShape({ x: 12, y: 6, z: 7 }))
  const bounds = [{ shape: tank }]
  const contain = new Contain({ bounds, clearance: 0.2 /* m */ })
  const fish = new Flock({
    count: 40,
    maxSpeed: 7, // m/s
    maxForce: 15, // N
    behavior: within([contain], new Wander()),
    spawn: (i, { position }) => {
      position.x = 2 * (i % 10) - 9
      position.y = 2 * (i % 5) - 4
      position.z = 2 * Math.floor(i / 10) - 3
    },
  })
  world.add(fish)
  return {
    world,
    agents: [fish],
    obstacles: bounds,
    controls: [[contain, 'clearance', 0, 3]],
  }
}
