import {
  BoxShape,
  SteeringController,
  SteeringWorld,
} from 'three-steering'
import { Land, Port } from 'three-steering/docking'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ gravity: { x: 0, y: -9.81, z: 0 } })
  const ground = {
    position: { x: 0, y: -6, z: 0 },
    velocity: { x: 0, y: 0, z: 0 },
  }
  const pad = new Port({
    carrier: ground,
    position: { x: 0, y: 0, z: 0 },
    outward: { x: 0, y: 1, z: 0 },
    corridor: 8, // m
  })
  const lander = new SteeringController(null, {
    position: { x: -13, y: 5, z: 6 },
    velocity: { x: 4, y: 0, z: -3 },
    maxSpeed: 8, // m/s
    maxForce: 16, // N, its weight is 9.81 N
    maxTorque: 4, // N·m
    compensateGravity: true,
    behavior: new Land({ port: pad }),
  })
  let stage = ''
  lander.addEventListener('stage', (event) => (stage = event.stage))
  world.add(lander)
  const floor = new BoxShape({ x: 5, y: 0.5, z: 5 })
  return {
    world,
    agents: [lander],
    obstacles: [{ shape: floor, at: { x: 0, y: -6.5, z: 0 } }],
    readout: () => `stage: ${stage}`,
    lasts: 16,
  }
}
