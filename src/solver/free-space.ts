import type { Vec3, Vec3Like } from '../types.js'
import { add, distance, set, vec3 } from '../math/vec3.js'
import type { ObstacleMap } from './obstacle-map.js'

/** Levels of cells, at most: the largest is 2¹⁰ times as wide as the smallest. */
const MAX_LEVEL = 10
/** The place of a cell is a whole number from −2¹⁵ to 2¹⁵ − 1 on each axis, in the smallest cells. */
const HALF_RANGE = 2 ** 15

const MIXED = 1
const FREE = 2
const BLOCKED = 3

const START = 0
const GOAL = 1

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
  private readonly map: ObstacleMap
  private readonly cell: number
  private readonly origin: Vec3
  private readonly top: number
  private readonly states = new Map<number, number>()
  /** The nodes: start, goal, and cells by their key. */
  private readonly nodes = new Map<number, number>()
  private readonly keys: number[] = [-1, -1]
  private readonly places: Vec3Like[]
  private readonly cost: number[] = [0, Infinity]
  private readonly parent: number[] = [START, START]
  private readonly closed: boolean[] = [false, false]
  private readonly heap = new Heap()
  private readonly besideStart: Set<number>
  private readonly besideGoal: Set<number>
  private readonly found: number[] = []

  /** @param cell Width of the smallest cells, m. The map must not change meanwhile. */
  constructor(map: ObstacleMap, start: Vec3Like, goal: Vec3Like, cell: number) {
    this.map = map
    const range = distance(start, goal)
    this.cell = Math.max(cell, range / (HALF_RANGE / 4))
    this.top = Math.min(MAX_LEVEL, Math.max(0, Math.ceil(Math.log2(range / this.cell))))
    // the start is the centre of a smallest cell
    this.origin = vec3(start.x - this.cell / 2, start.y - this.cell / 2, start.z - this.cell / 2)
    this.places = [start, goal]
    this.besideStart = this.leavesAround(start)
    this.besideGoal = this.leavesAround(goal)
  }

  /** Number of places that the search has come to. */
  get size(): number {
    return this.places.length
  }

  /**
   * The places of a route, from start to goal, that is shorter than `longest` (m); null where there is
   * none, or more than `most` places would be needed.
   */
  search(longest: number, most: number): Vec3Like[] | null {
    const { closed, cost, heap, parent } = this
    const flood = new Flood(this.besideGoal)
    heap.push(START, 0)
    while (this.size <= most) {
      const node = heap.pop()
      if (node < 0 || flood.isDry) return null
      if (closed[node] === true) continue
      if (!this.settle(node)) continue
      closed[node] = true
      if (node === GOAL) return this.trace()
      const last = parent[node]!
      for (const next of this.neighborsOf(node)) {
        if (closed[next] === true) continue
        const length = cost[last]! + this.between(last, next)
        const total = length + this.between(next, GOAL)
        if (!(length < cost[next]! && total < longest)) continue
        cost[next] = length
        parent[next] = last
        heap.push(next, total)
      }
      // a goal that is enclosed is noticed before the whole world has been searched
      flood.spread(this.keys[node]!, (key) => this.facing(key))
    }
    return null
  }

  /** Makes sure that the parent of a node is in sight, or takes the best neighbour that is. */
  private settle(node: number): boolean {
    const { closed, cost, parent } = this
    if (this.isVisible(parent[node]!, node)) return true
    let best = Infinity
    for (const other of this.neighborsOf(node)) {
      if (closed[other] !== true) continue
      const length = cost[other]! + this.between(other, node)
      if (!(length < best) || !this.isVisible(other, node)) continue
      best = length
      parent[node] = other
    }
    cost[node] = best
    return best < Infinity
  }

  private neighborsOf(node: number): readonly number[] {
    const { besideGoal, besideStart, found } = this
    found.length = 0
    if (node < 2) for (const key of node === START ? besideStart : besideGoal) found.push(this.nodeOf(key))
    else {
      const key = this.keys[node]!
      for (const next of this.facing(key)) found.push(this.nodeOf(next))
      if (besideStart.has(key)) found.push(START)
      if (besideGoal.has(key)) found.push(GOAL)
    }
    return found
  }

  private nodeOf(key: number): number {
    let node = this.nodes.get(key)
    if (node !== undefined) return node
    node = this.keys.push(key) - 1
    this.nodes.set(key, node)
    this.places.push(this.centerOf(vec3(), key))
    this.cost.push(Infinity)
    this.parent.push(START)
    this.closed.push(false)
    return node
  }

  private between(a: number, b: number): number {
    return distance(this.places[a]!, this.places[b]!)
  }

  private isVisible(a: number, b: number): boolean {
    return a === b || this.map.isPathFree(this.places[a]!, this.places[b]!)
  }

  private trace(): Vec3Like[] {
    const route = [GOAL]
    while (route.at(-1) !== START) route.push(this.parent[route.at(-1)!]!)
    return route.reverse().map((node) => this.places[node]!)
  }

  /** The free cells around a point, by their keys. */
  private leavesAround(place: Vec3Like): Set<number> {
    const { cell, origin } = this
    const leaves = new Set<number>()
    const [i, j, k] = (['x', 'y', 'z'] as const).map((axis) =>
      Math.floor((place[axis] - origin[axis]) / cell),
    )
    for (let n = 0; n < 27; n++) {
      const key = this.leafAt(
        i! + (n % 3) - 1,
        j! + (Math.floor(n / 3) % 3) - 1,
        k! + Math.floor(n / 9) - 1,
        0,
      )
      if (key >= 0) leaves.add(key)
    }
    return leaves
  }

  /**
   * The free cells that share a face with a cell, or a part of one. Numbers are packed: level, and place in
   * cells of that level.
   */
  private facing(key: number): number[] {
    const level = key % 16
    const [i, j, k] = placeOf(key)
    const cells: number[] = []
    for (let axis = 0; axis < 3; axis++)
      for (let side = -1; side <= 1; side += 2) {
        const a = axis === 0 ? i + side : i
        const b = axis === 1 ? j + side : j
        const c = axis === 2 ? k + side : k
        const leaf = this.leafAt(a, b, c, level)
        if (leaf >= 0) cells.push(leaf)
        else if (leaf === -MIXED) this.descend(cells, a, b, c, level, axis, side)
      }
    return cells
  }

  /**
   * Appends the free cells within a mixed one that lie at its face towards `side` of `axis`, seen from
   * there.
   */
  private descend(
    cells: number[],
    i: number,
    j: number,
    k: number,
    level: number,
    axis: number,
    side: number,
  ): void {
    for (let n = 0; n < 8; n++) {
      if (((n >> axis) & 1) === (side > 0 ? 1 : 0)) continue
      const [a, b, c] = [2 * i + (n & 1), 2 * j + ((n >> 1) & 1), 2 * k + (n >> 2)]
      const state = this.stateOf(a, b, c, level - 1)
      if (state === FREE) cells.push(keyOf(a, b, c, level - 1))
      else if (state === MIXED) this.descend(cells, a, b, c, level - 1, axis, side)
    }
  }

  /** Key of the free cell that contains a cell; −MIXED for one that is in parts, −BLOCKED. */
  private leafAt(i: number, j: number, k: number, level: number): number {
    for (let up = this.top; up >= level; up--) {
      const shift = up - level
      const state = this.stateOf(i >> shift, j >> shift, k >> shift, up)
      if (state === FREE) return keyOf(i >> shift, j >> shift, k >> shift, up)
      if (state === BLOCKED) return -BLOCKED
    }
    return -MIXED
  }

  /**
   * A cell is free when the ball fits everywhere in it; one of the smallest already when it fits in the
   * middle.
   */
  private stateOf(i: number, j: number, k: number, level: number): number {
    if (Math.max(Math.abs(i), Math.abs(j), Math.abs(k)) * 2 ** level >= HALF_RANGE) return BLOCKED
    const key = keyOf(i, j, k, level)
    const known = this.states.get(key)
    if (known !== undefined) return known
    const reach = level === 0 ? 0 : (Math.sqrt(3) / 2) * this.cell * 2 ** level
    const clearance = this.map.clearanceAt(this.centerOf(center, key), reach)
    const state = clearance >= reach ? FREE : clearance < -reach || level === 0 ? BLOCKED : MIXED
    this.states.set(key, state)
    return state
  }

  private centerOf(out: Vec3, key: number): Vec3 {
    const size = this.cell * 2 ** (key % 16)
    const [i, j, k] = placeOf(key)
    return add(out, set(out, (i + 0.5) * size, (j + 0.5) * size, (k + 0.5) * size), this.origin)
  }
}

