import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { keysOf } from '../src/server/figures.js'
import { LEASE } from '../src/server/redis-link.js'
import { hasRedis, launchShards, type RunningShards } from '../src/server/shards.js'
import { Observer } from './kept.js'

/** Runs of each fault; `RUNS=20 npm test` makes more. */
const RUNS = Number(process.env['RUNS'] ?? 1)
const AGENTS = 80
const program = fileURLToPath(new URL('../build/server/serve.js', import.meta.url))

let shards: RunningShards
let observer: Observer
afterEach(async () => {
  observer.close()
  await shards.close()
})

/** Twice as short as by default, so that more crosses the border. */
async function launch(lockStep: boolean): Promise<void> {
  shards = await launchShards({ port: 0, shards: 2, agents: AGENTS, length: 160, lockStep, program })
  observer = new Observer(shards.store.url)
  await steps()
}

/** Waits until each cell has made some steps more, and has saved them. Returns the seconds that took. */
async function steps(): Promise<number> {
  const began = performance.now()
  for (const cell of [0, 1]) {
    const tick = await observer.tickOf(cell)
    for (let tries = 0; Math.abs((await observer.tickOf(cell)) - tick) < 2; tries++) {
      expect(tries, `cell ${cell} steps`).toBeLessThan(400)
      await sleep(50)
    }
  }
  return (performance.now() - began) / 1000
}

/** What flies in the processes, and what the store has: each craft once, in both. */
async function count(): Promise<void> {
  let flown: number[] = []
  let kept: number[] = []
  // a craft may be on its way while the processes are asked
  for (let tries = 0; tries < 60; tries++) {
    flown = (await Promise.all([0, 1].map((cell) => keysOf(shards.processOf(cell))))).flat()
    kept = await observer.kept(2)
    const isWhole = (keys: readonly number[]): boolean =>
      keys.length === AGENTS && new Set(keys).size === AGENTS
    if (isWhole(flown) && isWhole(kept)) return
    await sleep(200)
  }
  for (const [what, keys] of Object.entries({ flown, kept })) {
    expect(new Set(keys).size, `${what}: doubled`).toBe(keys.length)
    expect(keys.length, `${what}: lost`).toBe(AGENTS)
  }
}

const wait = (seconds: number): Promise<void> => sleep(1000 * seconds)

if (!hasRedis()) console.info('skipped, because redis-server is not installed: a store that misbehaves')
describe.skipIf(!hasRedis()).each([false, true])('two processes, in lock step: %s', (lockStep) => {
  const each = (name: string, fault: (run: number) => Promise<void>): void =>
    it(
      `lose no craft and double none when ${name}`,
      async () => {
        await launch(lockStep)
        const stalls: number[] = []
        for (let run = 0; run < RUNS; run++) {
          await wait(0.5 + (run % 5) / 5)
          await fault(run)
          stalls.push(await steps())
          await count()
        }
        console.info(`${name}, ${RUNS} times: ${Math.max(...stalls).toFixed(1)} s until all stepped, at most`)
      },
      60_000 + 40_000 * RUNS,
    )

  each('Redis is killed and comes back empty', async () => {
    await shards.store.restart(true)
  })

  each('Redis is killed and comes back with its log', async () => {
    await shards.store.restart()
  })

  each('Redis is killed with a process', async (run) => {
    await Promise.all([shards.store.restart(), shards.kill(run % 2)])
  })

  each('Redis comes back with records that are some seconds old', async () => {
    const names = await observer.redis.keys('world:*')
    const dump = await Promise.all(names.map((name) => observer.redis.dumpBuffer(name)))
    await wait(4)
    await shards.store.restart(true)
    await Promise.all(names.map((name, i) => dump[i] && observer.redis.restore(name, 0, dump[i], 'REPLACE')))
  })

  each('Redis stands still', async () => {
    shards.store.process!.kill('SIGSTOP')
    await wait(4)
    shards.store.process!.kill('SIGCONT')
  })

  each('Redis answers nobody', async () => {
    await observer.redis.client('PAUSE', 4000)
  })

  each('Redis is full', async () => {
    await observer.redis.config('SET', 'maxmemory', '1')
    await wait(3)
    await observer.redis.config('SET', 'maxmemory', '0')
  })

  each('a second process wants a cell, and gets it while the first one stands still', async () => {
    const first = shards.processOf(0)
    const { plan, store } = shards
    const flags = { cell: 0, cells: 2, agents: AGENTS, length: plan.size.x, port: 0, redis: store.url }
    const list = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
    const second = fork(program, lockStep ? [...list, '--lock-step'] : list, { stdio: 'ignore' })
    let isOwner = false
    second.once('message', () => (isOwner = true))
    await sleep(LEASE + 1500)
    expect(isOwner).toBe(false)
    first.kill('SIGSTOP')
    while (!isOwner) await sleep(50)
    await wait(2)
    first.kill('SIGCONT')
    await once(first, 'exit')
    // nobody has what both had
    const kept = await observer.kept(2)
    expect(new Set(kept).size).toBe(kept.length)
    expect(kept.length).toBe(AGENTS)
    // the one that was started in its place gets the cell
    second.kill('SIGKILL')
    await once(second, 'exit')
    await sleep(LEASE + 1000)
  })
})
