import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { matchMaker } from '@colyseus/core'
import { Client, type Room } from '@colyseus/sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { POSES, roomIdOf, sendStick, SHIP } from '../src/net/protocol.js'
import { figuresOf } from '../src/server/figures.js'
import { RedisLink } from '../src/server/redis-link.js'
import { beatNow } from '../src/server/beat.js'
import { startServer, type RunningServer } from '../src/server/server.js'
import { hasRedis, launchShards, type RunningShards } from '../src/server/shards.js'
import { readBorder } from '../src/world/border.js'
import { kindOf, type Kind } from '../src/world/craft.js'
import { RATE } from '../src/world/plan.js'
import { isGroup, readRecord } from '../src/world/record.js'
import { Observer } from './kept.js'

const program = fileURLToPath(new URL('../build/server/serve.js', import.meta.url))

/** Kills of a process; `KILLS=100 npm test` kills more often. */
const KILLS = Number(process.env['KILLS'] ?? 2)
const AGENTS = 40
/** A record is written once in so many steps, and what was written last may be on its way. */
const OLDEST = 31

let shards: RunningShards | null = null
let server: RunningServer | null = null
afterEach(async () => {
  await shards?.close()
  await server?.close()
  shards = server = null
})

/** Waits until each cell has made a step. */
async function untilAllStep(link: Observer, cells: number): Promise<void> {
  for (let cell = 0; cell < cells; cell++) {
    const tick = await link.tickOf(cell)
    for (let tries = 0; (await link.tickOf(cell)) <= tick + 1; tries++) {
      expect(tries, `cell ${cell} steps`).toBeLessThan(200)
      await sleep(100)
    }
  }
}

/** What all cells say to each other, as it is heard in this process. */
class Ear {
  /** Last step that each cell has told of. */
  readonly ticks: number[] = []
  /** The record with which each unit was given away last. */
  readonly given = new Map<number, string>()
  private notice: (unit: number) => void = () => {}

  static async open(link: RedisLink, cells: number): Promise<Ear> {
    const ear = new Ear()
    for (let cell = 0; cell < cells; cell++)
      await link.listen(cell, {
        onBorder: (from, bytes) => (ear.ticks[from] = readBorder(bytes).tick),
        onGiven: (_from, unit, record) => {
          ear.given.set(unit, record)
          ear.notice(unit)
        },
      })
    return ear
  }

  /** Waits until a craft of one of these kinds crosses a border, or some time has passed. Returns its kind. */
  crossing(kinds: readonly Kind[], milliseconds: number): Promise<Kind | null> {
    return new Promise((resolve) => {
      this.notice = (unit) => {
        const kind = kindOf(unit)
        if (kind && kinds.includes(kind)) resolve(kind)
      }
      setTimeout(resolve, milliseconds, null)
    })
  }

  /** Steps of movement that a cell has lost with its process: the age of the oldest of its own records. */
  async lost(link: Observer, cell: number): Promise<number> {
    const records = await link.records(cell)
    // what has just come from a neighbour counts the steps of that one, and was written as it came
    const own = records.map(readRecord).filter(({ key }, i) => this.given.get(key) !== records[i])
    const ticks = own.flatMap(({ parcel }) =>
      (isGroup(parcel) ? parcel.agents : [parcel]).map(({ tick }) => tick),
    )
    return this.ticks[cell]! - Math.min(...ticks)
  }
}

const CROSSING: readonly Kind[] = ['escort', 'shuttle', 'station', 'drone', 'freighter']

