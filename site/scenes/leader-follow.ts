import { FollowPath, LeaderFollow, Path } from 'three-steering'
import { ReciprocalAvoidance, within } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const points = [
    { x: -11, y: 0, z: -8 },
    { x: 11, y: 4, z: -8 },
    { x: 11, y: 0, z: 8 },
    { x: -11, y: -4, z: 8 },
  ]
  const path = new Path({ points, ends: 'closed' })
  const leader = new SteeringController(null, {
    position: { ...points[0]! },
    maxSpeed: 5, // m/s
    maxForce: 15, // N
    behavior: new FollowPath({ path }),
  })
  const follow = new LeaderFollow({
    target: leader,
    distance: 3, // m
    clearance: 2, // m
  })
  const apart = new ReciprocalAvoidance({ neighborDistance: 8 })
  const followers = Array.from(
    { length: 6 },
    (_, i) =>
      new SteeringController(null, {
        position: { x: -14, y: 2 * i - 5, z: -10 },
        maxSpeed: 7, // m/s
        maxForce: 15, // N
        behavior: within([apart], follow),
      }),
  )
  for (const each of [leader, ...followers]) world.add(each)
  return {
    world,
    agents: [leader, followers],
    controls: [
      [follow, 'distance', 1.5, 8],
      [follow, 'clearance', 0, 5],
    ],
  }
}
