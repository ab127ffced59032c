import { clamp } from '../../core/math/scalar.js'
import { BitReader, BitWriter } from './bits.js'

/**
 * Numbers of a pose as levels: position, velocity, the largest component of the attitude, and its other
 * three.
 */
export const LEVELS = 10
const VELOCITY = 3
const LARGEST = 6
const TURN = 7
const TURN_BITS = 10
/** In this order they are said: a position follows from the velocities. */
const MOTION = [3, 4, 5, 0, 1, 2] as const
const TURNS = [7, 8, 9] as const

/** Bits of the number of a packet, and of the parameter of a Rice code. */
const NUMBER_BITS = 8
const LOW_BITS = 5
/** Kinds of numbers, each with its code: keys, positions, velocities, attitudes. */
const KINDS = 4
const kindOf = (level: number): number => (level < VELOCITY ? 1 : level < LARGEST ? 2 : 3)
/** Places of agents in a packet. Key and place fit into one number. */
const PLACES = 2 ** 21
/** Fewest bits of an agent: of its key, whether it is said in full, and three numbers. */
const FEWEST_BITS = 5
/** A packet that is older than the last one by more than this (s) comes from a server that was set back. */
const SET_BACK = 2

/** Parameter of the Rice codes of a start, which is seldom sent. Chosen by hand. */
const START_LOW = 4

/** Told of each agent: `LEVELS` levels from `at` on. */
type Visit = (key: number, levels: Float64Array, at: number) => void

/** What levels mean. */
export interface Scale {
  /** Bits of a component of the position and of the velocity; 0: velocities are not sent. */
  readonly positionBits: number
  readonly velocityBits: number
  readonly attitude: boolean
  /** Levels of a component of the velocity on each side of zero. */
  readonly speedLevels: number
  /** By how many levels the position along each axis changes in a second at one level of the velocity. */
  readonly rate: readonly number[]
}

/** The agents of one packet by their keys, upwards: their levels, and by how much these have changed. */
class Heard {
  count = 0
  keys = new Float64Array(0)
  levels = new Float64Array(0)
  changes = new Float64Array(0)

  /** Makes room for so many agents, and forgets those that are here. */
  clear(room: number): void {
    this.count = 0
    if (room <= this.keys.length) return
    this.keys = new Float64Array(2 * room)
    this.levels = new Float64Array(2 * room * LEVELS)
    this.changes = new Float64Array(2 * room * LEVELS)
  }
}

/**
 * What the last packet of a writer has said, so that the next one says only how far each agent is from where
 * it would be if it had gone on: some 5 bytes an agent in place of 15, for the same levels. The velocity goes
 * on to change as it did, the position follows by the trapezoid of the old and the new velocity, and the
 * attitude goes on to turn. In each packet one agent of `refresh` is said in full. So a reader that has
 * missed a packet, or comes late, knows all of them after `refresh` packets.
 */
export class PoseMemory {
  private last = new Heard()
  private next = new Heard()
  private number = 0
  private time = NaN
  private dt = NaN
  /** Where the search in the last packet is, whose keys go upwards, too. */
  private cursor = 0
  private order = new Float64Array(0)
  /** Of each agent that is written: whether it is said in full. */
  private readonly inFull: boolean[] = []
  private readonly low = [0, 0, 0, 0]

