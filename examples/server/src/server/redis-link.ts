import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { readCuts, type Cuts, type Load } from '../world/cuts.js'
import type { Hearing, Link, Tenure } from '../world/link.js'
import { EPOCH, type Plan } from '../world/plan.js'
import { agreeOn } from './beat.js'
import { CLAIM, CUT, GIVE, LOAD, NEXT, REMOVE, RENEW, SAVE } from './scripts.js'

/** How long (ms) a cell belongs to its owner after the store has last heard of it, and how often it is told. */
export const LEASE = 2500
const RENEWAL = 400
/** After this time (ms) with a store all owners have saved again what it may have lost. */
const SETTLED = 3000
/** A unit that was given away is given once more within this time (ms), should the store lose it. */
const GIVEN_KEPT = 60_000
/** An answer that took longer (ms) says nothing of the time. */
const MAX_TRAVEL = 10
/** Messages on their way to the store above which what is shown at borders is left out. */
const FULL = 200

/** Hashes and channels of the world in Redis. The scripts have the other names. */
const HELD = 'world:held:'
const GIVEN = 'world:given:'
const BORDER = 'world:border:'
const LEASES = 'world:lease:'
const CUTS = 'world:cuts'
const LOADS = 'world:loads'

export interface RedisLinkOptions {
  readonly url: string
  /** Of this program: owners of one world all have the same. Default that of the package. */
  readonly version?: string
  /** Where clients find the cells of this process. */
  readonly address?: string
  /** The owner before, which is known to have ended: its lease is not waited for. */
  readonly after?: string
  /** Told of what an operator must know, once for each change. */
  readonly report?: (problem: string) => void
}

/** The store has a world that this process cannot serve. */
export class Refusal extends Error {}

/** A unit that was given away. */
interface Given {
  readonly to: number
  readonly moves: number
  readonly record: string
  readonly time: number
}

/**
 * Cells in several processes: a lease of each cell in Redis, with a number that only grows (a fencing token).
 * Each script that writes checks the token first, so an owner that another has followed can write nothing.
 * Records are fields of one hash a cell. Beside them stands where each unit is, and how often it has moved: of two
 * that say they have a unit, the one with more moves has it. So a store that comes back empty, or with old records,
 * is corrected by what the owners save again, and nobody drops a unit because the store does not know it.
 */
export class RedisLink implements Link {
  readonly commands: Redis
  private readonly heard: Redis
  private readonly hearings = new Map<string, (from: Buffer) => void>()
  readonly tenures = new Set<RedisTenure>()
  private readonly options: RedisLinkOptions
  private readonly timer: NodeJS.Timeout
  /** When the store was reached (ms), infinite while it is not. */
  upTime = Infinity
  /** When it failed last (ms). */
  failTime = -Infinity
  private lastProblem = ''
  private isClosed = false
  /** When the cells were last said to be owned (ms). */
  private lastRound = performance.now()

  constructor(options: RedisLinkOptions) {
    this.options = options
    const settings = {
      enableOfflineQueue: false,
      maxRetriesPerRequest: null,
      retryStrategy: (tries: number) => Math.min(1000, 50 * tries),
    }
    this.commands = new Redis(options.url, settings)
    this.heard = new Redis(options.url, settings)
    for (const connection of [this.commands, this.heard])
      connection.on('error', (error: Error) => this.tell(`does not answer: ${error.message}`))
    this.commands.on('ready', () => this.onReady())
    this.commands.on('close', () => {
      if (this.upTime < Infinity && !this.isClosed) this.tell('is gone')
      this.upTime = Infinity
    })
    this.heard.on('messageBuffer', (channel: Buffer, message: Buffer) =>
      this.hearings.get(channel.toString())?.(message),
    )
    this.timer = setInterval(() => this.renewAll(), RENEWAL)
  }

