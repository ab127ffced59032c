import { beforeAll, describe, expect, it } from 'vitest'
import { Arrive } from 'three-steering'
import { LEADS } from '../rigs/formation-leads.js'
import {
  pathDifference,
  blockScene,
  flyBlock,
  MAKES,
  type BlockOptions,
  type BlockResult,
  type BlockScene,
} from '../rigs/formation-trials.js'
import { ALL, FULL, report } from '../support/tier.js'

/**
 * The whole sweep, 20 seeds of each kind and make: `ACCEPTANCE=full`, or `=print`, which also prints the
 * table.
 */
const SEEDS = 20

/** Every kind of leader with every kind of follower; in a short run each leader with one kind. */
const SCENES: readonly BlockScene[] = LEADS.flatMap((kind, k) =>
  FULL
    ? MAKES.flatMap((make) => Array.from({ length: SEEDS }, (_, seed) => blockScene(kind, make, seed)))
    : [blockScene(kind, MAKES[k % MAKES.length]!, k)],
)

/** Some of the scenes, to be flown again. */
const SOME = SCENES.filter(({ kind, seed }) => (FULL ? seed < 2 : kind === 'reverse'))

function fly(scenes: readonly BlockScene[], options?: BlockOptions): BlockResult[] {
  return scenes.map((scene) => flyBlock(scene, options))
}

/** The failing scenes, as text. */
function flaws(results: readonly BlockResult[], wrong: (result: BlockResult) => number | false): string[] {
  return results.flatMap((result) => {
    const what = wrong(result)
    const { kind, make, seed } = result.scene
    return what === false ? [] : [`${make} ${kind} ${seed}: ${what.toPrecision(4)}`]
  })
}

/** No contact, no excessive force, and slots kept to `rms` (m). */
function expectBlock(results: readonly BlockResult[], rms: number): void {
  expect(flaws(results, (result) => result.void && 1)).toEqual([])
  expect(flaws(results, ({ contacts }) => contacts > 0 && contacts)).toEqual([])
  expect(flaws(results, (result) => !(result.rms <= rms) && result.rms)).toEqual([])
}

describe('a block of nine follows a leader that turns, climbs, speeds up, reverses and rolls', () => {
  let results: BlockResult[] = []

  beforeAll(() => {
    results = fly(SCENES)
    report('formation', results)
  }, 3_600_000)

  it('keeps slots better than agents that each arrive at their slot', () => {
    const scene = blockScene('turn', 'drone', 1)
    const alone = flyBlock(scene, { behave: (at) => new Arrive({ target: at }) })
    expect(alone.rms).toBeGreaterThan(1)
  })

  it('has no contact and keeps its slots', () => {
    expectBlock(results, 0.05)
  })

  it('has its slots at their places relative to the leader', () => {
    expect(flaws(results, ({ idealError }) => !(idealError <= 0.1) && idealError)).toEqual([])
  })

  it('flies without jitter', () => {
    expect(flaws(results, ({ jitter }) => !(jitter <= 0.4) && jitter)).toEqual([])
  })

  it.runIf(ALL)(
    'as real bodies, too',
    () => {
      const bodies = fly(SOME, { bodies: 'cannon' })
      report('formation, cannon', bodies)
      expectBlock(bodies, 0.05)
    },
    3_600_000,
  )

  it.runIf(ALL)(
    'keeps up with the leader without mutual avoidance',
    () => {
      const others = fly(SOME, { avoids: false, formation: { pace: 'leader' } })
      report('formation, leader', others)
      expectBlock(others, 0.05)
    },
    3_600_000,
  )

  it.runIf(ALL)(
    'flies the same at 1/30 and 1/240 s',
    () => {
      const [coarse, fine] = [1 / 30, 1 / 240].map((dt) => fly(SOME, { dt }))
      report('formation, 1/30 s', coarse!)
      report('formation, 1/240 s', fine!)
      expectBlock(coarse!, 0.05)
      expectBlock(fine!, 0.05)
      coarse!.forEach((one, k) => {
        const other = fine![k]!
        expect(pathDifference(one, other)).toBeLessThan(0.01)
        expect(other.jitter).toBeLessThanOrEqual(1.5 * one.jitter + 0.2)
      })
    },
    3_600_000,
  )
})
