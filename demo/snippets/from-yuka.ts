import { Arrive, SteeringController, SteeringWorld } from 'three-steering'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld()
export const pilot = new SteeringController(null, {
  maxSpeed: 6, // m/s
  maxForce: 12, // N
  behavior: new Arrive({ target: { x: 30, y: 4, z: 0 }, tolerance: 0.1 /* m */ }),
})
steering.add(pilot)

export function frame(delta: number): void {
  steering.advance(delta)
}
show(steering, { frame })
