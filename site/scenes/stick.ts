import {
  AvoidObstacles,
  Contain,
  HollowShape,
  SphereShape,
} from 'three-steering'
import {
  SteeringController,
  SteeringWorld,
  Stick,
  within,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const rocks = [
    { shape: new SphereShape(3), at: { x: 6, y: 0, z: 4 } },
    { shape: new SphereShape(2), at: { x: -7, y: 2, z: 3 } },
    { shape: new SphereShape(2.5), at: { x: 0, y: -3, z: -8 } },
  ]
  const room = [{ shape: new HollowShape(new SphereShape(16)) }]
  // a game sets these fields from the keyboard or a gamepad
  const stick = new Stick({
    ahead: 0.7,
    yaw: -0.2,
    turnRate: 2 /* rad/s */,
  })
  const assists = [
    new AvoidObstacles({ obstacles: rocks }),
    new Contain({ bounds: room }),
  ]
  const ship = new SteeringController(null, {
    position: { x: 0, y: 0, z: -2 },
    maxSpeed: 8, // m/s
    maxForce: 20, // N
    maxTorque: 10, // N·m
    behavior: within(assists, stick),
  })
  world.add(ship)
  return {
    world,
    agents: [ship],
    obstacles: rocks,
    controls: [
      [stick, 'ahead', -1, 1],
      [stick, 'yaw', -1, 1],
      [stick, 'pitch', -1, 1],
    ],
  }
}
