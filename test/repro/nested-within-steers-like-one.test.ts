import { expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
  type Behavior,
} from 'three-steering'

// With several wishes `within` uses the farthest goal, because the final place is not known. A `within`
// around another one got the nearest goal instead. It stopped before a rock that the same wishes directly in
// one `within` flew around.

function fly(make: (wishes: readonly Behavior[]) => Behavior): SteeringController {
  const world = new SteeringWorld()
  const wishes = [
    new Arrive({ target: { x: 13, y: 0, z: 0 } }),
    new Arrive({ target: { x: 60, y: 0, z: 0 } }),
  ]
  const pilot = new SteeringController(null, {
    behavior: make(wishes),
    maxSpeed: 8,
    maxForce: 30,
    radius: 0.5,
  })
  world.add(pilot)
  for (let i = 0; i < 1200; i++) world.step(1 / 60)
  return pilot
}

const rock = { shape: new SphereShape(5), at: { x: 20, y: 0.3, z: 0 } }
const weighted = ([near, far]: readonly Behavior[]) => [{ behavior: near!, weight: 0.1 }, far!]

it('a `within` of several wishes steers the same inside another `within` as alone', () => {
  const alone = fly((wishes) => within([new AvoidObstacles({ obstacles: [rock] })], weighted(wishes)))
  const nested = fly((wishes) =>
    within([new AvoidObstacles({ obstacles: [rock] })], within([], weighted(wishes))),
  )
  expect(alone.position.x).toBeGreaterThan(30)
  for (const axis of ['x', 'y', 'z'] as const)
    expect(nested.position[axis]).toBeCloseTo(alone.position[axis], 6)
})
