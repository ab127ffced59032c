import { Evade, modes, Orbit, Pursue, Wander } from 'three-steering'
import {
  blend,
  SteeringController,
  SteeringWorld,
  Tether,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 5 })
  // stronger than the wish to flee
  const near = new Tether({
    target: { x: 0, y: 0, z: 0 },
    radius: 10,
    weight: 2,
  })
  const raider = new SteeringController(null, {
    position: { x: 12, y: 0, z: 0 },
    maxSpeed: 4, // m/s
    maxForce: 10, // N
    behavior: blend([new Wander(), near]),
  })
  const trees = modes({
    patrol: new Orbit({ target: { x: 0, y: 0, z: 0 }, radius: 8 }),
    chase: new Pursue({ target: raider }),
    flee: blend([new Evade({ target: raider }), near]),
  })
  const guard = new SteeringController(null, {
    position: { x: -8, y: 0, z: 0 },
    maxSpeed: 7, // m/s
    maxForce: 18, // N
    behavior: trees,
  })
  world.add(raider).add(guard)
  // the decision of the game: a mode for four seconds each
  world.addPlanner({
    plan({ time }) {
      const names = ['patrol', 'chase', 'flee'] as const
      trees.current = names[Math.floor(time / 4) % 3]!
    },
  })
  return {
    world,
    agents: [raider, guard],
    readout: () => `mode: ${trees.current}`,
  }
}
