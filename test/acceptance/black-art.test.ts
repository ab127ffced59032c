import { describe, expect, it } from 'vitest'
import { CONCERNS, SCHEMES, type Scheme } from '../../demo/scenarios/black-art-schemes.js'
import { BlackArt, type Column } from '../../demo/scenarios/black-art.js'
import { magnitude } from '../../demo/scenarios/metrics.js'
import { Recent } from '../../demo/scenarios/recent.js'
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

describe('the black-art scene', () => {
  it('has no contact and flowing traffic with `within`, and contacts with other schemes', () => {
    const others = pick(['truncated sum', 'priority'], SUMS_AND_CHOICES)
    const seconds = pick(12, 30)
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
})

describe('its panel', () => {
  it('changes trees in flight: without a part there are contacts, with it again there are none', () => {
    const scene = fly(new BlackArt({ seed: 1, schemes: some('within') }), 2)
    const { tally } = column(scene, 'within')
    scene.mix.on.apart = scene.mix.on.rocks = false
    scene.tune()
    fly(scene, pick(4, 8))
    const careless = tally.contacts
    expect(careless).toBeGreaterThan(3)
    scene.restoreMix()
    // overlapping drones have to separate first
    fly(scene, 3)
    tally.reset()
    fly(scene, pick(4, 8))
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
      fly(scene, pick(0.25, 0.5))
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
