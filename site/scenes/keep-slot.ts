import {
  Orbit,
  SteeringController,
  SteeringWorld,
} from 'three-steering'
import {
  Formation,
  KeepSlot,
  wedgePattern,
} from 'three-steering/formation'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const leader = new SteeringController(null, {
    position: { x: 11, y: 0, z: 0 },
    maxSpeed: 5, // m/s
    maxForce: 15, // N
    behavior: new Orbit({
      target: { x: 0, y: 0, z: 0 },
      radius: 11, // m
      axis: { x: 0.2, y: 1, z: 0 },
    }),
  })
  const formation = new Formation({
    leader,
    pattern: wedgePattern,
    spacing: 2.2, // m
  })
  const wing = Array.from(
    { length: 8 },
    (_, i) =>
      new SteeringController(null, {
        position: { x: 14, y: 1.5 * i - 5, z: -10 },
        maxSpeed: 9, // m/s
        maxForce: 25, // N
        behavior: new KeepSlot({ formation }),
      }),
  )
  for (const each of [leader, ...wing]) world.add(each)
  return {
    world,
    agents: [leader, wing],
    controls: [[formation, 'spacing', 1.5, 4]],
  }
}
