import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { Vec3Like } from 'three-steering'
import { Docking } from '../../demo/scenarios/docking.js'
import { apart } from '../laws/kit.js'
import { makeConvoy } from '../rigs/convoy.js'
import { Shuttles } from '../rigs/shuttles.js'
import { Standing } from '../support/progress.js'
import { ALL, FULL, pick } from '../support/tier.js'

/**
 * Worlds that run by themselves for a long time. No agent touches anything, no agent stands without a reason,
 * something is achieved in every minute, and memory does not grow. `npm test` flies one seed for a quarter
 * of a minute, `npm run test:all` for a minute and a half; `ACCEPTANCE=full` flies three seeds for ten
 * minutes and prints step times.
 */
const SEEDS = FULL ? [1, 2, 3] : [1]
const MINUTES = pick(0.25, 1, 10)
const DT = 1 / 60
const MINUTE = 60 / DT
/** An agent that stays within this distance (m) of one place stands. */
const REACH = 2
/** Longest time (s) for which an agent on its way may stand. */
const LONGEST_STAND = 20
/** Growth of memory (bytes) that is not a leak: compiled code, arrays of the engine that have doubled. */
const GROWTH = 4e6

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

interface Watch {
  readonly step: () => void
  /** Positions of the agents (m); null for an agent with a reason to stand. */
  readonly positions: () => readonly (Vec3Like | null)[]
  /** Number of agents that touch something now. */
  readonly contacts: () => number
  /** Number of achievements so far. */
  readonly achieved: () => number
}

interface Figures {
  readonly touched: number
  /** Smallest number of achievements in a minute. */
  readonly least: number
  /** Longest time for which an agent stood without a reason (s). */
  readonly longest: number
  /** Growth of memory (bytes). */
  readonly growth: number
}

function soak(name: string, { step, positions, contacts, achieved }: Watch): Figures {
  const standing = new Standing(REACH)
  const gains: number[] = []
  const means: number[] = []
  let time = 0
  let touched = 0
  let first = 0
  let before = achieved()
  for (let minute = 0; minute < MINUTES; minute++) {
    const steps = Math.min(1, MINUTES - minute) * MINUTE
    let spent = 0
    for (let i = 0; i < steps; i++) {
      const start = performance.now()
      step()
      spent += performance.now() - start
      touched += contacts()
      time += DT
      for (const [k, position] of positions().entries())
        if (position === null) standing.excuse(k)
        else standing.update(time, k, position)
    }
    means.push((1000 * spent) / steps)
    if (steps === MINUTE) gains.push(achieved() - before)
    before = achieved()
    collect()
    if (minute === 0) first = process.memoryUsage().heapUsed
  }
  collect()
  const growth = process.memoryUsage().heapUsed - first
  if (FULL)
    process.stdout.write(
      `${name}: achieved each minute ${gains.join(' ')}; longest stand ${standing.longest.toFixed(1)} s; contacts ${touched}; ` +
        `heap ${(growth / 1e6).toFixed(2)} MB; µs a step, each minute ${means.map((mean) => mean.toFixed(0)).join(' ')}\n`,
    )
  return { touched, least: Math.min(...gains), longest: standing.longest, growth }
}

function expectSound({ touched, least, longest, growth }: Figures): void {
  expect(touched).toBe(0)
  expect(least).toBeGreaterThan(0)
  expect(longest).toBeLessThan(LONGEST_STAND)
  expect(growth).toBeLessThan(GROWTH)
}

describe('a world left to itself', () => {
  // the quick run flies this convoy in never-stuck.test.ts, and this station in docking-show.test.ts
  it.runIf(ALL).each(SEEDS)(
    'a convoy of 24 passes rocks on a closed path, seed %i',
    (seed) => {
      const { world, obstacles, ships, lead } = makeConvoy(seed, 24, seed % 2 === 1)
      const normal = { x: 0, y: 0, z: 0 }
      const touches = (i: number): boolean => {
        const { position, radius } = ships[i]!
        if (obstacles.distance(position, normal) < 0.99 * radius) return true
        return ships.some((other, k) => k > i && apart(other.position, position) < 1.98 * radius)
      }
      const figures = soak(`convoy ${seed}`, {
        step: () => world.step(DT),
        positions: () => ships.map(({ position }) => position),
        // ships may start inside rocks
        contacts: () => (world.time > 10 ? ships.filter((_, i) => touches(i)).length : 0),
        achieved: () => Math.floor((lead.stationOf(ships[0]!) || 0) / 50),
      })
      expectSound(figures)
    },
    1_200_000,
  )

  it.each(SEEDS)(
    '24 ships fly from goal to goal between rocks, seed %i',
    (seed) => {
      const traffic = new Shuttles(seed)
      const { obstacles, ships } = traffic
      const normal = { x: 0, y: 0, z: 0 }
      const touches = (i: number): boolean => {
        const { position, radius } = ships[i]!
        if (obstacles.distance(position, normal) < 0.99 * radius) return true
        return ships.some(
          (other, k) => k > i && apart(other.position, position) < 0.99 * (radius + other.radius),
        )
      }
      const figures = soak(`traffic ${seed}`, {
        step: () => traffic.step(DT),
        positions: () => ships.map(({ position }) => position),
        contacts: () => (traffic.steering.time > 2 ? ships.filter((_, i) => touches(i)).length : 0),
        achieved: () => traffic.arrivals,
      })
      expectSound(figures)
    },
    1_200_000,
  )

  it.runIf(ALL).each(SEEDS)(
    'ships queue, dock, unload and load, seed %i',
    (seed) => {
      const show = new Docking({ seed })
      const { station } = show
      const busy = new Set(['dock', 'undock', 'cross'])
      const figures = soak(`docking ${seed}`, {
        step: () => show.step(DT),
        // relative to the station, which drifts; ships that queue or are latched have a reason to stand
        positions: () =>
          show.ships.map(({ body, leg, stage }) =>
            busy.has(leg) && stage !== 'queue' ? body.position.vsub(station.position) : null,
          ),
        contacts: () => show.contacts,
        achieved: () => show.touches.length,
      })
      expectSound(figures)
      show.dispose()
    },
    1_200_000,
  )
})
