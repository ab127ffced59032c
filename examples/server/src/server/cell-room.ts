import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  ClientState,
  CloseCode,
  logger,
  Room,
  ServerError,
  type AuthContext,
  type Client,
} from '@colyseus/core'
import { schema, t } from '@colyseus/schema'
import { PoseWriter } from 'three-steering/net'
import type { WebSocket } from 'ws'
import { poseOf } from '../world/bodies.js'
import { Cell, type Craft } from '../world/cell.js'
import { AXES, keyOf, MAX_NUMBER } from '../world/craft.js'
import type { Link, Tenure } from '../world/link.js'
import { DT, STEPS_PER_FRAME, type Plan } from '../world/plan.js'
import { isKey, nameOf } from '../world/record.js'
import {
  codecOf,
  FULL_STICK,
  type Division,
  OWN,
  POSES,
  roomIdOf,
  SHIP,
  StickInput,
  type OwnState,
  type ShipMessage,
} from '../net/protocol.js'
import { beatNow, keepTime } from './beat.js'
import { cpuTime, type StepLoad } from './figures.js'

/** Most clients of a room, and most ships of players in it. */
export const MAX_CLIENTS = 200
export const MAX_SHIPS = 250
/** Of these, clients whose ship is not here, in all and from one address. */
export const MAX_SPECTATORS = 100
export const MAX_SPECTATORS_OF_ADDRESS = 20
/**
 * Sticks of a client that are kept until their steps come. Of more, the oldest are left out: the newest counts. One for
 * a step that is farther ahead is of another clock, and counts at once.
 */
const MAX_STICKS = 64
/** A ship without its player is kept for this time (s), and its stick is let go after this time (s). */
export const KEEP_TIME = 15
const HOLD_TIME = 1
/** A client must say within this time (s) that it has heard that it has joined. */
const JOIN_TIME = 5
/** Bytes on their way to a client, above which it gets no frame, and above which it is sent away. */
const FULL = 256 * 1024
const STUCK = 2 * 1024 * 1024
/** Beats after which a cell that waits for a neighbour says again where it is. */
const WAIT_BEATS = 3
/** Beats between two comparisons of what is here with what should be. */
const RECONCILE_BEATS = 150
/** Beats between two moments at which a cell tells how much it has to do. */
const BALANCE_BEATS = 60

/**
 * What is small and seldom changes goes by the engine's own state: the names of the players by their keys, how
 * the world is cut (a `Division`), and how many beats this room has left out, 0 where all leave out the same.
 */
const WorldState = schema(
  { cell: t.uint16(), names: t.map('string'), cuts: t.string(), lag: t.uint32() },
  'WorldState',
)

/** A client: the ship that it says it has, with the hash of the secret that it gave. */
interface Session {
  key: number
  claim: string
  readonly address: string
  /** How the stick is held now, how many wait for their steps, and how early one came, see `OwnState`. */
  readonly axes: number[]
  waiting: number
  early: number
  readonly joinBeat: number
  /** Last beat at which a stick came. */
  stickBeat: number
}

/** How a room is. */
export interface RoomHealth {
  readonly cell: number
  /** Since its last beat (s). */
  readonly silence: number
  /** Whether it is known that the cell belongs to this process: not while the store does not answer. */
  readonly isSure: boolean
  readonly crafts: number
  readonly ghosts: number
  readonly clients: number
  /** Of the cuts of the world. */
  readonly version: number
}

export interface CellRoomOptions {
  readonly plan: Plan
  readonly link: Link
  /** The cells of this process. */
  readonly tenures: ReadonlyMap<number, Tenure>
  /** See `CellOptions`. Default false. */
  readonly lockStep?: boolean
  /** Whether the world is cut anew where a cell has too much to do. Default false: another cell must help. */
  readonly balanced?: boolean
  /** Told what each step took. */
  readonly onStep?: (load: StepLoad) => void
  /** Called when a cell belongs to another process. */
  readonly onLost?: (cell: number) => void
}

