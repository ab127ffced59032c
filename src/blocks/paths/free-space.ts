import type { Vec3, Vec3Like } from '../../core/types.js'
import { hashOf, Heap } from '../../core/math/heap.js'
import { distance, set, vec3 } from '../../core/math/vec3.js'
import type { ObstacleMap } from '../../core/obstacles/obstacle-map.js'

/** Levels of cells, at most: the largest is 2¹⁰ times as wide as the smallest. */
const MAX_LEVEL = 10
/** The place of a cell is a whole number from −2¹⁵ to 2¹⁵ − 1 on each axis, in the smallest cells. */
const HALF_RANGE = 2 ** 15

// states of a cell
const UNKNOWN = 0
const MIXED = 1
const FREE = 2
const BLOCKED = 3

// The nodes of the search: start, goal, and from `CELLS` on the cells by their number.
const START = 0
const GOAL = 1
const CELLS = 2

/** No cell: its place is in parts, or blocked. */
const IN_PARTS = -1
const NONE = -2

/**
 * The straight rest to the goal counts by this factor, so that far fewer cells are looked at, and a route
 * is longer by no more than it (weighted A*: Pohl, Heuristic Search Viewed as Path Finding in a Graph,
 * 1970). Chosen by hand.
 */
const HASTE = 1.1

const center = vec3()

/**
 * Finds a route for a ball through cells of free space: cubes that are halved where an obstacle begins, as
 * far as needed (an octree, of which only the part is made that the search comes to). The search is Lazy
 * Theta* (Nash, Koenig and Tovey, Lazy Theta*: Any-Angle Path Planning and Path Length Analysis in 3D,
 * 2010): A* over the cells, whose parents are the last place in sight, not the cell before. So routes are
 * nearly as short as in free space. It finds every way that is wider than the ball by √3 smallest cells,
 * and many narrower ones.
 */
export class FreeSpace {
  /** Number of places that the search has come to. */
  size = 0
  private readonly map: ObstacleMap
  private readonly cell: number
  private readonly origin: Vec3
  private readonly top: number
  private readonly ends: readonly [Vec3Like, Vec3Like]
  private readonly cells = new Cells()
  private readonly heap = new Heap()
  private readonly besideStart: readonly number[]
  private readonly besideGoal: readonly number[]
  private readonly found: number[] = []
  private readonly here = vec3()
  private readonly there = vec3()

  /** @param cell Width of the smallest cells, m. The map must not change meanwhile. */
  constructor(map: ObstacleMap, start: Vec3Like, goal: Vec3Like, cell: number) {
    this.map = map
    this.ends = [start, goal]
    const range = distance(start, goal)
    this.cell = Math.max(cell, range / (HALF_RANGE / 4))
    this.top = Math.min(MAX_LEVEL, Math.max(0, Math.ceil(Math.log2(range / this.cell))))
    // the start is the centre of a smallest cell
    this.origin = vec3(start.x - this.cell / 2, start.y - this.cell / 2, start.z - this.cell / 2)
    this.besideStart = this.leavesAround(start)
    this.besideGoal = this.leavesAround(goal)
  }

  /**
   * The places of a route, from start to goal, that is shorter than `longest` (m); null where there is
   * none, or more than `most` places would be needed.
   */
  search(longest: number, most: number): Vec3[] | null {
    const { heap } = this
    const { closed, cost, parent } = this.cells
    const flood = new Flood(this.cells, this.besideGoal)
    cost[START] = 0
    heap.push(START, 0)
    while (this.size <= most) {
      const node = heap.pop()
      if (node < 0 || flood.isDry) return null
      if (closed[node] === 1 || !this.settle(node)) continue
      closed[node] = 1
      if (node === GOAL) return this.trace()
      const last = parent[node]!
      const next = this.neighborsOf(node)
      for (let n = 0; n < next.length; n++) this.reach(next[n]!, last, longest)
      // a goal that is enclosed is noticed before the whole world has been searched
      flood.spread(node, this.facing)
    }
    return null
  }

  /** Notes a way to a node from the node `last`, if it is the shortest so far. */
  private reach(node: number, last: number, longest: number): void {
    const { closed, cost, parent } = this.cells
    if (closed[node] === 1) return
    const length = cost[last]! + this.between(last, node)
    const rest = this.between(node, GOAL)
    if (!(length < cost[node]! && length + rest < longest)) return
    if (cost[node] === Infinity) this.size++
    cost[node] = length
    parent[node] = last
    this.heap.push(node, length + HASTE * rest)
  }

