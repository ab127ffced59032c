import { COLUMNS, COUNTS, OBJECTS, WIDTHS, type Agents } from '../engine/agents.js'
import { grown } from '../math/grown.js'

/** Rearranges the rows of a table of agents. */
export class Arranger {
  private readonly spare = new Map<string, Float64Array | Int32Array>()
  private readonly objects: unknown[] = []

  /** Row i becomes what row `from[i]` is now. Slots follow. */
  arrange(agents: Agents, from: Int32Array): void {
    const { count } = agents
    for (const name of COLUMNS) agents[name] = this.gather(name, agents[name], WIDTHS[name], from, count)
    for (const name of COUNTS) agents[name] = this.gather(name, agents[name], 1, from, count)
    const { objects } = this
    for (const name of OBJECTS) {
      const list = agents[name]
      for (let i = 0; i < count; i++) objects[i] = list[i]
      for (let i = 0; i < count; i++) list[i] = objects[from[i]!] as never
    }
    // it must not keep removed agents alive
    objects.fill(null)
    for (let i = 0; i < count; i++) agents.row[agents.slot[i]!] = i
  }

  /** The column in the order of `from`, in the spare array; the old array becomes the spare one. */
  private gather<T extends Float64Array | Int32Array>(
    name: string,
    column: T,
    width: number,
    from: Int32Array,
    count: number,
  ): T {
    const other = this.spare.get(name)
    const target = other?.length === column.length ? other : grown(column, column.length)
    for (let i = 0; i < count; i++) {
      const source = width * from[i]!
      for (let k = 0; k < width; k++) target[width * i + k] = column[source + k]!
    }
    this.spare.set(name, column)
    return target as T
  }
}
