import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { LEASE } from '../src/server/redis-link.js'
import {
  hasRedis,
  launchShards,
  REFUSED,
  startStore,
  type RunningShards,
  type ShardsOptions,
} from '../src/server/shards.js'
import { keysOf, Observer } from './kept.js'
import { Cable } from './network.js'

/** Runs of each fault; `RUNS=20 npm test` makes more. */
const RUNS = Number(process.env['RUNS'] ?? 1)
const AGENTS = 80
const program = fileURLToPath(new URL('../build/server/serve.js', import.meta.url))

let shards: RunningShards
let observer: Observer
let problems: string[] = []
const logName = join(mkdtempSync(join(tmpdir(), 'log-')), 'log')
const log = openSync(logName, 'a')
/** Lines that the processes, and the one that has started them, have written. */
const logged = (): string[] => [...readFileSync(logName, 'utf8').split('\n').slice(0, -1), ...problems]
afterEach(async () => {
  observer.close()
  await shards.close()
})

/** Twice as short as by default, so that more crosses the border. */
async function launch(lockStep: boolean, more: Partial<ShardsOptions> = {}): Promise<void> {
  problems = []
  const report = (problem: string): number => problems.push(problem)
  const world = { port: 0, shards: 2, agents: AGENTS, length: 160 }
  shards = await launchShards({ ...world, lockStep, program, log, report, release: '1', ...more })
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
  // a craft may be on its way while the processes are asked, and a record that is too old is found at the next look
  for (let tries = 0; tries < 100; tries++) {
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

/** Starts one process more for the first cell. */
function startBeside(lockStep: boolean, flags: Record<string, string> = {}): ChildProcess {
  const { plan, store } = shards
  const all = {
    cell: '0',
    cells: '2',
    agents: AGENTS,
    length: plan.size.x,
    port: 0,
    redis: store.url,
    release: '1',
    ...flags,
  }
  const list = Object.entries(all).map(([name, value]) => `--${name}=${value}`)
  return fork(program, lockStep ? [...list, '--lock-step'] : list, { stdio: 'pipe' })
}

/** The exit status of such a process, and what it says of why. */
async function refusalOf(child: ChildProcess): Promise<[number, string]> {
  let said = ''
  child.stderr!.on('data', (text) => (said += String(text)))
  const [code] = (await once(child, 'exit')) as [number]
  return [code, said]
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
        const lines: number[] = []
        for (let run = 0; run < RUNS; run++) {
          await wait(0.5 + (run % 5) / 5)
          const before = logged().length
          await fault(run)
          stalls.push(await steps())
          await count()
          lines.push(logged().length - before)
        }
        const [stall, most] = [Math.max(...stalls).toFixed(1), Math.max(...lines)]
        console.info(
          `${name}, ${RUNS} times: ${stall} s until all stepped, and ${most} lines of log, at most`,
        )
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

  each('a process of another version, and one of another plan, want a cell', async () => {
    const [code, said] = await refusalOf(startBeside(lockStep, { release: '2' }))
    expect([code, said]).toEqual([REFUSED, expect.stringMatching(/run by version 1, and this is 2: end all/)])
    const [second, words] = await refusalOf(startBeside(lockStep, { agents: '90' }))
    expect([second, words]).toEqual([
      REFUSED,
      expect.stringMatching(/"agents":80.*"agents":90.*another store/),
    ])
    expect([said, words].map((text) => text.trim().split('\n').length)).toEqual([1, 1])
    expect(problems).toEqual([])
  })

  each('a process stands still for good', async (run) => {
    const child = shards.processOf(run % 2)
    const answers = async (code: number): Promise<void> => {
      for (let tries = 0; (await fetch(`${shards.address}/health`)).status !== code; tries++) {
        expect(tries, `health: ${code}`).toBeLessThan(400)
        await sleep(50)
      }
    }
    await answers(200)
    const told = problems.length
    child.kill('SIGSTOP')
    const ended = once(child, 'exit')
    await answers(503)
    await ended
    await answers(200)
    expect(problems.slice(told)).toEqual([`shard ${run % 2} gives no answer, and is ended`])
  })

  it(
    'lose no craft and double none in an update to another version',
    async () => {
      const store = await startStore()
      await launch(lockStep, { redis: store.url })
      let longest = 0
      for (let run = 0; run < RUNS; run++) {
        await wait(1)
        const began = performance.now()
        await shards.close()
        observer.close()
        expect(new Set(await new Observer(store.url).kept(2)).size).toBe(AGENTS)
        await launch(lockStep, { redis: store.url, release: `2.${run}` })
        longest = Math.max(longest, performance.now() - began)
        await count()
      }
      console.info(
        `update, ${RUNS} times: ${(longest / 1000).toFixed(1)} s from the end until all stepped, at most`,
      )
      await shards.close()
      await store.close()
    },
    60_000 + 40_000 * RUNS,
  )

  each('a second process wants a cell, and gets it while the first one stands still', async () => {
    const first = shards.processOf(0)
    const second = startBeside(lockStep)
    let isOwner = false
    second.once('message', () => (isOwner = true))
    await sleep(LEASE + 1500)
    expect(isOwner).toBe(false)
    // on a busy machine it is ended before, because it gives no answer
    const ended = once(first, 'exit')
    first.kill('SIGSTOP')
    while (!isOwner) await sleep(50)
    await wait(2)
    first.kill('SIGCONT')
    await ended
    // nobody has what both had
    const kept = await observer.kept(2)
    expect(new Set(kept).size).toBe(kept.length)
    expect(kept.length).toBe(AGENTS)
    // the one that was started in its place gets the cell
    second.kill('SIGKILL')
    await once(second, 'exit')
    await sleep(LEASE + 1000)
  })

  it(
    'lose no craft and double none when a process alone is cut off from Redis, and another one gets its cell',
    async () => {
      const store = await startStore()
      const cable = new Cable(Number(new URL(store.url).port))
      // as two machines, of which one is cut off
      problems = []
      const report = (problem: string): number => problems.push(problem)
      const world = {
        port: 0,
        shards: 2,
        agents: AGENTS,
        length: 160,
        lockStep,
        program,
        log,
        report,
        release: '1',
      }
      const far = await launchShards({ ...world, own: [1], redis: store.url })
      const near = await launchShards({ ...world, own: [0], redis: `redis://127.0.0.1:${cable.port}` })
      let second: ChildProcess | null = null
      shards = {
        ...far,
        processOf: (cell) => (cell === 1 ? far.processOf(1) : (second ?? near.processOf(0))),
        async close() {
          await Promise.all([near.close(), far.close()])
          cable.close()
          await store.close()
        },
      }
      observer = new Observer(store.url)
      await steps()
      let [stall, lines] = [0, 0]
      for (let run = 0; run < RUNS; run++) {
        await count()
        const first = near.processOf(0)
        const ended = once(first, 'exit')
        const waiting = startBeside(lockStep)
        // it says that the cell belongs to another one
        await once(waiting.stderr!, 'data')
        const before = logged().length
        const began = performance.now()
        cable.set(run % 2 === 0 ? 'silent' : 'cut')
        await once(waiting, 'message')
        second = waiting
        await steps()
        stall = Math.max(stall, performance.now() - began)
        await count()
        // it cannot know, and lets go of nothing
        expect(await keysOf(first)).not.toEqual([])
        cable.set('whole')
        expect(await ended).toEqual([1, null])
        await steps()
        await count()
        const gone = once(waiting, 'exit')
        waiting.kill('SIGKILL')
        await gone
        second = null
        await steps()
        lines = Math.max(lines, logged().length - before)
      }
      await count()
      expect(problems).toEqual([])
      console.info(
        `a process alone is cut off, ${RUNS} times: ${(stall / 1000).toFixed(1)} s until all stepped, and ${lines} lines of log, at most`,
      )
    },
    60_000 + 80_000 * RUNS,
  )
})
