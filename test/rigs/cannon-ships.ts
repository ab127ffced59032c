import { Body, Sphere, Vec3, World } from 'cannon-es'
import { Arrive, ReciprocalAvoidance, SteeringController, SteeringWorld, within } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody, tuneCannon } from 'three-steering/cannon'

/** Seconds after which each ship gets another target. */
const LEG = 8
const DT = 1 / 60

/** Ships in a cube of 25 m per ship, which avoid each other on their way to one place after the other. */
export function cannonShips(count: number): () => void {
  const side = 25 * Math.cbrt(count)
  const random = seeded(11)
  const place = (): number => (random() - 0.5) * side
  const world = new World({ gravity: new Vec3(0, 0, 0) })
  tuneCannon(world)
  const steering = new SteeringWorld({ seed: 1 })
  attachToCannon(steering, world)
  const targets = Array.from({ length: count }, () => ({ x: place(), y: place(), z: place() }))
  for (const target of targets) {
    const body = new Body({ mass: 10, shape: new Sphere(1), position: new Vec3(place(), place(), place()) })
    world.addBody(body)
    steering.add(
      new SteeringController(null, {
        body: cannonBody(body),
        maxSpeed: 15,
        maxForce: 100,
        maxTorque: 60,
        behavior: within([new ReciprocalAvoidance()], new Arrive({ target })),
      }),
    )
  }
  let time = 0
  return () => {
    world.step(DT)
    time += DT
    if (time < LEG) return
    time = 0
    for (const target of targets) Object.assign(target, { x: place(), y: place(), z: place() })
  }
}
