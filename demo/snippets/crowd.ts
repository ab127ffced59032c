import {
  Arrive,
  FISH,
  Flock,
  Flocking,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
} from 'three-steering'
import { blend, Cruise, within } from 'three-steering'
import { show } from 'three-steering/debug'

const steering = new SteeringWorld()

// 24 couriers that swap places, and a bus that does not give way
const others = new ReciprocalAvoidance()
for (let i = 0; i < 24; i++) {
  const angle = (2 * Math.PI * i) / 24
  const position = { x: 20 * Math.cos(angle), y: i % 3, z: 20 * Math.sin(angle) }
  const target = { x: -position.x, y: position.y, z: -position.z }
  const behavior = within([others], new Arrive({ target }))
  steering.add(new SteeringController(null, { behavior, position, maxSpeed: 8, maxForce: 10 }))
}
export const bus = new SteeringController(null, {
  behavior: { steer: () => undefined },
  priority: Infinity,
  position: { x: 0, y: -40, z: 0 },
  velocity: { x: 0, y: 5, z: 0 },
  radius: 3,
  maxSpeed: 8,
  maxForce: 10,
})
steering.add(bus)

// fish that do not touch each other: a preset is a plain options object
const fish = new Flock({
  ...FISH.traits,
  count: 200,
  behavior: within(
    [new ReciprocalAvoidance(FISH.avoidance)],
    blend([new Flocking(FISH.flocking), new Cruise(FISH.cruise)]),
  ),
})
steering.add(fish)

export function frame(delta: number): void {
  steering.advance(delta)
}
show(steering, { frame, size: 45 })
