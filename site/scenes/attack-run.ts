import { AttackRun, Orbit } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const target = new SteeringController(null, {
    position: { x: 4, y: 0, z: 0 },
    radius: 1,
    maxSpeed: 2, // m/s
    maxForce: 5, // N
    behavior: new Orbit({ target: { x: 0, y: 0, z: 0 }, radius: 4 }),
  })
  const run = new AttackRun({
    target,
    range: 9, // m
    projectileSpeed: 40, // m/s
    extension: 14, // m
  })
  const fighter = new SteeringController(null, {
    position: { x: -14, y: 4, z: 6 },
    maxSpeed: 9, // m/s
    maxForce: 25, // N
    behavior: run,
  })
  let stage = ''
  fighter.addEventListener('stage', (event) => (stage = event.stage))
  world.add(target).add(fighter)
  return {
    world,
    agents: [target, fighter],
    readout: () => `stage: ${stage}`,
    size: 18,
  }
}
