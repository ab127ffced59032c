import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setHints, type QuatLike, type Vec3Like } from 'three-steering'
import {
  BEHAVIORS,
  LOCOMOTIONS,
  norm,
  oneStep,
  randomScene,
  stage,
  unitQuat,
  ZERO,
  type Scene,
  type SceneObject,
} from './kit.js'
import { pick } from '../support/tier.js'

const RUNS = pick(4, 12, 120)

/** Numbers as they occur in faults: zero, tiny, ordinary and huge. */
const nasty = fc.constantFrom(0, -0, 1e-320, 1e-160, -1e-9, 1, -3, 40, 1e12, -1e12, 1e150, -1e150)
const tame = fc.constantFrom(0, -0, 1e-9, 1, -3, 40)
const vectorOf = (number: fc.Arbitrary<number>): fc.Arbitrary<Vec3Like> =>
  fc.oneof(
    fc.constant(ZERO),
    // straight up and down, and along the other axes
    number.map((y) => ({ x: 0, y, z: 0 })),
    number.map((x) => ({ x, y: 0, z: 0 })),
    fc.tuple(number, number, number).map(([x, y, z]) => ({ x, y, z })),
  )

const HALF = Math.SQRT1_2
const attitude: fc.Arbitrary<QuatLike> = fc.oneof(
  fc.constantFrom(
    { x: 0, y: 0, z: 0, w: 1 },
    { x: 0, y: 0, z: 0, w: -1 },
    // upside down, about each axis
    { x: 1, y: 0, z: 0, w: 0 },
    { x: 0, y: 1, z: 0, w: 0 },
    { x: 0, y: 0, z: 1, w: 0 },
    // nose straight up and straight down
    { x: -HALF, y: 0, z: 0, w: HALF },
    { x: HALF, y: 0, z: 0, w: HALF },
  ),
  fc.tuple(tame, tame, tame, tame).map(([x, y, z, w]) => unitQuat(x, y, z, w)),
)

function thing(number: fc.Arbitrary<number>): fc.Arbitrary<SceneObject> {
  return fc
    .record({
      position: vectorOf(number),
      velocity: vectorOf(number),
      quaternion: attitude,
      angularVelocity: vectorOf(tame),
    })
    .map(({ position, velocity, quaternion, angularVelocity }) => ({
      position: { ...position },
      velocity: { ...velocity },
      quaternion: { ...quaternion },
      angularVelocity: { ...angularVelocity },
    }))
}

const moment = fc.constantFrom(0, 1e-6, 1, 1e6)

/** Degenerate scenes, with agents of no power or of unlimited power. */
function scene(number: fc.Arbitrary<number>): fc.Arbitrary<Scene> {
  return fc
    .record({
      self: thing(number),
      target: thing(number),
      other: thing(number),
      coincidence: fc.constantFrom('none', 'target is self', 'others are self', 'all are one'),
      up: fc.constantFrom({ x: 0, y: 1, z: 0 }, { x: 0, y: -1, z: 0 }, { x: 0, y: 0, z: 1 }),
      gravity: fc.constantFrom(ZERO, { x: 0, y: -9.81, z: 0 }, { x: 1e3, y: 1e3, z: 0 }),
      mass: fc.constantFrom(1e-6, 1, 1e9),
      inertia: fc.record({ x: moment, y: moment, z: moment }),
      maxSpeed: fc.constantFrom(1e-9, 12, 1e12, Infinity),
      maxForce: fc.constantFrom(0, 1e-9, 60, 1e12),
      maxTorque: fc.constantFrom(0, 1e-9, 7, 1e12, Infinity),
      maxTurnRate: fc.constantFrom(1e-9, 3, Infinity),
      responseTime: fc.constantFrom(1e-9, 0.1, 10, Infinity),
      linearDamping: fc.constantFrom(0, 0.01, 0.99, 1),
      paid: fc.boolean(),
      fieldOfView: fc.constantFrom(1e-3, 2, 2 * Math.PI),
    })
    .map(({ self, target, other, coincidence, up, gravity, linearDamping, paid, inertia, ...traits }) => {
      const same = coincidence === 'target is self' || coincidence === 'all are one'
      const crowd = coincidence === 'others are self' || coincidence === 'all are one'
      const base = randomScene(1)
      return {
        self,
        target: same ? self : target,
        others: crowd ? [self, self, other] : [other, target],
        up,
        gravity,
        linearDamping,
        angularDamping: linearDamping,
        traits: {
          ...base.traits,
          ...traits,
          inertia,
          compensateGravity: paid,
          compensateDamping: paid,
        },
      }
    })
}

/**
 * The constructor refuses a zero moment of inertia, so the agent is made with ones. The body then reports the
 * moments of the scene, which may be zero.
 */
function check(at: Scene, behavior: string, gait: string, dt: number): void {
  const { inertia } = at.traits
  const door = { ...at, traits: { ...at.traits, inertia: { x: 1, y: 1, z: 1 } } }
  const { world, pilot, body, faults } = stage(door, BEHAVIORS[behavior]!(at), LOCOMOTIONS[gait]!(at))
  Object.assign(body.state.inertia, inertia)
  // two steps, because memories are new in the first one
  world.step(dt)
  world.step(dt)
  expect(faults).toEqual([])
  const numbers = [pilot.demand.force, pilot.demand.torque, pilot.force, pilot.torque].flatMap((v) => [
    v.x,
    v.y,
    v.z,
  ])
  expect(numbers.every(Number.isFinite)).toBe(true)
}

const gaits = fc.constantFrom(...Object.keys(LOCOMOTIONS))
const steps = fc.constantFrom(1e-6, 1 / 240, 1 / 60, 1, 100)

// these agents fall, and should
beforeAll(() => setHints(false))
afterAll(() => setHints(true))

describe.each(Object.keys(BEHAVIORS))(
  '%s with any locomotion gives finite forces and torques',
  (behavior) => {
    it('coincident, at rest, vertical, upside down, without force or with unlimited force', () => {
      fc.assert(
        fc.property(scene(tame), gaits, steps, (at, gait, dt) => check(at, behavior, gait, dt)),
        { seed: 41, numRuns: RUNS },
      )
    })

    it('with tiny and huge numbers, up to 1e150', () => {
      fc.assert(
        fc.property(scene(nasty), gaits, steps, (at, gait, dt) => check(at, behavior, gait, dt)),
        { seed: 42, numRuns: RUNS },
      )
    })
  },
)

describe.each(Object.keys(LOCOMOTIONS))('%s', (gait) => {
  it('gives finite output for any demand', () => {
    fc.assert(
      fc.property(scene(nasty), vectorOf(nasty), vectorOf(nasty), steps, (at, force, torque, dt) => {
        const shout = {
          steer(_agent: unknown, _step: unknown, out: { force: object; torque: object }): void {
            Object.assign(out.force, force)
            Object.assign(out.torque, torque)
          },
        }
        const { traits } = at
        const door = { ...at, traits: { ...traits, inertia: { x: 1, y: 2, z: 3 } } }
        const given = oneStep(door, shout, LOCOMOTIONS[gait]!(at), dt)
        expect(given.faults).toEqual([])
        expect(Number.isFinite(norm(given.force))).toBe(true)
        expect(Number.isFinite(norm(given.torque))).toBe(true)
      }),
      { seed: 43, numRuns: pick(50, 120) },
    )
  })
})