  async own(cell: number, plan: Plan): Promise<RedisTenure> {
    const { address = '', after = '', version = '' } = this.options
    const world = JSON.stringify(plan)
    /** Whether there was an owner, and when the store was first heard to know nothing of it (ms). */
    let isHeld = false
    let forgotten = Infinity
    for (let tries = 0; ; tries++) {
      await this.untilReady()
      const sent = performance.now()
      // one that lives says so to a store that has come back empty
      const waits = isHeld && sent - forgotten < LEASE ? 1 : 0
      const claimed = await this.run(CLAIM, cell, LEASE, world, version, address, after, waits).catch(
        (error: Error) => this.fail(error),
      )
      const [answer, detail, isFirst, tick, ...time] = (claimed ?? []) as [
        string,
        string,
        number,
        number,
        ...string[],
      ]
      if (answer === 'owned') {
        this.hearTime(time, sent)
        const tenure = new RedisTenure(this, plan, cell, detail, isFirst === 1, tick, sent)
        this.tenures.add(tenure)
        return tenure
      }
      if (answer === 'plan')
        throw new Refusal(
          `the store has a world of another plan, ${detail}, and this one has ${world}: take another store, or empty this one`,
        )
      if (answer === 'version')
        throw new Refusal(
          `the world is run by version ${detail}, and this is ${version}: end all of its processes, then start the new ones`,
        )
      if (answer === 'forgotten') forgotten = Math.min(forgotten, sent)
      if (answer === 'held') [isHeld, forgotten] = [true, Infinity]
      if (answer === 'held' && tries === 10)
        this.options.report?.(
          `cell ${cell} belongs to ${detail || 'another process'}: this one waits for its end`,
        )
      await sleep(150)
    }
  }

  async next(): Promise<number> {
    await this.untilReady()
    const seconds = Math.floor((Date.now() - EPOCH) / 1000)
    return (await this.run(NEXT, seconds)) as number
  }

  /** Where clients find each cell, empty where it has no owner. */
  async addresses(cells: number): Promise<string[]> {
    const leases = await this.commands.mget(Array.from({ length: cells }, (_, cell) => LEASES + cell))
    return leases.map((lease) => (lease === null ? '' : lease.slice(lease.indexOf(' ') + 1)))
  }

  async cuts(plan: Plan): Promise<Cuts | null> {
    const text = await this.commands.get(CUTS)
    return text === null ? null : readCuts(plan, text.slice(text.indexOf(' ')))
  }

  /** The token with which this process owns a cell. */
  tokenOf(cell: number): string {
    return [...this.tenures].find((tenure) => tenure.cell === cell)?.token ?? ''
  }

  /** Hears what is said to a cell. Returns a function that ends this. */
  async listen(cell: number, hear: Pick<Hearing, 'onBorder'> & GivenHearing): Promise<() => void> {
    const channels = [`${BORDER}${cell}`, `${GIVEN}${cell}`]
    this.hearings.set(channels[0]!, (message) => {
      if (message.length > 2) hear.onBorder(message.readUInt16LE(0), message.subarray(2))
    })
    this.hearings.set(channels[1]!, (message) => {
      if (message.length <= 10) return
      const [from, unit, moves] = [message.readUInt16LE(0), message.readUInt32LE(2), message.readUInt32LE(6)]
      hear.onGiven(from, unit, message.toString('utf8', 10), moves)
    })
    while (this.heard.status !== 'ready') await sleep(20)
    await this.heard.subscribe(...channels)
    return () => {
      for (const channel of channels) this.hearings.delete(channel)
      this.heard.unsubscribe(...channels).catch(() => {})
    }
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearInterval(this.timer)
    for (const tenure of this.tenures) tenure.end()
    this.heard.disconnect()
    // what was said last arrives
    if (this.isUp) await Promise.race([this.commands.quit().catch(() => {}), sleep(500)])
    this.commands.disconnect()
  }

  // ---- what tenures need

  get isUp(): boolean {
    return this.commands.status === 'ready'
  }

  /** Whether this process stood still until now, so that its cells may have other owners. */
  get wasAsleep(): boolean {
    return performance.now() - this.lastRound > LEASE
  }

  get isSettled(): boolean {
    return performance.now() - this.upTime > SETTLED
  }

  get isFull(): boolean {
    return this.commands.commandQueue.length > FULL
  }

  run(script: string, ...args: (string | number | Buffer)[]): Promise<unknown> {
    return this.commands.eval(script, 0, ...args)
  }

  publish(to: number, message: Buffer): void {
    if (this.isUp && !this.isFull) this.commands.publish(`${BORDER}${to}`, message).catch(() => {})
  }

