import { Arrive, AvoidObstacles, CylinderShape, ReciprocalAvoidance } from 'three-steering'
import { SteeringController, SteeringWorld, Walker, within, type Vec3Like } from 'three-steering'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld({ gravity: { x: 0, y: -9.81, z: 0 } })
const hills = (x: number, z: number): number => Math.sin(x / 8) * Math.cos(z / 10)
const feet = 0.9 // from the centre down to the ground, m
const goal = { x: 12, y: feet + hills(12, 12), z: 12 }
const pillar = { shape: new CylinderShape(1, 6), at: { x: 6, y: 0, z: 6 } }
export const walker = new SteeringController(null, {
  behavior: within(
    [new AvoidObstacles({ obstacles: [pillar] }), new ReciprocalAvoidance()],
    new Arrive({ target: goal }),
  ),
  position: { x: 0, y: feet, z: 0 },
  mass: 70,
  maxSpeed: 1.5,
  maxForce: 350,
  radius: 0.3,
  locomotion: new Walker({ heightAbove: ({ x, y, z }: Vec3Like) => y - feet - hills(x, z) }),
})
steering.add(walker)

export function frame(seconds: number): void {
  steering.advance(seconds)
}
show(steering, { frame, obstacles: [pillar], targets: [goal] })