/** The room of one cell: steps it, and lets clients see and steer. Made by the server, never by a client. */
export function cellRoom(options: CellRoomOptions) {
  const { plan, link, tenures, balanced = false, lockStep = false, onStep, onLost = () => {} } = options
  return class CellRoom extends Room<{ state: InstanceType<typeof WorldState>; input: StickInput }> {
    override state = new WorldState()
    override maxClients = MAX_CLIENTS
    override autoDispose = false
    override patchRate = 500
    override seatReservationTimeout = 10
    cell!: Cell
    readonly writer = new PoseWriter(codecOf(plan), { differences: true, refresh: 255 })
    /** Clients that have got each frame since a full one. */
    readonly followers = new Set<Client>()
    readonly sessions = new Map<string, Session>()
    /** Ships of players in this cell, and the beat since which nobody flies them. */
    readonly ships = new Map<number, number>()
    override inputs = this.defineInput(StickInput, {
      bufferMaxSize: MAX_STICKS,
      sanitize: Object.fromEntries(AXES.map((axis) => [axis, [-FULL_STICK, FULL_STICK]])),
    })
    beat = beatNow()
    frameBeat = 0
    /** CPU time of the steps since the cell has told of it (ms), and how many they were. */
    spent = 0
    steps = 0
    stop: () => void = () => {}

    override async onCreate({ cell: index }: { cell: number }) {
      this.roomId = roomIdOf(index)
      this.state.cell = index
      this.state.lag = 0
      const report = (problem: string): void => logger.warn(`cell ${index}: ${problem}`)
      const tenure = tenures.get(index)!
      // a cell that is made again goes on with the clock of the others
      const tick = lockStep ? tenure.tick : beatNow()
      this.beat = this.frameBeat = beatNow()
      this.cell = new Cell({ plan, tenure, report, lockStep, clock: { tick, time: tick * DT } })
      this.cell.onLost = () => {
        report('it has another owner, and ends here')
        this.stop()
        onLost(index)
      }
      this.cell.onEnter = (craft) => this.enter(craft)
      this.cell.onExit = ({ key }) => {
        if (this.ships.delete(key)) this.state.names.delete(String(key))
      }
      await this.cell.open()
      this.tellCuts()
      this.stop = keepTime((beat) => this.step(beat))
    }

    override onAuth(_client: Client, _options: unknown, { ip }: AuthContext) {
      return { address: String(ip) }
    }

    override async onJoin(client: Client, options: unknown) {
      const { address } = client.auth as { address: string }
      const { key, secret, name } = (options ?? {}) as Record<string, unknown>
      if (isKey(key) && typeof secret === 'string' && secret.length <= 64) {
        // which of the rooms has the ship is not known here, so the secret is compared when the stick is moved
        const session = this.newSession(key, hash(secret), address)
        const craft = this.cell.crafts.get(key)
        if (craft && !isClaimed(craft, session)) throw new ServerError(CloseCode.WITH_ERROR, 'not your ship')
        if (!craft) this.admitSpectator(address)
        this.sessions.set(client.sessionId, session)
        return
      }
      if (this.ships.size >= MAX_SHIPS) throw new ServerError(CloseCode.WITH_ERROR, 'no room for more ships')
      const number = await link.next()
      if (number > MAX_NUMBER) throw new ServerError(CloseCode.WITH_ERROR, 'out of keys')
      const ship: ShipMessage = { key: keyOf('player', number), secret: randomBytes(16).toString('hex') }
      const claim = hash(ship.secret)
      this.sessions.set(client.sessionId, this.newSession(ship.key, claim, address))
      this.cell.launch(ship.key, { claim, name: nameOf(name) || `Pilot ${number}` })
      client.send(SHIP, ship)
    }

    newSession(key: number, claim: string, address: string): Session {
      const axes = AXES.map(() => 0)
      return {
        key,
        claim,
        address,
        axes,
        waiting: 0,
        early: Infinity,
        joinBeat: this.beat,
        stickBeat: this.beat,
      }
    }

    /** @throws ServerError where there are too many clients without a ship here. */
    admitSpectator(address: string) {
      const spectators = [...this.sessions.values()].filter(({ key }) => !this.cell.crafts.has(key))
      const same = spectators.filter((session) => session.address === address)
      if (spectators.length >= MAX_SPECTATORS || same.length >= MAX_SPECTATORS_OF_ADDRESS)
        throw new ServerError(CloseCode.WITH_ERROR, 'too many who only look on')
    }

    override onLeave(client: Client, code?: number) {
      const session = this.sessions.get(client.sessionId)
      this.sessions.delete(client.sessionId)
      this.followers.delete(client)
      if (!session || code !== CloseCode.CONSENTED || this.isFlown(session.key)) return
      const craft = this.cell.crafts.get(session.key)
      if (craft && isClaimed(craft, session)) this.cell.remove(session.key)
    }

    override onDispose() {
      this.stop()
      this.cell.saveAll()
      this.cell.close()
    }

    override onUncaughtException(error: Error, method: string) {
      logger.error(`cell ${this.state.cell}: ${method}: ${error.message}`)
    }

    /** Reads the sticks up to the coming step, and holds those of ships that are here. */
    steer() {
      const coming = this.cell.world.tick + 1
      for (const client of this.clients) {
        const session = this.sessions.get(client.sessionId)
        if (!session) continue
        const sticks = this.inputs.get(client.sessionId)
        // a page that draws late leaves out sticks, which is no matter of the network
        const fresh = sticks.peek()[session.waiting]
        if (fresh) session.early = Math.min(session.early, fresh.tick - this.beat)
        for (let each = sticks.peek()[0]; each; each = sticks.peek()[0]) {
          if (each.tick > coming && each.tick < coming + MAX_STICKS) break
          const stick = sticks.next()!
          AXES.forEach((axis, i) => (session.axes[i] = stick[axis] / FULL_STICK))
          session.stickBeat = this.beat
        }
        session.waiting = sticks.size
        const craft = this.cell.crafts.get(session.key)
        if (!craft?.stick) continue
        if (!isClaimed(craft, session)) client.leave(CloseCode.WITH_ERROR, 'not your ship')
        else AXES.forEach((axis, i) => (craft.stick![axis] = session.axes[i]!))
      }
    }

    enter({ key, kind, name }: Craft) {
      if (kind !== 'player') return
      this.ships.set(key, this.beat)
      this.state.names.set(String(key), name)
    }

    step(beat: number) {
      const cpu = cpuTime()
      const leftOut = beat - this.beat - 1
      this.beat = beat
      this.steer()
      this.mindShips()
      // who waits shows its border again, for a neighbour that has come back
      if (this.cell.isReady) this.cell.step(beat * DT)
      else if (beat % WAIT_BEATS === 0) this.cell.show()
      if (!lockStep) this.state.lag = this.lag
      if (beat - this.frameBeat >= STEPS_PER_FRAME || beat % STEPS_PER_FRAME === 0) this.sendFrame()
      this.tellCuts()
      if (beat % RECONCILE_BEATS === 0)
        this.cell.reconcile().catch((error: unknown) => logger.warn(`records: ${String(error)}`))
      const taken = cpuTime() - cpu
      this.spent += taken
      this.steps++
      if (balanced && beat % BALANCE_BEATS === 0) {
        this.cell
          .balance(this.spent / this.steps)
          .catch((error: unknown) => logger.warn(`loads: ${String(error)}`))
        this.spent = this.steps = 0
      }
      onStep?.({ cpu: taken, leftOut })
    }

    /** By how much the present beat is more than the last step. */
    get lag(): number {
      return this.beat - this.cell.world.tick
    }

    /** What an operator, or whoever started this process, asks for. */
    health(): RoomHealth {
      const { crafts, ghosts, index, isSure, version } = this.cell
      const silence = (beatNow() - this.beat) * DT
      return {
        cell: index,
        silence,
        isSure,
        crafts: crafts.size,
        ghosts,
        clients: this.clients.length,
        version,
      }
    }

    tellCuts() {
      const { trees, version } = this.cell
      const cuts = JSON.stringify({ version, trees } satisfies Division)
      if (cuts !== this.state.cuts) this.state.cuts = cuts
    }

    isFlown(key: number): boolean {
      for (const session of this.sessions.values()) if (session.key === key) return true
      return false
    }

    /** Lets go of the sticks of players that are silent, and removes ships that nobody has come back for. */
    mindShips() {
      const heard = new Map<number, number>()
      for (const { key, stickBeat } of this.sessions.values())
        heard.set(key, Math.max(stickBeat, heard.get(key) ?? 0))
      for (const [key, since] of this.ships) {
        const { stick } = this.cell.crafts.get(key)!
        const lastBeat = heard.get(key)
        if (lastBeat !== undefined) this.ships.set(key, this.beat)
        else if ((this.beat - since) * DT > KEEP_TIME) {
          this.cell.remove(key)
          continue
        }
        if (stick && (this.beat - (lastBeat ?? since)) * DT > HOLD_TIME)
          for (const axis of AXES) stick[axis] = 0
      }
    }

    /** To each player how its own ship is, exactly: the client has flown it further already. */
    sendOwn() {
      for (const client of this.followers) {
        const session = this.sessions.get(client.sessionId)
        const craft = this.cell.crafts.get(session?.key ?? 0)
        if (!session || !craft?.body || !isClaimed(craft, session)) continue
        const [{ tick }, pose] = [this.cell.world, poseOf(craft.body)]
        client.send(OWN, { tick, lag: this.lag, early: session.early, pose } satisfies OwnState)
        session.early = Infinity
      }
    }

    /** The poses of all that is here, to all clients that keep up. */
    sendFrame() {
      this.frameBeat = this.beat
      const { followers, writer } = this
      writer.begin(this.beat * DT)
      for (const { key, pilot, body } of this.cell.crafts.values()) {
        const { position, velocity, quaternion } = body ?? pilot
        writer.addPose(key, position, velocity, quaternion)
      }
      for (const [key, { position, velocity, quaternion }] of this.cell.onTheirWay())
        writer.addPose(key, position, velocity, quaternion)
      const bytes = writer.end()
      const except: Client[] = []
      const strangers: Client[] = []
      for (const client of this.clients) {
        const socket = client.ref as unknown as WebSocket
        // what is sent to a client before it says that it is here would be kept for it
        const isHere = client.state === ClientState.JOINED
        const isFull = !isHere || socket.bufferedAmount > FULL
        if (isFull) followers.delete(client)
        else if (!followers.has(client)) strangers.push(client)
        if (isFull || !followers.has(client)) except.push(client)
        const { joinBeat = this.beat } = this.sessions.get(client.sessionId) ?? {}
        const isLate = !isHere && (this.beat - joinBeat) * DT > JOIN_TIME
        if (isLate || socket.bufferedAmount > STUCK) socket.terminate()
      }
      this.broadcastBytes(POSES, bytes, { except })
      this.sendOwn()
      if (strangers.length === 0) return
      const start = writer.start()
      for (const client of strangers) {
        followers.add(client)
        client.sendBytes(POSES, start)
      }
    }
  }
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function isClaimed(craft: Craft, { claim }: Session): boolean {
  return craft.claim !== '' && timingSafeEqual(Buffer.from(craft.claim), Buffer.from(claim))
}
