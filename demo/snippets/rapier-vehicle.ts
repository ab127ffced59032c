import RAPIER from '@dimforge/rapier3d-compat'
import { Arrive, SteeringController, SteeringWorld, Wheels } from 'three-steering'
import { rapierDoor } from 'three-steering/rapier'
import { show } from 'three-steering/debug'

await RAPIER.init()

// your physics world: a floor, and a chassis on four springs
const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 })
world.createCollider(RAPIER.ColliderDesc.cuboid(100, 1, 100).setTranslation(0, -1, 0))
export const chassis = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 1, 0))
world.createCollider(RAPIER.ColliderDesc.cuboid(0.9, 0.4, 2).setMass(1000), chassis)
const vehicle = world.createVehicleController(chassis)
const [down, axle] = [
  { x: 0, y: -1, z: 0 },
  { x: -1, y: 0, z: 0 },
]
for (const z of [1.3, -1.3])
  for (const x of [0.9, -0.9]) {
    const wheel = vehicle.numWheels()
    vehicle.addWheel({ x, y: -0.2, z }, down, axle, 0.4, 0.4) // rest length and radius, m
    vehicle.setWheelSuspensionStiffness(wheel, 40)
    vehicle.setWheelFrictionSlip(wheel, 0) // the wheels are springs only: `Wheels` simulates the tyres
  }

const steering = new SteeringWorld()
const door = rapierDoor(steering, world)
export const driver = new SteeringController(null, {
  body: door.body(chassis),
  behavior: new Arrive({ target: { x: 20, y: 1, z: 30 } }),
  maxSpeed: 10, // m/s
  maxForce: 6000, // N
  maxTorque: 6000, // N·m
  locomotion: new Wheels({ wheelbase: 2.6 }),
})
steering.add(driver)

// 60 times a second
export function step(): void {
  vehicle.updateVehicle(world.timestep)
  door.step()
  steering.present()
}
show(steering, { frame: step })