  /** Makes sure that the parent of a node is in sight, or takes the best neighbour that is. */
  private settle(node: number): boolean {
    const { closed, cost, parent } = this.cells
    if (this.isVisible(parent[node]!, node)) return true
    let best = Infinity
    const neighbors = this.neighborsOf(node)
    for (let n = 0; n < neighbors.length; n++) {
      const other = neighbors[n]!
      if (closed[other] !== 1) continue
      const length = cost[other]! + this.between(other, node)
      if (!(length < best) || !this.isVisible(other, node)) continue
      best = length
      parent[node] = other
    }
    cost[node] = best
    return best < Infinity
  }

  private neighborsOf(node: number): readonly number[] {
    const { besideGoal, besideStart } = this
    if (node < CELLS) return node === START ? besideStart : besideGoal
    const found = this.facing(node)
    if (besideStart.includes(node)) found.push(START)
    if (besideGoal.includes(node)) found.push(GOAL)
    return found
  }

  private between(a: number, b: number): number {
    return distance(this.placeOf(this.here, a), this.placeOf(this.there, b))
  }

  private isVisible(a: number, b: number): boolean {
    return a === b || this.map.isPathFree(this.placeOf(this.here, a), this.placeOf(this.there, b))
  }

  private trace(): Vec3[] {
    const route = [GOAL]
    while (route.at(-1) !== START) route.push(this.cells.parent[route.at(-1)!]!)
    return route.reverse().map((node) => this.placeOf(vec3(), node))
  }

  /** The free cells around a point. */
  private leavesAround(place: Vec3Like): number[] {
    const { cell, origin } = this
    const leaves = new Set<number>()
    const i = Math.floor((place.x - origin.x) / cell)
    const j = Math.floor((place.y - origin.y) / cell)
    const k = Math.floor((place.z - origin.z) / cell)
    for (let n = 0; n < 27; n++)
      leaves.add(this.leafAt(i + (n % 3) - 1, j + (Math.floor(n / 3) % 3) - 1, k + Math.floor(n / 9) - 1, 0))
    return [...leaves].filter((leaf) => leaf >= 0)
  }

  /** The free cells that share a face with one, or a part of it. The next call fills the list again. */
  private readonly facing = (node: number): number[] => {
    const { found } = this
    const { i, j, k, level } = this.cells
    const own = level[node]!
    found.length = 0
    for (let axis = 0; axis < 3; axis++)
      for (let side = -1; side <= 1; side += 2) {
        const a = i[node]! + (axis === 0 ? side : 0)
        const b = j[node]! + (axis === 1 ? side : 0)
        const c = k[node]! + (axis === 2 ? side : 0)
        const leaf = this.leafAt(a, b, c, own)
        if (leaf >= 0) found.push(leaf)
        else if (leaf === IN_PARTS) this.descend(a, b, c, own, axis, side)
      }
    return found
  }

  /** Finds the free cells in a cell that lie at its face, which is seen in the direction `side` of `axis`. */
  private descend(i: number, j: number, k: number, level: number, axis: number, side: number): void {
    for (let n = 0; n < 8; n++) {
      if (((n >> axis) & 1) === (side > 0 ? 1 : 0)) continue
      const a = 2 * i + (n & 1)
      const b = 2 * j + ((n >> 1) & 1)
      const c = 2 * k + (n >> 2)
      const part = this.cellAt(a, b, c, level - 1)
      if (this.cells.state[part] === FREE) this.found.push(part)
      else if (this.cells.state[part] === MIXED) this.descend(a, b, c, level - 1, axis, side)
    }
  }

  /** The free cell that contains a place; `IN_PARTS` where that is in parts itself, else `NONE`. */
  private leafAt(i: number, j: number, k: number, level: number): number {
    for (let up = this.top; up >= level; up--) {
      const shift = up - level
      const found = this.cellAt(i >> shift, j >> shift, k >> shift, up)
      if (this.cells.state[found] === FREE) return found
      if (this.cells.state[found] === BLOCKED) return NONE
    }
    return IN_PARTS
  }