  /** The store has said its time (s, µs), between `sent` and now. One clock counts for all machines. */
  hearTime([seconds, micros]: readonly string[], sent: number): void {
    const travel = performance.now() - sent
    if (travel > MAX_TRAVEL) return
    const off = agreeOn(1000 * Number(seconds) + Number(micros) / 1000 + travel / 2)
    if (off !== 0)
      this.options.report?.(
        `the clock here is ${Math.round(-off)} ms ahead of that of the store, which counts`,
      )
  }

  /** Tells an operator what has changed. */
  tell(problem: string): void {
    if (problem === this.lastProblem) return
    this.lastProblem = problem
    this.options.report?.(`Redis ${problem}`)
  }

  /** A script was refused, or has not come to its end. That the store is gone it says otherwise. */
  fail({ message }: Error): void {
    this.failTime = performance.now()
    if (this.isUp) this.tell(message.startsWith('OOM') ? 'is full' : `fails: ${message}`)
  }

  tellAnswer(): void {
    if (this.lastProblem) this.tell('answers')
  }

  private async untilReady(): Promise<void> {
    while (!this.isUp) await sleep(20)
  }

  private onReady(): void {
    this.upTime = performance.now()
    this.tellAnswer()
    for (const tenure of this.tenures) tenure.onForgotten()
  }

  private renewAll(): void {
    const { wasAsleep } = this
    this.lastRound = performance.now()
    for (const tenure of this.tenures) {
      if (wasAsleep) tenure.wakes = true
      tenure.renew(this.options)
    }
  }
}

interface GivenHearing {
  onGiven(from: number, unit: number, record: string, moves: number): void
}

/** A cell that belongs to this process. */
class RedisTenure implements Tenure {
  readonly cell: number
  readonly isFirst: boolean
  readonly tick: number
  /** Since the process stood still, no answer has come. */
  wakes = false
  private readonly link: RedisLink
  private readonly plan: Plan
  /** What the cell has to do, as it is told with the next renewal. */
  private weight = ''
  /** A number that only grows from owner to owner. */
  readonly token: string
  private hear: Hearing | null = null
  private stopListening: () => void = () => {}
  private isOver = false
  /** When the store was asked that has since answered that the cell belongs to this owner (ms). */
  private sureTime: number
  /** When the store was asked for a renewal that it has not given yet (ms). */
  private asked = Infinity
  /** How often each unit that is here has moved from cell to cell. */
  private readonly moves = new Map<number, number>()
  /** What was given away in the last time. */
  private readonly given = new Map<number, Given>()

  constructor(
    link: RedisLink,
    plan: Plan,
    cell: number,
    token: string,
    isFirst: boolean,
    tick: number,
    sent: number,
  ) {
    this.link = link
    this.plan = plan
    this.cell = cell
    this.token = token
    this.isFirst = isFirst
    this.tick = tick
    this.sureTime = sent
  }

  get isSure(): boolean {
    return !this.isOver && this.link.isUp && performance.now() - this.sureTime < LEASE
  }

  get isWaking(): boolean {
    return this.wakes || this.link.wasAsleep
  }

  get isSettled(): boolean {
    return this.link.isSettled
  }

  async listen(hear: Hearing): Promise<void> {
    this.hear = hear
    this.stopListening = await this.link.listen(this.cell, {
      onBorder: (from, border) => hear.onBorder(from, border),
      onGiven: (from, unit, record, moves) => {
        this.moves.set(unit, moves)
        this.given.delete(unit)
        hear.onGiven(from, unit, record)
      },
    })
  }

  show(to: number, border: Uint8Array): void {
    const message = Buffer.alloc(2 + border.length)
    message.writeUInt16LE(this.cell, 0)
    message.set(border, 2)
    this.link.publish(to, message)
  }

  give(to: number, unit: number, record: string): void {
    const moves = (this.moves.get(unit) ?? 0) + 1
    this.moves.delete(unit)
    const given: Given = { to, moves, record, time: performance.now() }
    for (const [old, { time }] of this.given) {
      if (given.time - time < GIVEN_KEPT) break
      this.given.delete(old)
    }
    this.given.set(unit, given)
    this.handOver(unit, given)
  }

