import { BoxShape, SphereShape } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import { Dock, Port } from 'three-steering/docking'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  // a station that turns about the vertical
  const station = {
    position: { x: 0, y: 0, z: 0 },
    velocity: { x: 0, y: 0, z: 0 },
    quaternion: { x: 0, y: 0, z: 0, w: 1 },
    angularVelocity: { x: 0, y: 0.1, z: 0 }, // rad/s
  }
  const port = new Port({
    carrier: station,
    position: { x: 4, y: 0, z: 0 }, // x ahead, y up, z to starboard
    outward: { x: 1, y: 0, z: 0 },
    corridor: 6, // m
    clearance: 4.5, // m
  })
  const ship = new SteeringController(null, {
    position: { x: -12, y: 4, z: -9 },
    maxSpeed: 6, // m/s
    maxForce: 6, // N
    maxTorque: 4, // N·m
    behavior: new Dock({ port }),
  })
  let stage = ''
  ship.addEventListener('stage', (event) => (stage = event.stage))
  world.add(ship)
  world.addPlanner({
    plan({ time }) {
      station.quaternion.y = Math.sin(0.05 * time)
      station.quaternion.w = Math.cos(0.05 * time)
    },
  })
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
    size: 13,
    readout: () => `stage: ${stage}`,
    lasts: 26,
  }
}
