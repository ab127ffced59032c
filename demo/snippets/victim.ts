import { BoxShape, Contain, HollowShape, Pursue, ReciprocalAvoidance, Seek } from 'three-steering'
import { SteeringController, SteeringWorld, within } from 'three-steering'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld({ seed: 1 })
const person = { plane: { x: 0, y: 1, z: 0 }, radius: 0.5 /* m */, maxForce: 20 /* N */ }
const room = { shape: new HollowShape(new BoxShape({ x: 40, y: 3, z: 40 })) }
const walls = new Contain({ bounds: [room] })

// it runs to the door, and keeps 4 m away from everybody on the way
const door = { x: 36, y: 0, z: 36 }
const apart = new ReciprocalAvoidance({
  horizon: 0.5 /* s */,
  clearance: 4 /* m */,
  neighborDistance: 30 /* m */,
})
export const victim = new SteeringController(null, {
  ...person,
  position: { x: -30, y: 0, z: -30 },
  maxSpeed: 6, // m/s
  behavior: within([walls, apart], new Seek({ target: door })),
})
steering.add(victim)

const hunt = within([walls, new ReciprocalAvoidance({ horizon: 0.3 })], new Pursue({ target: victim }))
export const horde = Array.from({ length: 12 }, (_, i) => {
  const position = { x: 6 * (i % 4) - 9, y: 0, z: 6 * Math.floor(i / 4) - 6 }
  return new SteeringController(null, { ...person, position, maxSpeed: 4.5, behavior: hunt })
})
for (const hunter of horde) steering.add(hunter)

export function frame(seconds: number): void {
  steering.advance(seconds)
}
show(steering, { frame, obstacles: [room], targets: [door] })
