import { Redis } from 'ioredis'
import type { Hearing, Link } from '../world/link.js'

/** Keys and channels of one world in Redis. */
const HELD = 'world:held:'
const BEGUN = 'world:begun:'
const TICKS = 'world:ticks'
const LAST = 'world:last'
const GIVEN = 'world:given:'
const BORDER = 'world:border:'

/**
 * Cells in several processes. Records are fields of one hash a cell, so a transaction that moves a field moves a
 * craft. What one process says arrives in the order in which it was said; what is said while nobody listens is
 * lost, and found again by `Cell.reconcile`.
 */
export class RedisLink implements Link {
  private readonly commands: Redis
  private readonly heard: Redis
  private readonly hearings = new Map<string, (from: Buffer) => void>()
  private readonly report: (problem: string) => void

  constructor(url: string, report: (problem: string) => void = console.warn) {
    this.report = report
    const options = {
      maxRetriesPerRequest: null,
      retryStrategy: (tries: number) => Math.min(1000, 50 * tries),
    }
    this.commands = new Redis(url, options)
    this.heard = new Redis(url, options)
    for (const connection of [this.commands, this.heard])
      connection.on('error', (error: Error) => report(`Redis: ${error.message}`))
    this.heard.on('messageBuffer', (channel: Buffer, message: Buffer) =>
      this.hearings.get(channel.toString())?.(message),
    )
  }

  async listen(cell: number, hear: Hearing): Promise<() => void> {
    const channels = [`${BORDER}${cell}`, `${GIVEN}${cell}`]
    this.hearings.set(channels[0]!, (message) => {
      if (message.length > 2) hear.onBorder(message.readUInt16LE(0), message.subarray(2))
    })
    this.hearings.set(channels[1]!, (message) => {
      if (message.length > 6)
        hear.onGiven(message.readUInt16LE(0), message.readUInt32LE(2), message.toString('utf8', 6))
    })
    await this.heard.subscribe(...channels)
    return () => {
      for (const channel of channels) this.hearings.delete(channel)
      this.quietly(this.heard.unsubscribe(...channels))
    }
  }

  show(from: number, to: number, border: Uint8Array): void {
    const message = Buffer.alloc(2 + border.length)
    message.writeUInt16LE(from, 0)
    message.set(border, 2)
    this.quietly(this.commands.publish(`${BORDER}${to}`, message))
  }

  give(from: number, to: number, key: number, record: string): void {
    const message = Buffer.alloc(6 + Buffer.byteLength(record))
    message.writeUInt16LE(from, 0)
    message.writeUInt32LE(key, 2)
    message.write(record, 6)
    const moved = this.commands
      .multi()
      .hdel(`${HELD}${from}`, String(key))
      .hset(`${HELD}${to}`, String(key), record)
      .publish(`${GIVEN}${to}`, message)
      .exec()
    this.quietly(moved)
  }

  save(cell: number, records: ReadonlyMap<number, string>, tick: number): void {
    const fields: string[] = []
    for (const [key, record] of records) fields.push(String(key), record)
    if (fields.length > 0) this.quietly(this.commands.hset(`${HELD}${cell}`, ...fields))
    this.quietly(this.commands.hset(TICKS, String(cell), String(tick)))
  }

  async tickOf(cell: number): Promise<number> {
    return Number((await this.commands.hmget(TICKS, String(cell)))[0] ?? 0)
  }

  remove(cell: number, key: number): void {
    this.quietly(this.commands.hdel(`${HELD}${cell}`, String(key)))
  }

  async keys(cell: number): Promise<number[]> {
    return (await this.commands.hkeys(`${HELD}${cell}`)).map(Number)
  }

  /** The units in the hands of the first so many cells, all at one moment. */
  async keysOfAll(cells: number): Promise<number[]> {
    const asked = this.commands.multi()
    for (let cell = 0; cell < cells; cell++) asked.hkeys(`${HELD}${cell}`)
    const answers = (await asked.exec()) ?? []
    return answers.flatMap(([, keys]) => (keys as string[]).map(Number))
  }

  async load(cell: number, keys: readonly number[]): Promise<string[]> {
    const records = await this.commands.hmget(`${HELD}${cell}`, ...keys.map(String))
    return records.filter((record) => record !== null)
  }

  async isFirst(cell: number): Promise<boolean> {
    return (await this.commands.setnx(`${BEGUN}${cell}`, '1')) === 1
  }

  next(): Promise<number> {
    return this.commands.incr(LAST)
  }

  close(): void {
    this.commands.disconnect()
    this.heard.disconnect()
  }

  /** What cannot be sent is reported: the records in Redis stay as they are. */
  private quietly(sent: Promise<unknown>): void {
    sent.catch((error: unknown) => this.report(`Redis: ${String(error)}`))
  }
}
