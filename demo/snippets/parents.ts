import { BoxGeometry, Group, Mesh, MeshNormalMaterial, Scene } from 'three'
import { Arrive, SteeringController, SteeringWorld } from 'three-steering'
import { objectView } from 'three-steering/three'
import { show } from 'three-steering/debug'

// a carrier that is moved and turned, with a drone inside of its group
export const carrier = new Group()
carrier.position.set(10, 2, 0)
carrier.rotation.y = Math.PI / 2
export const drone = new Mesh(new BoxGeometry(1, 0.4, 2), new MeshNormalMaterial())
drone.position.set(0, 3, 0) // in the group; in the world it is at (10, 5, 0)
carrier.add(drone)
const scene = new Scene()
scene.add(carrier)
scene.updateMatrixWorld()

const steering = new SteeringWorld()
export const pilot = new SteeringController(objectView(drone), {
  forward: { x: 0, y: 0, z: -1 }, // the nose of this model is its −Z axis
  maxSpeed: 10, // m/s
  maxForce: 20, // N
  behavior: new Arrive({ target: { x: 30, y: 5, z: 0 } }), // in the world
})
steering.add(pilot)

export function frame(delta: number): void {
  steering.advance(delta)
}
show(steering, { frame, objects: [carrier] })
