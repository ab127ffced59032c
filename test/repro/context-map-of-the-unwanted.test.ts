import { expect, it } from 'vitest'
import {
  contextMap,
  MatchVelocity,
  Seek,
  SteeringController,
  SteeringWorld,
  type Behavior,
  type Weighted,
} from 'three-steering'

// A context map flew to what had a weight of 0, or less, where nothing else was wanted; and of one that wants to stand still and one that wants nothing
// it did what the first in the list wanted.

const seek = (): Behavior => new Seek({ target: { x: 50, y: 0, z: 0 } })
const silent = (): Behavior => ({ steer: () => undefined })

function fly(interest: readonly (Behavior | Weighted)[]): SteeringController {
  const world = new SteeringWorld()
  const behavior = contextMap({ interest })
  const pilot = new SteeringController(null, {
    behavior,
    maxSpeed: 8,
    maxForce: 30,
    velocity: { x: 0, y: 4, z: 0 },
  })
  world.add(pilot)
  for (let i = 0; i < 240; i++) world.step(1 / 60)
  return pilot
}

it.each([0, -0, -1, -1e12])('what has a weight of %d is not flown to', (weight) => {
  for (const interest of [
    [{ behavior: seek(), weight }],
    [{ behavior: seek(), weight }, silent()],
    [silent(), { behavior: seek(), weight }],
  ])
    expect(fly(interest).velocity).toMatchObject({ x: 0, y: 4, z: 0 })
})

it('who wants to stand still is heard beside one that wants nothing, in any order', () => {
  const rest = (): Behavior =>
    new MatchVelocity({ target: { position: { x: 0, y: 0, z: 0 }, velocity: { x: 0, y: 0, z: 0 } } })
  expect(Math.abs(fly([rest(), silent()]).velocity.y)).toBeLessThan(1e-6)
  expect(Math.abs(fly([silent(), rest()]).velocity.y)).toBeLessThan(1e-6)
})
