import { matchMaker } from '@colyseus/core'
import { expect, it } from 'vitest'
import { roomIdOf } from '../src/net/protocol.js'
import { startServer, type Health } from '../src/server/server.js'

it('a process tells how it is, and is sick when one of its rooms makes no beat', async () => {
  const server = await startServer({ port: 0, cells: [2, 1, 1], agents: 10, release: '7' })
  const ask = async (): Promise<[number, Health]> => {
    const response = await fetch(`${server.address}/health`)
    return [response.status, (await response.json()) as Health]
  }
  const [status, { release, rooms }] = await ask()
  expect([status, release, rooms.length]).toEqual([200, '7', 2])
  for (const [cell, room] of rooms.entries()) {
    expect(room).toMatchObject({ cell, isSure: true, crafts: 5, clients: 0, version: 0 })
    expect(room.silence).toBeLessThan(5)
  }
  const room = matchMaker.getLocalRoomById(roomIdOf(1)) as unknown as { beat: number; stop(): void }
  room.stop()
  room.beat -= 400
  const [after, { rooms: left }] = await ask()
  expect(after).toBe(503)
  expect(left[1]!.silence).toBeGreaterThan(10)
  await server.close()
}, 30_000)
