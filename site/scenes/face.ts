import { Face, SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const target = { x: 8, y: 0, z: 0 }
  const turrets = [-10, -5, 0, 5, 10].map(
    (x) =>
      new SteeringController(null, {
        position: { x, y: -3, z: -2 },
        radius: 0.9, // m
        maxSpeed: 5, // m/s
        maxForce: 10, // N
        maxTorque: 2, // N·m
        behavior: new Face({ target }),
      }),
  )
  for (const turret of turrets) world.add(turret)
  world.addPlanner({
    plan({ time }) {
      target.x = 12 * Math.cos(0.8 * time)
      target.y = 4 + 4 * Math.sin(1.3 * time)
      target.z = 9 * Math.sin(0.8 * time)
    },
  })
  return {
    world,
    agents: [turrets],
    targets: [{ position: target }],
    size: 13,
  }
}
