import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agent, Step, Vec3Like } from 'three-steering'
import { CarrierMotion } from '../../../src/blocks/docking/carrier-motion.js'
import { pathAroundCarrier } from '../../../src/blocks/docking/path-around-carrier.js'
import { Rendezvous } from '../../../src/blocks/docking/rendezvous.js'
import { apart, inner, norm, plus, times, turned } from '../../laws/kit.js'
import { number } from '../../support/geometry.js'

const still = { x: 0, y: 0, z: 0 }
const coordinate = number(-100, 100)
const vector = fc.record({ x: coordinate, y: coordinate, z: coordinate })

function zero(): { x: number; y: number; z: number } {
  return { x: 0, y: 0, z: 0 }
}

function carrier(velocity: Vec3Like, angularVelocity: Vec3Like): CarrierMotion {
  return new CarrierMotion().read({ position: { x: 3, y: -2, z: 5 }, velocity, angularVelocity })
}

/** The part of an agent that `Rendezvous` reads: 1 kg, pushed in any direction with `power` (N). */
function agent(position: Vec3Like, velocity: Vec3Like, power = 3): Agent {
  return {
    position,
    velocity,
    mass: 1,
    maxForce: power,
    forceAlong: () => power,
    compensateDamping: true,
    damping: 0,
    compensateGravity: true,
    gravity: still,
  } as unknown as Agent
}

function begin(pilot: Agent, motion: CarrierMotion, maxSpeed: number): Rendezvous {
  return new Rendezvous().begin(pilot, { dt: 1 / 60 } as Step, motion, 0, maxSpeed)
}

describe('CarrierMotion', () => {
  it('moves a point as small steps of its angular velocity and velocity do', () => {
    const spin = { x: 0.3, y: -0.5, z: 0.2 }
    const velocity = { x: 2, y: 1, z: -1 }
    const motion = carrier(velocity, spin)
    const rate = norm(spin)
    const arm = { x: 7, y: 1, z: -4 }
    // the rotation, computed independently: as a quaternion
    const k = Math.sin((rate * 5) / 2) / rate
    const q = { ...times(spin, k), w: Math.cos((rate * 5) / 2) }
    const [position, moving] = [zero(), zero()]
    motion.pointAt(position, moving, arm, 5)
    const there = plus(plus({ x: 3, y: -2, z: 5 }, velocity, 5), turned(q, arm))
    expect(apart(position, there)).toBeLessThan(1e-12)
    const [before, after] = [zero(), zero()]
    motion.pointAt(before, zero(), arm, 5 - 1e-5)
    motion.pointAt(after, zero(), arm, 5 + 1e-5)
    expect(apart(moving, times(plus(after, before, -1), 5e4))).toBeLessThan(1e-6)
    const [early, late] = [zero(), zero()]
    motion.pointAt(zero(), early, arm, -1e-5)
    motion.pointAt(zero(), late, arm, 1e-5)
    const acceleration = motion.accelerationAt(zero(), arm)
    expect(apart(acceleration, times(plus(late, early, -1), 5e4))).toBeLessThan(1e-6)
  })

  it('does not turn without angular velocity, and has the axes of the world without an attitude', () => {
    const motion = carrier(still, still)
    expect(motion.turned(zero(), { x: 1, y: 2, z: 3 }, 1e6)).toEqual({ x: 1, y: 2, z: 3 })
    expect({ ...motion.axes.x }).toEqual({ x: 1, y: 0, z: 0 })
  })
})

describe('Rendezvous', () => {
  it('from rest to rest the agent thrusts over half of the distance and brakes over the other half', () => {
    const motion = carrier(still, still)
    const arm = { x: 97, y: 2, z: -5 }
    const { time } = begin(agent(still, still), motion, Infinity).find(arm, still)
    // s = a b T² / 2 (a + b) with nine tenths of the thrust to brake with
    expect(time).toBeCloseTo(Math.sqrt((2 * 100 * (3 + 2.7)) / (3 * 2.7)), 6)
  })

  it('is at the predicted position of the point, with its velocity plus the inward velocity', () => {
    fc.assert(
      fc.property(vector, vector, vector, (position, arm, drift) => {
        const spin = { x: 0.01, y: -0.015, z: 0.005 }
        const motion = carrier(times(drift, 0.05), spin)
        const inward = { x: -3.5, y: 0, z: 0 }
        const rendezvous = begin(agent(position, times(drift, 0.1)), motion, 40).find(arm, inward)
        const [there, moving] = [zero(), zero()]
        motion.pointAt(there, moving, arm, rendezvous.time)
        const into = motion.turned(zero(), inward, rendezvous.time)
        expect(apart(rendezvous.position, there)).toBeLessThan(1e-9)
        expect(apart(rendezvous.velocity, plus(moving, into))).toBeLessThan(1e-9)
        // an observer that moves with that velocity sees the meeting at the aim
        expect(apart(plus(rendezvous.aim, rendezvous.velocity, rendezvous.time), there)).toBeLessThan(1e-6)
      }),
      { seed: 5, numRuns: 200 },
    )
  })

  it('leads to the present position if the agent cannot be in time', () => {
    const motion = carrier({ x: 500, y: 0, z: 0 }, { x: 0, y: 3, z: 0 })
    const rendezvous = begin(agent(still, still, 0), motion, 10).find({ x: 9, y: 0, z: 0 }, still)
    expect(rendezvous.time).toBe(0)
    expect(apart(rendezvous.aim, { x: 12, y: -2, z: 5 })).toBeLessThan(1e-12)
  })
})

describe('pathAroundCarrier', () => {
  const points = fc.tuple(vector, vector, number(1, 60))

  it('returns −1 where the straight line is clear', () => {
    expect(pathAroundCarrier(zero(), { x: 50, y: 20, z: 0 }, { x: -50, y: 20, z: 0 }, 10, still)).toBe(-1)
  })

  it('leads around the ball along a tangent, and is no shorter than the straight line', () => {
    let detours = 0
    fc.assert(
      fc.property(points, ([here, goal, radius]) => {
        fc.pre(norm(here) > radius && norm(goal) > 1.1 * radius)
        const out = zero()
        const pathLength = pathAroundCarrier(out, here, goal, radius, still)
        if (pathLength < 0) return
        detours++
        expect(norm(out)).toBeCloseTo(1, 9)
        expect(pathLength).toBeGreaterThanOrEqual(0.999 * apart(here, goal))
        // the distance of a tangent from the centre is the radius
        const along = inner(here, out)
        expect(Math.sqrt(norm(here) ** 2 - along * along)).toBeCloseTo(radius, 4)
        expect(along).toBeLessThan(0)
      }),
      { seed: 6, numRuns: 500 },
    )
    expect(detours).toBeGreaterThan(20)
  })

  it('leads to a goal exactly behind the ball on the side of the present motion', () => {
    const out = zero()
    const pathLength = pathAroundCarrier(out, { x: -40, y: 0, z: 0 }, { x: 40, y: 0, z: 0 }, 10, {
      x: 1,
      y: 0,
      z: -2,
    })
    expect(pathLength).toBeCloseTo(2 * Math.sqrt(1500) + 10 * (Math.PI - 2 * Math.acos(0.25)), 6)
    expect(out.z).toBeLessThan(-0.2)
    expect(norm(out)).toBeCloseTo(1, 12)
  })
})
