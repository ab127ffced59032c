import { COLUMNS, COUNTS, OBJECTS, TRAITS, WIDTHS, type Agents } from '../engine/agents.js'

/** Rearranges the rows of a table of agents. */
export class Arranger {
  /** Scratch: a column as it was. */
  private numbers = new Float64Array(0)
  private counts = new Int32Array(0)
  private readonly objects: unknown[] = []

  /** Row i becomes what row `from[i]` is now. Slots follow. */
  arrange(agents: Agents, from: Int32Array): void {
    const { capacity, count } = agents
    const { objects } = this
    if (this.counts.length < capacity) {
      this.numbers = new Float64Array(TRAITS * capacity)
      this.counts = new Int32Array(capacity)
    }
    for (const name of COLUMNS) this.arrangeNumbers(agents[name], WIDTHS[name], from, count)
    for (const name of COUNTS) this.arrangeCounts(agents[name], from, count)
    for (const name of OBJECTS) {
      const list = agents[name]
      for (let i = 0; i < count; i++) objects[i] = list[i]
      for (let i = 0; i < count; i++) list[i] = objects[from[i]!] as never
    }
    // it must not keep removed agents alive
    objects.fill(null)
    for (let i = 0; i < count; i++) agents.row[agents.slot[i]!] = i
  }

  private arrangeNumbers(column: Float64Array, width: number, from: Int32Array, count: number): void {
    const { numbers } = this
    numbers.set(column)
    for (let i = 0; i < count; i++) {
      const source = width * from[i]!
      for (let k = 0; k < width; k++) column[width * i + k] = numbers[source + k]!
    }
  }

  /** The same for whole numbers: code for both kinds of columns takes twice as long (measured). */
  private arrangeCounts(column: Int32Array, from: Int32Array, count: number): void {
    const { counts } = this
    counts.set(column)
    for (let i = 0; i < count; i++) column[i] = counts[from[i]!]!
  }
}
