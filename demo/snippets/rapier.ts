import RAPIER from '@dimforge/rapier3d-compat'
import { Arrive, AvoidObstacles, SteeringController, SteeringWorld, within } from 'three-steering'
import { MeshShape } from 'three-steering/bvh'
import { obstaclesFromRapier, rapierDoor } from 'three-steering/rapier'
import { show } from 'three-steering/debug'

await RAPIER.init()

// your physics world: a ship, a rock, and a terrain without a body
const world = new RAPIER.World({ x: 0, y: 0, z: 0 })
export const ship = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 0, -40))
world.createCollider(RAPIER.ColliderDesc.ball(1).setMass(10), ship)
world.createCollider(RAPIER.ColliderDesc.ball(6), world.createRigidBody(RAPIER.RigidBodyDesc.fixed()))
const heights = new Float32Array(121).map((_, i) => Math.sin(i))
const terrain = RAPIER.ColliderDesc.heightfield(10, 10, heights, { x: 100, y: 1, z: 100 })
world.createCollider(terrain.setTranslation(0, -12, 0))

// the steering; height fields and triangle meshes need three-mesh-bvh
const steering = new SteeringWorld()
const door = rapierDoor(steering, world)
const obstacles = obstaclesFromRapier(world, { mesh: (triangles) => new MeshShape(triangles) })
const pilot = new SteeringController(null, {
  body: door.body(ship),
  maxSpeed: 15, // m/s
  maxForce: 120, // N
  maxTorque: 60, // N·m
  behavior: within([new AvoidObstacles({ obstacles })], new Arrive({ target: { x: 0, y: 0, z: 40 } })),
})
steering.add(pilot)
pilot.addEventListener('arrive', () => console.info('there'))

// each rendered frame, with the seconds since the last one
export function frame(delta: number): void {
  door.advance(delta)
}
show(steering, { frame, obstacles })
