import * as CANNON from 'cannon-es'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  CapsuleShape,
  Contain,
  HollowShape,
  Obstacles,
} from 'three-steering'
import { SteeringController, SteeringWorld, within } from 'three-steering'
import { attachToCannon, cannonBody, obstaclesFromCannon } from 'three-steering/cannon'
import { show } from 'three-steering/debug'

const world = new CANNON.World({ gravity: new CANNON.Vec3(0, 0, 0) })
const rock = new CANNON.Body({ mass: 500, shape: new CANNON.Sphere(9), velocity: new CANNON.Vec3(0, 1, 0) })
const ship = new CANNON.Body({ mass: 10, shape: new CANNON.Sphere(1), position: new CANNON.Vec3(0, 0, -60) })
world.addBody(rock)
world.addBody(ship)

const steering = new SteeringWorld()
attachToCannon(steering, world)

// every body that is not steered, static or moving, including bodies added later
const rocks = obstaclesFromCannon(world)
// obstacles without a body: shapes at a fixed place, or attached to a moving object
const tower = new Obstacles([{ shape: new CapsuleShape(4, 60), at: { x: 3, y: 0, z: 30 } }])

const pilot = new SteeringController(null, {
  body: cannonBody(ship),
  maxSpeed: 20, // m/s
  maxForce: 150, // N
  maxTorque: 60, // N·m
  behavior: within(
    [
      new AvoidObstacles({ obstacles: rocks }),
      new AvoidObstacles({ obstacles: tower }),
      new Contain({ bounds: [{ shape: new HollowShape(new BoxShape({ x: 80, y: 80, z: 80 })) }] }),
    ],
    new Arrive({ target: { x: 0, y: 0, z: 60 } }),
  ),
})
steering.add(pilot)
pilot.addEventListener('arrive', () => console.info('not a scratch'))

// called once per rendered frame, with the seconds since the last one
export function frame(delta: number): void {
  world.step(1 / 60, delta)
  steering.present()
}
show(steering, { frame, obstacles: [...rocks, ...tower] })
