import { Arrive, blend, Flee } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const threat = { x: 0, y: 0, z: 0 }
  const flee = new Flee({ target: threat, panicDistance: 6 })
  const ships = Array.from({ length: 49 }, (_, i) => {
    const home = {
      x: 4 * (i % 7) - 12,
      y: 0,
      z: 4 * Math.floor(i / 7) - 12,
    }
    const stay = new Arrive({ target: home })
    return new SteeringController(null, {
      position: { ...home },
      maxSpeed: 8, // m/s
      maxForce: 20, // N
      behavior: blend([flee, { behavior: stay, weight: 0.4 }]),
    })
  })
  for (const ship of ships) world.add(ship)
  world.addPlanner({
    plan({ time }) {
      threat.x = 11 * Math.sin(0.5 * time)
      threat.z = 11 * Math.sin(0.7 * time)
      threat.y = 2 * Math.sin(time)
    },
  })
  return {
    world,
    agents: [ships],
    targets: [{ position: threat }],
    size: 20,
    controls: [[flee, 'panicDistance', 1, 12]],
  }
}
