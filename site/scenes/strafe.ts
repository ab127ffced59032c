import {
  SteeringController,
  SteeringWorld,
  Strafe,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const gun = {
    position: { x: 0, y: 0, z: 0 },
    velocity: { x: 0, y: 0, z: 0 },
  }
  const strafe = new Strafe({
    target: gun,
    missDistance: 3, // m
    extension: 12, // m
    aim: 'nose', // the nose points at the target during a pass
  })
  const fighter = new SteeringController(null, {
    position: { x: -14, y: 5, z: 6 },
    maxSpeed: 9, // m/s
    maxForce: 25, // N
    maxTorque: 20, // N·m
    behavior: strafe,
  })
  let stage = ''
  fighter.addEventListener('stage', (event) => (stage = event.stage))
  world.add(fighter)
  return {
    world,
    agents: [fighter],
    targets: [gun],
    controls: [[strafe, 'missDistance', 1, 8]],
    readout: () => `stage: ${stage}`,
    size: 18,
  }
}
