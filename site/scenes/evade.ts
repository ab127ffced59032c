import { Contain, Evade, HollowShape, Pursue } from 'three-steering'
import { SphereShape, within } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const room = [{ shape: new HollowShape(new SphereShape(15)) }]
  const inside = [new Contain({ bounds: room })]
  // faster, but it turns wider
  const hunter = new SteeringController(null, {
    position: { x: -12, y: 0, z: 0 },
    maxSpeed: 9, // m/s
    maxForce: 9, // N
    behavior: { steer: () => undefined },
  })
  const evade = new Evade({ target: hunter, panicDistance: 30 /* m */ })
  const prey = new SteeringController(null, {
    position: { x: 2, y: 2, z: 0 },
    maxSpeed: 7, // m/s
    maxForce: 25, // N
    behavior: within(inside, evade),
  })
  hunter.behavior = within(inside, new Pursue({ target: prey }))
  world.add(hunter).add(prey)
  return {
    world,
    agents: [prey, hunter],
    obstacles: room,
    size: 18,
    controls: [
      [hunter, 'maxForce', 4, 40],
      [evade, 'panicDistance', 2, 30],
    ],
  }
}
