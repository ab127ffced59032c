import {
  Orbit,
  SteeringController,
  SteeringWorld,
} from 'three-steering'
import { Refuel } from 'three-steering/docking'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const tanker = new SteeringController(null, {
    position: { x: 12, y: 0, z: 0 },
    radius: 1,
    maxSpeed: 4, // m/s
    maxForce: 10, // N
    behavior: new Orbit({
      target: { x: 0, y: 0, z: 0 },
      radius: 12, // m
      axis: { x: 0, y: 1, z: 0 },
      speed: 3.5, // m/s
    }),
  })
  const refuel = new Refuel({
    target: tanker,
    offset: { x: -2.5, y: -1, z: 0 }, // behind and below
    precontact: { x: -3, y: -1.5, z: 0 },
  })
  const fighter = new SteeringController(null, {
    position: { x: -10, y: -5, z: -8 },
    maxSpeed: 9, // m/s
    maxForce: 20, // N
    maxTorque: 8, // N·m
    behavior: refuel,
  })
  let stage = ''
  fighter.addEventListener('stage', (event) => (stage = event.stage))
  world.add(tanker).add(fighter)
  return {
    world,
    agents: [tanker, fighter],
    readout: () => `stage: ${stage}`,
    lasts: 30,
  }
}
