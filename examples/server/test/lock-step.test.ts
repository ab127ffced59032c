import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasRedis, startStore } from '../src/server/shards.js'
import { planOf, type Grid } from '../src/world/plan.js'
import { sumOf, type Flown, type Handed, type Part } from './digest.js'

const program = fileURLToPath(new URL('../build/part/part.js', import.meta.url))

/** Steps of the flight; `STEPS=10000 npm test` flies longer. */
const STEPS = Number(process.env['STEPS'] ?? 240)
const AGENTS = STEPS > 1000 ? 120 : 60
const SIZE: Grid = [320, 120, 240]

interface World {
  readonly digests: string[]
  readonly handed: Handed
  readonly crafts: number
}

/** Flies a fleet in a process for each cell. */
async function fly(grid: Grid, isCut = false): Promise<World> {
  const store = await startStore()
  const { cells } = planOf(grid, AGENTS)
  if (cells > 1) console.info(`records in ${store.name}`)
  const flown = await Promise.all(
    Array.from({ length: cells }, (_, index) => {
      const part: Part = { index, grid, agents: AGENTS, size: SIZE, redis: store.url, steps: STEPS, isCut }
      const child = fork(program, [JSON.stringify(part)])
      return new Promise<World>((resolve, reject) => {
        const digests: string[] = []
        child.on('message', (said: Flown | { problem: string }) => {
          if ('problem' in said) return reject(new Error(`cell ${index}: ${said.problem}`))
          digests.push(...said.digests)
          if (digests.length < STEPS) return
          child.kill()
          resolve({ digests, handed: said.handed, crafts: said.crafts })
        })
        child.once('exit', (code) => reject(new Error(`cell ${index} ended: ${code}`)))
      })
    }),
  )
  await store.close()
  const total = (of: (handed: Handed) => number): number =>
    flown.reduce((sum, { handed }) => sum + of(handed), 0)
  return {
    digests: Array.from({ length: STEPS }, (_, i) => sumOf(flown.map(({ digests }) => digests[i]!))),
    handed: {
      all: total(({ all }) => all),
      wings: total(({ wings }) => wings),
      shuttles: total(({ shuttles }) => shuttles),
      atPort: total(({ atPort }) => atPort),
    },
    crafts: flown.reduce((sum, { crafts }) => sum + crafts, 0),
  }
}

describe.skipIf(!hasRedis())('processes in lock step, through Redis', () => {
  let whole: World
  beforeAll(async () => {
    whole = await fly([1, 1, 1])
  }, 600_000)

  it.each<[...Grid, isCut: boolean]>([
    [2, 1, 1, false],
    [4, 1, 1, false],
    [2, 1, 2, true],
  ])(
    'equal the whole world bit by bit: %i x %i x %i cells, cut anew: %s',
    async (x, y, z, isCut) => {
      const grid: Grid = [x, y, z]
      const parts = await fly(grid, isCut)
      expect(parts.digests.findIndex((digest, i) => digest !== whole.digests[i])).toBe(-1)
      expect(new Set(whole.digests).size).toBe(STEPS)
      expect([parts.crafts, whole.crafts]).toEqual([AGENTS, AGENTS])
      const { all, atPort, shuttles, wings } = parts.handed
      expect(all).toBeGreaterThan(0)
      expect(shuttles).toBeGreaterThan(0)
      if (grid[0] > 2 || STEPS > 1000) expect(wings).toBeGreaterThan(0)
      if (STEPS > 1000) expect(atPort).toBeGreaterThan(0)
      if (STEPS > 1000)
        console.info(
          `${grid.join('x')} processes, ${STEPS} steps: ${all} hand-overs, ${wings} of the wing, ${shuttles} of shuttles, ${atPort} with the port`,
        )
    },
    600_000,
  )
})
