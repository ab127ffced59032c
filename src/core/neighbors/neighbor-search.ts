import type { Behavior, Crossings, CrossingSearch, Neighborhood, NeighborSearch, Step } from '../types.js'
import { MAX_NEIGHBORS, RADIUS, TRAITS } from '../engine/agents.js'
import type { Agents, Binding, NeighborIndex, WorldAgent } from '../engine/agents.js'
import type { Batch } from './batch.js'
import { Arranger } from './arrange.js'
import { BlockSteering } from './block-steering.js'
import type { CrossingLists } from './crossings.js'
import { deriveReaches } from './derive-reaches.js'
import { Grid } from './grid.js'
import { Neighbors } from './neighbors.js'
import { NeighborsCopy } from './neighbors-copy.js'
import { MAX_COMPANY, nearRange } from './sorted-agents.js'

/**
 * The search for neighbours, which a behaviour with a `reach` brings to its world: a uniform grid, made anew
 * once a step. A world without such a behaviour has none of it.
 */
export const neighborSearch: NeighborSearch = (agents: Agents) => {
  const search = gridSearch(agents as never) as GridSearch
  search.derive = deriveReaches
  return search
}

/** The same for behaviours that derive no reach from the vehicle, see `Behavior.reachFor`. */
export const gridSearch: NeighborSearch = (agents: Agents) => agents.search ?? new GridSearch(agents)

/** So few agents stay in the cache of the processor, wherever their rows are. */
const LEAST_ARRANGED = 500

/** Grid and queries of the agents of one table. */
export class GridSearch implements NeighborIndex {
  readonly grid: Grid = new Grid()
  readonly found: Neighbors
  /** Set by parts that may have a `reachFor`. */
  derive: typeof deriveReaches | null = null
  private crossings: CrossingLists | null = null
  private readonly agents: Agents
  private readonly neighborsCopy: NeighborsCopy
  /** `Agents.members` for which the grid was built; −1 for none. */
  private indexed = -1
  /** What steers agents at once in this step; 1 for each row that was steered. */
  private readonly batches: Batch[] = []
  private steered: Uint8Array = new Uint8Array(0)
  private readonly blocks: BlockSteering
  private readonly arranger = new Arranger()
  /** Number of agents that are not lost. */
  private living = 0
  /** Scratch of `batchesOf`. */
  private readonly parts: Batch[] = []

  constructor(agents: Agents) {
    this.agents = agents
    this.found = new Neighbors(agents, this.grid)
    this.blocks = new BlockSteering(agents)
    this.neighborsCopy = new NeighborsCopy(agents, this.found)
  }

  /** Beside batches the grid is made only when an agent looks for neighbours by itself. */
  index(bindings: Iterable<Binding>): void {
    const { agents, batches } = this
    let alone = false
    this.indexed = -1
    this.crossings?.begin()
    batches.length = 0
    for (const binding of bindings) {
      if (!(binding.reach > 0 || binding.centerReach > 0)) continue
      const parts = this.batchesOf(binding)
      if (this.looksAlone(binding, parts)) alone = true
      for (const batch of parts) {
        const { bindings: users } = batch.users
        if (batches.includes(batch)) users.push(binding)
        else {
          batches.push(batch)
          users.splice(0, users.length, binding)
        }
      }
    }
    if (!alone && batches.length === 0) return
    if (batches.length > 0) this.living = countZeros(agents.lost, agents.count)
    // this may arrange the rows in another order, so batches copy the agents only after that
    if (alone) this.build(true)
    for (let i = batches.length - 1; i >= 0; i--) {
      const batch = batches[i]!
      if (this.isWorthwhile(batch) && batch.prepare(agents)) continue
      forget(batch)
      batches.splice(i, 1)
    }
    if (alone) return
    if (batches.length === 0) this.build(true)
    else if (batches.length === 1) this.arrange(batches[0]!.sorted)
  }

  /** The batches of all parts that have one. */
  protected batchesOf({ batching, broken }: Binding): readonly Batch[] {
    const { parts } = this
    parts.length = 0
    if (broken !== null) return parts
    try {
      for (const part of batching) {
        const batch = (part.batch!() ?? null) as Batch | null
        if (batch !== null) parts.push(batch)
      }
    } catch {
      // a part that throws only now, after it was surveyed
      parts.length = 0
    }
    return parts
  }

