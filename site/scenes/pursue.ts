import { Orbit, Pursue, Seek } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const prey = new SteeringController(null, {
    position: { x: 10, y: 0, z: 0 },
    maxSpeed: 6, // m/s
    maxForce: 30, // N
    behavior: new Orbit({
      target: { x: 0, y: 0, z: 0 },
      radius: 10, // m
      axis: { x: 0.2, y: 1, z: 0 },
    }),
  })
  const limits = { maxSpeed: 7, maxForce: 14 }
  const pursuer = new SteeringController(null, {
    ...limits,
    position: { x: -12, y: -4, z: 8 },
    behavior: new Pursue({ target: prey }),
  })
  // for comparison: it flies to where the prey is now
  const seeker = new SteeringController(null, {
    ...limits,
    position: { x: -12, y: -4, z: 6 },
    behavior: new Seek({ target: prey }),
  })
  for (const each of [prey, pursuer, seeker]) world.add(each)
  return { world, agents: [prey, pursuer, seeker], lasts: 12 }
}
