import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Hover, SteeringController, SteeringWorld, type QuatLike, type Vec3Like } from 'three-steering'
import {
  apart,
  BEHAVIORS,
  bitsOf,
  idle,
  LOCOMOTIONS,
  movedScene,
  norm,
  numberOf,
  oneStep,
  plus,
  product,
  randomScene,
  turnBetween,
  turned,
  unitQuat,
  type Scene,
} from './kit.js'
import { LIBRARY } from '../support/library.js'
import { FULL, pick } from '../support/tier.js'
import { number } from '../support/geometry.js'

const IDENTITY: QuatLike = { x: 0, y: 0, z: 0, w: 1 }

/**
 * Tolerance (N) for forces of up to 100 N. Inputs have errors of 1e-15 of 50 m; the largest gain, m/τ² or the
 * slope of a fading roll, is below 1e3; about fifty operations follow each other. 1e-8 is far above their
 * rounding, and far below any real mistake.
 */
const CLOSE = 1e-8

const rotation = fc
  .tuple(...Array.from({ length: 4 }, () => number(-1, 1)))
  .map(([x, y, z, w]) => unitQuat(x!, y!, z!, w!))
const seed = fc.integer({ min: 0, max: 1e6 })
const names = Object.keys(BEHAVIORS)

const RUNS = pick(2, 4, 16)
/** In more than this many of twenty scenes a behaviour must want something. */
const WANTED = pick(1, 10)

const gaits = Object.keys(LOCOMOTIONS)

describe('the tables of the laws', () => {
  it('know every behaviour of the package', () => {
    const all = Object.entries(LIBRARY)
      .filter(
        ([, value]) =>
          typeof value === 'function' &&
          typeof (value.prototype as Partial<Record<string, unknown>> | undefined)?.['steer'] === 'function',
      )
      .map(([name]) => name)
    const scene = randomScene(1)
    const known = Object.values(BEHAVIORS).map((make) => make(scene).constructor.name)
    expect([...new Set(known)].sort()).toEqual(all.sort())
  })

  it('know every locomotion of the package', () => {
    const all = Object.entries(LIBRARY)
      .filter(
        ([, value]) =>
          typeof value === 'function' &&
          typeof (value.prototype as Partial<Record<string, unknown>> | undefined)?.['forceAlong'] ===
            'function',
      )
      .map(([name]) => name)
    const known = Object.values(LOCOMOTIONS).map((make) => make(randomScene(1)).constructor.name)
    expect([...new Set(known)].sort()).toEqual(all.sort())
  })

  it('have scenes in which every behaviour wants something', () => {
    // they only limit, or have a goal from the next step on
    const silent = new Set(['GateRun, as a constraint', 'KeepPace', 'KeepSlot'])
    for (const [name, make] of Object.entries(BEHAVIORS)) {
      if (silent.has(name)) continue
      let wants = 0
      for (let i = 0; i < 30 && wants <= WANTED; i++) {
        const scene = randomScene(i)
        const { demand } = oneStep(scene, make(scene), new Hover())
        if (norm(demand.force) + norm(demand.torque) > 0.1) wants++
      }
      expect(wants, `with ${name}`).toBeGreaterThan(WANTED)
    }
  })
})

describe('turning the scene, with its up and its gravity, turns the forces and torques', () => {
  it.each(names)('%s', (name) => {
    fc.assert(
      fc.property(seed, rotation, fc.constantFrom(...gaits), (n, q, gait) => {
        const scene = randomScene(n)
        const there = movedScene(scene, q)
        const a = oneStep(scene, BEHAVIORS[name]!(scene), LOCOMOTIONS[gait]!(scene))
        const b = oneStep(there, BEHAVIORS[name]!(there), LOCOMOTIONS[gait]!(there))
        expect(apart(turned(q, a.demand.force), b.demand.force)).toBeLessThan(CLOSE)
        expect(apart(turned(q, a.demand.torque), b.demand.torque)).toBeLessThan(CLOSE)
        expect(apart(turned(q, a.force), b.force)).toBeLessThan(CLOSE)
        expect(apart(turned(q, a.torque), b.torque)).toBeLessThan(CLOSE)
      }),
      { seed: 11, numRuns: RUNS },
    )
  })
})

