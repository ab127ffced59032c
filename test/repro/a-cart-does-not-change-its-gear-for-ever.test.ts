import { expect, it } from 'vitest'
import { Arrive, SteeringController, SteeringWorld, Wheels } from 'three-steering'
import { v } from '../support/geometry.js'

// A cart before a goal inside of its turning circle changed its gear 30 times a second and never arrived: of
// nose first and tail first it preferred what it did last, and that changed with each change of gear.

it.each([
  [0.5818, 1.8514, 60],
  [-0.64, 1.74, 30],
])('a cart gets to a goal at (%f, %f), at %d Hz', (x, z, rate) => {
  const world = new SteeringWorld({ seed: 1 })
  const cart = new SteeringController(null, {
    plane: v(0, 1, 0),
    mass: 50,
    maxForce: 600,
    maxSpeed: 8,
    radius: 1,
    locomotion: new Wheels({ wheelbase: 1.4 }),
    behavior: new Arrive({ target: v(x, 0, z) }),
  })
  world.add(cart)
  let [arrival, changes, gear] = [Infinity, 0, 0]
  cart.addEventListener('arrive', () => (arrival = world.time))
  while (world.time < Math.min(12, arrival)) {
    world.step(1 / rate)
    const nose = cart.attitude.x
    const pace = nose.x * cart.velocity.x + nose.z * cart.velocity.z
    const now = Math.abs(pace) > 0.03 ? Math.sign(pace) : gear
    if (gear !== 0 && now !== gear) changes++
    gear = now
  }
  expect(arrival).toBeLessThan(12)
  expect(changes).toBeLessThan(8)
})
