import { describe, expect, it } from 'vitest'
import { Arrive, LeaderFollow, ReciprocalAvoidance, within, type SteeringController } from 'three-steering'
import { norm, v } from '../support/geometry.js'
import { pilot, quietWorld } from '../support/pilot.js'

/**
 * A leader that corrects its place, or backs up a little, is not one that turns about. Each of a chain of
 * followers passed its leader when that came to rest and corrected an overshoot. The chain coiled up, and
 * with neighbours to avoid it never came to rest.
 */
describe('followers of a leader that comes to rest', () => {
  it.each([false, true])('stand in line, each behind the one before, avoiding others: %s', (avoid) => {
    const { world } = quietWorld()
    const chain: SteeringController[] = []
    for (let i = 0; i < 8; i++) {
      const leader = chain[i - 1]
      const wish = leader
        ? new LeaderFollow({ target: leader, distance: 3 })
        : new Arrive({ target: v(30, 0, 0) })
      const behavior = avoid ? within([new ReciprocalAvoidance()], wish) : wish
      const position = v(-3 * i, 0, 0.01 * i)
      const maxSpeed = leader ? 3.6 : 3
      chain.push(pilot(behavior, { position, behavior, radius: 0.35, maxForce: 10, maxSpeed }))
    }
    for (const one of chain) world.add(one)
    for (let i = 0; i < 60 * 20; i++) world.step(1 / 60)
    const places = chain.map(({ position }) => position.x)
    expect(places).toEqual([...places].sort((a, b) => b - a))
    expect(places.at(-1)).toBeLessThan(12)
    for (const { velocity } of chain) expect(norm(velocity)).toBeLessThan(0.02)
  })

  it('stay behind one that backs up by less than their distance, and turn about with one that goes on', () => {
    const { world } = quietWorld()
    const leader = { position: v(0, 0, 0), velocity: v(2, 0, 0) }
    const one = pilot(new LeaderFollow({ target: leader, distance: 6 }), {
      position: v(-6, 0, 0.1),
      radius: 0.5,
      maxForce: 12,
      maxSpeed: 12,
    })
    world.add(one)
    const drive = (speed: number, seconds: number): void => {
      for (let i = 0; i < 60 * seconds; i++) {
        leader.velocity.x = speed
        leader.position.x += speed / 60
        world.step(1 / 60)
      }
    }
    drive(2, 5)
    drive(-2, 2)
    drive(0, 5)
    expect(norm(v(one.position.x - leader.position.x + 6, one.position.y, one.position.z))).toBeLessThan(0.2)
    drive(-2, 12)
    expect(one.position.x - leader.position.x).toBeGreaterThan(5)
  })
})
