import { beforeAll, describe, expect, it } from 'vitest'
import { flyDocking, type DockingOptions, type DockingResult } from '../rigs/docking-trials.js'
import { ALL, FULL, pick, report } from '../support/tier.js'

/**
 * Docking on cannon-es bodies with solid hulls. The ordinary run flies a few of the seeds, ACCEPTANCE=full or
 * =print all thousand (minutes).
 */
const CLOSING = 0.25
const TENTH = (0.1 * Math.PI) / 180
/** Share of the gap that the braking distance after a knock may take; the rest is the time of reaction. */
const BRAKES_SUFFICE = 0.9

function fly(count: number, options: DockingOptions = {}, first = 1): DockingResult[] {
  return Array.from({ length: count }, (_, i) => flyDocking(first + i, options))
}

/** The failed criteria of the dockings, except time. */
function flaws(results: readonly DockingResult[]): string[] {
  return results.flatMap((each) => {
    const { seed, docked, contacts, lateral, closing, heading, roll, gap } = each
    const name = `seed ${seed}`
    if (!docked) return [`${name}: not docked: ${each.stages.slice(-3).join(' > ')}`]
    const wrong: string[] = []
    if (contacts > 0) wrong.push(`${name}: ${contacts} contacts before the port`)
    if (!(lateral <= 0.02)) wrong.push(`${name}: ${lateral} m aside`)
    if (!(gap > 0 && gap < 0.03)) wrong.push(`${name}: latched ${gap} m before the port`)
    if (!(Math.abs(closing / CLOSING - 1) <= 0.02)) wrong.push(`${name}: closing at ${closing} m/s`)
    if (!(heading <= TENTH)) wrong.push(`${name}: heading off by ${heading} rad`)
    if (!(roll <= TENTH)) wrong.push(`${name}: rolled by ${roll} rad`)
    return wrong
  })
}

function share(results: readonly DockingResult[], part: number): number {
  const sorted = results.map(({ time, bound }) => time / bound).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!
}

describe('docking with force in any direction', () => {
  let results: DockingResult[] = []
  beforeAll(() => {
    results = fly(pick(4, 25, 1000))
    report('free', results)
  }, 600_000)

  it('all ships dock softly, without a contact before', () => expect(flaws(results)).toEqual([]))

  it('takes little more time than full thrust and full brakes', () => {
    // of eight the median has little meaning
    expect(share(results, 0.5)).toBeLessThan(ALL ? 1.5 : 1.7)
    expect(share(results, 0.95)).toBeLessThan(1.95)
  })

  it('emits its stages in order', () => {
    const plain = results.filter(({ stages }) => !stages.some((each) => each.includes('(')))
    expect(plain.length).toBeGreaterThan(0.9 * results.length)
    for (const { stages } of plain) expect(stages).toEqual(['approach', 'align', 'final', 'latched'])
  })
})

describe.each([30, 240])('docking at 1/%i s', (rate) => {
  it('has the same results', () => {
    const count = pick(1, 3, 50)
    const dt = 1 / rate
    const results = fly(count, { dt })
    report(`1/${rate} s`, results)
    expect(flaws(results)).toEqual([])
    const usual = fly(count)
    for (const [i, { time }] of results.entries()) expect(time / usual[i]!.time).toBeCloseTo(1, 1)
  }, 120_000)
})

describe('docking with other engines', () => {
  it('brakes in time with a retro engine of a quarter of the main thrust', () => {
    const results = fly(pick(3, 6, 1000), { engines: 'weakRetro' })
    report('weak retro', results)
    expect(flaws(results)).toEqual([])
    // of six the median has little meaning
    expect(share(results, 0.5)).toBeLessThan(FULL ? 2.6 : 3)
  }, 600_000)

  it('coasts in without a retro engine', () => {
    const results = fly(pick(1, 6, 200), { engines: 'noRetro' })
    report('no retro', results)
    const coasts = results.map((each) => ({ ...each, closing: CLOSING }))
    expect(flaws(coasts)).toEqual([])
    for (const { closing } of results) expect(closing).toBeLessThan(1.1 * CLOSING)
  }, 600_000)

  it('turns and tilts to use its main engine, without any sideways engines', () => {
    const results = fly(pick(1, 6, 200), { engines: 'noSide' })
    report('no side thrust', results)
    const lost = results.filter(({ docked }) => !docked)
    expect(lost.length).toBeLessThanOrEqual(0.02 * results.length)
    expect(flaws(results.filter(({ docked }) => docked))).toEqual([])
  }, 600_000)
})

describe('a carrier that suddenly starts to turn', () => {
  it('makes the ship abort and try again', () => {
    const results = fly(pick(2, 4, 100), { knock: 0.3, knockTime: 1 })
    report('knocked', results)
    expect(results.filter(({ docked }) => !docked)).toEqual([])
    // in the other cases the hull swings into the ship before any brakes can help
    const avoidable = results.filter(({ knockShare }) => knockShare < BRAKES_SUFFICE)
    expect(avoidable.length).toBeGreaterThan(0.7 * results.length)
    expect(avoidable.filter(({ contacts }) => contacts > 0)).toEqual([])
    for (const { lateral } of results) expect(lateral).toBeLessThan(0.02)
    const again = results.filter(({ stages }) => stages.some((each) => each.includes('(')))
    expect(again.length).toBeGreaterThan(0)
  }, 300_000)
})
