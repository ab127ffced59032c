import type { Archive, Quat, SlotTable, Vec3 } from '../../core/types.js'
import type { Memory } from '../../core/control/memory.js'
import { grown } from '../../core/math/grown.js'
import { set } from '../../core/math/vec3.js'
import { setQuat } from '../../core/math/quat.js'

/** The data of a snapshot, before it is encoded as text. */
export interface Records {
  readonly numbers: Float64Array
  readonly integers: Int32Array
  readonly texts: readonly string[]
}

/** Objects of the user by their number; null for unknown ones. */
export type References = readonly (object | null)[]

const sameId = (id: number): number => id

type Remake<T> = (archive: Archive, value: T | null) => T | null

/** The archive that saves. */
export class Saver implements Archive {
  readonly restoring = false
  readonly agents: SlotTable
  /** Ids of agents as they are saved. */
  savedId: (id: number) => number = sameId
  readonly texts: string[] = []
  readonly references: object[] = []
  private readonly numberOf = new Map<object, number>()
  private numberBuffer = new Float64Array(1024)
  private integerBuffer = new Int32Array(1024)
  private numberCount = 0
  private integerCount = 0

  constructor(agents: SlotTable) {
    this.agents = agents
  }

  get records(): Records {
    const { numberCount, numberBuffer, texts, integerCount, integerBuffer } = this
    return {
      numbers: numberBuffer.slice(0, numberCount),
      integers: integerBuffer.slice(0, integerCount),
      texts,
    }
  }

  number(value: number): number {
    const offset = this.takeNumbers(1)
    this.numberBuffer[offset] = value
    return value
  }

  boolean(value: boolean): boolean {
    this.integer(value ? 1 : 0)
    return value
  }

  string(value: string): string {
    this.texts.push(value)
    return value
  }

  agentId(id: number): number {
    this.number(this.savedId(id))
    return id
  }

  vector({ x, y, z }: Vec3): void {
    const offset = this.takeNumbers(3)
    this.numberBuffer[offset] = x
    this.numberBuffer[offset + 1] = y
    this.numberBuffer[offset + 2] = z
  }

  place(value: Vec3): void {
    this.vector(value)
  }

  quaternion(value: Quat): void {
    this.vector(value)
    this.number(value.w)
  }

  numbers(column: Float64Array, from: number, to: number): void {
    const offset = this.takeNumbers(to - from)
    this.numberBuffer.set(column.subarray(from, to), offset)
  }

  integers(column: Int32Array, from: number, to: number): void {
    const offset = this.takeIntegers(to - from)
    this.integerBuffer.set(column.subarray(from, to), offset)
  }

  reference<T extends object>(value: T | null, remake: Remake<T>): T | null {
    const known = value === null ? -1 : this.numberOf.get(value)
    this.integer(known ?? this.references.length)
    if (known !== undefined || value === null) return value
    this.numberOf.set(value, this.references.length)
    this.references.push(value)
    remake(this, value)
    return value
  }

  integer(value: number): number {
    const offset = this.takeIntegers(1)
    this.integerBuffer[offset] = value
    return value
  }

  /** Writes the number of values so far, which the {@link Loader} checks. */
  mark(): boolean {
    this.integer(this.numberCount)
    this.integer(this.texts.length)
    return true
  }

  private takeNumbers(count: number): number {
    const offset = this.numberCount
    this.numberCount += count
    if (this.numberCount > this.numberBuffer.length)
      this.numberBuffer = grown(this.numberBuffer, 2 * this.numberCount)
    return offset
  }

  private takeIntegers(count: number): number {
    const offset = this.integerCount
    this.integerCount += count
    if (this.integerCount > this.integerBuffer.length)
      this.integerBuffer = grown(this.integerBuffer, 2 * this.integerCount)
    return offset
  }
}

/** The archive that restores the records of a {@link Saver}. @throws RangeError when they end. */
export class Loader implements Archive {
  readonly restoring = true
  agents: SlotTable
  /** The id here of an agent that was saved with an id. */
  idHere: (saved: number) => number = sameId
  private readonly records: Records
  private readonly known: References
  private readonly made: (object | null)[] = []
  private numbersRead = 0
  private integersRead = 0
  private textsRead = 0

