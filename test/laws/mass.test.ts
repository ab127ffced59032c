import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  Evade,
  Flee,
  Flight,
  Hover,
  MatchVelocity,
  OffsetPursue,
  Pursue,
  Seek,
  Thrusters,
  Wander,
  type Behavior,
  type Locomotion,
} from 'three-steering'
import { apart, BEHAVIORS, LOCOMOTIONS, norm, oneStep, randomScene, times, type Scene } from './kit.js'
import { pick } from '../support/tier.js'
import { number } from '../support/geometry.js'

/** The same agent with `k` times the mass and force. */
function stronger(scene: Scene, k: number): Scene {
  const { mass, inertia, maxForce, maxTorque = 1 } = scene.traits
  const traits = {
    ...scene.traits,
    mass: k * mass,
    inertia: times(inertia, k),
    maxForce: k * maxForce,
    maxTorque: k * maxTorque,
  }
  return { ...scene, traits }
}

describe('an agent with twice the mass and twice the force limits gives twice the force and torque', () => {
  it.each(Object.keys(BEHAVIORS))('%s, exactly', (name) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.constantFrom(...Object.keys(LOCOMOTIONS)),
        // powers of two, so that nothing is rounded
        fc.constantFrom(2, 0.5, 1024),
        (seed, gait, k) => {
          const scene = randomScene(seed)
          const big = stronger(scene, k)
          const a = oneStep(scene, BEHAVIORS[name]!(scene), LOCOMOTIONS[gait]!(scene))
          const b = oneStep(big, BEHAVIORS[name]!(big), LOCOMOTIONS[gait]!(big, k))
          expect(b.demand.force).toEqual(times(a.demand.force, k))
          expect(b.demand.torque).toEqual(times(a.demand.torque, k))
          expect(b.force).toEqual(times(a.force, k))
          expect(b.torque).toEqual(times(a.torque, k))
        },
      ),
      { seed: 21, numRuns: pick(3, 10, 16) },
    )
  })
})

describe('with enough force, the force is proportional to the mass', () => {
  const servos: Record<string, (scene: Scene) => Behavior> = {
    Seek: ({ target }) => new Seek({ target }),
    Flee: ({ target }) => new Flee({ target }),
    // not `curved`, because its aim depends on the available force
    'Pursue, intercept': ({ target }) => new Pursue({ target, prediction: 'intercept' }),
    Evade: ({ target }) => new Evade({ target }),
    MatchVelocity: ({ target }) => new MatchVelocity({ target }),
    Wander: () => new Wander(),
    'Arrive, Green': ({ target }) => new Arrive({ target, decelerationTime: 1 }),
  }
  const gaits: Record<string, () => Locomotion> = {
    Hover: () => new Hover(),
    Thrusters: () =>
      new Thrusters({ ahead: 1e6, astern: 1e6, up: 1e6, down: 1e6, port: 1e6, starboard: 1e6 }),
  }

  it.each(Object.keys(servos))('%s', (name) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        number(0.01, 100),
        fc.constantFrom(...Object.keys(gaits)),
        (seed, k, gait) => {
          const scene = randomScene(seed)
          const strong = { ...scene, traits: { ...scene.traits, maxForce: 1e6 } }
          const heavy = { ...strong, traits: { ...strong.traits, mass: k * strong.traits.mass } }
          const a = oneStep(strong, servos[name]!(strong), gaits[gait]!())
          const b = oneStep(heavy, servos[name]!(heavy), gaits[gait]!())
          // up to the rounding of one multiplication
          expect(apart(times(a.demand.force, k), b.demand.force)).toBeLessThan(1e-12 * k * 1e3)
          expect(apart(times(a.force, k), b.force)).toBeLessThan(1e-12 * k * 1e3)
          expect(norm(a.force)).toBeGreaterThan(0)
        },
      ),
      { seed: 22, numRuns: pick(4, 10, 16) },
    )
  })
})

describe('the flight does not depend on the mass when the forces scale with it', () => {
  it.each([
    ['Arrive', (s: Scene) => new Arrive({ target: s.target })],
    ['OffsetPursue', (s: Scene) => new OffsetPursue({ target: s.target, offset: { x: -2, y: 0, z: 1 } })],
  ])('%s', (_, make) => {
    for (let seed = 0; seed < 50; seed++) {
      const scene = randomScene(seed)
      const k = 1 + seed / 7
      const big = stronger(scene, k)
      const a = oneStep(scene, make(scene), new Flight())
      const b = oneStep(big, make(big), new Flight())
      expect(apart(times(a.force, k), b.force)).toBeLessThan(1e-10 * k * scene.traits.maxForce)
    }
  })
})
