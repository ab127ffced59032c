import { expect, it } from 'vitest'
import { LeaderFollow, SteeringController, SteeringWorld } from 'three-steering'
import { v } from '../support/geometry.js'

// A car that parks backs up a little. Its course turned about, and with it the place behind it: the follower
// drove round it, and stopped before it.
it('the place behind a leader that backs up a little stays behind it', () => {
  const leader = { position: v(0, 0, 0), velocity: v(0, 0, 0) }
  const follower = new SteeringController(null, {
    position: v(0, 0, -6),
    maxSpeed: 12,
    maxForce: 30,
    behavior: new LeaderFollow({ target: leader, distance: 6 }),
  })
  const world = new SteeringWorld().add(follower)
  for (let n = 0; n < 60 * 14; n++) {
    leader.velocity.z = n < 300 ? 10 : n < 420 ? -0.5 : 0
    leader.position.z += leader.velocity.z / 60
    world.step(1 / 60)
  }
  expect(follower.position.z).toBeCloseTo(leader.position.z - 6, 1)
})
