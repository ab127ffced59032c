import { expect, it } from 'vitest'
import { DirectedSeek, Hover, SteeringController, SteeringWorld } from 'three-steering'

/** A search that found no meeting was made again in the next step: sixty of the dearest searches a second. */
it('a waypoint that has become too fast to be met is planned for a few times a second, not in each step', () => {
  const target = {
    position: { x: 6, y: 2, z: 1 },
    heading: { x: 0, y: 1, z: 0 },
    velocity: { x: 0.3, y: 0, z: 0 },
  }
  const seek = new DirectedSeek({ target, radius: 1, speed: 1 })
  const agent = new SteeringController(null, {
    behavior: seek,
    maxSpeed: 1,
    maxForce: 1,
    velocity: { x: 0, y: 0, z: 1 },
    locomotion: new Hover({ attitude: null }),
  })
  const world = new SteeringWorld()
  world.add(agent)
  const dt = 1 / 60
  let plans = 0
  let before = 0
  for (let i = 0; i < 300; i++) {
    target.velocity.x = Math.min(2, 0.3 + i * dt)
    target.position.x += target.velocity.x * dt
    world.step(dt)
    const { length } = seek.planOf(agent)!
    if (i >= 180 && length !== before) plans++
    before = length
  }
  expect(plans).toBeGreaterThan(0)
  expect(plans).toBeLessThanOrEqual(8)
})
