import * as CANNON from 'cannon-es'
import { Arrive, SteeringController, SteeringWorld } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { show } from 'three-steering/debug'

const world = new CANNON.World({ gravity: new CANNON.Vec3(0, -9.81, 0) })
const ground = new CANNON.Body({ mass: 0, shape: new CANNON.Plane() })
ground.quaternion.setFromEuler(-Math.PI / 2, 0, 0)
export const body = new CANNON.Body({
  mass: 4,
  shape: new CANNON.Sphere(0.5),
  position: new CANNON.Vec3(0, 0.5, 0),
})
world.addBody(ground)
world.addBody(body)

const steering = new SteeringWorld()
attachToCannon(steering, world)
const weight = body.mass * 9.81 // 39 N
const drone = new SteeringController(null, {
  body: cannonBody(body),
  maxSpeed: 8, // m/s
  maxForce: 2 * weight, // half of it carries the drone, the other half accelerates it by 9.81 m/s²
  compensateGravity: true,
  behavior: new Arrive({ target: { x: 10, y: 6, z: 0 } }),
})
steering.add(drone)
drone.addEventListener('arrive', () => console.info('it hovers'))

export function frame(delta: number): void {
  world.step(1 / 60, delta)
}
show(steering, { frame })
