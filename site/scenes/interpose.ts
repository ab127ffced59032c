import { Interpose, Orbit } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const limits = { maxSpeed: 5, maxForce: 12 }
  const [first, second] = [-8, 8].map(
    (x) =>
      new SteeringController(null, {
        ...limits,
        position: { x, y: 0, z: 4 },
        behavior: new Orbit({
          target: { x, y: 0, z: 0 },
          radius: 4, // m
          axis: { x: 0, y: 1, z: x / 8 },
        }),
      }),
  )
  const interpose = new Interpose({ targets: [first!, second!] })
  const guard = new SteeringController(null, {
    position: { x: 0, y: -7, z: -6 },
    maxSpeed: 8, // m/s
    maxForce: 25, // N
    behavior: interpose,
  })
  for (const each of [guard, first!, second!]) world.add(each)
  return {
    world,
    agents: [guard, [first!, second!]],
    controls: [[interpose, 'ratio', 0, 1]],
  }
}
