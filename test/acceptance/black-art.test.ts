import { describe, expect, it } from 'vitest'
import { CONCERNS, SCHEMES, type Scheme } from '../../demo/scenarios/black-art-schemes.js'
import { PATIENCE, PROGRESS, REACHED } from '../../demo/scenarios/black-art-tally.js'
import { berth, DRONE, HALF_LENGTH, TUBE } from '../../demo/scenarios/black-art-tube.js'
import { BlackArt, type Column } from '../../demo/scenarios/black-art.js'
import { distance, magnitude } from '../../demo/scenarios/metrics.js'
import { Recent } from '../../demo/scenarios/recent.js'
import { inner, outer, times } from '../../demo/scenarios/vectors.js'
import type { Vec3 } from 'three-steering'
import { ALL, pick } from '../support/tier.js'

const DT = 1 / 60
const SUMS_AND_CHOICES = ['weighted sum', 'truncated sum', 'priority', 'dithering']

const column = (scene: BlackArt, name: string): Column =>
  scene.columns.find(({ scheme }) => scheme.name === name)!

const some = (...names: string[]): Scheme[] => SCHEMES.filter(({ name }) => names.includes(name))

function fly(scene: BlackArt, seconds: number, watch?: (time: number) => void): BlackArt {
  for (let k = 0; k < seconds * 60; k++) {
    scene.step(DT)
    watch?.(scene.time)
  }
  return scene
}

/** Counts the same figures independently, from the positions of drones and rocks, for all pairs. */
class Recount {
  contacts = 0
  trips = 0
  starved = 0
  flips = 0
  readonly #scene: BlackArt
  readonly #column: Column
  readonly #touching = new Set<string>()
  readonly #ends: number[]
  /** Distance to the goal (m), at the start of each trip and after each step. */
  readonly #distances: number[][]
  readonly #before: Vec3[] = []
  readonly #turns: Vec3[] = []

  constructor(scene: BlackArt, watched: Column) {
    this.#scene = scene
    this.#column = watched
    this.#ends = this.#column.tally.drones.map(({ end }) => end)
    this.#distances = this.#ends.map(() => [])
  }

  see(): void {
    const { flock } = this.#column
    const total = flock.size
    const places = Array.from({ length: total }, (_, i) => flock.position(i, { x: 0, y: 0, z: 0 }))
    this.starved = 0
    for (const [i, at] of places.entries()) {
      for (let j = 0; j < i; j++) this.#gap(`${i} ${j}`, distance(at, places[j]!) - 2 * DRONE, 2 * DRONE)
      for (const [k, { position, radius }] of this.#scene.drift.rocks.entries())
        this.#gap(`${i} rock ${k}`, distance(at, position) - DRONE - radius, DRONE + radius)
      const room = Math.min(TUBE - Math.hypot(at.x, at.z), HALF_LENGTH - Math.abs(at.y)) - DRONE
      this.#gap(`${i} wall`, room, DRONE)
      this.#go(i, at, total)
      this.#bend(i, flock.velocity(i, { x: 0, y: 0, z: 0 }))
    }
  }

  #gap(pair: string, gap: number, size: number): void {
    const before = this.#touching.has(pair)
    const now = gap < 0 || (before && gap < 0.01 * size)
    if (now && !before) this.contacts++
    if (now) this.#touching.add(pair)
    else this.#touching.delete(pair)
  }

