import { createServer, type Server, type Socket } from 'node:net'

/**
 * The few commands of Redis that a world needs, in memory, by its protocol (RESP 2), where no `redis-server` is
 * installed. For trials and tests on one machine: it keeps nothing on disk and checks no password.
 */
export class RedisStandIn {
  readonly port: number
  private readonly server: Server
  private readonly sockets: Set<Socket>

  static async listen(port = 0): Promise<RedisStandIn> {
    const store = new Store()
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.setNoDelay(true)
      const session = new Session(socket, store)
      socket.on('data', (data) => session.read(data))
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        store.leave(session)
      })
    })
    await new Promise<void>((resolve, reject) => {
      server.on('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    return new RedisStandIn(server, sockets)
  }

  private constructor(server: Server, sockets: Set<Socket>) {
    this.server = server
    this.sockets = sockets
    this.port = (server.address() as { port: number }).port
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy()
    this.server.close()
  }
}

type Reply = null | number | string | Buffer | readonly Reply[]

/** A reply that is no bulk string. */
class Status {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

class Store {
  private readonly values = new Map<string, string>()
  private readonly hashes = new Map<string, Map<string, Buffer>>()
  private readonly channels = new Map<string, Set<Session>>()

  run([name, key = EMPTY, ...rest]: readonly Buffer[]): Reply | Status {
    const at = key.toString()
    switch (name?.toString().toLowerCase()) {
      case 'hset': {
        const hash = this.hash(at)
        for (let i = 0; i + 1 < rest.length; i += 2) hash.set(rest[i]!.toString(), rest[i + 1]!)
        return rest.length / 2
      }
      case 'hdel':
        return rest.filter((field) => this.hash(at).delete(field.toString())).length
      case 'hkeys':
        return [...this.hash(at).keys()]
      case 'hmget':
        return rest.map((field) => this.hash(at).get(field.toString()) ?? null)
      case 'setnx':
        if (this.values.has(at)) return 0
        this.values.set(at, rest[0]!.toString())
        return 1
      case 'incr': {
        const next = Number(this.values.get(at) ?? 0) + 1
        this.values.set(at, String(next))
        return next
      }
      case 'publish': {
        const listeners = this.channels.get(at)
        for (const each of listeners ?? []) each.reply(['message', key, rest[0] ?? EMPTY])
        return listeners?.size ?? 0
      }
      case 'info':
        return 'redis_version:7.0.0\r\nloading:0\r\n'
      case 'ping':
        return new Status('+PONG')
      case 'client':
      case 'select':
        return new Status('+OK')
      default:
        return new Status(`-ERR unknown command '${name?.toString() ?? ''}'`)
    }
  }

  join(channel: string, session: Session): void {
    let listeners = this.channels.get(channel)
    if (!listeners) this.channels.set(channel, (listeners = new Set()))
    listeners.add(session)
  }

  leave(session: Session, channel?: string): void {
    if (channel === undefined) for (const listeners of this.channels.values()) listeners.delete(session)
    else this.channels.get(channel)?.delete(session)
  }

  private hash(key: string): Map<string, Buffer> {
    let hash = this.hashes.get(key)
    if (!hash) this.hashes.set(key, (hash = new Map()))
    return hash
  }
}

/** One connection. */
class Session {
  private readonly socket: Socket
  private readonly store: Store
  private readonly joined = new Set<string>()
  private rest: Buffer = EMPTY
  private queue: Buffer[][] | null = null

  constructor(socket: Socket, store: Store) {
    this.socket = socket
    this.store = store
  }

  read(data: Buffer): void {
    this.rest = this.rest.length > 0 ? Buffer.concat([this.rest, data]) : data
    let at = 0
    for (;;) {
      const command = parse(this.rest, at)
      if (command === null) break
      at = command.end
      this.run(command.parts)
    }
    this.rest = this.rest.subarray(at)
  }

  reply(reply: Reply | Status): void {
    if (this.socket.writable) this.socket.write(Buffer.concat(encode(reply)))
  }

  private run(parts: Buffer[]): void {
    const name = parts[0]?.toString().toLowerCase()
    if (name === 'multi') {
      this.queue = []
      this.reply(new Status('+OK'))
    } else if (name === 'exec') {
      const queue = this.queue ?? []
      this.queue = null
      const replies = queue.map((each) => this.store.run(each))
      const head = Buffer.from(`*${replies.length}\r\n`)
      this.socket.write(Buffer.concat([head, ...replies.flatMap(encode)]))
    } else if (this.queue) {
      this.queue.push(parts)
      this.reply(new Status('+QUEUED'))
    } else if (name === 'subscribe' || name === 'unsubscribe') {
      for (const part of parts.slice(1)) {
        const channel = part.toString()
        if (name === 'subscribe') this.store.join(channel, this)
        else this.store.leave(this, channel)
        if (name === 'subscribe') this.joined.add(channel)
        else this.joined.delete(channel)
        this.reply([name, channel, this.joined.size])
      }
    } else this.reply(this.store.run(parts))
  }
}

const EMPTY: Buffer = Buffer.alloc(0)

function encode(reply: Reply | Status): Buffer[] {
  if (reply instanceof Status) return [Buffer.from(`${reply.text}\r\n`)]
  if (reply === null) return [Buffer.from('$-1\r\n')]
  if (typeof reply === 'number') return [Buffer.from(`:${reply}\r\n`)]
  if (typeof reply === 'string' || Buffer.isBuffer(reply)) {
    const bytes = Buffer.from(reply as string)
    return [Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n')]
  }
  return [Buffer.from(`*${reply.length}\r\n`), ...reply.flatMap(encode)]
}

/** The command that begins at a place, or null if it is not complete yet. */
function parse(data: Buffer, from: number): { parts: Buffer[]; end: number } | null {
  let at = from
  const number = (): number | null => {
    const end = data.indexOf('\r\n', at)
    if (end < 0) return null
    const value = Number(data.toString('latin1', at + 1, end))
    at = end + 2
    return value
  }
  const count = number()
  if (count === null) return null
  const parts: Buffer[] = []
  for (let i = 0; i < count; i++) {
    const length = number()
    if (length === null || data.length < at + length + 2) return null
    parts.push(data.subarray(at, at + length))
    at += length + 2
  }
  return { parts, end: at }
}