  /** Whether a part of a tree must look for neighbours by itself; notes how far, see `Binding.restReach`. */
  private looksAlone(binding: Binding, batches: readonly Batch[]): boolean {
    const { deriving, reaching } = binding
    binding.restReach = binding.centerReach
    if (batches.length === 0) return true
    let rest = 0
    let looks = deriving.length > 0
    for (const part of reaching) {
      const { reach = 0 } = part
      if (!(reach > 0) || batches.some(({ users }) => users.root === part)) continue
      looks = true
      if (part.reachTo === 'center') rest = Math.max(rest, reach)
    }
    if (looks) binding.restReach = rest
    return looks
  }

  /** False where a batch would mostly compute for agents that do not use it. */
  private isWorthwhile({ users }: Batch): boolean {
    let count = 0
    for (const binding of users.bindings) count += binding.count
    return MAX_COMPANY * count >= this.living
  }

  private build(arranges: boolean): void {
    const reach = this.meanReach()
    if (!(reach > 0)) return
    this.grid.build(this.agents, reach)
    if (arranges) this.arrange(this.grid)
    this.indexed = this.agents.members
  }

  /** Mean distance (m) to which the agents look that have a reach, for one of their size; 0 for none. */
  private meanReach(): number {
    const { binding, count, sight, traits } = this.agents
    let sum = 0
    let looking = 0
    for (let row = 0; row < count; row++) {
      const { reach, restReach } = binding[row]!
      if (!(reach > 0 || restReach > 0)) continue
      const t = TRAITS * row
      const radius = traits[t + RADIUS]!
      const near = traits[t + MAX_NEIGHBORS]! < Infinity ? sight[row]! : 0
      sum += nearRange(near, radius, Math.max(reach > 0 ? reach + radius : 0, restReach))
      looking++
    }
    return looking > 0 ? sum / looking : 0
  }

  /** Arranges agents side by side that are side by side in space, when too many are not. */
  private arrange(sorted: Grid): void {
    const { agents } = this
    const { count, outside, row, scattered } = sorted
    if (count < LEAST_ARRANGED || 4 * scattered < count || count + outside < agents.count) return
    this.arranger.arrange(agents, row)
    sorted.renumber()
  }

  steer(cursor: WorldAgent, step: Step, observed: ReadonlyMap<number, unknown>): Uint8Array {
    const { agents, batches, blocks } = this
    if (this.steered.length < agents.capacity) this.steered = new Uint8Array(agents.capacity)
    else this.steered.fill(0)
    for (const batch of batches) batch.steer(cursor, step, this.steered)
    for (const { sorted, users } of batches)
      for (const binding of users.bindings)
        blocks.steer(binding, sorted.row, sorted.count, observed, cursor.worldSeed, step, this.steered)
    for (const slot of observed.keys()) this.steered[agents.row[slot]!] = 0
    return this.steered
  }

  begin(): void {
    this.neighborsCopy.begin()
  }

  end(): void {
    for (const batch of this.batches) {
      batch.end()
      forget(batch)
    }
    this.batches.length = 0
    this.crossings?.end()
    this.neighborsCopy.end()
  }

  find(row: number): void {
    const { binding, members } = this.agents
    const { centerReach, reach } = binding[row]!
    if (!(reach > 0 || centerReach > 0)) return this.found.clear()
    if (this.indexed !== members) this.build(false)
    this.crossings?.noteSearch(row)
    this.found.find(row, this.centerReachOf(row))
  }

  crossingsOf(row: number, lists: CrossingSearch): Crossings | null {
    const { agents, grid, indexed } = this
    if (indexed !== agents.members) return null
    const crossings = (this.crossings ??= lists(agents as never, grid as never) as CrossingLists)
    return crossings.serves(row, this.centerReachOf(row)) ? crossings : null
  }

  private centerReachOf(row: number): number {
    const { centerReach, restReach } = this.agents.binding[row]!
    return this.isBatched(row) ? restReach : centerReach
  }

  /** Whether the batches of its tree know the neighbours of an agent in this step. */
  private isBatched(row: number): boolean {
    const binding = this.agents.binding[row]!
    if (binding.restReach === binding.centerReach) return false
    return this.batches.every((batch) => !batch.users.bindings.includes(binding) || batch.knows(row))
  }

  copy(): Neighborhood {
    return this.neighborsCopy.prepare()
  }

  get isIntact(): boolean {
    return this.neighborsCopy.altered < 0 || this.neighborsCopy.isIntact
  }

  deriveReaches(report: (row: number, part: Behavior, message: string) => void): void {
    this.derive?.(this.agents, report)
  }
}

/** Its agents look for all of their neighbours by themselves. */
function forget({ users }: Batch): void {
  for (const binding of users.bindings) binding.restReach = binding.centerReach
}

function countZeros(column: Int32Array, length: number): number {
  let zeros = 0
  for (let i = 0; i < length; i++) if (column[i] === 0) zeros++
  return zeros
}
