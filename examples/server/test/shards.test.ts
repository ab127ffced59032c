import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Pilot } from '../src/net/pilot.js'
import { RedisLink } from '../src/server/redis-link.js'
import { RedisStandIn } from '../src/server/redis-stand-in.js'
import { launchShards, type RunningShards } from '../src/server/shards.js'
import { boundsOf } from '../src/world/plan.js'
import { kept } from './kept.js'

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

describe('a world in two processes', () => {
  let shards: RunningShards
  beforeAll(async () => {
    shards = await launchShards({ port: 0, shards: 2, agents: AGENTS, program })
    console.info(`records in ${shards.store}`)
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
    const border = boundsOf(shards.plan, 1).from
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

    const link = new RedisLink(shards.redis)
    for (let run = 0; run < 2; run++) {
      await shards.kill(run === 0 ? 1 : 0)
      await sleep(500)
      const keys = await kept(link, 2)
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

describe('the stand-in for Redis', () => {
  it('moves records as Redis does', async () => {
    const standIn = await RedisStandIn.listen()
    const [a, b] = [0, 1].map(() => new RedisLink(`redis://127.0.0.1:${standIn.port}`))
    const given: [number, string][] = []
    const borders: [number, Uint8Array][] = []
    await b!.listen(1, {
      onBorder: (from, bytes) => borders.push([from, bytes]),
      onGiven: (_, key, record) => given.push([key, record]),
    })
    expect([await a!.isFirst(0), await b!.isFirst(0)]).toEqual([true, false])
    expect([await a!.next(), await b!.next()]).toEqual([1, 2])
    const text = 'ein Würfel\r\n'.repeat(3000)
    a!.save(
      0,
      new Map([
        [5, text],
        [6, 'six'],
      ]),
      12,
    )
    expect([await b!.tickOf(0), await b!.tickOf(1)]).toEqual([12, 0])
    a!.give(0, 1, 5, text)
    a!.show(0, 1, Uint8Array.of(0, 13, 10, 255))
    expect(await a!.keys(0)).toEqual([6])
    expect(await a!.keys(1)).toEqual([5])
    expect(await a!.load(1, [5, 7])).toEqual([text])
    await until(() => borders.length === 1)
    expect(given).toEqual([[5, text]])
    expect([borders[0]![0], ...borders[0]![1]]).toEqual([0, 0, 13, 10, 255])
    a!.remove(0, 6)
    expect(await a!.keys(0)).toEqual([])
    for (const link of [a!, b!]) link.close()
    standIn.close()
  })
})