  /**
   * Writes agents in the order of their keys, each once.
   * @param levels `LEVELS` numbers for each agent.
   * @returns how many there are.
   */
  write(
    bits: BitWriter,
    scale: Scale,
    time: number,
    keys: Float64Array,
    levels: Float64Array,
    count: number,
    refresh: number,
  ): number {
    if (this.order.length < count) this.order = new Float64Array(2 * count)
    const order = this.order.subarray(0, count)
    for (let i = 0; i < count; i++) order[i] = keys[i]! * PLACES + i
    order.sort()
    this.number = (this.number + 1) % 2 ** NUMBER_BITS
    this.begin(time, count)
    const { next } = this
    for (let i = 0; i < count; i++) {
      const key = Math.floor(order[i]! / PLACES)
      if (next.count > 0 && next.keys[next.count - 1] === key) continue
      const from = LEVELS * (order[i]! - key * PLACES)
      for (let k = 0; k < LEVELS; k++) next.levels[LEVELS * next.count + k] = levels[from + k]!
      next.keys[next.count++] = key
    }
    this.chooseCodes(scale, refresh)
    bits.write(this.number, NUMBER_BITS)
    for (const low of this.low) bits.write(low, LOW_BITS)
    this.cursor = 0
    for (let row = 0; row < next.count; row++) {
      bits.writeRice(next.keys[row]! - (row === 0 ? 0 : next.keys[row - 1]! + 1), this.low[0]!)
      const known = this.inFull[row] ? -1 : this.find(next.keys[row]!)
      bits.write(known < 0 ? 1 : 0, 1)
      if (known < 0) writeFull(bits, scale, next.levels, LEVELS * row)
      else this.writeDifferences(bits, scale, row, known)
      this.noteChanges(row, known)
    }
    const { count: written } = next
    this.end(time, this.number)
    return written
  }

  /**
   * Reads agents. Call it without `visit` first, which changes nothing.
   * @returns the number of agents whose pose does not follow, because the packet before is missing; −1 for
   * damaged bytes.
   */
  read(bits: BitReader, scale: Scale, time: number, count: number, visit: Visit | null): number {
    const number = bits.read(NUMBER_BITS)
    for (let kind = 0; kind < KINDS; kind++) this.low[kind] = bits.read(LOW_BITS)
    // room grows with what can be known, not with a number that a stranger sends
    this.begin(time, this.last.count + 1)
    const { next } = this
    if (number !== (this.number + 1) % 2 ** NUMBER_BITS || !(this.dt > 0)) this.cursor = this.last.count
    let key = -1
    let unknown = 0
    for (let i = 0; i < count; i++) {
      key += bits.readRice(this.low[0]!) + 1
      if (key >= 2 ** 32) return -1
      const row = next.count
      this.makeRoom(row)
      const isFull = bits.read(1) === 1
      const known = isFull ? -1 : this.find(key)
      if (isFull) readFull(bits, scale, next.levels, LEVELS * row)
      else this.readDifferences(bits, scale, row, known)
      if (!isFull && known < 0) {
        unknown++
        continue
      }
      this.noteChanges(row, known)
      next.keys[row] = key
      next.count++
      visit?.(key, next.levels, LEVELS * row)
    }
    // an old packet that comes late says nothing of the next one
    if (visit !== null && !(this.dt <= 0 && this.dt > -SET_BACK)) this.end(time, number)
    return unknown
  }

  /** Writes all that the last packet has said, and its changes: a reader of this can read the next packet. */
  writeStart(bits: BitWriter, scale: Scale): { count: number; time: number } {
    const { last, number, time } = this
    bits.write(number, NUMBER_BITS)
    const { count } = last
    for (let row = 0; row < count; row++) {
      bits.writeRice(last.keys[row]! - (row === 0 ? 0 : last.keys[row - 1]! + 1), START_LOW)
      writeFull(bits, scale, last.levels, LEVELS * row)
      for (let k = 0; k < LEVELS; k++) bits.writeRice(zigzag(last.changes[LEVELS * row + k]!), START_LOW)
    }
    return { count, time }
  }

  /** Reads what `writeStart` has written, see `read`. */
  readStart(bits: BitReader, scale: Scale, time: number, count: number, visit: Visit | null): number {
    const number = bits.read(NUMBER_BITS)
    this.begin(time, 1)
    const { next } = this
    let key = -1
    for (let row = 0; row < count; row++) {
      key += bits.readRice(START_LOW) + 1
      if (key >= 2 ** 32) return -1
      this.makeRoom(row)
      readFull(bits, scale, next.levels, LEVELS * row)
      for (let k = 0; k < LEVELS; k++) next.changes[LEVELS * row + k] = unzigzag(bits.readRice(START_LOW))
      next.keys[row] = key
      next.count++
      visit?.(key, next.levels, LEVELS * row)
    }
    if (visit !== null) this.end(time, number)
    return 0
  }

