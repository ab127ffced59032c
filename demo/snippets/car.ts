import { AvoidObstacles, DirectedSeek, CylinderShape, ReciprocalAvoidance } from 'three-steering'
import { SteeringController, SteeringWorld, Wheels, within } from 'three-steering'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld()
const pillar = { shape: new CylinderShape(1, 6), at: { x: 0, y: 0, z: 15 } }
export const bay = { position: { x: 6, y: 0, z: 30 }, heading: { x: 1, y: 0, z: 0 } }
export const car = new SteeringController(null, {
  behavior: within(
    [new AvoidObstacles({ obstacles: [pillar] }), new ReciprocalAvoidance()],
    new DirectedSeek({ target: bay, arrivalSpeed: 0, speed: 6, reverse: true }),
  ),
  plane: { x: 0, y: 1, z: 0 },
  mass: 1200,
  maxSpeed: 14,
  maxForce: 6000,
  radius: 1.5,
  locomotion: new Wheels({ wheelbase: 2.5, maxSteer: 0.6, grip: 8, astern: 0.3 }),
})
steering.add(car)

export function frame(seconds: number): void {
  steering.advance(seconds)
}
show(steering, { frame, obstacles: [pillar], targets: [bay] })