function keyOf(i: number, j: number, k: number, level: number): number {
  return 16 * (2 * HALF_RANGE * (2 * HALF_RANGE * (i + HALF_RANGE) + j + HALF_RANGE) + k + HALF_RANGE) + level
}

function placeOf(key: number): [number, number, number] {
  const place = Math.floor(key / 16)
  const row = Math.floor(place / (2 * HALF_RANGE))
  return [
    Math.floor(row / (2 * HALF_RANGE)) - HALF_RANGE,
    (row % (2 * HALF_RANGE)) - HALF_RANGE,
    (place % (2 * HALF_RANGE)) - HALF_RANGE,
  ]
}

/** Spreads from the goal, one cell for each of the search, until both have met or it has nowhere to go. */
class Flood {
  private readonly seen: Set<number>
  private readonly border: number[]
  private readonly searched = new Set<number>()
  private hasMet = false

  constructor(start: ReadonlySet<number>) {
    this.seen = new Set(start)
    this.border = [...start]
  }

  get isDry(): boolean {
    return !this.hasMet && this.border.length === 0
  }

  spread(searched: number, facing: (key: number) => readonly number[]): void {
    if (this.hasMet) return
    this.searched.add(searched)
    if (this.seen.has(searched)) this.hasMet = true
    const key = this.border.pop()
    if (key === undefined) return
    for (const next of facing(key)) {
      if (this.seen.has(next)) continue
      this.seen.add(next)
      this.border.push(next)
      if (this.searched.has(next)) this.hasMet = true
    }
  }
}

/** Nodes by their estimated length, the least first. A node may be in it more than once. */
class Heap {
  private readonly nodes: number[] = []
  private readonly lengths: number[] = []

  push(node: number, length: number): void {
    const { lengths, nodes } = this
    let i = nodes.length
    while (i > 0) {
      const up = (i - 1) >> 1
      if (lengths[up]! <= length) break
      nodes[i] = nodes[up]!
      lengths[i] = lengths[up]!
      i = up
    }
    nodes[i] = node
    lengths[i] = length
  }

  /** Takes the node with the least length; −1 for none. */
  pop(): number {
    const { lengths, nodes } = this
    if (nodes.length === 0) return -1
    const first = nodes[0]!
    const node = nodes.pop()!
    const length = lengths.pop()!
    const count = nodes.length
    if (count === 0) return first
    let i = 0
    for (let child = 1; child < count; child = 2 * i + 1) {
      if (child + 1 < count && lengths[child + 1]! < lengths[child]!) child++
      if (lengths[child]! >= length) break
      nodes[i] = nodes[child]!
      lengths[i] = lengths[child]!
      i = child
    }
    nodes[i] = node
    lengths[i] = length
    return first
  }
}