  private begin(time: number, room: number): void {
    this.dt = time - this.time
    this.cursor = 0
    this.next.clear(room)
  }

  private end(time: number, number: number): void {
    this.time = time
    this.number = number
    const { last } = this
    this.last = this.next
    this.next = last
  }

  /** Room for a row more, with the rows that are there. */
  private makeRoom(row: number): void {
    const { next } = this
    if (row < next.keys.length) return
    const { keys, levels, changes } = next
    next.clear(row + 1)
    next.keys.set(keys)
    next.levels.set(levels)
    next.changes.set(changes)
    next.count = row
  }

  /** The row of an agent in the last packet, −1 where it has none. Keys go upwards from call to call. */
  private find(key: number): number {
    const { count, keys } = this.last
    while (this.cursor < count && keys[this.cursor]! < key) this.cursor++
    return this.cursor < count && keys[this.cursor] === key ? this.cursor : -1
  }

  /** The Rice codes that fit this packet, by the mean of what is to be said. */
  private chooseCodes(scale: Scale, refresh: number): void {
    const { low, next } = this
    for (let kind = 0; kind < KINDS; kind++) {
      let sum = 0
      let terms = 0
      this.cursor = 0
      for (let row = 0; row < next.count; row++) {
        const key = next.keys[row]!
        const known = this.find(key)
        this.inFull[row] = known < 0 || !(this.dt > 0) || (key + this.number) % refresh === 0
        if (kind === 0) {
          sum += key - (row === 0 ? 0 : next.keys[row - 1]! + 1)
          terms++
        } else if (!this.inFull[row])
          for (const level of kind === 3 ? TURNS : MOTION) {
            if (kindOf(level) !== kind || !this.isSaid(scale, level, row, known)) continue
            sum += zigzag(this.difference(scale, level, row, known))
            terms++
          }
      }
      // one bit of a geometric distribution is worth ln 2 of its mean
      const wanted = Math.round(Math.log2(Math.max(1, (Math.LN2 * sum) / Math.max(1, terms))))
      low[kind] = Math.min(2 ** LOW_BITS - 1, wanted)
    }
  }

  /**
   * Whether a number is said as a difference: one that is sent at all, of a turn with the same largest
   * component.
   */
  private isSaid(scale: Scale, level: number, row: number, known: number): boolean {
    if (level < VELOCITY) return true
    if (level < LARGEST) return scale.velocityBits > 0
    const { last, next } = this
    return scale.attitude && next.levels[LEVELS * row + LARGEST] === last.levels[LEVELS * known + LARGEST]
  }

  private difference(scale: Scale, level: number, row: number, known: number): number {
    return this.next.levels[LEVELS * row + level]! - this.expected(scale, level, row, known)
  }

  /** What a number would be if the agent had gone on. Its velocities count before its positions. */
  private expected(scale: Scale, level: number, row: number, known: number): number {
    if (known < 0) return 0
    const { changes, levels } = this.last
    const { positionBits, rate, speedLevels } = scale
    const at = LEVELS * known + level
    if (level >= TURN) return clamp(levels[at]! + changes[at]!, 0, 2 ** TURN_BITS - 1)
    if (level >= VELOCITY) return clamp(levels[at]! + changes[at]!, 0, 2 * speedLevels)
    let change = changes[at]!
    if (speedLevels > 0) {
      const twice =
        levels[at + VELOCITY]! + this.next.levels[LEVELS * row + level + VELOCITY]! - 2 * speedLevels
      change = Math.round((twice / 2) * rate[level]! * this.dt)
    }
    return clamp(levels[at]! + change, 0, 2 ** positionBits - 1)
  }

