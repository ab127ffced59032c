import { BoxShape, SphereShape } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import { Port, Undock } from 'three-steering/docking'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const station = {
    position: { x: 0, y: 0, z: -4 },
    velocity: { x: 0, y: 0, z: 0 },
    quaternion: { x: 0, y: 0, z: 0, w: 1 }, // its nose is +Z
  }
  const port = new Port({
    carrier: station,
    position: { x: 4, y: 0, z: 0 }, // x ahead, y up, z to starboard
    outward: { x: 1, y: 0, z: 0 },
    corridor: 8, // m
  })
  // docked: its nose touches the port, 4 m ahead of the station
  const undock = new Undock({ port, exitSpeed: 2 /* m/s */ })
  const ship = new SteeringController(null, {
    position: { x: 0, y: 0, z: 0.5 },
    quaternion: { x: 0, y: 1, z: 0, w: 0 },
    maxSpeed: 6, // m/s
    maxForce: 4, // N
    maxTorque: 4, // N·m
    behavior: undock,
  })
  let stage = 'docked'
  ship.addEventListener('stage', (event) => (stage = event.stage))
  world.add(ship)
  return {
    world,
    agents: [ship],
    obstacles: [
      { shape: new SphereShape(3.6), at: station },
      {
        shape: new BoxShape({ x: 0.6, y: 0.6, z: 0.5 }),
        at: station,
        offset: { x: 0, y: 0, z: 3.5 }, // ahead is +Z of a body
      },
    ],
    controls: [[undock, 'exitSpeed', 0.5, 4]],
    readout: () => `stage: ${stage}`,
    size: 12,
    lasts: 8,
  }
}
