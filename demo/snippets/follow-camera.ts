import { ConeGeometry, Mesh, MeshNormalMaterial, PerspectiveCamera, Vector3 } from 'three'
import { FollowPath, Path, SphereShape, SteeringController, SteeringWorld } from 'three-steering'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld()
const points = [0, 1, 2, 3, 4].map((i) => ({
  x: 60 * Math.cos(1.26 * i),
  y: 8 * (i % 2),
  z: 60 * Math.sin(1.26 * i),
}))
export const ship = new Mesh(
  new ConeGeometry(1, 3, 4).rotateX(Math.PI / 2).scale(2, 0.5, 1),
  new MeshNormalMaterial(),
)
export const pilot = new SteeringController(ship, {
  position: { x: 60, y: 0, z: -20 },
  maxSpeed: 15, // m/s
  maxForce: 30, // N
  behavior: new FollowPath({ path: new Path({ points, ends: 'closed' }), speed: 15 }),
})
steering.add(pilot)

export const camera = new PerspectiveCamera(60, 1, 0.1, 1000)
const seat = new Vector3(0, 4, -12) // in the axes of the ship: above it and behind it, m
const wanted = new Vector3()

export function frame(seconds: number): void {
  // first the world, which moves the mesh, then the camera: in the other order the ship trembles
  steering.advance(seconds)
  wanted.copy(seat).applyQuaternion(ship.quaternion).add(ship.position)
  // three quarters of a second to come near, at any frame rate
  camera.position.lerp(wanted, 1 - Math.exp(-4 * seconds))
  camera.lookAt(ship.position)
}

const rocks = points.map((at, i) => ({ shape: new SphereShape(4 + i), at: { ...at, y: at.y - 14 } }))
show(steering, { frame, camera, objects: [ship], obstacles: rocks })