describe('moving the scene does not change forces and torques', () => {
  it.each(names)('%s', (name) => {
    const far = number(-1000, 1000)
    fc.assert(
      fc.property(seed, far, far, far, fc.constantFrom(...gaits), (n, x, y, z, gait) => {
        const scene = randomScene(n)
        const there = movedScene(scene, IDENTITY, { x, y, z })
        const a = oneStep(scene, BEHAVIORS[name]!(scene), LOCOMOTIONS[gait]!(scene))
        const b = oneStep(there, BEHAVIORS[name]!(there), LOCOMOTIONS[gait]!(there))
        // positions at a kilometre are exact to 1e-13 m, with the gains above
        expect(apart(a.force, b.force)).toBeLessThan(10 * CLOSE)
        expect(apart(a.torque, b.torque)).toBeLessThan(10 * CLOSE)
      }),
      { seed: 12, numRuns: RUNS },
    )
  })
})

describe('turning and moving the scene turns and moves the whole flight', () => {
  const SHIFT: Vec3Like = { x: 40, y: -25, z: 10 }

  /** Flies for a second, with memory and carried frames, without a physics engine. */
  function fly(scene: Scene, name: string, gait: string): SteeringController {
    const world = new SteeringWorld({ up: scene.up, gravity: scene.gravity })
    const target = new SteeringController(null, {
      behavior: idle(),
      locomotion: new Hover({ attitude: null }),
      maxSpeed: 50,
      maxForce: 0,
      ...scene.target,
      seed: 50,
    })
    const pilot = new SteeringController(null, {
      ...scene.traits,
      ...scene.self,
      behavior: BEHAVIORS[name]!(scene),
      locomotion: LOCOMOTIONS[gait]!(scene),
      seed: 7,
    })
    world.add(target).add(pilot)
    for (const other of scene.others) {
      const drift = { behavior: idle(), locomotion: new Hover({ attitude: null }), maxSpeed: 50, maxForce: 0 }
      world.add(new SteeringController(null, { ...drift, ...other }))
    }
    for (let i = 0; i < 60; i++) world.step(1 / 60)
    return pilot
  }

  /** Whether the flight in scene `i` turns and moves with it. */
  function follows(name: string, gait: string, i: number): boolean {
    const scene = randomScene(1000 + i)
    const q = unitQuat(Math.sin(i), Math.cos(2 * i), Math.sin(3 * i + 1), 0.4)
    const a = fly(scene, name, gait)
    const b = fly(movedScene(scene, q, SHIFT), name, gait)
    // in 60 steps of a stable servo rounding only adds up; the search for paths astern is exact to about 1e-4
    // of the length
    const CLOSE_FLIGHT = name.endsWith('astern') ? 1e-2 : 1e-7
    return (
      bitsOf([a]).every(Number.isFinite) &&
      apart(plus(turned(q, a.position), SHIFT), b.position) < CLOSE_FLIGHT &&
      apart(turned(q, a.velocity), b.velocity) < CLOSE_FLIGHT &&
      turnBetween(product(q, a.quaternion), b.quaternion) < CLOSE_FLIGHT
    )
  }

  it.each(gaits)('%s', (gait) => {
    const turn = gaits.indexOf(gait)
    // every behaviour flies with the first turn, and with some of the others
    for (const name of names.filter((_, i) => FULL || turn === 0 || (i + turn) % pick(10, 3) === 0)) {
      // a decision may depend on rounding, such as the side to which an engine turns by 180°: then other
      // scenes are tried
      // wings cannot stand: they turn back to a place exactly astern, on the side that rounding decides
      if (gait === 'Flight, slow' && name.startsWith('Stop')) continue
      const first = numberOf(name)
      if (follows(name, gait, first)) continue
      let others = 0
      for (let k = 1; k <= 8 && others <= 2; k++) if (follows(name, gait, first + 37 * k)) others++
      expect(others, `with ${name}`).toBeGreaterThan(2)
    }
  })
})
