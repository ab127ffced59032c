import { JoinUp, Orbit } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const leader = new SteeringController(null, {
    position: { x: 12, y: 0, z: 0 },
    maxSpeed: 6, // m/s
    maxForce: 20, // N
    behavior: new Orbit({
      target: { x: 0, y: 0, z: 0 },
      radius: 12, // m
      axis: { x: 0, y: 1, z: 0.3 },
    }),
  })
  const wing = [-1, 1].map(
    (side) =>
      new SteeringController(null, {
        position: { x: -10, y: 6 * side, z: -12 },
        maxSpeed: 10, // m/s
        maxForce: 20, // N
        behavior: new JoinUp({
          target: leader,
          offset: { x: -3, y: 0, z: 2.5 * side }, // behind, to a side
        }),
      }),
  )
  for (const each of [leader, ...wing]) world.add(each)
  return { world, agents: [leader, wing], lasts: 16 }
}
