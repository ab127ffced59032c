import type { Archive, Quat, SlotTable, Vec3 } from '../types.js'
import { grown } from '../math/grown.js'
import { set } from '../math/vec3.js'
import { setQuat } from '../math/quat.js'

/** What is written down, before it is text. */
export interface Records {
  readonly numbers: Float64Array<ArrayBuffer>
  readonly integers: Int32Array<ArrayBuffer>
  readonly texts: readonly string[]
}

/** Things of the user's by their number, as far as they are known. */
export type Things = readonly (object | null)[]

type Remake<T> = (archive: Archive, value: T | null) => T | null

/** Writes down. */
export class Saver implements Archive {
  readonly restoring = false
  readonly agents: SlotTable
  readonly texts: string[] = []
  readonly things: object[] = []
  private readonly numberOf = new Map<object, number>()
  private floats = new Float64Array(1024)
  private wholes = new Int32Array(1024)
  private floatCount = 0
  private wholeCount = 0

  constructor(agents: SlotTable) {
    this.agents = agents
  }

  get records(): Records {
    const { floatCount, floats, texts, wholeCount, wholes } = this
    return { numbers: floats.slice(0, floatCount), integers: wholes.slice(0, wholeCount), texts }
  }

  number(value: number): number {
    const at = this.takeFloats(1)
    this.floats[at] = value
    return value
  }

  boolean(value: boolean): boolean {
    this.whole(value ? 1 : 0)
    return value
  }

  string(value: string): string {
    this.texts.push(value)
    return value
  }

  vector({ x, y, z }: Vec3): void {
    const at = this.takeFloats(3)
    this.floats[at] = x
    this.floats[at + 1] = y
    this.floats[at + 2] = z
  }

  quaternion(value: Quat): void {
    this.vector(value)
    this.number(value.w)
  }

  numbers(column: Float64Array, from: number, to: number): void {
    const at = this.takeFloats(to - from)
    this.floats.set(column.subarray(from, to), at)
  }

  integers(column: Int32Array, from: number, to: number): void {
    const at = this.takeWholes(to - from)
    this.wholes.set(column.subarray(from, to), at)
  }

  reference<T extends object>(value: T | null, remake: Remake<T>): T | null {
    const known = value === null ? -1 : this.numberOf.get(value)
    this.whole(known ?? this.things.length)
    if (known !== undefined || value === null) return value
    this.numberOf.set(value, this.things.length)
    this.things.push(value)
    remake(this, value)
    return value
  }

  whole(value: number): number {
    const at = this.takeWholes(1)
    this.wholes[at] = value
    return value
  }

  /** Notes how far it has come. */
  mark(): boolean {
    this.whole(this.floatCount)
    this.whole(this.texts.length)
    return true
  }

  private takeFloats(count: number): number {
    const at = this.floatCount
    this.floatCount += count
    if (this.floatCount > this.floats.length) this.floats = grown(this.floats, 2 * this.floatCount)
    return at
  }

  private takeWholes(count: number): number {
    const at = this.wholeCount
    this.wholeCount += count
    if (this.wholeCount > this.wholes.length) this.wholes = grown(this.wholes, 2 * this.wholeCount)
    return at
  }
}

/** Gives back what a {@link Saver} has written down. @throws RangeError by every method where there is no more. */
export class Loader implements Archive {
  readonly restoring = true
  agents: SlotTable
  private readonly records: Records
  private readonly known: Things
  private readonly made: (object | null)[] = []
  private floatsRead = 0
  private wholesRead = 0
  private textsRead = 0

  constructor(records: Records, known: Things, agents: SlotTable) {
    this.records = records
    this.known = known
    this.agents = agents
  }

  number(_value: number): number {
    return this.records.numbers[this.takeFloats(1)]!
  }

  boolean(_value: boolean): boolean {
    return this.whole(0) === 1
  }

  string(_value: string): string {
    const { texts } = this.records
    if (this.textsRead >= texts.length) throw short()
    return texts[this.textsRead++]!
  }

  vector(value: Vec3): void {
    const { numbers } = this.records
    const at = this.takeFloats(3)
    set(value, numbers[at]!, numbers[at + 1]!, numbers[at + 2]!)
  }

  quaternion(value: Quat): void {
    const { numbers } = this.records
    const at = this.takeFloats(4)
    setQuat(value, numbers[at]!, numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!)
  }

  numbers(column: Float64Array, from: number, to: number): void {
    const at = this.takeFloats(to - from)
    column.set(this.records.numbers.subarray(at, at + to - from), from)
  }

  integers(column: Int32Array, from: number, to: number): void {
    const at = this.takeWholes(to - from)
    column.set(this.records.integers.subarray(at, at + to - from), from)
  }

  reference<T extends object>(_value: T | null, remake: Remake<T>): T | null {
    const { known, made } = this
    const number = this.whole(0)
    if (number < 0) return null
    if (number === made.length) {
      made.push(known[number] ?? null)
      made[number] = remake(this, made[number] as T | null)
    }
    return (made[number] ?? null) as T | null
  }

  whole(_value: number): number {
    return this.records.integers[this.takeWholes(1)]!
  }

  /** Whether it has come as far as whoever wrote it down had here. */
  mark(): boolean {
    const floats = this.whole(0)
    const texts = this.whole(0)
    return floats === this.floatsRead && texts === this.textsRead
  }

  private takeFloats(count: number): number {
    const at = this.floatsRead
    this.floatsRead += count
    if (!(count >= 0 && this.floatsRead <= this.records.numbers.length)) throw short()
    return at
  }

  private takeWholes(count: number): number {
    const at = this.wholesRead
    this.wholesRead += count
    if (!(count >= 0 && this.wholesRead <= this.records.integers.length)) throw short()
    return at
  }
}

function short(): RangeError {
  return new RangeError(
    'restore: got a snapshot that holds less than this world keeps, must be of the same one',
  )
}
