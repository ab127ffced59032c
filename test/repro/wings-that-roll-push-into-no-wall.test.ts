import { expect, it } from 'vitest'
import {
  blend,
  BoxShape,
  Contain,
  Cruise,
  Flight,
  Flock,
  HollowShape,
  SteeringWorld,
  Wander,
  within,
} from 'three-steering'
import { v } from '../support/geometry.js'

// Wings that had rolled half of the way to a wanted force gave half of it across: along a ceiling, into it.
it('fish that turn in a corner of their tank stay in it', () => {
  const half = v(20, 8, 12)
  const world = new SteeringWorld({ seed: 1 })
  const fish = new Flock({
    count: 60,
    radius: 0.15,
    maxSpeed: 5,
    maxForce: 20,
    locomotion: new Flight({ minSpeed: 1 }),
    behavior: within(
      [new Contain({ bounds: [{ shape: new HollowShape(new BoxShape(half)) }] })],
      blend([new Wander(), new Cruise({ speedShare: 0.5 })]),
    ),
  })
  world.add(fish)
  const at = v(0, 0, 0)
  let outside = -Infinity
  for (let n = 0; n < 30 * 40; n++) {
    world.step(1 / 30)
    for (let i = 0; i < fish.size; i++) {
      const { x, y, z } = fish.position(i, at)
      outside = Math.max(outside, Math.abs(x) - half.x, Math.abs(y) - half.y, Math.abs(z) - half.z)
    }
  }
  expect(outside).toBeLessThan(-0.13)
})
