import { Arrive, AvoidObstacles, Obstacles, SphereShape } from 'three-steering'
import { SteeringController, SteeringWorld, within } from 'three-steering'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld()
const rocks = new Obstacles([{ shape: new SphereShape(9), at: { x: 0, y: 0, z: 0 } }])
export const pilot = new SteeringController(null, {
  position: { x: 0, y: 0, z: -60 },
  maxSpeed: 20, // m/s
  maxForce: 15, // N
  behavior: within([new AvoidObstacles({ obstacles: rocks })], new Arrive({ target: { x: 0, y: 0, z: 60 } })),
})
steering.add(pilot)

// each rendered frame, with the seconds since the last one
export function frame(delta: number): void {
  steering.advance(delta)
}
show(steering, { frame, obstacles: rocks })
