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

const IDENTITY: QuatLike = { x: 0, y: 0, z: 0, w: 1 }

/**
 * Of forces of up to 100 N: inputs are good to 1e-15 of 50 m; the stiffest gain on the way, m/τ² or the slope of a roll that
 * fades, stays below 1e3; some fifty operations in a row. 1e-8 is far above all of that, and far below any real mistake.
 */
const CLOSE = 1e-8

const rotation = fc
  .tuple(...Array.from({ length: 4 }, () => fc.double({ min: -1, max: 1, noNaN: true })))
  .map(([x, y, z, w]) => unitQuat(x!, y!, z!, w!))
const seed = fc.integer({ min: 0, max: 1e6 })
const names = Object.keys(BEHAVIORS)

const RUNS = pick(4, 10, 16)

/** A number of its own for a name. */
function numberOf(name: string): number {
  let number = 7
  for (const letter of name) number = (31 * number + letter.charCodeAt(0)) % 9973
  return number
}
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

  it('put behaviours into scenes where they want something', () => {
    // they only limit, or know where to go from the next step on
    const silent = new Set(['GateRun, as a constraint', 'KeepPace', 'KeepSlot'])
    for (const [name, make] of Object.entries(BEHAVIORS)) {
      if (silent.has(name)) continue
      // more than half of twenty scenes
      let wants = 0
      for (let i = 0; i < 20 && wants <= 10; i++) {
        const scene = randomScene(i)
        const { demand } = oneStep(scene, make(scene), new Hover())
        if (norm(demand.force) + norm(demand.torque) > 0.1) wants++
      }
      expect(wants, `with ${name}`).toBeGreaterThan(10)
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

  it('does notice an up that was not turned', () => {
    const scene = randomScene(3)
    const q = unitQuat(0.3, -0.2, 0.5, 0.6)
    const there = { ...movedScene(scene, q), up: scene.up }
    const a = oneStep(scene, BEHAVIORS['Face']!(scene), new Hover())
    const b = oneStep(there, BEHAVIORS['Face']!(there), new Hover())
    expect(apart(turned(q, a.torque), b.torque)).toBeGreaterThan(0.1)
  })
})

describe('moving the scene leaves forces and torques alone', () => {
  it.each(names)('%s', (name) => {
    const far = fc.double({ min: -1000, max: 1000, noNaN: true })
    fc.assert(
      fc.property(seed, far, far, far, fc.constantFrom(...gaits), (n, x, y, z, gait) => {
        const scene = randomScene(n)
        const there = movedScene(scene, IDENTITY, { x, y, z })
        const a = oneStep(scene, BEHAVIORS[name]!(scene), LOCOMOTIONS[gait]!(scene))
        const b = oneStep(there, BEHAVIORS[name]!(there), LOCOMOTIONS[gait]!(there))
        // places at a kilometre are good to 1e-13 m, and the gains are those above
        expect(apart(a.force, b.force)).toBeLessThan(10 * CLOSE)
        expect(apart(a.torque, b.torque)).toBeLessThan(10 * CLOSE)
      }),
      { seed: 12, numRuns: RUNS },
    )
  })
})

describe('turning and moving the scene turns and moves the whole flight', () => {
  const SHIFT: Vec3Like = { x: 40, y: -25, z: 10 }

  /** Flies freely for a second, memory and carried frames included, with nobody's engine but our own. */
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
    // 60 steps of a stable servo: rounding does not grow, it adds up; the search for ways astern ends at some 1e-4 of the way
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
    // every behaviour flies with the first of them, and with each third of the others
    for (const name of names.filter((_, i) => FULL || turn === 0 || (i + turn) % 3 === 0)) {
      // a decision may be on the edge, as which way round to turn an engine by 180°: where rounding decides, other scenes must do
      const first = numberOf(name)
      if (follows(name, gait, first)) continue
      let others = 0
      for (let k = 1; k <= 8 && others <= 2; k++) if (follows(name, gait, first + 37 * k)) others++
      expect(others, `with ${name}`).toBeGreaterThan(2)
    }
  })
})
