import { Client, type Room } from '@colyseus/sdk'
import { PoseBuffer } from 'three-steering/net'
import { cellAt, cellsNear } from '../world/cuts.js'
import { VIEW } from '../world/plan.js'
import { Foresight } from './foresight.js'
import {
  codecOf,
  FRAME_TIME,
  OWN,
  POSES,
  roomIdOf,
  sendStick,
  SHIP,
  type Division,
  type OwnState,
  type ShipMessage,
  type WorldMessage,
} from './protocol.js'

/** A cell is left when its ship is so much farther away than where it was joined (m). */
const HYSTERESIS = 30
/**
 * How long (s) crafts of a room that is silent are still drawn, where they were seen last: a shard that was
 * killed is back before. Those that a room no longer lists leave at once.
 */
const KEEP = 30
/** Without foresight a stick is sent for the step that is so many after the last one that was heard of. */
const BLIND_LEAD = 4
/** How far (s) behind the server everything is drawn at most, on a bad network. */
const MOST_DELAY = 0.5
/** Time (s) between two attempts to join a room, and after which a ship that no room has is given up. */
const RETRY = 1
const GIVE_UP = 6

interface RoomState {
  readonly cuts?: string
  readonly lag?: number
  readonly names?: { forEach(visit: (name: string, key: string) => void): void }
}

export interface PilotOptions {
  /** Address of the server. */
  readonly origin: string
  readonly name: string
  /** The ship of an earlier connection, to go on with. */
  readonly ship?: ShipMessage | null
  /** The cell in which a new ship begins. Default that in the middle of the world. */
  readonly cell?: number
  /** Whether it flies its own ship before the server does, which costs as much as a small world. Default true. */
  readonly foresees?: boolean
  /** Told of each new ship, so that it can be kept for the next connection. */
  readonly onShip?: (ship: ShipMessage | null) => void
  /** Told of each packet of poses, and the cell that has sent it. */
  readonly onPoses?: (bytes: Uint8Array, cell: number) => void
}

async function worldAt(origin: string): Promise<WorldMessage> {
  const response = await fetch(new URL('/world', origin))
  if (!response.ok) throw new Error(`${origin} has no world: ${response.status}`)
  return (await response.json()) as WorldMessage
}

/** A client: joins the rooms near its ship, sends its stick there, and knows where all crafts are. */
export class Pilot {
  world: WorldMessage
  readonly buffer: PoseBuffer
  ship: ShipMessage | null
  /** Bytes of poses received. */
  received = 0
  /** How the world is cut into cells, as the rooms tell. */
  division: Division
  private readonly options: PilotOptions
  private readonly rooms = new Map<number, Room<unknown, RoomState>>()
  private readonly joining = new Set<number>()
  private readonly nextTry = new Map<number, number>()
  private foresight: Foresight | null = null
  /** The cell that has told of the ship last, and how much larger its numbers of steps are than here. */
  private home = -1
  private shift = 0
  private axes: readonly number[] = []
  private seenTime = -Infinity
  private isClosed = false

  static async connect(options: PilotOptions): Promise<Pilot> {
    return new Pilot(await worldAt(options.origin), options)
  }

  private constructor(world: WorldMessage, options: PilotOptions) {
    this.world = world
    this.division = world.division
    this.options = options
    this.ship = options.ship ?? null
    this.buffer = new PoseBuffer(codecOf(world.plan), {
      delay: MOST_DELAY,
      leastDelay: FRAME_TIME,
      keep: KEEP,
    })
  }

  /** Cells whose rooms it is in. */
  get cells(): number[] {
    return [...this.rooms.keys()].sort((a, b) => a - b)
  }

  /** Names of the players that are in these rooms, by key. */
  get names(): Map<number, string> {
    const names = new Map<number, string>()
    for (const { state } of this.rooms.values())
      state?.names?.forEach((name, key) => names.set(Number(key), name))
    return names
  }

  /** Once a frame. `now` is a clock (s); `axes` are those of the stick. */
  update(now: number, axes: readonly number[]): void {
    if (this.isClosed) return
    const { buffer, foresight } = this
    this.axes = axes
    buffer.update(now)
    this.chooseRooms(now)
    foresight?.update(now, axes, buffer.agents, buffer.time, this.send)
  }

  /** Its own ship as this client foresees it, null while the server tells nothing of it. */
  get own(): Foresight | null {
    return this.foresight && this.foresight.tick > 0 ? this.foresight : null
  }

  /** Leaves for good: the ship goes too. */
  async leave(): Promise<void> {
    this.isClosed = true
    await Promise.all([...this.rooms.values()].map((room) => room.leave(true)))
  }

  /** Loses the connection, as a tab that is closed or a cable that is pulled. The ship stays for a while. */
  drop(): void {
    this.isClosed = true
    for (const room of this.rooms.values()) room.connection.close()
  }