  save(records: ReadonlyMap<number, string>, tick: number): void {
    if (!this.link.isUp || this.link.isFull) return
    const list: (string | number)[] = []
    for (const [unit, record] of records) list.push(unit, this.moves.get(unit) ?? 0, record)
    this.write(SAVE, tick, ...list)
      .then((taken) => {
        const units = (taken as string[]).map(Number)
        for (const unit of units) this.moves.delete(unit)
        if (units.length > 0) this.hear?.onTaken(units)
      })
      .catch((error: Error) => this.fail(error))
  }

  remove(unit: number): void {
    this.moves.delete(unit)
    this.write(REMOVE, unit).catch((error: Error) => this.fail(error))
  }

  async units(): Promise<number[]> {
    if (!this.link.isUp) return [...this.moves.keys()]
    return (await this.link.commands.hkeys(`${HELD}${this.cell}`)).map(Number)
  }

  async load(units: readonly number[]): Promise<string[]> {
    const found = (await this.write(LOAD, ...units)) as [unit: string, moves: number, record: string][]
    for (const [unit, moves] of found) this.moves.set(Number(unit), moves)
    return found.map(([, , record]) => record)
  }

  cuts(): Promise<Cuts | null> {
    return this.link.cuts(this.plan)
  }

  async cut(cuts: Cuts): Promise<void> {
    await this.write(CUT, cuts.version, JSON.stringify(cuts))
  }

  weigh(load: Load): void {
    this.weight = JSON.stringify(load)
  }

  async loads(): Promise<Map<number, Load>> {
    const loads = Object.entries(await this.link.commands.hgetall(LOADS)).filter(([, text]) => text !== '')
    return new Map(loads.map(([cell, text]) => [Number(cell), JSON.parse(text) as Load]))
  }

  end(): void {
    if (this.isOver) return
    this.stop()
    if (this.link.isUp) this.link.run(RENEW, this.cell, this.token, 0).catch(() => {})
  }

  /** Says that this owner lives, and asks whether the cell is still its own. */
  renew({ address = '', version = '' }: RedisLinkOptions): void {
    const { link } = this
    const sent = performance.now()
    if (!this.wakes && sent - Math.max(this.asked, link.upTime) > LEASE) link.tell('gives no answer')
    if (this.isOver || this.asked < Infinity || !link.isUp) return
    this.asked = sent
    this.write(RENEW, LEASE, address, this.weight, version)
      .then((answer) => {
        this.sureTime = sent
        const [known, ...time] = answer as [string, string, string]
        link.hearTime(time, sent)
        if (sent - link.failTime > LEASE) link.tellAnswer()
        if (performance.now() - sent < LEASE) this.wakes = false
        if (known === 'forgotten') this.onForgotten()
      })
      .catch((error: Error) => this.fail(error))
      .finally(() => (this.asked = Infinity))
  }

  /** Saves all again, and gives again what the others have not got by then. */
  onForgotten(): void {
    this.hear?.onForgotten()
    setTimeout(() => {
      if (!this.isOver) for (const [unit, given] of this.given) this.handOver(unit, given)
    }, SETTLED).unref()
  }

  private handOver(unit: number, given: Given): void {
    const { moves, record, to } = given
    const message = Buffer.alloc(10 + Buffer.byteLength(record))
    message.writeUInt16LE(this.cell, 0)
    message.writeUInt32LE(unit, 2)
    message.writeUInt32LE(moves, 6)
    message.write(record, 10)
    this.write(GIVE, to, unit, moves, record, message).catch((error: Error) => {
      this.fail(error)
      // a store that was reached and refused has not moved it; else it is given again when the store is back
      if (this.isOver || !this.link.isUp || this.given.get(unit) !== given) return
      this.given.delete(unit)
      this.moves.set(unit, moves - 1)
      this.sureTime = -Infinity
      this.hear?.onGiven(this.cell, unit, record)
    })
  }

  /** Runs a script that checks the token. */
  private async write(script: string, ...args: (string | number | Buffer)[]): Promise<unknown> {
    const answer = await this.link.run(script, this.cell, this.token, ...args)
    if (answer !== 'late') return answer
    const { hear } = this
    this.stop()
    hear?.onLost()
    return []
  }

  private stop(): void {
    this.isOver = true
    this.hear = null
    this.stopListening()
    this.link.tenures.delete(this)
  }

  private fail(error: Error): void {
    if (!this.isOver) this.link.fail(error)
  }
}
