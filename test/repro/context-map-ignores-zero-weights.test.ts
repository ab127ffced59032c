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

// A context map followed an interest with a weight of 0 or less when there was no other interest. And of two
// interests, one that wants to stand still and one that wants nothing, it followed the first in the list.

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

it.each([0, -0, -1, -1e12])('an interest with a weight of %d is not followed', (weight) => {
  for (const interest of [
    [{ behavior: seek(), weight }],
    [{ behavior: seek(), weight }, silent()],
    [silent(), { behavior: seek(), weight }],
  ])
    expect(fly(interest).velocity).toMatchObject({ x: 0, y: 4, z: 0 })
})

it('an interest to stand still counts beside one that wants nothing, in any order', () => {
  const rest = (): Behavior =>
    new MatchVelocity({ target: { position: { x: 0, y: 0, z: 0 }, velocity: { x: 0, y: 0, z: 0 } } })
  expect(Math.abs(fly([rest(), silent()]).velocity.y)).toBeLessThan(1e-6)
  expect(Math.abs(fly([silent(), rest()]).velocity.y)).toBeLessThan(1e-6)
})