  private writeDifferences(bits: BitWriter, scale: Scale, row: number, known: number): void {
    const { low, next } = this
    for (const level of MOTION)
      if (this.isSaid(scale, level, row, known))
        bits.writeRice(zigzag(this.difference(scale, level, row, known)), low[kindOf(level)]!)
    if (!scale.attitude) return
    const isSame = this.isSaid(scale, LARGEST, row, known)
    bits.write(isSame ? 1 : 0, 1)
    if (isSame)
      for (const level of TURNS) bits.writeRice(zigzag(this.difference(scale, level, row, known)), low[3]!)
    else writeTurn(bits, next.levels, LEVELS * row)
  }

  private readDifferences(bits: BitReader, scale: Scale, row: number, known: number): void {
    const { last, low, next } = this
    const most = (level: number): number =>
      level < VELOCITY
        ? 2 ** scale.positionBits - 1
        : level < LARGEST
          ? 2 * scale.speedLevels
          : 2 ** TURN_BITS - 1
    const take = (level: number): void => {
      const said = unzigzag(bits.readRice(low[kindOf(level)]!))
      next.levels[LEVELS * row + level] = clamp(
        this.expected(scale, level, row, known) + said,
        0,
        most(level),
      )
    }
    for (const level of MOTION) if (level < VELOCITY || scale.velocityBits > 0) take(level)
    if (!scale.attitude) return
    if (bits.read(1) === 1) {
      next.levels[LEVELS * row + LARGEST] = known < 0 ? 0 : last.levels[LEVELS * known + LARGEST]!
      for (const level of TURNS) take(level)
    } else readTurn(bits, next.levels, LEVELS * row)
  }

  /**
   * By how much an agent has changed. Said in full it counts as steady, because not everybody knew it before.
   */
  private noteChanges(row: number, known: number): void {
    const { last, next } = this
    const to = LEVELS * row
    const from = LEVELS * known
    const turns = known >= 0 && next.levels[to + LARGEST] === last.levels[from + LARGEST]
    for (let k = 0; k < LEVELS; k++)
      next.changes[to + k] =
        known >= 0 && (k < LARGEST || turns) ? next.levels[to + k]! - last.levels[from + k]! : 0
  }
}

/** Writes all levels of an agent. */
export function writeFull(bits: BitWriter, scale: Scale, levels: Float64Array, at: number): void {
  for (let k = 0; k < VELOCITY; k++) bits.write(levels[at + k]!, scale.positionBits)
  for (let k = VELOCITY; k < LARGEST; k++) bits.write(levels[at + k]!, scale.velocityBits)
  if (scale.attitude) writeTurn(bits, levels, at)
}

/** Reads them, those of a stranger above the highest as the highest. */
export function readFull(bits: BitReader, scale: Scale, levels: Float64Array, at: number): void {
  for (let k = 0; k < VELOCITY; k++) levels[at + k] = bits.read(scale.positionBits)
  for (let k = VELOCITY; k < LARGEST; k++)
    levels[at + k] = Math.min(bits.read(scale.velocityBits), 2 * scale.speedLevels)
  if (scale.attitude) readTurn(bits, levels, at)
}

function writeTurn(bits: BitWriter, levels: Float64Array, at: number): void {
  bits.write(levels[at + LARGEST]!, 2)
  for (const k of TURNS) bits.write(levels[at + k]!, TURN_BITS)
}

function readTurn(bits: BitReader, levels: Float64Array, at: number): void {
  levels[at + LARGEST] = bits.read(2)
  for (const k of TURNS) levels[at + k] = bits.read(TURN_BITS)
}

/** Numbers with a sign as numbers ≥ 0, small ones as small ones. */
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
const unzigzag = (whole: number): number => (whole % 2 === 1 ? -(whole + 1) / 2 : whole / 2)

/** Whether a packet of so many bytes can have so many agents. */
export const canHold = (bytes: number, count: number): boolean =>
  count * FEWEST_BITS <= 8 * bytes && count < PLACES