describe.skipIf(!hasRedis()).each([true, false])('shards, in lock step: %s', (lockStep) => {
  it(
    'that are killed while crafts cross lose no craft, double none, and lose a second at most',
    async () => {
      shards = await launchShards({ port: 0, shards: 2, agents: AGENTS, length: 160, lockStep, program })
      const link = new Observer(shards.store.url)
      const ears = new RedisLink({ url: shards.store.url })
      const ear = await Ear.open(ears, 2)
      await untilAllStep(link, 2)
      let oldest = 0
      const crossed: Partial<Record<Kind, number>> = {}
      for (let kill = 0; kill < KILLS; kill++) {
        const victim = kill % 2
        // all that was read after the last kill has been written again
        const start = ear.ticks[victim]!
        for (let tries = 0; ear.ticks[victim]! < start + OLDEST + 5; tries++) {
          expect(tries, `cell ${victim} steps`).toBeLessThan(1000)
          await sleep(30)
        }
        const wanted = CROSSING[Math.floor(kill / 2) % CROSSING.length]!
        // a station or a wing may be far from the border: then at the next craft of any kind
        const kind = (await ear.crossing([wanted], 5000)) ?? (await ear.crossing(CROSSING, 5000))
        if (kind) crossed[kind] = (crossed[kind] ?? 0) + 1
        await shards.kill(victim)
        await sleep(100)
        const keys = await link.kept(2)
        expect(new Set(keys).size, 'doubled').toBe(keys.length)
        expect(keys, 'lost').toHaveLength(AGENTS)
        const lost = await ear.lost(link, victim)
        expect(lost).toBeLessThanOrEqual(OLDEST)
        oldest = Math.max(oldest, lost)
        const last = ear.ticks[victim]!
        await untilAllStep(link, 2)
        for (let tries = 0; ear.ticks[victim] === last; tries++) {
          expect(tries, `cell ${victim} is back`).toBeLessThan(1000)
          await sleep(30)
        }
      }
      const keys = await link.kept(2)
      expect(new Set(keys).size).toBe(AGENTS)
      console.info(
        `${KILLS} kills, ${shards.store.name}: ${oldest} steps lost at most; killed while these crossed: ${JSON.stringify(crossed)}`,
      )
      link.close()
      await ears.close()
    },
    60_000 + 40_000 * KILLS,
  )

  it('of which one is slow go on, and lose no craft', async () => {
    shards = await launchShards({ port: 0, shards: 2, agents: AGENTS, lockStep, program })
    const link = new Observer(shards.store.url)
    await untilAllStep(link, 2)
    const [slow, other] = [shards.processOf(0), shards.processOf(1)]
    await Promise.all([figuresOf(slow), figuresOf(other)])
    const before = [await link.tickOf(0), await link.tickOf(1)]
    // it gets a fifth of the time
    for (let i = 0; i < 12; i++) {
      slow.kill('SIGSTOP')
      await sleep(200)
      slow.kill('SIGCONT')
      await sleep(50)
    }
    const [a, b] = await Promise.all([figuresOf(slow), figuresOf(other)])
    const made = [(await link.tickOf(0)) - before[0]!, (await link.tickOf(1)) - before[1]!] as const
    expect(a.leftOut).toBeGreaterThan(20)
    expect(made[0]).toBeGreaterThan(5)
    // in lock step the other one waits for it, else it does not
    if (lockStep) expect(Math.abs(made[1] - made[0])).toBeLessThan(5)
    else expect(made[1]).toBeGreaterThan(1.3 * made[0])
    expect(b.steps).toBeGreaterThan(a.steps)
    await sleep(1000)
    await untilAllStep(link, 2)
    const keys = await link.kept(2)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toHaveLength(AGENTS)
    link.close()
  }, 60_000)
})

async function join(address: string): Promise<Room> {
  const room = await new Client(address).joinById(roomIdOf(0), {})
  room.reconnection.enabled = false
  room.onError(() => {})
  return room
}

it('a room that is too slow leaves out beats, makes up for none, and still listens', async () => {
  let load = 0
  const steps: { at: number; leftOut: number }[] = []
  server = await startServer({
    port: 0,
    cells: 1,
    agents: 10,
    onStep: ({ leftOut }) => {
      steps.push({ at: performance.now(), leftOut })
      for (const end = performance.now() + load; performance.now() < end;);
    },
  })
  const room = await join(server.address)
  let frames = 0
  room.onMessage(POSES, () => frames++)
  room.onMessage(SHIP, () => {})
  load = 120
  await sleep(2000)
  load = 0
  const slow = steps.length
  expect(frames).toBeGreaterThan(3)
  expect(steps.reduce((sum, { leftOut }) => sum + leftOut, 0)).toBeGreaterThan(20)
  await sleep(1500)
  const after = steps.slice(slow)
  const seconds = (after.at(-1)!.at - after[0]!.at) / 1000
  // no burst: never more steps than beats
  expect(after.length - 1).toBeLessThanOrEqual(Math.ceil(RATE * seconds) + 1)
  const before = frames
  for (let i = 0; i < 100 && frames < before + 3; i++) await sleep(20)
  expect(frames).toBeGreaterThanOrEqual(before + 3)
  await room.leave(true)
}, 30_000)

it('a client that does not read is sent away, and the others do not notice', async () => {
  server = await startServer({ port: 0, cells: 1, agents: 10 })
  const reader = await join(server.address)
  const deaf = await join(server.address)
  let frames = 0
  reader.onMessage(POSES, () => frames++)
  reader.onMessage(SHIP, () => {})
  deaf.onMessage(SHIP, () => {})
  deaf.onMessage(POSES, () => {})
  const { ws } = deaf.connection.transport as unknown as {
    ws: { _socket: { pause(): void; resume(): void } }
  }
  const { _socket: socket } = ws
  const clients = (): number => matchMaker.getLocalRoomById(roomIdOf(0)).clients.length
  let closed = false
  deaf.onLeave(() => (closed = true))
  socket.pause()
  const began = performance.now()
  while (clients() > 1 && performance.now() - began < 25_000) {
    sendStick(reader, beatNow() + 2, [0, 0, 0, 0, 0, 0])
    await sleep(100)
  }
  expect(clients()).toBe(1)
  const seconds = (performance.now() - began) / 1000
  expect(frames).toBeGreaterThan(3 * seconds)
  socket.resume()
  for (let i = 0; i < 100 && !closed; i++) await sleep(20)
  expect(closed).toBe(true)
  await reader.leave(true)
}, 40_000)
