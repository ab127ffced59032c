import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client, type Room } from '@colyseus/sdk'
import { PoseMemory } from 'three-steering/net'
import { codecOf, POSES, roomIdOf, sendStick, SHIP, type ShipMessage } from '../src/net/protocol.js'
import { MAX_SPECTATORS_OF_ADDRESS } from '../src/server/cell-room.js'
import { keyOf } from '../src/world/craft.js'
import { beatNow } from '../src/server/beat.js'
import { startServer, type RunningServer } from '../src/server/server.js'
import { apart } from '../src/world/plan.js'

const program = fileURLToPath(new URL('../build/server/serve.js', import.meta.url))
const AGENTS = 12
/** Connections that are lost; `RUNS=100 npm test` loses more. */
const RUNS = Number(process.env['RUNS'] ?? 3)
let server: RunningServer
beforeAll(async () => {
  server = await startServer({ port: 0, cells: 1, agents: AGENTS })
})
afterAll(() => server.close())

interface Seen {
  readonly room: Room
  readonly ship: ShipMessage | null
  readonly poses: Map<number, { x: number; y: number; z: number }>
  frames: number
}

async function join(options: object = {}): Promise<Seen> {
  const room = await new Client(server.address).joinById(roomIdOf(0), options)
  room.reconnection.enabled = false
  const seen: { -readonly [K in keyof Seen]: Seen[K] } = { room, ship: null, poses: new Map(), frames: 0 }
  const codec = codecOf(server.plan)
  room.onMessage(SHIP, (ship: ShipMessage) => (seen.ship = ship))
  const memory = new PoseMemory()
  room.onMessage(POSES, (bytes: Uint8Array) => {
    seen.frames++
    seen.poses.clear()
    const { complete } = codec.read(
      bytes,
      (key, { position: { x, y, z } }) => seen.poses.set(key, { x, y, z }),
      memory,
    )
    // the first one is a start, and none is left out after it
    expect(complete).toBe(true)
  })
  return seen
}

async function until(what: () => boolean, seconds = 8): Promise<void> {
  for (let i = 0; i < 50 * seconds && !what(); i++) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(what()).toBe(true)
}

const placeOf = (seen: Seen, key: number): { x: number; y: number; z: number } => seen.poses.get(key)!

describe('a room', { timeout: 30_000 + 10_000 * RUNS }, () => {
  it('shows each client all crafts, also one that joins late, and none that has left', async () => {
    const a = await join({ name: 'Ada' })
    const b = await join({ name: 'Bo' })
    await until(() => a.poses.size === AGENTS + 2 && b.poses.size === AGENTS + 2)
    const late = await join()
    await until(() => late.ship !== null && a.poses.has(late.ship.key) && late.poses.size === AGENTS + 3)
    expect(a.ship!.key).not.toBe(b.ship!.key)
    const names = (a.room.state as { names: Map<string, string> }).names
    await until(() => names.get(String(b.ship!.key)) === 'Bo')
    await late.room.leave(true)
    await until(() => !a.poses.has(late.ship!.key))
    await Promise.all([a.room.leave(true), b.room.leave(true)])
  })

  it('flies the ship of the client that moves its stick, and no other', async () => {
    const a = await join()
    const b = await join()
    await until(() => [a, b].every(({ poses, ship }) => poses.size === AGENTS + 2 && ship !== null))
    const startA = { ...placeOf(a, a.ship!.key) }
    const startB = { ...placeOf(a, b.ship!.key) }
    sendStick(a.room, beatNow() + 2, [1, 0, 0, 0, 0, 0])
    await until(() => apart(placeOf(b, a.ship!.key), startA) > 2)
    expect(apart(placeOf(b, b.ship!.key), startB)).toBeLessThan(1)
    await Promise.all([a.room.leave(true), b.room.leave(true)])
  })

  it('keeps the ship of a lost connection for a while, and gives it back for its secret only', async () => {
    let a = await join({ name: 'Ada' })
    const b = await join()
    await until(() => a.ship !== null && b.poses.has(a.ship.key))
    const ship = a.ship!
    for (let run = 0; run < RUNS; run++) {
      a.room.connection.close()
      await until(() => !a.room.connection.isOpen)
      await expect(join({ key: ship.key, secret: 'a guess' })).rejects.toThrow('not your ship')
      const again = await join({ ...ship })
      await until(() => again.poses.has(ship.key) && b.poses.size === AGENTS + 2)
      const start = { ...placeOf(again, ship.key) }
      let tries = 0
      await until(() => {
        // there may be a rock or another craft in one direction
        const ahead = (run + Math.floor(tries / 100)) % 2 === 0 ? -1 : 1
        if (tries++ % 10 === 0) sendStick(again.room, beatNow() + 2, [ahead, 0, 0, 0, 0, 0])
        return apart(placeOf(b, ship.key), start) > 2
      }, 20)
      a = again
    }
    await Promise.all([a.room.leave(true), b.room.leave(true)])
  })
})

describe('a server of its own', () => {
  it('keeps all players when it has stood still for four seconds', async () => {
    const child = spawn(process.execPath, [program, '--port', '0', '--agents', '30'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const origin = /http:\S+/.exec(line.toString())![0]
    let left = 0
    const rooms: Room[] = []
    for (let i = 0; i < 6; i++) {
      const room = await new Client(origin).joinById(roomIdOf(0), {})
      room.reconnection.enabled = false
      room.onMessage(SHIP, () => {})
      room.onMessage(POSES, () => {})
      room.onLeave(() => left++)
      rooms.push(room)
    }
    let beat = 0
    const timer = setInterval(() => {
      const axes = [0, 0, 0, 0, 0, (++beat % 2) / 2]
      for (const room of rooms) sendStick(room, beatNow() + 2, axes)
    }, 50)
    await sleep(500)
    child.kill('SIGSTOP')
    await sleep(4000)
    child.kill('SIGCONT')
    await sleep(1500)
    expect(left).toBe(0)
    clearInterval(timer)
    child.kill()
    await once(child, 'exit')
  })

  it('has seats for players when many from one address look on', async () => {
    const ship = { key: keyOf('player', 12345), secret: 'nobody has this ship' }
    const joined: Room[] = []
    let refused = 0
    for (let i = 0; i < MAX_SPECTATORS_OF_ADDRESS + 5; i++) {
      try {
        const room = await new Client(server.address).joinById(roomIdOf(0), ship)
        room.reconnection.enabled = false
        room.onMessage(POSES, () => {})
        joined.push(room)
      } catch {
        refused++
      }
      await sleep(40)
    }
    expect([joined.length, refused]).toEqual([MAX_SPECTATORS_OF_ADDRESS, 5])
    const player = await join({ name: 'Ada' })
    await until(() => player.ship !== null)
    await Promise.all([player.room, ...joined].map((room) => room.leave(true)))
  })
})
