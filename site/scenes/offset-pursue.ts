import { OffsetPursue, Orbit } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const leader = new SteeringController(null, {
    position: { x: 9, y: 0, z: 0 },
    maxSpeed: 6, // m/s
    maxForce: 15, // N
    behavior: new Orbit({
      target: { x: 0, y: 0, z: 0 },
      radius: 9, // m
      axis: { x: 0.3, y: 1, z: 0 },
    }),
  })
  // x ahead, y up, z to starboard of the leader
  const places = [
    { x: -2.5, y: 0, z: -2 },
    { x: -2.5, y: 0, z: 2 },
    { x: -5, y: 0, z: -4 },
    { x: -5, y: 0, z: 4 },
  ]
  const wing = places.map(
    (offset, i) =>
      new SteeringController(null, {
        position: { x: 12 + i, y: -3, z: -8 },
        maxSpeed: 10, // m/s
        maxForce: 25, // N
        behavior: new OffsetPursue({ target: leader, offset }),
      }),
  )
  for (const each of [leader, ...wing]) world.add(each)
  return { world, agents: [leader, wing] }
}
