import { Body, Box, RaycastVehicle, Vec3, World } from 'cannon-es'
import { Arrive, SteeringController, SteeringWorld, Wheels } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { show } from 'three-steering/debug'

// your physics world: a floor, and a chassis on four springs
const world = new World({ gravity: new Vec3(0, -9.81, 0) })
world.addBody(new Body({ mass: 0, shape: new Box(new Vec3(100, 1, 100)), position: new Vec3(0, -1, 0) }))
const shape = new Box(new Vec3(0.9, 0.4, 2))
export const chassisBody = new Body({ mass: 1000, shape, position: new Vec3(0, 1, 0) })
const vehicle = new RaycastVehicle({ chassisBody, indexForwardAxis: 2, indexRightAxis: 0, indexUpAxis: 1 })
for (const z of [1.3, -1.3])
  for (const x of [0.9, -0.9])
    vehicle.addWheel({
      chassisConnectionPointLocal: new Vec3(x, -0.2, z),
      directionLocal: new Vec3(0, -1, 0),
      axleLocal: new Vec3(-1, 0, 0),
      radius: 0.4, // m
      suspensionRestLength: 0.4, // m
      suspensionStiffness: 40,
      dampingCompression: 3,
      dampingRelaxation: 3,
      frictionSlip: 0, // the wheels are springs only: `Wheels` simulates the tyres
    })
vehicle.addToWorld(world)

const steering = new SteeringWorld()
attachToCannon(steering, world)
export const driver = new SteeringController(null, {
  body: cannonBody(chassisBody),
  behavior: new Arrive({ target: { x: 20, y: 1, z: 30 } }),
  maxSpeed: 10, // m/s
  maxForce: 6000, // N
  maxTorque: 6000, // N·m
  locomotion: new Wheels({ wheelbase: 2.6 }),
})
steering.add(driver)

// each rendered frame, with the seconds since the last one
export function frame(delta: number): void {
  world.step(1 / 60, delta)
  steering.present()
}
show(steering, { frame })
