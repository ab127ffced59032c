import { expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  Obstacles,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Wheels,
  within,
} from 'three-steering'
import { car } from 'three-steering/vehicles'

// A car that knew any obstacle, wherever it was, turned its wheels as for the pace that it had. At its start
// it turned them to the stop, and waited for that: a cart took 7.6 s instead of 6.0 over tiles of Rapier.

const cart = () => ({
  maxSpeed: 8,
  maxForce: 600,
  mass: 50,
  radius: 1,
  plane: { x: 0, y: 1, z: 0 },
  locomotion: new Wheels({ wheelbase: 1.4 }),
})

it.each([
  ['car', car],
  ['cart', cart],
])('a %s drives as if an obstacle far away were not there', (_, options) => {
  const far = new Obstacles([{ shape: new SphereShape(1), at: { x: -300, y: 0, z: 0 } }])
  const [time, alone] = [[new AvoidObstacles({ obstacles: far })], []].map((constraints) => {
    const world = new SteeringWorld()
    const behavior = within(constraints, new Arrive({ target: { x: 28, y: 0, z: 8 } }))
    const agent = new SteeringController(null, { ...options(), behavior })
    world.add(agent)
    let arrival = Infinity
    agent.addEventListener('arrive', () => (arrival = Math.min(arrival, world.time)))
    while (world.time < Math.min(arrival, 20)) world.step(1 / 60)
    return arrival
  })
  expect(time).toBeCloseTo(alone!, 6)
})
