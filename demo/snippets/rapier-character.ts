import RAPIER from '@dimforge/rapier3d-compat'
import { Arrive, AvoidObstacles, SteeringController, SteeringWorld, Walker, within } from 'three-steering'
import { obstaclesFromRapier, rapierDoor } from 'three-steering/rapier'
import { show } from 'three-steering/debug'

await RAPIER.init()
const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 })
world.createCollider(RAPIER.ColliderDesc.cuboid(30, 0.5, 30).setTranslation(0, -0.5, 0)) // ground
world.createCollider(RAPIER.ColliderDesc.cuboid(4, 1, 0.5).setTranslation(0, 1, 8)) // a wall
export const person = world.createRigidBody(
  RAPIER.RigidBodyDesc.kinematicPositionBased().setTranslation(0, 0.91, 0),
)
const capsule = world.createCollider(RAPIER.ColliderDesc.capsule(0.6, 0.3), person)
const feet = world.createCharacterController(0.01)
feet.enableAutostep(0.4, 0.2, false)
feet.enableSnapToGround(0.3)

const steering = new SteeringWorld()
const door = rapierDoor(steering, world)
const obstacles = obstaclesFromRapier(world)
const walker = new SteeringController(null, {
  body: door.character(capsule, feet, { mass: 70 }),
  maxSpeed: 1.5, // m/s
  maxForce: 350, // N
  radius: 0.3, // m
  locomotion: new Walker(),
  behavior: within([new AvoidObstacles({ obstacles })], new Arrive({ target: { x: 0, y: 0.9, z: 16 } })),
})
steering.add(walker)

// each rendered frame, with the seconds since the last one
export function frame(delta: number): void {
  door.advance(delta)
}
show(steering, { frame, obstacles })
