import { MatchVelocity, Orbit } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const limits = { maxSpeed: 9, maxForce: 20 }
  const leader = new SteeringController(null, {
    ...limits,
    position: { x: 6, y: 0, z: 0 },
    behavior: new Orbit({
      target: { x: 0, y: 0, z: 0 },
      radius: 6, // m
      axis: { x: 0.3, y: 1, z: 0 },
    }),
  })
  const others = [0, 3, 9, 12].map(
    (x) =>
      new SteeringController(null, {
        ...limits,
        position: { x, y: x - 6, z: 3 },
        behavior: new MatchVelocity({ target: leader }),
      }),
  )
  for (const each of [leader, ...others]) world.add(each)
  return { world, agents: [leader, others], lasts: 20 }
}