  private chooseRooms(now: number): void {
    const { plan, cells } = this.world
    const own = this.ship && this.buffer.get(this.ship.key)
    if (own) this.seenTime = now
    else if (this.seenTime === -Infinity) this.seenTime = now
    if (own) {
      const within = (distance: number): number[] =>
        this.division.trees.flatMap((tree) => cellsNear(plan, tree, own.position, distance))
      const near = within(VIEW)
      for (const cell of near) this.join(cell, now)
      const kept = within(VIEW + HYSTERESIS)
      for (const [cell, room] of this.rooms) if (!kept.includes(cell)) this.leaveRoom(cell, room)
      return
    }
    if (this.ship && now - this.seenTime > GIVE_UP && this.rooms.size === cells.length) {
      // no room has it: it was removed while this player was away
      this.setShip(null)
      for (const [cell, room] of this.rooms) this.leaveRoom(cell, room)
    }
    if (this.ship) for (let cell = 0; cell < cells.length; cell++) this.join(cell, now)
    else if (this.joining.size + this.rooms.size === 0)
      this.join(this.options.cell ?? cellAt(this.division.trees[0]!, { x: 0, y: 0, z: 0 }), now)
  }

  private join(cell: number, now: number): void {
    if (this.rooms.has(cell) || this.joining.has(cell) || now < (this.nextTry.get(cell) ?? 0)) return
    this.joining.add(cell)
    this.nextTry.set(cell, now + RETRY)
    this.enter(cell)
      // it may be served from elsewhere now
      .catch(async () => (this.world = await worldAt(this.options.origin)))
      .catch(() => {})
      .finally(() => this.joining.delete(cell))
  }

  private async enter(cell: number): Promise<void> {
    const { address, roomId } = this.world.cells[cell]!
    if (address === '') throw new Error(`nobody serves cell ${cell}`)
    const origin = new URL(this.options.origin)
    if (address !== null) origin.host = address
    const client = new Client(origin.origin)
    const options = { name: this.options.name, ...this.ship }
    const room: Room<unknown, RoomState> = await client.joinById(roomId, options)
    // coming back is done here, because the ship may be in another room by then
    room.reconnection.enabled = false
    room.onMessage(POSES, (bytes: Uint8Array) => {
      this.received += bytes.length
      this.options.onPoses?.(bytes, cell)
      this.buffer.receive(bytes, performance.now() / 1000, roomIdOf(cell))
    })
    room.onMessage(SHIP, (ship: ShipMessage) => this.setShip(ship))
    room.onMessage(OWN, (state: OwnState) => this.hearOwn(state, cell))
    room.onStateChange(({ cuts = '' }) => this.heedCuts(cuts))
    room.onLeave(() => {
      if (this.rooms.get(cell) === room) this.rooms.delete(cell)
    })
    room.onError(() => {})
    // a room that has just been joined has had no chance to show the ship
    this.seenTime = -Infinity
    if (this.isClosed) await room.leave(true)
    else this.rooms.set(cell, room)
  }

  /** The newest version counts, and of one version what was told last: trees that count no more are left out. */
  private heedCuts(text: string): void {
    if (text === '') return
    const told = JSON.parse(text) as Division
    if (told.version >= this.division.version) this.division = told
  }

  private leaveRoom(cell: number, room: Room<unknown, RoomState>): void {
    this.rooms.delete(cell)
    this.buffer.drop(roomIdOf(cell))
    room.leave(true).catch(() => {})
  }

  private setShip(ship: ShipMessage | null): void {
    this.ship = ship
    this.seenTime = -Infinity
    this.foresight?.dispose()
    this.foresight = null
    this.home = -1
    this.shift = 0
    this.options.onShip?.(ship)
  }

  private hearOwn(state: OwnState, cell: number): void {
    if (!this.ship || this.isClosed) return
    if (this.home >= 0) this.shift += this.shiftTo(cell) || 0
    this.home = cell
    const { shift } = this
    const [tick, early, lag] = [state.tick - shift, state.early - shift, state.lag + shift]
    if (this.options.foresees === false) return this.send(tick + BLIND_LEAD, this.axes)
    this.foresight ??= new Foresight(this.world.plan, this.ship.key)
    this.foresight.correct({ ...state, tick, early, lag }, performance.now() / 1000)
  }

  /** How much larger the numbers of a cell are than those of the cell that has the ship: NaN while it is not known. */
  private shiftTo(cell: number): number {
    const lagOf = (each: number): number => this.rooms.get(each)?.state?.lag ?? NaN
    return cell === this.home ? 0 : lagOf(this.home) - lagOf(cell)
  }

  private readonly send = (tick: number, axes: readonly number[]): void => {
    for (const [cell, room] of this.rooms) {
      const number = tick + this.shift + this.shiftTo(cell)
      if (number > 0) sendStick(room as Room, number, axes)
    }
  }
}
