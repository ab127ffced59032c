import {
  FollowPath,
  Path,
  SteeringController,
  SteeringWorld,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const points = [
    { x: -12, y: -3, z: -6 },
    { x: 0, y: 5, z: -8 },
    { x: 12, y: -3, z: -2 },
    { x: 3, y: 0, z: 3 },
    { x: 9, y: 4, z: 9 },
    { x: -11, y: 0, z: 7 },
  ]
  const path = new Path({ points, ends: 'closed', tube: 1 /* m */ })
  const follow = new FollowPath({ path, speed: 7 /* m/s */ })
  const ships = Array.from(
    { length: 5 },
    (_, i) =>
      new SteeringController(null, {
        position: { x: 3 * i - 6, y: 2, z: 0 },
        maxSpeed: 7, // m/s
        maxForce: 18, // N
        behavior: follow,
      }),
  )
  for (const ship of ships) world.add(ship)
  const line = Array.from({ length: 201 }, (_, i) =>
    path.pointAt({ x: 0, y: 0, z: 0 }, (i / 200) * path.lap),
  )
  return {
    world,
    agents: [ships],
    lines: [line],
    controls: [
      [follow, 'speed', 1, 7],
      [ships[0]!, 'maxForce', 4, 40],
    ],
  }
}
