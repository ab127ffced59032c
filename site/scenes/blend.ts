import {
  blend,
  Flock,
  Seek,
  SteeringWorld,
  Wander,
} from 'three-steering'
import { Separation } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 3 })
  const lamp = { x: 0, y: 0, z: 0 }
  const tree = blend([
    { behavior: new Seek({ target: lamp }), weight: 0.5 },
    { behavior: new Wander(), weight: 0.5 },
    { behavior: new Separation({ neighborDistance: 2 }), weight: 1 },
  ])
  const moths = new Flock({
    count: 40,
    maxSpeed: 6, // m/s
    maxForce: 14, // N
    behavior: tree,
  })
  world.add(moths)
  return {
    world,
    agents: [moths],
    targets: [lamp],
    controls: [
      [tree.parts[0]!, 'weight', 0, 2, 'seek'],
      [tree.parts[1]!, 'weight', 0, 2, 'wander'],
      [tree.parts[2]!, 'weight', 0, 2, 'separation'],
    ],
  }
}
