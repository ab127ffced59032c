import { describe, expect, it } from 'vitest'
import { type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import type { Anchor } from '../../../src/blocks/formation/anchor.js'
import { changeTime } from '../../../src/blocks/formation/formation-change.js'
import type { FormationLimits } from '../../../src/blocks/formation/formation-limits.js'
import { placeInFrame } from '../../../src/blocks/formation/formation-motion.js'
import { makeSlotState, type SlotState } from '../../../src/blocks/formation/member.js'
import { frame, frameFromQuat } from '../../../src/core/math/frame.js'
import { quat, spin } from '../../../src/core/math/quat.js'

const zero = (): Vec3 => ({ x: 0, y: 0, z: 0 })
const moved = (p: Vec3Like, v: Vec3Like, a: Vec3Like, t: number): Vec3 => ({
  x: p.x + v.x * t + (a.x * t * t) / 2,
  y: p.y + v.y * t + (a.y * t * t) / 2,
  z: p.z + v.z * t + (a.z * t * t) / 2,
})

describe('a slot of a formation that moves, turns and changes its shape', () => {
  it('has a velocity and an acceleration that are the derivatives of its position', () => {
    const random = seeded(3)
    const vector = (size: number): Vec3 => ({
      x: size * (2 * random() - 1),
      y: size * (2 * random() - 1),
      z: size * (2 * random() - 1),
    })
    for (let trial = 0; trial < 40; trial++) {
      const [position, velocity, acceleration, turning] = [vector(9), vector(5), vector(2), vector(1)]
      const local: SlotState = { position: vector(20), velocity: vector(4), acceleration: vector(1) }
      // the angular velocity is constant
      const stateAt = (t: number): ReturnType<typeof makeSlotState> => {
        const f = frame()
        frameFromQuat(f, spin(quat(), quat(), turning, t))
        const anchor = {
          position: moved(position, velocity, acceleration, t),
          velocity: moved(velocity, acceleration, zero(), t),
          acceleration,
          angularVelocity: turning,
          angularAcceleration: zero(),
          frame: f,
        } as unknown as Anchor
        const now: SlotState = {
          position: moved(local.position, local.velocity, local.acceleration, t),
          velocity: moved(local.velocity, local.acceleration, zero(), t),
          acceleration: local.acceleration,
        }
        const out = makeSlotState()
        placeInFrame(out, anchor, now)
        return out
      }
      const dt = 1e-4
      const [before, now, after] = [stateAt(-dt), stateAt(0), stateAt(dt)]
      for (const axis of ['x', 'y', 'z'] as const) {
        expect((after.position[axis] - before.position[axis]) / (2 * dt)).toBeCloseTo(now.velocity[axis], 4)
        expect((after.velocity[axis] - before.velocity[axis]) / (2 * dt)).toBeCloseTo(
          now.acceleration[axis],
          4,
        )
      }
    }
  })
})

describe('the time of a change', () => {
  it('over a short distance is that of accelerating and braking: it grows with the square root of the distance', () => {
    const limits: FormationLimits = {
      speed: 5,
      topSpeed: 15,
      spareShare: 1,
      maxAcceleration: 10,
      promptAcceleration: 10,
      leaderWaits: false,
    } as unknown as FormationLimits
    const [short, long] = [0.01, 1].map((d) => changeTime(d, d, d, limits))
    expect(long! / short!).toBeCloseTo(10, 0)
  })
})
