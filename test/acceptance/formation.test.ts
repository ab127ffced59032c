import { beforeAll, describe, expect, it } from 'vitest'
import { Arrive } from 'three-steering'
import { boxPattern, columnPattern, linePattern, ringPattern } from 'three-steering/formation'
import { spherePattern, wallPattern, wedgePattern } from 'three-steering/formation'
import { LedFormation } from '../rigs/led-formation.js'
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

const CREW_SEEDS = Array.from({ length: FULL ? SEEDS : 1 }, (_, seed) => seed)

describe('25 agents at random places', () => {
  // prettier-ignore
  const patterns = { box: boxPattern, wall: wallPattern, line: linePattern, wedge: wedgePattern, sphere: spherePattern }

  // the quick run flies one; test/behaviors/formation flies some behind a leader
  it.each(Object.entries(patterns).slice(0, ALL ? 5 : 1))(
    'form a %s, and no two come nearer than at the start',
    (_, pattern) => {
      for (const seed of CREW_SEEDS) {
        const crew = new LedFormation({ count: 25, scattered: true, seed, pattern, led: false })
        crew.fly(25)
        expect(crew.nearest).toBeGreaterThan(4)
        expect(crew.fly(1)).toBeLessThan(1e-3)
      }
    },
  )
})

describe.each(MAKES.slice(0, ALL ? MAKES.length : 1))('a formation of %ss led by a member', (make) => {
  it.each(CREW_SEEDS)('changes its pattern in flight without close passes (seed %i)', (seed) => {
    const crew = new LedFormation({ count: 25, make, seed, pattern: boxPattern, frame: 'course' })
    crew.fly(12)
    expect(crew.nearest).toBeGreaterThan(2)
    crew.nearest = Infinity
    for (const pattern of FULL
      ? [ringPattern, wedgePattern, columnPattern, boxPattern]
      : [ringPattern, wedgePattern]) {
      crew.formation.pattern = pattern
      crew.fly(1)
      for (let k = 0; k < 30 && crew.formation.changing; k++) crew.fly(1)
      crew.fly(3)
      expect(crew.fly(1)).toBeLessThan(0.15)
    }
    expect(crew.nearest).toBeGreaterThan(4)
  })

  it.each(CREW_SEEDS)('continues with another leader, and takes in a new member (seed %i)', (seed) => {
    const crew = new LedFormation({ make, seed })
    crew.fly(13)
    const first = crew.captain!
    expect(crew.pathError).toBeLessThan(0.01)
    crew.remove(first)
    crew.fly(8)
    expect(crew.captain).toBeDefined()
    expect(crew.captain).not.toBe(first)
    expect(crew.pathError).toBeLessThan(0.05)
    expect(crew.formation.size).toBe(8)
    expect(crew.fly(2)).toBeLessThan(0.05)
    const late = crew.add({ x: 40, y: 30, z: -60 }, { x: 0, y: 0, z: 0 })
    crew.fly(24)
    expect(crew.slotErrorOf(late)).toBeLessThan(0.05)
    expect(crew.fly(2)).toBeLessThan(0.05)
    expect(crew.nearest).toBeGreaterThan(2)
  })
})

it('a formation that loses its leader in a turn flies straight on, together', () => {
  const crew = new LedFormation({ led: false, seed: 4 })
  crew.fly(5)
  let angle = 0
  const position = { ...crew.formation.anchor.position }
  const leader = { position, velocity: { x: 0, y: 0, z: 0 } }
  crew.formation.leader = leader
  for (let k = 0; k < 600; k++) {
    angle += 0.3 / 60
    Object.assign(leader.velocity, { x: 8 * Math.cos(angle), y: 0, z: 8 * Math.sin(angle) })
    position.x += leader.velocity.x / 60
    position.z += leader.velocity.z / 60
    crew.fly(1 / 60)
  }
  crew.formation.leader = null
  crew.fly(6)
  expect(crew.fly(2)).toBeLessThan(0.01)
  const { velocity } = crew.formation.anchor
  expect(Math.hypot(velocity.x, velocity.y, velocity.z)).toBeCloseTo(8, 1)
  expect(crew.nearest).toBeGreaterThan(2)
})

it('a formation that loses all members one by one forms up again from new ones', () => {
  const crew = new LedFormation({ seed: 1 })
  crew.fly(6)
  while (crew.members.length > 0) {
    crew.remove(crew.captain ?? crew.members[0]!)
    if (crew.members.length > 0) crew.fly(0.7)
  }
  for (let k = 0; k < 5; k++) crew.add({ x: 3 * k, y: 0, z: 0 }, { x: 0, y: 0, z: 0 })
  crew.fly(15)
  expect(crew.formation.size).toBe(5)
  expect(crew.fly(2)).toBeLessThan(0.05)
  expect(crew.nearest).toBeGreaterThan(2)
})
