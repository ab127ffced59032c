import type { Cuts, Load } from './cuts.js'
import type { Plan } from './plan.js'

/**
 * How the cells of a world hear of each other, and what outlives a cell. A cell has one owner at a time, and a
 * unit (see `unitOf`) is in the hands of one cell at a time.
 */
export interface Link {
  /**
   * Resolves when a cell belongs to the caller: at once, or when its owner is gone.
   * @throws Error where the store has a world of another plan or version. It cannot be served beside this one.
   */
  own(cell: number, plan: Plan): Promise<Tenure>
  /** A number that nobody has got before, at least 1. */
  next(): Promise<number>
  close(): Promise<void>
}

/** What the owner of a cell can do. An owner that is late, because another has followed, can do nothing any more. */
export interface Tenure {
  readonly cell: number
  /** True for the first owner that the cell has ever had: it puts the first agents there. */
  readonly isFirst: boolean
  /** Number of the last step that the owner before has saved, 0 where there was none. */
  readonly tick: number
  /** False while it is not known that the cell still belongs to this owner. It keeps what it has then. */
  readonly isSure: boolean
  /** True after the process stood still for so long that the cell may have another owner, until that is known. */
  readonly isWaking: boolean
  /** True when all owners have had time to save again what the store may have lost. */
  readonly isSettled: boolean
  /** Calls back from now on. */
  listen(hear: Hearing): Promise<void>
  /** Sends what this cell shows at its border to a neighbour. It may be lost. */
  show(to: number, border: Uint8Array): void
  /** Moves a unit to the hands of another cell at once, and tells that cell. Where this fails the unit comes back. */
  give(to: number, unit: number, record: string): void
  /** Writes records of units that are in the hands of this cell, and the number of its last step. */
  save(records: ReadonlyMap<number, string>, tick: number): void
  /** Removes a unit for good. */
  remove(unit: number): void
  /** The units in the hands of this cell, and the records of some of them. */
  units(): Promise<number[]>
  load(units: readonly number[]): Promise<string[]>
  /** The newest cuts of the world, null where it has only been cut as its plan says. */
  cuts(): Promise<Cuts | null>
  /** Cuts the world anew, unless the store knows newer cuts. */
  cut(cuts: Cuts): Promise<void>
  /** Tells what this cell has to do, and asks what all have to do. */
  weigh(load: Load): void
  loads(): Promise<Map<number, Load>>
  /** Gives the cell up, so that another can own it at once. */
  end(): void
}

export interface Hearing {
  onBorder(from: number, border: Uint8Array): void
  /** A unit has been given to this cell, or could not be given and is back: then `from` is the cell itself. */
  onGiven(from: number, unit: number, record: string): void
  /** The store says that these units, which this cell has saved, are in the hands of other cells. */
  onTaken(units: readonly number[]): void
  /** The store may have lost what it had: all is to be saved again. */
  onForgotten(): void
  /** The cell has another owner. */
  onLost(): void
}

/** All cells in one process: nothing travels. What is heard is delivered in the next turn of the event loop. */
export class LocalLink implements Link {
  private readonly hearings = new Map<number, Hearing>()
  private readonly held = new Map<number, Map<number, string>>()
  private readonly begun = new Set<number>()
  private readonly ticks = new Map<number, number>()
  private readonly loads = new Map<number, Load>()
  private cuts: Cuts | null = null
  private last = 0
  private readonly defer: (deliver: () => void) => void

  /** `defer` says when something is delivered. Default in the next turn. */
  constructor(defer: (deliver: () => void) => void = setImmediate) {
    this.defer = defer
  }

  own(cell: number): Promise<Tenure> {
    const { hearings, held, ticks } = this
    const recordsOf = (each: number): Map<number, string> => {
      let records = held.get(each)
      if (!records) held.set(each, (records = new Map()))
      return records
    }
    const isFirst = !this.begun.has(cell)
    this.begun.add(cell)
    const records = recordsOf(cell)
    let own: Hearing | null = null
    return Promise.resolve({
      cell,
      isFirst,
      tick: ticks.get(cell) ?? 0,
      isSure: true,
      isWaking: false,
      isSettled: true,
      listen(hear) {
        hearings.set(cell, (own = hear))
        return Promise.resolve()
      },
      show: (to, border) => {
        const copy = border.slice()
        this.defer(() => hearings.get(to)?.onBorder(cell, copy))
      },
      give: (to, unit, record) => {
        records.delete(unit)
        recordsOf(to).set(unit, record)
        this.defer(() => hearings.get(to)?.onGiven(cell, unit, record))
      },
      save(written, tick) {
        for (const [unit, record] of written) records.set(unit, record)
        ticks.set(cell, tick)
      },
      remove(unit) {
        records.delete(unit)
      },
      units: () => Promise.resolve([...records.keys()]),
      load: (units) => Promise.resolve(units.flatMap((unit) => records.get(unit) ?? [])),
      cuts: () => Promise.resolve(this.cuts),
      cut: (cuts) => {
        if (cuts.version > (this.cuts?.version ?? 0)) this.cuts = cuts
        return Promise.resolve()
      },
      weigh: (load) => void this.loads.set(cell, load),
      loads: () => Promise.resolve(this.loads),
      end() {
        if (hearings.get(cell) === own) hearings.delete(cell)
      },
    })
  }

  next(): Promise<number> {
    return Promise.resolve(++this.last)
  }

  close(): Promise<void> {
    this.hearings.clear()
    return Promise.resolve()
  }
}
