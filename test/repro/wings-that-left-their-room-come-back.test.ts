import { expect, it } from 'vitest'
import {
  Arrive,
  BoxShape,
  Contain,
  Flight,
  HollowShape,
  SteeringController,
  SteeringWorld,
  within,
} from 'three-steering'
import { v } from '../support/geometry.js'

// At their least speed, wings that had to stop flew on. Beyond a corner all that was demanded of them was to
// fly no farther out, and the nearest velocity that meets it is rest: they never turned.
it('a bird beyond a corner of its room turns round', () => {
  const bird = new SteeringController(null, {
    position: v(16, 16, 16),
    velocity: v(1.2, 1.2, 1.2),
    radius: 0.5,
    maxSpeed: 8,
    maxForce: 20,
    maxTorque: 8,
    locomotion: new Flight({ minSpeed: 2 }),
    behavior: within(
      [new Contain({ bounds: [{ shape: new HollowShape(new BoxShape(v(15, 15, 15))) }] })],
      new Arrive({ target: v(2, -14, 7) }),
    ),
  })
  const world = new SteeringWorld().add(bird)
  for (let n = 0; n < 60 * 10; n++) world.step(1 / 60)
  const { x, y, z } = bird.position
  expect(Math.max(x, y, z)).toBeLessThan(15)
})
