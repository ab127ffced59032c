import { Contain, Path, PathTube, SteeringController, SteeringWorld, Wander, within } from 'three-steering'
import { show } from 'three-steering/debug'

// a street in the air: a closed path, and all points within 4 m of it
const points = [
  { x: 0, y: 0, z: 0 },
  { x: 60, y: 20, z: 0 },
  { x: 60, y: 20, z: 60 },
  { x: 0, y: -20, z: 60 },
]
export const street = new Path({ points, ends: 'closed' })
const stay = new Contain({ bounds: [{ shape: new PathTube(street, 4 /* m */) }] })

const steering = new SteeringWorld({ seed: 5 })
export const taxi = new SteeringController(null, {
  behavior: within([stay], new Wander()),
  radius: 0.5,
  maxSpeed: 12,
  maxForce: 20,
})
steering.add(taxi)

export function frame(delta: number): void {
  steering.advance(delta)
}
show(steering, { frame, lines: [[...points, points[0]!]] })
