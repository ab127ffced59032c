import type { Archive, SlotTable, Vec3, Vec3Like } from '../types.js'
import { add, copy, vec3 } from '../math/vec3.js'

const NO_AGENTS: SlotTable = { slots: 0, idOf: () => -1, generationOf: () => -1 }

/**
 * The archive that moves the origin: all values stay as they are, but `by` is added to points of the world.
 * So whatever a snapshot holds is moved without code of its own.
 */
export class Shifter implements Archive {
  readonly restoring = false
  readonly agents: SlotTable
  private readonly by: Vec3Like

  constructor(by: Vec3Like, agents: SlotTable = NO_AGENTS) {
    this.agents = agents
    // it may be a live view of a place that is moved
    this.by = copy(vec3(), by)
  }

  place(value: Vec3): void {
    add(value, value, this.by)
  }

  numbers(
    column: Float64Array,
    from: number,
    to: number,
    places: readonly number[] = [],
    width = to - from,
  ): void {
    const { x, y, z } = this.by
    for (const place of places)
      for (let k = from + place; k < to; k += width) {
        column[k]! += x
        column[k + 1]! += y
        column[k + 2]! += z
      }
  }

  number(value: number): number {
    return value
  }

  boolean(value: boolean): boolean {
    return value
  }

  string(value: string): string {
    return value
  }

  agentId(id: number): number {
    return id
  }

  vector(): void {}

  quaternion(): void {}

  integers(): void {}

  /** Objects of the user are moved by the user. */
  reference<T extends object>(value: T | null): T | null {
    return value
  }
}
