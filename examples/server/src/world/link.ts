/**
 * How the cells of a world hear of each other, and what outlives a cell. A record is in the hands of exactly
 * one cell at any time: `give` moves it from one to another at once or not at all.
 */
export interface Link {
  /** Calls back for what neighbours send to a cell. Returns a function that ends this. */
  listen(cell: number, hear: Hearing): Promise<() => void>
  /** Sends what a cell shows at its border to a neighbour. It may be lost. */
  show(from: number, to: number, border: Uint8Array): void
  /** Moves a craft to the hands of another cell, and tells that cell. */
  give(from: number, to: number, key: number, record: string): void
  /** Writes records of crafts that are in the hands of a cell, and the number of its last step. */
  save(cell: number, records: ReadonlyMap<number, string>, tick: number): void
  /** The number of the last step that was written for a cell, 0 where there is none. */
  tickOf(cell: number): Promise<number>
  /** Removes a craft for good. */
  remove(cell: number, key: number): void
  /** The crafts in the hands of a cell, and the records of some of them. */
  keys(cell: number): Promise<number[]>
  load(cell: number, keys: readonly number[]): Promise<string[]>
  /** True for the first one that asks: it puts the first agents into this cell. */
  isFirst(cell: number): Promise<boolean>
  /** A number that nobody has got before, from 1. */
  next(): Promise<number>
  close(): void
}

export interface Hearing {
  onBorder(from: number, border: Uint8Array): void
  onGiven(from: number, key: number, record: string): void
}

/** All cells in one process: nothing travels. What is heard is delivered in the next turn of the event loop. */
export class LocalLink implements Link {
  private readonly hearings = new Map<number, Hearing>()
  private readonly held = new Map<number, Map<number, string>>()
  private readonly begun = new Set<number>()
  private readonly ticks = new Map<number, number>()
  private last = 0
  private readonly defer: (deliver: () => void) => void

  /** `defer` says when something is delivered. Default in the next turn. */
  constructor(defer: (deliver: () => void) => void = setImmediate) {
    this.defer = defer
  }

  listen(cell: number, hear: Hearing): Promise<() => void> {
    this.hearings.set(cell, hear)
    return Promise.resolve(() => {
      if (this.hearings.get(cell) === hear) this.hearings.delete(cell)
    })
  }

  show(from: number, to: number, border: Uint8Array): void {
    const copy = border.slice()
    this.defer(() => this.hearings.get(to)?.onBorder(from, copy))
  }

  give(from: number, to: number, key: number, record: string): void {
    this.of(from).delete(key)
    this.of(to).set(key, record)
    this.defer(() => this.hearings.get(to)?.onGiven(from, key, record))
  }

  save(cell: number, records: ReadonlyMap<number, string>, tick: number): void {
    for (const [key, record] of records) this.of(cell).set(key, record)
    this.ticks.set(cell, tick)
  }

  tickOf(cell: number): Promise<number> {
    return Promise.resolve(this.ticks.get(cell) ?? 0)
  }

  remove(cell: number, key: number): void {
    this.of(cell).delete(key)
  }

  keys(cell: number): Promise<number[]> {
    return Promise.resolve([...this.of(cell).keys()])
  }

  load(cell: number, keys: readonly number[]): Promise<string[]> {
    return Promise.resolve(keys.flatMap((key) => this.of(cell).get(key) ?? []))
  }

  isFirst(cell: number): Promise<boolean> {
    const first = !this.begun.has(cell)
    this.begun.add(cell)
    return Promise.resolve(first)
  }

  next(): Promise<number> {
    return Promise.resolve(++this.last)
  }

  close(): void {
    this.hearings.clear()
  }

  private of(cell: number): Map<number, string> {
    let records = this.held.get(cell)
    if (!records) this.held.set(cell, (records = new Map()))
    return records
  }
}
