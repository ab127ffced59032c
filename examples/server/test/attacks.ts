import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getMessageBytes } from '@colyseus/core'
import { roomIdOf } from '../src/net/protocol.js'

/**
 * Clients that mean harm. They write to bare connections, because a client of
 * Colyseus keeps to its protocol: it closes when it is told to, and reads what it is sent.
 */
export interface Attack {
  readonly name: string
  /** How many attack at the same time. */
  readonly clients: number
  /** Does harm once, on a connection or a request of its own. Then it is called again, until the end. */
  once(target: Target): Promise<void>
}

export interface Target {
  readonly host: string
  readonly port: number
  /** When to stop (ms, `performance.now`). */
  readonly end: number
}

const JOIN_ROOM = 10
const LEAVE_ROOM = 12
const ROOM_DATA_BYTES = 17
/** Opcodes of frames. */
const CONTINUED = 0
const TEXT = 1
const BINARY = 2
const PONG = 10

/** A frame as clients send it, of less than 64 KiB, with a mask that changes nothing. */
function frame(opcode: number, payload: Uint8Array, isLast = true): Buffer {
  const { length } = payload
  const head = length < 126 ? [length | 128] : [254, length >> 8, length & 255]
  return Buffer.concat([Uint8Array.of((isLast ? 128 : 0) | opcode, ...head, 0, 0, 0, 0), payload])
}

const NOTHING = new Uint8Array()
const ACKNOWLEDGE = frame(BINARY, Uint8Array.of(JOIN_ROOM))
const LEAVE = frame(BINARY, Uint8Array.of(LEAVE_ROOM))
const ROOM_INPUT = 19
const stickOf = (...bytes: number[]): Buffer => frame(BINARY, Uint8Array.from([ROOM_INPUT, ...bytes]))
const messageOf = (...bytes: number[]): Buffer =>
  frame(BINARY, getMessageBytes.raw(ROOM_DATA_BYTES, 'stick', undefined, Uint8Array.from(bytes)))
const many = (one: Buffer, bytes = 65_536): Buffer =>
  Buffer.concat(Array.from({ length: Math.ceil(bytes / one.length) }, () => one))

/** Joins by hand. The connection goes on when it is told to close. Null where it was refused. */
async function join(target: Target): Promise<Socket | null> {
  const { host, port } = target
  const seat = await post(target, '{}')
  if (!seat) return null
  const { processId, roomId, sessionId } = JSON.parse(seat) as Record<string, string>
  const socket = connect(port, host)
  socket.on('error', () => {})
  socket.write(
    `GET /${processId}/${roomId}?sessionId=${sessionId} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\n` +
      `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  )
  // the room says first that the client has joined
  const isJoined = await new Promise<boolean>((resolve) => {
    let heard = 0
    socket.on('data', (data) => (heard += data.length) > 200 && resolve(true))
    socket.once('close', () => resolve(false))
    setTimeout(resolve, 1000, false)
  })
  if (isJoined) return socket
  socket.destroy()
  return null
}

/** Asks for a seat. Null where that is refused. */
async function post({ host, port }: Target, body: string): Promise<string | null> {
  const headers = { 'content-type': 'application/json' }
  const url = `http://${host}:${port}/matchmake/joinById/${roomIdOf(0)}`
  try {
    const response = await fetch(url, { method: 'POST', headers, body })
    const text = await response.text()
    return response.ok ? text : null
  } catch {
    return null
  }
}

/** Joins, does something with the connection, and waits until it is closed, or the time has come to do that. */
const afterJoin =
  (use: (socket: Socket, target: Target) => void, last = Infinity) =>
  async (target: Target): Promise<void> => {
    const socket = await join(target)
    if (!socket) return sleep(20)
    use(socket, target)
    await closed(socket, Math.min(target.end, performance.now() + last))
  }

/** Writes the same to a client's connection as fast as it is taken. */
const flood = (bytes: Buffer): Attack['once'] =>
  afterJoin((socket, { end }) => {
    socket.write(ACKNOWLEDGE)
    const write = (): void => {
      while (!socket.destroyed && performance.now() < end && socket.write(bytes));
    }
    socket.on('drain', write)
    write()
  })

async function closed(socket: Socket, end: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => socket.destroy(), Math.max(1, end - performance.now()))
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    if (socket.destroyed) resolve()
  })
}

const JUNK = Buffer.concat(
  Array.from({ length: 400 }, (_, i) =>
    frame(
      i % 2 === 0 ? BINARY : TEXT,
      Uint8Array.from({ length: i % 60 }, (_each, k) => (37 * i * k + i) % 256),
    ),
  ),
)

export const ATTACKS: readonly Attack[] = [
  { name: 'sticks', clients: 20, once: flood(many(stickOf(128, 206, 1, 0, 0, 0))) },
  { name: 'sticks without meaning', clients: 20, once: flood(many(stickOf(255, 255, 3))) },
  { name: 'messages that are unknown', clients: 20, once: flood(many(messageOf(1, 2, 3))) },
  { name: 'junk', clients: 20, once: flood(JUNK) },
  { name: 'pongs', clients: 20, once: flood(many(frame(PONG, NOTHING))) },
  {
    name: 'fragments',
    clients: 20,
    once: flood(Buffer.concat([frame(BINARY, NOTHING, false), many(frame(CONTINUED, NOTHING, false))])),
  },
  { name: 'huge messages', clients: 20, once: flood(frame(BINARY, new Uint8Array(60_000))) },
  {
    name: 'huge requests',
    clients: 4,
    async once(target) {
      await post(target, JSON.stringify({ name: Array.from({ length: 2e6 }, () => ({})) }))
    },
  },
  {
    name: 'joins and leaves',
    clients: 20,
    once: afterJoin((socket) => socket.write(Buffer.concat([ACKNOWLEDGE, LEAVE])), 200),
  },
  {
    name: 'clients that read nothing',
    clients: 50,
    once: afterJoin((socket) => {
      socket.write(ACKNOWLEDGE)
      socket.pause()
    }),
  },
  {
    name: 'clients that never say that they have joined',
    clients: 50,
    once: afterJoin((socket) => {
      const pong = setInterval(() => socket.write(frame(PONG, NOTHING)), 1000)
      socket.once('close', () => clearInterval(pong))
    }),
  },
]

/** Attacks for some time. Returns how often. */
export async function attack({ clients, once }: Attack, origin: string, seconds: number): Promise<number> {
  const { hostname, port } = new URL(origin)
  const target = { host: hostname, port: Number(port), end: performance.now() + 1000 * seconds }
  let count = 0
  const one = async (): Promise<void> => {
    while (performance.now() < target.end) {
      await once(target)
      count++
    }
  }
  await Promise.all(Array.from({ length: clients }, one))
  return count
}
