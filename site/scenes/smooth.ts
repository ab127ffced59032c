import { priority, Seek, smooth, SphereShape } from 'three-steering'
import { ClassicAvoidance } from 'three-steering/classic'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const obstacles = [
    { shape: new SphereShape(3.5), at: { x: 0, y: 0, z: 0 } },
  ]
  // the same tree, as it is and smoothed
  const tree = (y: number) =>
    priority([
      new ClassicAvoidance({ obstacles }),
      new Seek({ target: { x: 40, y, z: 0 } }),
    ])
  const smoothed = smooth(tree(-0.6), { time: 0.2 /* s */ })
  const [plain, calm] = [tree(0.6), smoothed].map(
    (behavior, i) =>
      new SteeringController(null, {
        position: { x: -15, y: 0.6 - 1.2 * i, z: 0.3 },
        maxSpeed: 6, // m/s
        maxForce: 15, // N
        behavior,
      }),
  )
  world.add(plain!).add(calm!)
  return {
    world,
    agents: [plain!, calm!],
    obstacles,
    controls: [[smoothed, 'time', 0, 1]],
    lasts: 6,
  }
}
