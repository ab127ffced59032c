import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { matchMaker, Server } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import express, { type Application } from 'express'
import type { Cell } from '../world/cell.js'
import { firstCuts } from '../world/cuts.js'
import { LocalLink, type Link, type Tenure } from '../world/link.js'
import { planOf, SEED, type Grid, type Plan } from '../world/plan.js'
import { roomIdOf, type Division, type WorldMessage } from '../net/protocol.js'
import { cellRoom, type CellRoomOptions, type RoomHealth } from './cell-room.js'
import { guard } from './guard.js'
import { shortLog } from './log.js'
import { version } from '../../../../package.json'

/** Largest message of a client (bytes). A stick takes 25 at most. */
const MAX_PAYLOAD = 1024

/** What a process and several processes are told alike. */
export interface WorldOptions {
  /** Of the page. 0 takes a free one. */
  readonly port: number
  readonly agents: number
  /** Of the whole world along x (m). Default 240 for each cell. */
  readonly length?: number | undefined
  /** The cells that are served here. Default all. */
  readonly own?: readonly number[] | undefined
  /** The name of this machine for clients and other machines. Default localhost, which nobody else reaches. */
  readonly host?: string
  /** Names of other machines whose pages may come here. Default none. */
  readonly origins?: readonly string[]
  /** Cells wait for each other in every step. Default false. */
  readonly lockStep?: boolean
  /** Version of the program. All processes of a world have the same. Default that of the package. */
  readonly release?: string
}

export interface ServerOptions extends WorldOptions, Pick<CellRoomOptions, 'balanced' | 'onStep' | 'onLost'> {
  /** Cells of the whole world, in a row or along each axis. */
  readonly cells: number | Grid
  readonly link?: Link
}

/** What a process answers at `/health`, with the status 503 where one of its rooms stands still. */
export interface Health {
  /** Version of the program. */
  readonly release: string
  readonly rooms: readonly RoomHealth[]
}

/** A room is sick that has made no beat for this time (s). */
const SICK = 10

export interface RunningServer {
  readonly address: string
  readonly port: number
  readonly plan: Plan
  /** Keys of all crafts that fly in this process. */
  keys(): number[]
  close(): Promise<void>
}

/** Serves cells of a world from this process, and the page. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { agents, host = LOCAL, length, link = new LocalLink(), release = version } = options
  const plan = planOf(options.cells, agents, SEED, length)
  const own = options.own ?? Array.from({ length: plan.cells }, (_, cell) => cell)
  // clients find the rooms of the server; they make none
  matchMaker.controller.exposedMethods = ['joinById']
  const transport = new WebSocketTransport({ maxPayload: MAX_PAYLOAD })
  const app = transport.getExpressApp()
  const tenures = new Map<number, Tenure>()
  const roomOf = (cell: number) =>
    matchMaker.getLocalRoomById(roomIdOf(cell)) as unknown as { cell: Cell; health(): RoomHealth } | undefined
  app.get('/health', (_, response) => {
    // a room that waits for its cell is no fault
    const rooms = own.flatMap((cell) => roomOf(cell)?.health() ?? [])
    const isWell = rooms.every(({ silence }) => silence < SICK)
    response.status(isWell ? 200 : 503).json({ release, rooms } satisfies Health)
  })
  servePage(app, plan, () => {
    const { trees, version } = roomOf(own[0]!)?.cell ?? { trees: [firstCuts(plan)], version: 0 }
    return { addresses: Array.from({ length: plan.cells }, () => null), division: { version, trees } }
  })
  const server = new Server({ transport, logger: shortLog, greet: false, gracefullyShutdown: false })
  server.define('cell', cellRoom({ ...options, plan, link, tenures }))
  // `listen` never ends where the port is in use
  await Promise.all([once(transport.server!, 'listening'), server.listen(options.port, bindOf(host))])
  guard(transport.server!, options.origins)
  // here, because Colyseus would hide why a cell is refused
  for (const cell of own) tenures.set(cell, await link.own(cell, plan))
  for (const cell of own) await matchMaker.createRoom('cell', { cell })
  const { port } = transport.server!.address() as AddressInfo
  return {
    address: `http://${host}:${port}`,
    port,
    plan,
    keys: () => own.flatMap((cell) => [...(roomOf(cell)?.cell.crafts.keys() ?? [])]),
    async close() {
      await server.gracefullyShutdown(false)
      await link.close()
    },
  }
}

/** The built page, beside the built programs. */
const PAGE = fileURLToPath(new URL('../page', import.meta.url))

/** The name under which nobody else reaches this machine. */
export const LOCAL = 'localhost'

/** Where to listen: to nobody else, unless this machine has a name for others. */
export const bindOf = (host: string): string => (host === LOCAL ? '127.0.0.1' : '0.0.0.0')

/** What changes of a `WorldMessage`. */
export interface WorldNow {
  readonly addresses: readonly (string | null)[]
  readonly division: Division
}

/** The page, and what it asks for first. */
export function servePage(
  app: Application,
  plan: Plan,
  ask: () => WorldNow | Promise<WorldNow>,
  page = PAGE,
): void {
  app.disable('x-powered-by')
  app.get('/world', (_, response, next) => {
    Promise.resolve()
      .then(ask)
      .then(({ addresses, division }) => {
        const cells = addresses.map((address, cell) => ({ address, roomId: roomIdOf(cell) }))
        response.json({ plan, division, cells } satisfies WorldMessage)
      })
      .catch(next)
  })
  app.use(express.static(page))
}
