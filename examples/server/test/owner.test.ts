import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LEASE, RedisLink, Refusal, type RedisLinkOptions } from '../src/server/redis-link.js'
import { hasRedis, startStore, type Store } from '../src/server/shards.js'
import { agreeOn, clockNow } from '../src/server/beat.js'
import { Cell } from '../src/world/cell.js'
import { EPOCH, planOf } from '../src/world/plan.js'
import type { Hearing, Tenure } from '../src/world/link.js'
import { Observer } from './kept.js'

const plan = planOf(2, 10)

/** What a cell is told. */
class Ear implements Hearing {
  readonly given: [from: number, unit: number, record: string][] = []
  readonly borders: [from: number, ...bytes: number[]][] = []
  readonly taken: number[] = []
  forgotten = 0
  lost = 0
  onBorder(from: number, border: Uint8Array): void {
    this.borders.push([from, ...border])
  }
  onGiven(from: number, unit: number, record: string): void {
    this.given.push([from, unit, record])
  }
  onTaken(units: readonly number[]): void {
    this.taken.push(...units)
  }
  onForgotten(): void {
    this.forgotten++
  }
  onLost(): void {
    this.lost++
  }
}

async function until(what: () => boolean | Promise<boolean>, seconds = 12): Promise<void> {
  for (const end = performance.now() + 1000 * seconds; performance.now() < end && !(await what());)
    await sleep(20)
  expect(await what()).toBe(true)
}

