import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Pilot } from '../src/net/pilot.js'
import { hasRedis, launchShards, type RunningShards } from '../src/server/shards.js'
import { Observer } from './kept.js'

const program = fileURLToPath(new URL('../build/server/serve.js', import.meta.url))
const AGENTS = 30

async function until(what: () => boolean, each: () => void = () => {}, seconds = 20): Promise<void> {
  for (const end = performance.now() + 1000 * seconds; performance.now() < end && !what();) {
    each()
    await sleep(30)
  }
  expect(what()).toBe(true)
}

const now = (): number => performance.now() / 1000
const IDLE = [0, 0, 0, 0, 0, 0]

describe.skipIf(!hasRedis())('a world in two processes', () => {
  let shards: RunningShards
  beforeAll(async () => {
    shards = await launchShards({ port: 0, shards: 2, agents: AGENTS, program })
    console.info(`records in ${shards.store.name}`)
  }, 30_000)
  afterAll(() => shards.close())

  it('hands ships over, and a shard that is killed comes back with all', async () => {
    const origin = shards.address
    const ada = await Pilot.connect({ origin, name: 'Ada', cell: 0 })
    const bo = await Pilot.connect({ origin, name: 'Bo', cell: 1 })
    let axes = IDLE
    const fly = (): void => {
      ada.update(now(), axes)
      bo.update(now(), IDLE)
    }
    const own = () => ada.buffer.get(ada.ship?.key ?? 0)
    await until(() => own() !== null && bo.buffer.get(bo.ship?.key ?? 0) !== null, fly)

    // the attitude of a new ship is that of the world: +x is to its left
    const border = 0
    let last: number | null = null
    let leap = 0
    let lastTime = 0
    axes = [0, 0, own()!.position.x < border ? -1 : 1, 0, 0, 0]
    await until(
      () => own() !== null && own()!.position.x > border + 3,
      () => {
        fly()
        const x = own()?.position.x
        // within sight of both rooms it is never lost, and never leaps
        if (x === undefined) last = null
        else if (last !== null) leap = Math.max(leap, Math.abs(x - last) - 25 * (now() - lastTime))
        if (x !== undefined) last = x
        lastTime = now()
      },
      60,
    )
    expect(leap).toBeLessThan(2)
    expect(ada.cells).toContain(1)

    const link = new Observer(shards.store.url)
    for (let run = 0; run < 2; run++) {
      await shards.kill(run === 0 ? 1 : 0)
      await sleep(500)
      const keys = await link.kept(2)
      expect(new Set(keys).size).toBe(keys.length)
      expect(keys).toHaveLength(AGENTS + 2)
      // its player joins again by itself, and steers the same ship
      const { key } = ada.ship!
      axes = IDLE
      await until(() => !ada.cells.includes(1 - run), fly)
      await until(() => own() !== null && ada.cells.length === 2, fly)
      expect(ada.ship!.key).toBe(key)
    }
    await until(() => [...ada.buffer.agents].length === AGENTS + 2, fly)
    link.close()
    await Promise.all([ada.leave(), bo.leave()])
  }, 120_000)
})
