import { describe, expect, it } from 'vitest'
import { type Vec3 } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { CarrierMotion } from '../../../src/blocks/docking/carrier-motion.js'
import { apart, minus, norm, plus, times } from '../../laws/kit.js'

const vector = (): Vec3 => ({ x: 0, y: 0, z: 0 })

/** A carrier in a random motion, and a point of it. */
function scene(seed: number, flies: boolean) {
  const random = seeded(seed)
  const any = (size: number): Vec3 => {
    const one = (): number => size * (2 * random() - 1)
    return { x: one(), y: one(), z: one() }
  }
  const carrier = { position: any(50), velocity: any(40), angularVelocity: any(0.4) }
  return { motion: new CarrierMotion().read(carrier, flies), carrier, arm: any(20) }
}

function at(motion: CarrierMotion, arm: Vec3, time: number) {
  const [place, velocity] = [vector(), vector()]
  motion.pointAt(place, velocity, arm, time)
  return { place, velocity }
}

describe.each([false, true])('the predicted motion of a carrier, velocity turns: %s', (flies) => {
  it.each([1, 2, 3, 4, 5])('gives the velocity and the acceleration of its points: %i', (seed) => {
    const { arm, motion } = scene(seed, flies)
    const h = 1e-4
    for (const time of [0, 1, 7]) {
      const slope = times(
        minus(at(motion, arm, time + h).place, at(motion, arm, time - h).place),
        1 / (2 * h),
      )
      expect(apart(slope, at(motion, arm, time).velocity)).toBeLessThan(1e-5)
    }
    const change = times(minus(at(motion, arm, h).velocity, at(motion, arm, -h).velocity), 1 / (2 * h))
    expect(apart(change, motion.accelerationAt(vector(), arm))).toBeLessThan(1e-5)
  })

  it.each([1, 2, 3])('keeps the speed; the velocity turns only if it turns with the carrier: %i', (seed) => {
    const { carrier, motion } = scene(seed, flies)
    const then = at(motion, vector(), 3)
    expect(norm(then.velocity)).toBeCloseTo(norm(carrier.velocity), 9)
    expect(apart(then.velocity, carrier.velocity) > 1e-6).toBe(flies)
    const straight = plus(carrier.position, carrier.velocity, 3)
    expect(apart(then.place, straight) > 1e-6).toBe(flies)
  })

  it('is straight without angular velocity', () => {
    const carrier = { position: vector(), velocity: { x: 3, y: 1, z: 0 } }
    const motion = new CarrierMotion().read(carrier, flies)
    const { place, velocity } = at(motion, { x: 1, y: 2, z: 3 }, 2)
    expect(place).toEqual({ x: 7, y: 4, z: 3 })
    expect(velocity).toEqual(carrier.velocity)
  })
})
