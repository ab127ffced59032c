import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Client, type Room } from '@colyseus/sdk'
import { seeded } from 'three-steering/authoring'
import { PoseMemory, type NetPose } from 'three-steering/net'
import { codecOf, POSES, roomIdOf, sendStick, SHIP, type ShipMessage } from '../src/net/protocol.js'
import { beatNow } from '../src/server/beat.js'
import { startServer, type RunningServer } from '../src/server/server.js'

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ port: 0, cells: 1, agents: 10 })
})
afterAll(() => server.close())

async function join(options: unknown = {}): Promise<Room> {
  const room = await new Client(server.address).joinById(roomIdOf(0), options)
  room.reconnection.enabled = false
  room.onError(() => {})
  return room
}

/** An honest client, at rest. It notes what the room shows of its ship. */
class Witness {
  key = 0
  frames = 0
  farthest = 0
  private start: { x: number; y: number; z: number } | null = null

  static async join(): Promise<Witness> {
    const witness = new Witness()
    const room = await join({ name: 'Witness' })
    room.onMessage(SHIP, ({ key }: ShipMessage) => (witness.key = key))
    const memory = new PoseMemory()
    room.onMessage(POSES, (bytes: Uint8Array) => {
      witness.frames++
      const see = (key: number, { position: { x, y, z } }: NetPose): void => {
        if (key !== witness.key) return
        witness.start ??= { x, y, z }
        const { start } = witness
        witness.farthest = Math.max(witness.farthest, Math.hypot(x - start.x, y - start.y, z - start.z))
      }
      codecOf(server.plan).read(bytes, see, memory)
    })
    while (witness.frames < 3) await sleep(20)
    return witness
  }
}

it('clients that send anything steer no other ship and stop no room', async () => {
  const witness = await Witness.join()
  const random = seeded(11)
  const bytesOf = (length: number): Uint8Array =>
    Uint8Array.from({ length }, () => Math.floor(256 * random()))
  const junk: unknown[] = [
    null,
    {},
    { key: witness.key },
    { key: witness.key, secret: '' },
    { key: witness.key, secret: 'x'.repeat(60) },
    { key: witness.key, secret: [1] },
    { key: -1, secret: 'x' },
    { key: 2 ** 40, secret: 'x' },
    { key: '1', secret: {} },
    { name: '<img src=x onerror=alert(1)>' },
    { name: 'n'.repeat(300) },
    { name: { toString: 'no' } },
    'text',
    7,
  ]
  let refused = 0
  let thrown = 0
  for (const options of junk) {
    let room: Room
    try {
      room = await join(options)
    } catch {
      refused++
      continue
    }
    room.onLeave(() => thrown++)
    for (let i = 0; i < 40; i++) {
      const kind = Math.floor(6 * random())
      if (!room.connection.isOpen) break
      if (kind === 0)
        sendStick(
          room,
          beatNow() + 2,
          Array.from({ length: 6 }, () => 2 * random() - 1),
        )
      else if (kind === 1) room.sendBytes('stick', bytesOf(Math.floor(40 * random())))
      else if (kind === 2 && random() < 0.1) room.send('stick', { ahead: NaN, key: witness.key })
      else if (kind === 3 && random() < 0.1) room.sendBytes(bytesOf(4).join(''), bytesOf(30))
      else if (kind === 4 && random() < 0.3) room.connection.send(bytesOf(1 + Math.floor(60 * random())))
      else if (random() < 0.03) room.connection.send(bytesOf(5000))
    }
    await sleep(20)
    if (room.connection.isOpen) room.leave(true).catch(() => {})
  }
  expect(refused).toBeGreaterThan(1)
  expect(thrown).toBeGreaterThan(2)

  // a flood is cut off
  const flood = await join()
  for (let i = 0; i < 5000 && flood.connection.isOpen; i++) sendStick(flood, i + 1, [1, 0, 0, 0, 0, 0])
  for (let i = 0; i < 200 && flood.connection.isOpen; i++) await sleep(20)
  expect(flood.connection.isOpen).toBe(false)

  // rooms are made by the server only
  const client = new Client(server.address)
  await expect(client.create('cell', { cell: 99 })).rejects.toThrow()
  await expect(client.joinOrCreate('cell', { cell: 99 })).rejects.toThrow()

  const { frames } = witness
  for (let i = 0; i < 200 && witness.frames < frames + 5; i++) await sleep(20)
  expect(witness.frames).toBeGreaterThanOrEqual(frames + 5)
  expect(witness.farthest).toBeLessThan(0.5)
  const again = await Witness.join()
  expect(again.frames).toBeGreaterThan(0)
})
