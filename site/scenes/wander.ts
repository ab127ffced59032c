import {
  Contain,
  Flock,
  HollowShape,
  SphereShape,
} from 'three-steering'
import { SteeringWorld, Wander, within } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 4 })
  const wander = new Wander()
  const room = [{ shape: new HollowShape(new SphereShape(13)) }]
  const moths = new Flock({
    count: 8,
    maxSpeed: 6, // m/s
    maxForce: 15, // N
    behavior: within([new Contain({ bounds: room })], wander),
  })
  world.add(moths)
  return {
    world,
    agents: [moths],
    obstacles: room,
    controls: [
      [wander, 'jitter', 0, 4],
      [wander, 'radius', 0.2, 4],
      [wander, 'distance', 0, 6],
    ],
  }
}
