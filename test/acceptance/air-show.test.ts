import { describe, expect, it } from 'vitest'
import { AirShow } from '../../demo/scenarios/air-show.js'
import { PATTERNS, type PatternName } from '../../demo/scenarios/air-show-figures.js'
import { FULL, pick } from '../support/tier.js'

/** Several seeds: `ACCEPTANCE=full npx vitest run test/acceptance/air-show.test.ts`. */
const DT = 1 / 60

const numberOf = (show: AirShow, name: string): number => Number(show.state()[name])

describe.each(FULL ? [1, 2, 3, 4, 5, 6] : [1])('the programme of an air show (seed %i)', (seed) => {
  const show = new AirShow({ seed })
  const seen = new Set<string>()
  let [fewest, farthest] = [9, 0]
  while (show.lap === 1) {
    show.step(DT)
    seen.add(show.pattern)
    fewest = Math.min(fewest, show.flying.length)
    if (show.time > 3)
      for (const jet of show.flying) if (jet.inPlace) farthest = Math.max(farthest, show.errorOf(jet))
  }

  it('has no contact', () => {
    expect(numberOf(show, 'collisions')).toBe(0)
  })

  it('shows every pattern except one, with all slots kept to a hand’s breadth', () => {
    expect([...seen].toSorted()).toEqual(
      Object.keys(PATTERNS)
        .filter((name) => name !== 'echelon')
        .toSorted(),
    )
    expect(numberOf(show, 'slot error')).toBeLessThan(0.1)
    // they make the whole way to the aircraft that falls
    expect(farthest).toBeLessThan(3.2)
  })

  it('loses one aircraft, closes up, and has nine again at the end', () => {
    expect(show.lost).toBe(1)
    expect(fewest).toBe(8)
    expect(show.flying).toHaveLength(9)
    expect(show.flying.every(({ inPlace }) => inPlace)).toBe(true)
  })

  it('is flown smoothly', () => {
    const jumps = show.jets.reduce((sum, { flips }) => sum + flips.jumps, 0)
    expect(jumps / show.jets.length / show.time).toBeLessThan(0.02)
  })
})

it('no two aircraft touch in any sequence of patterns', () => {
  const names = Object.keys(PATTERNS) as PatternName[]
  for (const seed of FULL ? [1, 2, 3, 4, 5, 6, 7, 8] : [1]) {
    const show = new AirShow({ seed })
    show.programme = false
    for (let k = 0; show.time < pick(12, 60, 120); k++) {
      if (k % 600 === 0) show.call(names[(7 * seed + 3 * (k / 600)) % names.length]!)
      if (k % 900 === 300) show.roll()
      show.step(DT)
    }
    expect([seed, numberOf(show, 'collisions')]).toEqual([seed, 0])
  }
}, 600_000)
