import { describe, expect, it } from 'vitest'
import { type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import type { Anchor } from '../../../src/behaviors/formation/anchor.js'
import { timeFor, type Means } from '../../../src/behaviors/formation/formation-change.js'
import { makeSlotState } from '../../../src/behaviors/formation/member.js'
import { placeInFrame, type Local } from '../../../src/behaviors/formation/place.js'
import { frame, frameFromQuat } from '../../../src/math/frame.js'
import { quat, spin } from '../../../src/math/quat.js'

const zero = (): Vec3 => ({ x: 0, y: 0, z: 0 })
const at = (p: Vec3Like, v: Vec3Like, a: Vec3Like, t: number): Vec3 => ({
  x: p.x + v.x * t + (a.x * t * t) / 2,
  y: p.y + v.y * t + (a.y * t * t) / 2,
  z: p.z + v.z * t + (a.z * t * t) / 2,
})

describe('a place in a formation that moves, turns and changes its shape', () => {
  it('has the velocity and the acceleration of its position', () => {
    const random = seeded(3)
    const vector = (size: number): Vec3 => ({
      x: size * (2 * random() - 1),
      y: size * (2 * random() - 1),
      z: size * (2 * random() - 1),
    })
    for (let trial = 0; trial < 40; trial++) {
      const [position, velocity, acceleration, turning] = [vector(9), vector(5), vector(2), vector(1)]
      const local: Local = { at: vector(20), velocity: vector(4), acceleration: vector(1) }
      // the spin is constant
      const look = (t: number): ReturnType<typeof makeSlotState> => {
        const f = frame()
        frameFromQuat(f, spin(quat(), quat(), turning, t))
        const anchor = {
          position: at(position, velocity, acceleration, t),
          velocity: at(velocity, acceleration, zero(), t),
          acceleration,
          angularVelocity: turning,
          angularAcceleration: zero(),
          frame: f,
        } as unknown as Anchor
        const now: Local = {
          at: at(local.at, local.velocity, local.acceleration, t),
          velocity: at(local.velocity, local.acceleration, zero(), t),
          acceleration: local.acceleration,
        }
        const out = makeSlotState()
        placeInFrame(out, anchor, now)
        return out
      }
      const dt = 1e-4
      const [before, now, after] = [look(-dt), look(0), look(dt)]
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
  it('of a short way is that of speeding up and braking: it grows with the root of the way', () => {
    const means: Means = {
      speed: 5,
      topSpeed: 15,
      spare: 1,
      push: 10,
      nimble: 10,
      waits: false,
    } as unknown as Means
    const [short, long] = [0.01, 1].map((way) => timeFor(way, way, way, means))
    expect(long! / short!).toBeCloseTo(10, 0)
  })
})
