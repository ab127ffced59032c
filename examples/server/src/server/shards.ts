import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import express from 'express'
import { roomIdOf } from '../net/protocol.js'
import { planOf, SEED, type Plan } from '../world/plan.js'
import { RedisStandIn } from './redis-stand-in.js'
import { servePage } from './server.js'

/** A process that has ended is started again after this time (ms). */
const RESTART = 300

export interface ShardsOptions {
  /** Port of the page; the shards have free ones. 0 takes a free one. */
  readonly port: number
  readonly shards: number
  readonly agents: number
  /** Of the whole world (m). Default 240 for each shard. */
  readonly length?: number
  /** Address of a running Redis. Default one of our own: `redis-server` where it is installed, else a stand-in. */
  readonly redis?: string
  /** Cells wait for each other in every step. Default false. */
  readonly lockStep?: boolean
  /** The program of a shard. */
  readonly program: string
  /** The folder of the built page. Default beside this program. */
  readonly page?: string
}

export interface RunningShards {
  readonly address: string
  readonly plan: Plan
  /** What keeps the records: an address, redis-server, or the stand-in. */
  readonly store: string
  /** Address of the store. */
  readonly redis: string
  /** The process of a shard. */
  processOf(cell: number): ChildProcess
  /** Ends a shard without warning. It is started again. */
  kill(cell: number): Promise<void>
  close(): Promise<void>
}

/** Starts one process for each cell, and one page for all. */
export async function launchShards(options: ShardsOptions): Promise<RunningShards> {
  const { agents, lockStep = false, program, shards } = options
  const plan = planOf(shards, agents, SEED, options.length)
  const app = express()
  // first, because it fails where the port is in use
  const front = app.listen(options.port)
  await once(front, 'listening')
  const store = options.redis ? givenStore(options.redis) : await startStore()
  const ports = await Promise.all(Array.from({ length: shards }, freePort))
  const children: ChildProcess[] = []
  let isClosing = false
  /** Resolves when the shard is ready, at the first attempt or a later one. */
  const start = (cell: number): Promise<void> =>
    new Promise((resolve) => {
      const { length } = plan
      const flags = { cell, cells: shards, agents, length, port: ports[cell]!, redis: store.url }
      const list = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)])
      const child = fork(program, lockStep ? [...list, '--lock-step'] : list)
      children[cell] = child
      child.once('message', () => resolve())
      child.once('exit', () => {
        if (!isClosing) setTimeout(() => void start(cell).then(resolve), RESTART)
      })
    })
  await Promise.all(ports.map((_, cell) => start(cell)))
  const world = { plan, cells: ports.map((port, cell) => ({ port, roomId: roomIdOf(cell) })) }
  servePage(app, world, options.page)
  return {
    address: `http://localhost:${(front.address() as AddressInfo).port}`,
    plan,
    store: store.name,
    redis: store.url,
    processOf: (cell) => children[cell]!,
    async kill(cell) {
      const child = children[cell]!
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async close() {
      isClosing = true
      front.close()
      front.closeAllConnections()
      const running = children.filter((child) => child.exitCode === null && child.signalCode === null)
      for (const child of running) child.kill('SIGTERM')
      await Promise.all(running.map((child) => once(child, 'exit')))
      store.close()
    },
  }
}

export interface Store {
  readonly name: string
  readonly url: string
  close(): void
}

function givenStore(url: string): Store {
  return { name: `Redis at ${url}`, url, close() {} }
}

/** `redis-server` in memory, or the stand-in where it is not installed. */
export async function startStore(): Promise<Store> {
  if (spawnSync('redis-server', ['--version']).status !== 0) {
    const standIn = await RedisStandIn.listen()
    const name = 'a stand-in for Redis in this process, because redis-server is not installed'
    return { name, url: `redis://127.0.0.1:${standIn.port}`, close: () => standIn.close() }
  }
  const port = await freePort()
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (lines) => String(lines).includes('Ready to accept') && resolve())
    server.once('exit', () => reject(new Error('redis-server has ended')))
  })
  return { name: 'redis-server', url: `redis://127.0.0.1:${port}`, close: () => server.kill() }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
