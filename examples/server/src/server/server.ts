import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { matchMaker, Server } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import express, { type Application } from 'express'
import { LocalLink, type Link } from '../world/link.js'
import { planOf, SEED, type Plan } from '../world/plan.js'
import { roomIdOf, type WorldMessage } from '../net/protocol.js'
import { cellRoom } from './cell-room.js'
import type { StepLoad } from './figures.js'
import { guard } from './guard.js'
import { shortLog } from './log.js'

/** Largest message of a client (bytes). A stick takes 13. */
const MAX_PAYLOAD = 1024

export interface ServerOptions {
  /** 0 takes a free one. */
  readonly port: number
  /** Cells of the whole world, and those of this process. Default all. */
  readonly cells: number
  readonly own?: readonly number[]
  readonly agents: number
  /** Of the whole world (m). Default 240 for each cell. */
  readonly length?: number
  readonly link?: Link
  /** Cells wait for each other in every step. Default false. */
  readonly lockStep?: boolean
  /** Told what each step took. */
  readonly onStep?: (cell: number, load: StepLoad) => void
}

export interface RunningServer {
  readonly address: string
  readonly port: number
  readonly plan: Plan
  close(): Promise<void>
}

/** Serves cells of a world from this process, and the page. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { cells, agents, length, lockStep = false, onStep, link = new LocalLink() } = options
  const plan = planOf(cells, agents, SEED, length)
  const own = options.own ?? Array.from({ length: cells }, (_, cell) => cell)
  // clients find the rooms of the server; they make none
  matchMaker.controller.exposedMethods = ['joinById']
  const transport = new WebSocketTransport({ maxPayload: MAX_PAYLOAD })
  servePage(transport.getExpressApp(), {
    plan,
    cells: Array.from({ length: cells }, (_, cell) => ({ port: null, roomId: roomIdOf(cell) })),
  })
  const server = new Server({ transport, logger: shortLog, greet: false, gracefullyShutdown: false })
  server.define('cell', cellRoom({ plan, link, lockStep, ...(onStep && { onStep }) }))
  // `listen` never ends where the port is in use
  await Promise.all([once(transport.server!, 'listening'), server.listen(options.port)])
  guard(transport.server!)
  for (const cell of own) await matchMaker.createRoom('cell', { cell })
  const { port } = transport.server!.address() as AddressInfo
  return {
    address: `http://localhost:${port}`,
    port,
    plan,
    async close() {
      await server.gracefullyShutdown(false)
      link.close()
    },
  }
}

/** The built page, beside the built programs. */
const PAGE = fileURLToPath(new URL('../page', import.meta.url))

/** The page, and what it asks for first. */
export function servePage(app: Application, world: WorldMessage, page = PAGE): void {
  app.disable('x-powered-by')
  app.get('/world', (_, response) => {
    response.json(world)
  })
  app.use(express.static(page))
}