  constructor(records: Records, known: References, agents: SlotTable) {
    this.records = records
    this.known = known
    this.agents = agents
  }

  number(_value: number): number {
    const value = this.records.numbers[this.takeNumbers(1)]!
    // V8 changes the hidden class of an object when a whole number from a Float64Array is written as it is to
    // a field of whole numbers, and then compiles all code again that uses the object
    const whole = value | 0
    return Object.is(whole, value) ? whole : value
  }

  boolean(_value: boolean): boolean {
    return this.integer(0) === 1
  }

  string(_value: string): string {
    const { texts } = this.records
    if (this.textsRead >= texts.length) throw tooShort()
    return texts[this.textsRead++]!
  }

  agentId(_id: number): number {
    return this.idHere(this.number(0))
  }

  vector(value: Vec3): void {
    const { numbers } = this.records
    const offset = this.takeNumbers(3)
    set(value, numbers[offset]!, numbers[offset + 1]!, numbers[offset + 2]!)
  }

  place(value: Vec3): void {
    this.vector(value)
  }

  quaternion(value: Quat): void {
    const { numbers } = this.records
    const offset = this.takeNumbers(4)
    setQuat(value, numbers[offset]!, numbers[offset + 1]!, numbers[offset + 2]!, numbers[offset + 3]!)
  }

  numbers(column: Float64Array, from: number, to: number): void {
    const offset = this.takeNumbers(to - from)
    column.set(this.records.numbers.subarray(offset, offset + to - from), from)
  }

  integers(column: Int32Array, from: number, to: number): void {
    const offset = this.takeIntegers(to - from)
    column.set(this.records.integers.subarray(offset, offset + to - from), from)
  }

  loadMemory(memory: Memory): void {
    const { width } = memory
    if (this.number(0) !== width)
      throw new RangeError('restoreSnapshot: got a memory of another width, must be of the same behaviour')
    memory.owner.fill(0)
    memory.data.fill(0)
    for (let from = this.number(0); from >= 0; from = this.number(0)) {
      const to = this.number(0)
      if (!(Number.isInteger(from) && Number.isInteger(to) && from < to && to <= this.agents.slots))
        throw new RangeError(
          `restoreSnapshot: got a memory of slots ${from} to ${to}, must be existing slots`,
        )
      memory.include(from)
      memory.include(to - 1)
      const { first } = memory
      this.numbers(memory.data, (from - first) * width, (to - first) * width)
      for (let slot = from; slot < to; slot++) memory.owner[slot - first] = this.agents.generationOf(slot)
    }
    memory.firstOwner = memory.owner[0] ?? 0
  }

  reference<T extends object>(_value: T | null, remake: Remake<T>): T | null {
    const { known, made } = this
    const number = this.integer(0)
    if (number < 0) return null
    if (number === made.length) {
      made.push(known[number] ?? null)
      made[number] = remake(this, made[number] as T | null)
    }
    return (made[number] ?? null) as T | null
  }

  integer(_value: number): number {
    return this.records.integers[this.takeIntegers(1)]!
  }

  /** Whether as many values were read as the {@link Saver} had written at this point. */
  mark(): boolean {
    const numberBuffer = this.integer(0)
    const texts = this.integer(0)
    return numberBuffer === this.numbersRead && texts === this.textsRead
  }

  private takeNumbers(count: number): number {
    const offset = this.numbersRead
    this.numbersRead += count
    if (!(count >= 0 && this.numbersRead <= this.records.numbers.length)) throw tooShort()
    return offset
  }

  private takeIntegers(count: number): number {
    const offset = this.integersRead
    this.integersRead += count
    if (!(count >= 0 && this.integersRead <= this.records.integers.length)) throw tooShort()
    return offset
  }
}

function tooShort(): RangeError {
  return new RangeError(
    'restoreSnapshot: got a snapshot with less state than this world has, must be one of the same world',
  )
}
