import {
  AvoidObstacles,
  CapsuleShape,
  Orbit,
  priority,
} from 'three-steering'
import {
  Pursue,
  Sight,
  Tether,
  Wander,
  blend,
  within,
} from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 3 })
  const pillars = [-8, 0, 8].map((x) => ({
    shape: new CapsuleShape(1.5, 8),
    at: { x, y: 0, z: 2 },
  }))
  const prey = new SteeringController(null, {
    position: { x: 12, y: 0, z: 6 },
    maxSpeed: 5, // m/s
    maxForce: 15, // N
    behavior: new Orbit({
      target: { x: 0, y: 0, z: 2 },
      radius: 13, // m
      axis: { x: 0, y: 1, z: 0 },
    }),
  })
  const sight = new Sight({
    target: prey,
    obstacles: pillars, // they block the view
    range: 14, // m
    fieldOfView: 2.4, // rad
    memoryTime: 2, // s
  })
  sight.behavior = new Pursue({ target: sight.lastSeen })
  const patrol = blend([
    new Wander({ speedShare: 0.5 }),
    new Tether({ target: { x: 0, y: 0, z: 0 }, radius: 4 }),
  ])
  const hunter = new SteeringController(null, {
    position: { x: 0, y: 0, z: -8 },
    maxSpeed: 6, // m/s
    maxForce: 15, // N
    behavior: within(
      [new AvoidObstacles({ obstacles: pillars })],
      priority([sight, patrol]),
    ),
  })
  let stage = 'forgotten'
  hunter.addEventListener('stage', (event) => (stage = event.stage))
  world.add(prey).add(hunter)
  return {
    world,
    agents: [prey, hunter],
    obstacles: pillars,
    controls: [
      [sight, 'range', 2, 30],
      [sight, 'fieldOfView', 0.2, 6.28],
    ],
    readout: () => `the prey is ${stage}`,
  }
}
