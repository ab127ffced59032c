import { Arrive, ReciprocalAvoidance, within } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const avoid = new ReciprocalAvoidance({ clearance: 0.15 /* m */ })
  // on a sphere, each opposite its target
  const darts = Array.from({ length: 40 }, (_, i) => {
    const y = 1 - (2 * i + 1) / 40
    const angle = 2.4 * i
    const r = 13 * Math.sqrt(1 - y * y)
    const from = {
      x: r * Math.cos(angle),
      y: 13 * y,
      z: r * Math.sin(angle),
    }
    const target = { x: -from.x, y: -from.y, z: -from.z }
    return new SteeringController(null, {
      position: { ...from },
      maxSpeed: 6, // m/s
      maxForce: 15, // N
      behavior: within([avoid], new Arrive({ target })),
    })
  })
  for (const dart of darts) world.add(dart)
  return {
    world,
    agents: [darts],
    size: 18,
    controls: [
      [avoid, 'clearance', 0, 1],
      [avoid, 'caution', 0.5, 6],
    ],
    lasts: 12,
  }
}
