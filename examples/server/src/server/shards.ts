import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { firstCuts } from '../world/cuts.js'
import { planOf, SEED, type Grid, type Plan } from '../world/plan.js'
import { shortLog } from './log.js'
import { RedisLink, Refusal } from './redis-link.js'
import { bindOf, LOCAL, servePage, type WorldNow, type WorldOptions } from './server.js'

/** A process that has ended is started again after this time (ms). */
const RESTART = 300
/** A process is asked for its health so often (ms), and ended when it gives no good answer so many times in a row. */
const CHECK = 2500
const MOST_FAILURES = 4
/** Exit status of a process that must not be started again: its plan or version is refused. */
export const REFUSED = 78

/** The shards have free ports. */
export interface ShardsOptions extends WorldOptions {
  /** Cells of the whole world, in a row or along each axis. */
  readonly shards: number | Grid
  /** Address of a running Redis. Default one of our own: `redis-server`, which must be installed. */
  readonly redis?: string | undefined
  /** Whether the world is cut anew where a cell has too much to do. Default true. */
  readonly balanced?: boolean
  /** Told of what an operator must know. Default a line in the log. */
  readonly report?: (problem: string) => void
  /** The program of a shard, and the open file to which all of them write their log. Default that of this process. */
  readonly program: string
  readonly log?: number
  /** The folder of the built page. Default beside this program. */
  readonly page?: string
}

export interface RunningShards {
  readonly address: string
  readonly plan: Plan
  /** What keeps the records: an address, or redis-server. */
  readonly store: Store
  /** The process of a shard. */
  processOf(cell: number): ChildProcess
  /** Ends a shard without warning. It is started again. */
  kill(cell: number): Promise<void>
  close(): Promise<void>
}

/** Starts one process for each cell, and one page for all. Whatever ends is started again. */
export async function launchShards(options: ShardsOptions): Promise<RunningShards> {
  const { agents, host = LOCAL, lockStep = false, program, report = shortLog.warn, shards } = options
  const plan = planOf(shards, agents, SEED, options.length)
  const app = express()
  // first, because it fails where the port is in use
  const front = app.listen(options.port, bindOf(host))
  await once(front, 'listening')
  const store = options.redis ? givenStore(options.redis) : await startStore()
  const own = options.own ?? Array.from({ length: plan.cells }, (_, cell) => cell)
  const ports = new Map(await Promise.all(own.map(async (cell) => [cell, await freePort()] as const)))
  const children = new Map<number, ChildProcess>()
  /** Of each shard that is ready, how often it gave no good answer in a row. */
  const failures = new Map<number, number>()
  const check = setInterval(() => {
    for (const cell of failures.keys())
      void isWell(ports.get(cell)!).then((good) => {
        if (!failures.has(cell)) return
        const count = good ? 0 : failures.get(cell)! + 1
        failures.set(cell, count)
        if (count < MOST_FAILURES) return
        report(`shard ${cell} gives no answer, and is ended`)
        failures.delete(cell)
        children.get(cell)!.kill('SIGKILL')
      })
  }, CHECK)
  let isClosing = false
  /** Resolves when the shard is ready, at the first attempt or a later one. */
  const start = (cell: number, after = ''): Promise<void> =>
    new Promise((resolve, reject) => {
      const flags = {
        cell,
        cells: plan.grid.join('x'),
        agents,
        length: plan.size.x,
        port: ports.get(cell)!,
        redis: store.url,
        host,
        after,
      }
      const list = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
      for (const origin of options.origins ?? []) list.push(`--origin=${origin}`)
      if (lockStep) list.push('--lock-step')
      if (options.balanced === false) list.push('--fixed')
      if (options.release) list.push(`--release=${options.release}`)
      const child = fork(program, list, { stdio: ['inherit', 'inherit', options.log ?? 'inherit', 'ipc'] })
      children.set(cell, child)
      let token = after
      child.once('message', ({ ready }: { ready: string }) => {
        token = ready
        failures.set(cell, 0)
        resolve()
      })
      child.once('exit', (code) => {
        failures.delete(cell)
        if (code === REFUSED) {
          const refusal = new Refusal(`shard ${cell} is refused, and is not started again`)
          report(refusal.message)
          reject(refusal)
        } else if (!isClosing) setTimeout(() => start(cell, token).then(resolve, reject), RESTART)
      })
    })
  const link = new RedisLink({ url: store.url })
  const close = async (): Promise<void> => {
    isClosing = true
    clearInterval(check)
    front.close()
    front.closeAllConnections()
    const running = [...children.values()].filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    )
    for (const child of running) child.kill('SIGTERM')
    await Promise.all(running.map((child) => once(child, 'exit')))
    await link.close()
    await store.close()
  }
  try {
    await Promise.all(own.map((cell) => start(cell)))
  } catch (error) {
    await close()
    throw error
  }
  const ask = async (): Promise<WorldNow> => {
    const [addresses, cuts] = await Promise.all([link.addresses(plan.cells), link.cuts(plan)])
    const trees = cuts ? [cuts.tree, cuts.before] : [firstCuts(plan)]
    return { addresses, division: { version: cuts?.version ?? 0, trees } }
  }
  app.get('/health', (_, response) => {
    const sick = own.filter((cell) => failures.get(cell) !== 0)
    response.status(sick.length === 0 ? 200 : 503).json({ own, sick })
  })
  servePage(app, plan, ask, options.page)
  return {
    address: `http://${host}:${(front.address() as AddressInfo).port}`,
    plan,
    store,
    processOf: (cell) => children.get(cell)!,
    async kill(cell) {
      const child = children.get(cell)!
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    close,
  }
}

/** Whether a process of this machine answers, and all its rooms make beats. */
const isWell = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(CHECK) }).then(
    ({ ok }) => ok,
    () => false,
  )

export interface Store {
  readonly name: string
  readonly url: string
  /** Ends it without warning, where it was started here, and starts it again: with what it has on its disk, or empty. */
  restart(isEmpty?: boolean): Promise<void>
  /** The process, where it was started here. */
  readonly process: ChildProcess | null
  close(): Promise<void>
}

function givenStore(url: string): Store {
  return { name: `Redis at ${url}`, url, process: null, restart: async () => {}, close: async () => {} }
}

export const hasRedis = (): boolean => spawnSync('redis-server', ['--version']).status === 0

/**
 * `redis-server` with a log on the disk, which costs a second of movement at most when the machine fails. It is
 * started again when it ends.
 * @throws Error where it is not installed
 */
export async function startStore(): Promise<Store> {
  if (!hasRedis())
    throw new Error(
      'several processes need Redis: install it (apt-get install redis-server, brew install redis), or name one with --redis URL',
    )
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'world-'))
  const flags = [...`--port ${port} --bind 127.0.0.1 --appendonly yes --save`.split(' '), '', '--dir', folder]
  let isClosing = false
  let server: ChildProcess
  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] })
      server.stdout!.on('data', (lines) => String(lines).includes('Ready to accept') && resolve())
      server.once('exit', () => {
        reject(new Error('redis-server has ended'))
        if (!isClosing) setTimeout(() => void start().catch(() => {}), RESTART)
      })
    })
  await start()
  const end = async (): Promise<void> => {
    isClosing = true
    const { exitCode, signalCode } = server
    if (exitCode !== null || signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  return {
    name: 'redis-server',
    url: `redis://127.0.0.1:${port}`,
    get process() {
      return server
    },
    async restart(isEmpty = false) {
      await end()
      if (isEmpty) rmSync(join(folder, 'appendonlydir'), { recursive: true, force: true })
      isClosing = false
      await start()
    },
    async close() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
