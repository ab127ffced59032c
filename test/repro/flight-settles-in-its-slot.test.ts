import { expect, it } from 'vitest'
import { Flight, OffsetPursue, SteeringController, SteeringWorld } from 'three-steering'
import { pick } from '../support/tier.js'

/**
 * An aircraft five metres beside its slot circled around it without end. The direction of the slot error
 * turned as fast as the wings could roll, so the lift always came late. From a start on any side the aircraft
 * must come to rest in the slot.
 */
it.each([
  [60, 4],
  [20, 4],
  [6, 3],
])('wings that roll by %d N·m, %d rad/s settle in a slot from any side', (maxTorque, maxTurnRate) => {
  const directions = pick(4, 16)
  for (let k = 0; k < directions; k++) {
    const angle = (2 * k * Math.PI) / directions
    const leader = { position: { x: 0, y: 0, z: 0 }, velocity: { x: 10, y: 0, z: 0 } }
    const world = new SteeringWorld()
    const jet = new SteeringController(null, {
      behavior: new OffsetPursue({ target: leader, offset: { x: -5, y: 0, z: 5 } }),
      locomotion: new Flight(),
      position: { x: -5, y: 5 * Math.sin(angle), z: 5 + 5 * Math.cos(angle) },
      velocity: leader.velocity,
      quaternion: { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 },
      mass: 2,
      radius: 1.5,
      maxSpeed: 15,
      maxForce: 60,
      maxTorque,
      maxTurnRate,
    })
    world.add(jet)
    for (let i = 0; i < 600; i++) {
      world.step(1 / 60)
      leader.position.x += 10 / 60
    }
    const { x, y, z } = jet.position
    expect(Math.hypot(x - leader.position.x + 5, y, z - 5)).toBeLessThan(0.05)
  }
})