  /**
   * The cell at a place, whose state is known then. It is free when the ball fits everywhere in it; one of
   * the smallest already when the ball fits in the middle.
   */
  private cellAt(i: number, j: number, k: number, level: number): number {
    const { cells } = this
    const found = cells.find(i, j, k, level)
    if (cells.state[found] !== UNKNOWN) return found
    const size = this.cell * 2 ** level
    const reach = level === 0 ? 0 : (Math.sqrt(3) / 2) * size
    const clearance = this.map.clearanceAt(this.placeOf(center, found), reach)
    const isOutside = Math.max(Math.abs(i), Math.abs(j), Math.abs(k)) * 2 ** level >= HALF_RANGE
    cells.state[found] =
      clearance < -reach || isOutside ? BLOCKED : clearance >= reach ? FREE : level === 0 ? BLOCKED : MIXED
    return found
  }

  private placeOf(out: Vec3, node: number): Vec3 {
    if (node < CELLS) {
      const { x, y, z } = this.ends[node]!
      return set(out, x, y, z)
    }
    const { cells, origin } = this
    const size = this.cell * 2 ** cells.level[node]!
    return set(
      out,
      origin.x + (cells.i[node]! + 0.5) * size,
      origin.y + (cells.j[node]! + 0.5) * size,
      origin.z + (cells.k[node]! + 0.5) * size,
    )
  }
}

/** The cells that were looked at, by number, and what is known of them. The first two: start and goal. */
class Cells {
  /** Place in cells of its level, level, and state. */
  readonly i: number[] = [0, 0]
  readonly j: number[] = [0, 0]
  readonly k: number[] = [0, 0]
  readonly level: number[] = [0, 0]
  readonly state: number[] = [FREE, FREE]
  /** Length of the way from the start (m), the place before, and 1 once the way is the shortest. */
  readonly cost: number[] = [Infinity, Infinity]
  readonly parent: number[] = [START, START]
  readonly closed: number[] = [0, 0]
  /** 1 where the flood has come to. */
  readonly flooded: number[] = [0, 0]
  /** Hash table of the numbers, 0 for none. */
  private slots = new Int32Array(1024)

  /** The cell at a place; a new one of unknown state, if need be. */
  find(i: number, j: number, k: number, level: number): number {
    let slot = this.slotOf(i, j, k, level)
    const known = this.slots[slot]!
    if (known > 0) return known
    const number = this.i.push(i) - 1
    this.j.push(j)
    this.k.push(k)
    this.level.push(level)
    this.state.push(UNKNOWN)
    this.cost.push(Infinity)
    this.parent.push(START)
    this.closed.push(0)
    this.flooded.push(0)
    if (2 * number > this.slots.length) {
      this.slots = new Int32Array(2 * this.slots.length)
      for (let n = CELLS; n < number; n++)
        this.slots[this.slotOf(this.i[n]!, this.j[n]!, this.k[n]!, this.level[n]!)] = n
      slot = this.slotOf(i, j, k, level)
    }
    this.slots[slot] = number
    return number
  }

  /** The slot that holds a cell, or is free for it. */
  private slotOf(i: number, j: number, k: number, level: number): number {
    const { slots } = this
    const mask = slots.length - 1
    let slot = hashOf(i, j, k, level) & mask
    for (; slots[slot]! > 0; slot = (slot + 1) & mask) {
      const n = slots[slot]!
      if (this.i[n] === i && this.j[n] === j && this.k[n] === k && this.level[n] === level) break
    }
    return slot
  }
}

/** Spreads from the goal, one cell for each of the search, until both have met or it has nowhere to go. */
class Flood {
  private readonly cells: Cells
  private readonly border: number[]
  private hasMet = false

  constructor(cells: Cells, start: readonly number[]) {
    this.cells = cells
    this.border = [...start]
    for (const node of start) cells.flooded[node] = 1
  }

  get isDry(): boolean {
    return !this.hasMet && this.border.length === 0
  }

  /** `searched` is the node that the search has come to. */
  spread(searched: number, facing: (node: number) => readonly number[]): void {
    const { closed, flooded } = this.cells
    if (flooded[searched] === 1) this.hasMet = true
    const node = this.hasMet ? undefined : this.border.pop()
    if (node === undefined) return
    for (const next of facing(node)) {
      if (flooded[next] === 1) continue
      flooded[next] = 1
      this.border.push(next)
      if (closed[next] === 1) this.hasMet = true
    }
  }
}