  #go(i: number, at: Vec3, total: number): void {
    const way = this.#distances[i]!
    const toGoal = (): number => distance(at, berth(i, total, this.#ends[i] === 1 ? 1 : -1))
    way.push(toGoal())
    if (way.at(-1)! < REACHED) {
      this.trips++
      this.#ends[i]! *= -1
      way.splice(0, Infinity, toGoal())
    }
    // the last time when it was nearer than before by the least progress
    let best = way[0]!
    let last = 0
    for (const [k, left] of way.entries())
      if (left < best - PROGRESS) {
        best = left
        last = k
      }
    if ((way.length - 1 - last) * DT > PATIENCE + DT / 2) this.starved++
  }

  #bend(i: number, velocity: Vec3): void {
    const before = this.#before[i]
    const slow = magnitude(velocity) <= 0.25
    if (before && !slow && magnitude(before) > 0.25) {
      const rate = times(outer(before, velocity), 1 / (magnitude(before) * magnitude(velocity) * DT))
      if (magnitude(rate) > 0.15) {
        if (this.#turns[i] && inner(rate, this.#turns[i]) < 0) this.flips++
        this.#turns[i] = rate
      }
    }
    this.#before[i] = velocity
  }
}

describe('the black-art scene', () => {
  it('depends on its seed only, and all columns have the same start', () => {
    const print = (seed: number): unknown =>
      fly(new BlackArt({ seed, count: 4 }), 0.25).state()['fingerprint']
    expect(print(3)).toBe(print(3))
    expect(print(4)).not.toBe(print(3))
    const { columns } = new BlackArt({ seed: 3 })
    for (const { tally } of columns)
      expect(tally.drones.map(({ position }) => position)).toEqual(
        columns[0]!.tally.drones.map(({ position }) => position),
      )
  })

  it('has no contact and flowing traffic with `within`, and contacts with other schemes', () => {
    const others = pick(['truncated sum', 'priority'], SUMS_AND_CHOICES, SUMS_AND_CHOICES)
    const seconds = pick(18, 30, 30)
    const scene = fly(new BlackArt({ seed: 2, schemes: some('within', ...others) }), seconds)
    const best = column(scene, 'within').tally
    expect(best.contacts).toBe(0)
    // a straight trip takes about seven seconds
    expect(best.trips).toBeGreaterThan(seconds)
    expect(best.hunger / (seconds * best.drones.length)).toBeLessThan(0.02)
    for (const name of others) {
      const { tally } = column(scene, name)
      expect(tally.contacts, `by ${name}`).toBeGreaterThan(0)
      expect(tally.trips, `by ${name}`).toBeLessThan(best.trips)
      expect(tally.flips, `by ${name}`).toBeGreaterThan(2 * best.flips)
    }
  })

  it.runIf(ALL)('counts contacts, trips, starved drones and flips as an independent count does', () => {
    const scene = new BlackArt({ seed: 5, schemes: some('weighted sum', 'priority') })
    const recounts = scene.columns.map((each) => new Recount(scene, each))
    let hungry = 0
    fly(scene, 12, () => {
      for (const [k, { scheme, tally }] of scene.columns.entries()) {
        const recount = recounts[k]!
        recount.see()
        const { contacts, flips, starved, trips } = tally
        const { contacts: touched, flips: flipped, starved: waited, trips: flown } = recount
        expect([contacts, flips, starved, trips], `by ${scheme.name}`).toEqual([
          touched,
          flipped,
          waited,
          flown,
        ])
        hungry += starved
      }
    })
    expect(recounts[0]!.trips).toBeGreaterThan(10)
    expect(recounts[1]!.contacts).toBeGreaterThan(3)
    expect(recounts[1]!.flips).toBeGreaterThan(50)
    expect(hungry).toBeGreaterThan(0)
  })

  it('keeps rocks apart from each other and from the glass', () => {
    let nearest = Infinity
    for (let seed = 0; seed < 20; seed++) {
      const { drift } = new BlackArt({ seed, count: 1 })
      for (let time = 0; time < 200; time += 5) {
        drift.moveTo(time)
        for (const [i, a] of drift.rocks.entries()) {
          nearest = Math.min(nearest, TUBE - 2 * DRONE - Math.hypot(a.position.x, a.position.z) - a.radius)
          for (const b of drift.rocks.slice(0, i))
            nearest = Math.min(nearest, distance(a.position, b.position) - a.radius - b.radius)
        }
      }
    }
    expect(nearest).toBeGreaterThan(0)
  })

  it('moves rocks by their velocities', () => {
    const { drift } = new BlackArt({ seed: 1, count: 1 })
    drift.moveTo(7)
    const before = drift.rocks.map(({ position }) => ({ ...position }))
    const said = drift.rocks.map(({ velocity }) => ({ ...velocity }))
    drift.moveTo(7.001)
    for (const [k, { position }] of drift.rocks.entries())
      for (const axis of ['x', 'y', 'z'] as const)
        expect((position[axis] - before[k]![axis]) / 0.001).toBeCloseTo(said[k]![axis], 3)
  })
})

describe('its panel', () => {
  it('changes trees in flight: without a part there are contacts, with it again there are none', () => {
    const scene = fly(new BlackArt({ seed: 1, schemes: some('within') }), 2)
    const { tally } = column(scene, 'within')
    scene.mix.on.apart = scene.mix.on.rocks = false
    scene.tune()
    fly(scene, pick(4, 8, 8))
    const careless = tally.contacts
    expect(careless).toBeGreaterThan(3)
    scene.restoreMix()
    // overlapping drones have to separate first
    fly(scene, 3)
    tally.reset()
    fly(scene, pick(4, 8, 8))
    expect(tally.contacts).toBe(0)
  })

  it.runIf(ALL)('changes the trees that it names, and no others', () => {
    const print = (change: (scene: BlackArt) => void): Map<string, string> => {
      const scene = fly(new BlackArt({ seed: 3, count: 7 }), 1)
      change(scene)
      scene.tune()
      fly(scene, 1.5)
      return new Map(
        scene.columns.map(({ scheme, tally }) => [
          scheme.name,
          JSON.stringify(tally.drones.map(({ position }) => position)),
        ]),
      )
    }
    const still = print(() => {})
    const knobs = {
      weight: ({ mix }: BlackArt) => Object.assign(mix.weight, { apart: 1.5, rocks: 2.5 }),
      order: (scene: BlackArt) => scene.raise(3),
      chance: ({ mix }: BlackArt) => Object.assign(mix, { chance: 0.5 }),
      project: ({ mix }: BlackArt) => Object.assign(mix, { project: true }),
    }
    for (const [knob, change] of Object.entries(knobs)) {
      const after = print(change)
      for (const { name, knobs: schemeKnobs } of SCHEMES) {
        // a group has no inner order; only that of the goal counts, when it is first
        if (name === 'groups' && knob === 'order') continue
        expect(after.get(name) !== still.get(name), `${name} reacts to ${knob}`).toBe(
          schemeKnobs.some((k) => k === knob),
        )
      }
    }
  })

  it('moves a concern up one place, and the first to the last', () => {
    const scene = new BlackArt({ count: 1 })
    scene.raise(2)
    expect(scene.mix.order).toEqual(['rocks', 'inside', 'apart', 'there'])
    scene.raise(0)
    expect(scene.mix.order).toEqual(['inside', 'apart', 'there', 'rocks'])
    scene.restoreMix()
    expect(scene.mix.order).toEqual(CONCERNS)
  })

  it('accepts its extreme values', () => {
    const scene = new BlackArt({ seed: 1, count: 6 })
    const { mix } = scene
    const extremes: (() => void)[] = [
      () => Object.assign(mix.weight, { rocks: 8, apart: 8, inside: 8, there: 8 }),
      () => Object.assign(mix.weight, { rocks: 0, apart: 0, inside: 0, there: 0 }),
      () => Object.assign(mix, { chance: 0, period: 1, project: true, smoothing: 0.5, fade: 3 }),
      () => Object.assign(mix.on, { rocks: false, apart: false, inside: false, there: false }),
      () => mix.order.reverse(),
      () => scene.restoreMix(),
    ]
    for (const change of extremes) {
      change()
      scene.tune()
      for (const scheme of SCHEMES) expect(scheme.source(mix)).toContain('there')
      fly(scene, pick(0.25, 0.5, 0.5))
      for (const { tally } of scene.columns)
        for (const { position } of tally.drones) expect(Number.isFinite(magnitude(position))).toBe(true)
    }
  })

  it('shows the present trees', () => {
    const scene = new BlackArt({ count: 1 })
    const codeOf = (name: string): string => column(scene, name).scheme.source(scene.mix)
    expect(codeOf('within')).toBe('within([rocks, apart, inside], there)')
    expect(codeOf('priority')).toBe('priority([rocks, apart, inside, there])')
    scene.mix.weight.apart = 2.5
    scene.mix.on.inside = false
    scene.raise(1)
    expect(codeOf('weighted sum')).toContain(
      '{ behavior: apart, weight: 2.5 }, { behavior: rocks, weight: 4 }',
    )
    expect(codeOf('priority')).toBe(
      'priority([\n  apart, rocks,\n  { behavior: inside, enabled: false }, there,\n])',
    )
  })
})

describe('a recent rate', () => {
  it('is measured over the last seconds only', () => {
    const recent = new Recent(10)
    for (let k = 0; k < 60 * 4; k++) recent.add(k % 30 === 0 ? 1 : 0, DT)
    expect(recent.rate).toBeCloseTo(2, 1)
    for (let k = 0; k < 60 * 30; k++) recent.add(k % 30 === 0 ? 1 : 0, DT)
    expect(Math.abs(recent.rate - 2)).toBeLessThan(0.15)
    for (let k = 0; k < 60 * 10; k++) recent.add(0, DT)
    expect(recent.rate).toBe(0)
  })
})