if (!hasRedis()) console.info('skipped, because redis-server is not installed: who owns a cell')
describe.skipIf(!hasRedis())('a cell in Redis', { timeout: 60_000 }, () => {
  let store: Store
  let observer: Observer
  let problems: string[]
  const links: RedisLink[] = []
  const linkTo = (options: Partial<RedisLinkOptions> = {}): RedisLink => {
    const report = (problem: string): number => problems.push(problem)
    const link = new RedisLink({ url: store.url, version: '1', report, ...options })
    links.push(link)
    return link
  }
  const listening = async (tenure: Tenure): Promise<Ear> => {
    const ear = new Ear()
    await tenure.listen(ear)
    return ear
  }
  beforeAll(async () => {
    store = await startStore()
    observer = new Observer(store.url)
  })
  afterAll(async () => {
    observer.close()
    await store.close()
  })
  beforeEach(async () => {
    problems = []
    await observer.redis.flushall()
  })
  afterEach(async () => {
    for (const link of links.splice(0)) await link.close()
  })

  it('gives a unit to its neighbour at once, with what is shown before and after', async () => {
    const [a, b] = [await linkTo().own(0, plan), await linkTo().own(1, plan)]
    const ear = await listening(b)
    const text = 'ein Würfel\r\n'.repeat(3000)
    a.save(
      new Map([
        [5, text],
        [6, 'six'],
      ]),
      12,
    )
    a.show(1, Uint8Array.of(13, 10))
    a.give(1, 5, text)
    a.show(1, Uint8Array.of(0, 255))
    await until(() => ear.borders.length === 2)
    expect(ear.borders).toEqual([
      [0, 13, 10],
      [0, 0, 255],
    ])
    expect(ear.given).toEqual([[0, 5, text]])
    expect(await a.units()).toEqual([6])
    expect(await b.units()).toEqual([5])
    expect(await b.load([5, 7])).toEqual([text])
    expect(await observer.tickOf(0)).toBe(12)
    a.remove(6)
    await until(async () => (await a.units()).length === 0)
    expect(problems).toEqual([])
  })

  it('has one owner: the next one waits until it is silent, and then the late one can do nothing', async () => {
    const first = linkTo({ address: 'here:1' })
    const late = await first.own(0, plan)
    const ear = await listening(late)
    late.save(new Map([[1, 'one']]), 3)
    expect(late.isFirst).toBe(true)
    const began = performance.now()
    let next: Tenure | null = null
    const waiting = linkTo()
      .own(0, plan)
      .then((tenure) => (next = tenure))
    await sleep(LEASE + 700)
    expect(next).toBe(null)
    expect(problems).toEqual(['cell 0 belongs to here:1: this one waits for its end'])
    // as a process that is stopped: it renews nothing, and notices nothing
    clearInterval((first as unknown as { timer: NodeJS.Timeout }).timer)
    await waiting
    expect(performance.now() - began).toBeLessThan(3 * LEASE)
    expect([next!.isFirst, next!.tick, late.isSure]).toEqual([false, 3, false])
    expect(await next!.load(await next!.units())).toEqual(['one'])
    next!.save(new Map([[1, 'two']]), 4)
    late.save(new Map([[1, 'three']]), 5)
    await until(() => ear.lost === 1)
    late.give(1, 1, 'four')
    late.remove(1)
    expect(await observer.records(0)).toEqual(['two'])
    expect(await observer.records(1)).toEqual([])
    expect(next!.isSure).toBe(true)
  })

  it('is owned at once where its owner has given it up, or is known to have ended', async () => {
    const first = linkTo()
    const tenure = await first.own(0, plan)
    const began = performance.now()
    await linkTo({ after: first.tokenOf(0) }).own(0, plan)
    const ended = await linkTo().own(1, plan)
    ended.end()
    await linkTo().own(1, plan)
    expect(performance.now() - began).toBeLessThan(LEASE / 2)
    expect(tenure.isSure).toBe(true)
  })

  it('stays with its owner when the store has lost it, though another one waits for it', async () => {
    const owner = await linkTo().own(0, plan)
    const ear = await listening(owner)
    let isTaken = false
    const waiting = linkTo()
      .own(0, plan)
      .then(() => (isTaken = true))
    for (let time = 0; time < 5; time++) {
      await sleep(600)
      await observer.redis.flushall()
    }
    await sleep(LEASE + 1000)
    expect([isTaken, ear.lost, owner.isSure]).toEqual([false, 0, true])
    owner.end()
    await waiting
  })

  it('is refused to another version also where the store was silent for longer than a lease', async () => {
    await linkTo().own(0, plan)
    await observer.redis.del('world:lease:0')
    await expect(linkTo({ version: '2' }).own(1, plan)).rejects.toThrow(/version 1, and this is 2/)
  })

  it('is owned when a full store has room again, and not before', async () => {
    await observer.redis.config('SET', 'maxmemory', '1')
    let isOwned = false
    const owned = linkTo()
      .own(0, plan)
      .then(() => (isOwned = true))
    await sleep(1000)
    expect([isOwned, problems]).toEqual([false, ['Redis is full']])
    await observer.redis.config('SET', 'maxmemory', '0')
    await owned
  })

  it('is refused to another plan, and to another version beside this one', async () => {
    const link = linkTo()
    await link.own(0, plan)
    await expect(linkTo().own(1, planOf(2, 11))).rejects.toThrow(Refusal)
    await expect(linkTo().own(1, planOf(2, 11))).rejects.toThrow(/"agents":10.*"agents":11.*another store/)
    await expect(linkTo({ version: '2' }).own(1, plan)).rejects.toThrow(/version 1, and this is 2: end all/)
    await link.close()
    await linkTo({ version: '2' }).own(1, plan)
  })

  it.each([true, false])(
    'keeps what its owners have, when the store comes back (empty: %s)',
    async (isEmpty) => {
      const [a, b] = [await linkTo().own(0, plan), await linkTo().own(1, plan)]
      const [earA, earB] = [await listening(a), await listening(b)]
      a.save(
        new Map([
          [1, 'one'],
          [2, 'two'],
        ]),
        3,
      )
      a.give(1, 2, 'two, over')
      await until(() => earB.given.length === 1)
      expect(a.isSure).toBe(true)
      await store.restart(isEmpty)
      await until(() => earA.forgotten === 1 && earB.forgotten === 1 && a.isSure && b.isSure)
      a.save(new Map([[1, 'one, again']]), 4)
      b.save(new Map([[2, 'two, again']]), 4)
      await until(async () => (await observer.units(2)).length === 2)
      expect([await a.units(), await b.units()]).toEqual([[1], [2]])
      // what was given is given again, and is known to be there
      await until(() => a.isSettled)
      await sleep(300)
      expect([await observer.records(0), await observer.records(1)]).toEqual([['one, again'], ['two, again']])
      expect([earA.taken, earA.lost, earB.given.length, earB.lost]).toEqual([[], 0, 1, 0])
      expect(problems.filter((problem) => problem.includes('answers'))).toHaveLength(2)
      expect(problems.length).toBeLessThan(8)
    },
  )

  it('has a unit twice in a store of old records until the owner with more moves has saved it', async () => {
    const [a, b] = [await linkTo().own(0, plan), await linkTo().own(1, plan)]
    const [earA, earB] = [await listening(a), await listening(b)]
    a.save(new Map([[7, 'old']]), 1)
    await until(async () => (await observer.units(1)).length === 1)
    const dump = await Promise.all(['world:held:0', 'world:places'].map((key) => observer.redis.hgetall(key)))
    a.give(1, 7, 'new')
    await until(() => earB.given.length === 1)
    await observer.redis.flushall()
    await observer.redis.hset('world:held:0', dump[0]!)
    await observer.redis.hset('world:places', dump[1]!)
    // somebody has taken it from the old records
    expect(await a.load(await a.units())).toEqual(['old'])
    await until(() => earA.forgotten > 0 && earB.forgotten > 0)
    b.save(new Map([[7, 'newer']]), 2)
    a.save(new Map([[7, 'older']]), 2)
    await until(() => earA.taken.length > 0)
    expect([earA.taken, earB.taken]).toEqual([[7], []])
    expect([await observer.records(0), await observer.records(1)]).toEqual([[], ['newer']])
  })

  it('is not given an old record of what another cell has, and the store forgets it', async () => {
    const [a, b] = [await linkTo().own(0, plan), await linkTo().own(1, plan)]
    const ear = await listening(b)
    a.give(1, 7, 'new')
    await until(() => ear.given.length === 1)
    await observer.redis.hset('world:held:0', '7', 'old')
    expect([await a.load(await a.units()), await b.load([7])]).toEqual([[], ['new']])
    expect([await a.units(), await b.units()]).toEqual([[], [7]])
  })

  it('is given again what the store says has moved there, but has no record of', async () => {
    const [a, b] = [await linkTo().own(0, plan), await linkTo().own(1, plan)]
    const ear = await listening(b)
    a.give(1, 7, 'new')
    await until(() => ear.given.length === 1)
    await observer.redis.hdel('world:held:1', '7')
    await store.restart()
    await until(() => ear.given.length === 2)
    expect(await b.load(await b.units())).toEqual(['new'])
  })

  it('gets back what a full store does not take, and what it removes stays removed', async () => {
    const [a, b] = [await linkTo().own(0, plan), await linkTo().own(1, plan)]
    const [earA, earB] = [await listening(a), await listening(b)]
    a.save(new Map([[1, 'one']]), 1)
    await a.units()
    await observer.redis.config('SET', 'maxmemory', '1')
    a.give(1, 1, 'one, over')
    await until(() => earA.given.length === 1)
    expect([earA.given, earB.given]).toEqual([[[0, 1, 'one, over']], []])
    expect(a.isSure).toBe(false)
    await observer.redis.config('SET', 'maxmemory', '0')
    await until(() => a.isSure)
    expect(problems[0]).toBe('Redis is full')
    a.give(1, 1, 'one, over')
    await until(() => earB.given.length === 1)
    expect([await a.units(), await b.units()]).toEqual([[], [1]])
  })

  it('says once that the store gives no answer, or is full, and once that it answers, each time', async () => {
    await linkTo().own(0, plan)
    const told: string[] = []
    for (let time = 0; time < 2; time++) {
      await observer.redis.client('PAUSE', LEASE + 1500)
      told.push('Redis gives no answer', 'Redis answers')
      await until(() => problems.length === told.length)
      await observer.redis.config('SET', 'maxmemory', '1')
      told.push('Redis is full')
      await until(() => problems.length === told.length)
      await observer.redis.config('SET', 'maxmemory', '0')
      told.push('Redis answers')
      await until(() => problems.length === told.length)
    }
    expect(problems).toEqual(told)
  })

  it('has the newest cuts of the world, which an owner knows again when the store has lost them', async () => {
    const [a, b] = [await linkTo().own(0, plan), await linkTo().own(1, plan)]
    const tree = { axis: 'z', at: 5, below: 1, above: 0 } as const
    const cuts = { version: 3, tick: 100, tree, before: 0 }
    expect(await b.cuts()).toBe(null)
    await a.cut(cuts)
    await b.cut({ ...cuts, version: 2 })
    expect(await b.cuts()).toEqual(cuts)
    a.weigh({ time: 4, places: [[1, 2, 3]] })
    await until(async () => (await b.loads()).get(0) !== undefined)
    expect((await b.loads()).get(0)).toEqual({ time: 4, places: [[1, 2, 3]] })
    for (const text of ['', '{}', JSON.stringify({ ...cuts, tree: { ...tree, below: 0 } })]) {
      await observer.redis.set('world:cuts', `4 ${text}`)
      await expect(b.cuts()).rejects.toThrow(RangeError)
    }
    await observer.redis.del('world:cuts')
    const cell = new Cell({ plan, tenure: b, bodies: false })
    await a.cut(cuts)
    await cell.open()
    expect(cell.version).toBe(3)
    await store.restart(true)
    await until(async () => (await b.cuts().catch(() => null))?.version === 3)
    cell.close()
  })

  it('has the clock of the store, whatever that of its machine says', async () => {
    agreeOn(EPOCH + clockNow() + 60_000)
    const began = performance.now()
    await linkTo().own(0, plan)
    const [seconds, micros] = await observer.redis.time()
    const travel = performance.now() - began
    expect(Math.abs(clockNow() + EPOCH - 1000 * Number(seconds) - Number(micros) / 1000)).toBeLessThan(
      10 + travel,
    )
    expect(problems).toEqual([expect.stringMatching(/clock here is 60\d\d\d ms ahead/)])
  })

  it('never gets the same number twice, also from an empty store', async () => {
    const [a, b] = [linkTo(), linkTo()]
    const numbers = [await a.next(), await b.next(), await a.next()]
    await observer.redis.flushall()
    await sleep(4000)
    numbers.push(await b.next(), await a.next())
    expect(new Set(numbers).size).toBe(5)
    expect(Math.min(...numbers)).toBeGreaterThan(0)
  })
})
