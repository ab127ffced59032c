import type { ObstacleQuery, Vec3, Vec3Like, WayFinder, WayLimits } from '../../core/types.js'
import {
  addScaled,
  copy,
  cross,
  dot,
  isZero,
  normalize,
  reject,
  scale,
  sub,
  vec3,
} from '../../core/math/vec3.js'
import { hashOf, Heap } from '../../core/math/heap.js'
import { ArcPath } from '../curves/arc-path.js'
import { makeWayLimits } from '../curves/way-limits.js'
import { dubins2d } from '../curves/dubins2d.js'
import { reedsShepp } from '../curves/reeds-shepp.js'

// The numbers below are chosen by hand.

/** A lattice of places and headings, and how far a search in it goes. */
interface Grid {
  /** Number of headings. More: finer ways, and longer searches. */
  readonly headings: number
  /** Angle of a curved piece of a way (rad). */
  readonly piece: number
  /** Width of a cell, in radii. Smaller: finer ways, and longer searches. */
  readonly cell: number
  /** Most places, and most sweeps past obstacles, of one search. */
  readonly nodes: number
  readonly sweeps: number
  /** Most distance from the start (radii) of a place from which it goes on. */
  readonly range: number
}

const COARSE: Grid = {
  headings: 24,
  piece: (2 * Math.PI) / 24,
  cell: 0.12,
  nodes: 4000,
  sweeps: 8000,
  range: Infinity,
}
/** To turn round in little more room than its own width: near the start, with short pieces. */
const FINE: Grid = {
  headings: 48,
  piece: (2 * Math.PI) / 48,
  cell: 0.06,
  nodes: 8000,
  sweeps: 16_000,
  range: 0.7,
}
/** Curves are swept in chords of this angle (rad). */
const CHORD: number = COARSE.piece
/** Most sweeps of a search that has a way and looks for a better one. */
const ENOUGH_SWEEPS = 2500
/** Length of a straight piece, in curved ones. Smaller: a curve begins where it fits, at more cost. */
const STRAIGHT = 0.5
/** Cost of a change of gear, in radii. Larger: ways with fewer changes, and longer ones. */
const CHANGE = 1
/** Factor of the estimated rest of a way (weighted A*). Larger: quicker searches, and longer ways. */
const HASTE = 1.5
/** Places of the hash table. A power of two. */
const SLOTS = 16_384

const position = vec3()
const heading = vec3()
const beside = vec3()
const here = vec3()
const there = vec3()
const ahead = vec3()
const left = vec3()
const up = vec3()
const from: { position: Vec3Like; heading: Vec3Like } = { position, heading }
const to: { position: Vec3Like; heading: Vec3Like } = { position, heading }

/** The places of a search, found by their cell, and a heap of those that are to be looked at. */
class Lattice {
  grid: Grid = COARSE
  size = 0
  readonly x: Float64Array = new Float64Array(FINE.nodes)
  readonly y: Float64Array = new Float64Array(FINE.nodes)
  /** Cost from the start, and with the estimated rest (radii). */
  readonly cost: Float64Array = new Float64Array(FINE.nodes)
  readonly total: Float64Array = new Float64Array(FINE.nodes)
  /** Heading in pieces from that of the start, the place before, and the move that led here. */
  readonly turn: Int16Array = new Int16Array(FINE.nodes)
  readonly parent: Int16Array = new Int16Array(FINE.nodes)
  readonly gear: Int8Array = new Int8Array(FINE.nodes)
  readonly hand: Int8Array = new Int8Array(FINE.nodes)
  readonly closed: Int8Array = new Int8Array(FINE.nodes)
  private readonly slots = new Int16Array(SLOTS)
  readonly heap: Heap = new Heap()

  clear(grid: Grid): void {
    this.grid = grid
    this.size = 0
    this.heap.clear()
    this.slots.fill(0)
  }

  /** The place in this cell with this heading; −1 where there is no room for another one. */
  at(x: number, y: number, turn: number): number {
    const { cell, nodes } = this.grid
    const i = Math.floor(x / cell + 0.5)
    const j = Math.floor(y / cell + 0.5)
    let slot = hashOf(i, j, turn, 0) & (SLOTS - 1)
    for (; this.slots[slot]! > 0; slot = (slot + 1) & (SLOTS - 1)) {
      const n = this.slots[slot]! - 1
      const isSame = Math.floor(this.x[n]! / cell + 0.5) === i && Math.floor(this.y[n]! / cell + 0.5) === j
      if (isSame && this.turn[n] === turn) return n
    }
    if (this.size === nodes) return -1
    const n = this.size++
    this.slots[slot] = n + 1
    this.x[n] = x
    this.y[n] = y
    this.turn[n] = turn
    this.cost[n] = Infinity
    this.closed[n] = 0
    return n
  }

  push(node: number): void {
    this.heap.push(node, this.total[node]!)
  }
}

/**
 * Finds a way of a vehicle that rolls, with a least turn radius, past obstacles at rest: A* over its own arcs
 * and straights, ahead and astern, in a lattice of places and headings, from each of which the shortest way
 * without obstacles is tried (hybrid A*: Dolgov, Thrun, Montemerlo and Diebel, Path Planning for Autonomous
 * Vehicles in Unknown Semi-structured Environments, 2010). Its work is bounded. It remembers nothing.
 */
export class WaySearch implements WayFinder {
  private lattice: Lattice | null = null
  private readonly shot = new ArcPath()
  private readonly rest = new ArcPath()
  private readonly moves = new Int16Array(FINE.nodes)
  private sweeps = 0
  /** The place where it can change its gear, 0 for the start, and its heading in pieces. */
  private prefix = 0
  private prefixTurn = 0
  // what is searched now, and the goal in the axes of the lattice (radii)
  private map: ObstacleQuery | null = null
  private start: Vec3Like = vec3()
  private goal: Vec3Like = vec3()
  private end: Vec3Like | null = null
  private limits: WayLimits = makeWayLimits()
  private goalX = 0.5
  private goalY = 0.5

  /**
   * Searches a way from a place (m) with the nose `nose` to `goal` (m), there with the nose `end`, or with
   * any where that is null. Writes it to `out`. `isNarrow`: there is little room to turn round.
   * @returns whether one was found.
   */
  find(
    out: ArcPath,
    map: ObstacleQuery | null,
    start: Vec3Like,
    nose: Vec3Like,
    goal: Vec3Like,
    end: Vec3Like | null,
    normal: Vec3Like,
    limits: WayLimits,
    isNarrow = false,
  ): boolean {
    const grid = isNarrow ? FINE : COARSE
    const lattice = (this.lattice ??= new Lattice())
    const { radius } = limits
    this.map = map
    this.start = start
    this.goal = goal
    this.end = end
    this.limits = limits
    copy(up, normal)
    normalize(ahead, reject(ahead, nose, up))
    cross(left, up, ahead)
    reject(there, sub(there, goal, start), up)
    this.goalX = dot(there, ahead) / radius
    this.goalY = dot(there, left) / radius
    if (isZero(ahead) || !(Math.abs(this.goalX) + Math.abs(this.goalY) < Infinity)) return false
    lattice.clear(grid)
    this.sweeps = 0
    this.begin()
    let best = Infinity
    let last = -1
    const { heap } = lattice
    for (let node = heap.pop(); node >= 0 && lattice.total[node]! < best; node = heap.pop()) {
      if (lattice.closed[node] === 1) continue
      lattice.closed[node] = 1
      // with the nose first and with the tail first: the costlier one is kept until a better one is found
      for (let way = 1; way >= -1; way -= 2) {
        const cost = this.layShot(node, way) + lattice.cost[node]!
        if (!(cost < best) || !this.isOpen(node)) continue
        best = cost
        last = node
        this.rest.copy(this.shot)
      }
      if (this.sweeps > (last < 0 ? grid.sweeps : ENOUGH_SWEEPS) || lattice.size === grid.nodes) break
      if (Math.hypot(lattice.x[node]!, lattice.y[node]!) > grid.range) continue
      this.expand(node)
    }
    if (last < 0) return false
    this.trace(out, last)
    return true
  }

  /** Adds the start, and the place where it can change its gear. */
  private begin(): void {
    const { clearance, curve, gear, radius, stop } = this.limits
    const lattice = this.lattice!
    const first = lattice.at(0, 0, 0)
    lattice.cost[first] = lattice.total[first] = 0
    lattice.parent[first] = -1
    lattice.gear[first] = gear
    lattice.hand[first] = 0
    lattice.push(first)
    this.prefix = 0
    const size = stop / radius
    const { cell, headings, piece } = lattice.grid
    if (!(size > cell)) {
      lattice.gear[first] = 0
      return
    }
    // on the curve that it is on, to a heading of the lattice
    const most = Math.floor(size / piece)
    const turn = Math.min(most, Math.max(-most, Math.round((gear * curve * stop) / piece)))
    const angle = turn * piece
    const chord = gear * (turn === 0 ? size : (2 * size * Math.sin(angle / 2)) / angle)
    const x = chord * Math.cos(angle / 2)
    const y = chord * Math.sin(angle / 2)
    if (!this.sweep(this.start, this.place(there, x, y), clearance)) return
    const next = lattice.at(x, y, (turn + headings) % headings)
    if (next < 0) return
    lattice.cost[next] = lattice.total[next] = size
    lattice.parent[next] = -1
    lattice.gear[next] = lattice.hand[next] = 0
    this.prefix = next
    this.prefixTurn = turn
    lattice.push(next)
  }

  /** Adds the places to which the pieces from a place lead. */
  private expand(node: number): void {
    const lattice = this.lattice!
    const { asternCost, clearance } = this.limits
    const x = lattice.x[node]!
    const y = lattice.y[node]!
    const turn = lattice.turn[node]!
    const { headings, piece } = lattice.grid
    const straight = piece * STRAIGHT
    const angle = turn * piece
    for (let gear = 1; gear >= -1; gear -= 2) {
      if (gear < 0 && asternCost === Infinity) break
      const isOther = lattice.gear[node] === -gear
      // it cannot change its gear at once
      if (isOther && lattice.parent[node]! < 0) continue
      const change = isOther ? CHANGE : 0
      for (let hand = -1; hand <= 1; hand++) {
        // + is left; the nose turns to the other side astern
        const turned = (turn + gear * hand + headings) % headings
        const size = hand === 0 ? straight : piece
        const cost = lattice.cost[node]! + size * (gear < 0 ? asternCost : 1) + change
        const length = hand === 0 ? straight : 2 * Math.sin(piece / 2)
        const along = angle + (gear * hand * piece) / 2
        const nextX = x + gear * length * Math.cos(along)
        const nextY = y + gear * length * Math.sin(along)
        const next = lattice.at(nextX, nextY, turned)
        if (next < 0 || !(cost < lattice.cost[next]!) || lattice.closed[next] === 1) continue
        if (!this.sweep(this.place(here, x, y), this.place(there, nextX, nextY), clearance)) continue
        lattice.x[next] = nextX
        lattice.y[next] = nextY
        lattice.cost[next] = cost
        lattice.parent[next] = node
        lattice.gear[next] = gear
        lattice.hand[next] = hand
        const rest = this.layShot(next, 0)
        lattice.total[next] = cost + HASTE * rest
        lattice.push(next)
      }
    }
  }

  /**
   * Lays the shortest way from a place to the goal without obstacles: to a pose, or to a place with the nose
   * (`way` 1) or the tail (−1) first. @returns its cost (radii). Infinity: no simple one leads there. With
   * `way` 0 it only estimates the least cost.
   */
  private layShot(node: number, way: number): number {
    const { end, goal, goalX, goalY, shot } = this
    const { asternCost, radius } = this.limits
    const lattice = this.lattice!
    const gear = lattice.gear[node]!
    const angle = lattice.turn[node]! * lattice.grid.piece
    const c = Math.cos(angle)
    const s = Math.sin(angle)
    if (end !== null) {
      if (way < 0) return Infinity
      from.position = this.place(position, lattice.x[node]!, lattice.y[node]!)
      from.heading = this.headingAt(heading, c, s)
      to.position = goal
      to.heading = end
      if (asternCost === Infinity) return dubins2d(shot, from, to, radius, up) / radius
      reedsShepp(shot, from, to, radius, up)
      return costOf(shot, asternCost) / radius + changesOf(shot, gear) * CHANGE
    }
    const offX = goalX - lattice.x[node]!
    const offY = goalY - lattice.y[node]!
    const x = offX * c + offY * s
    const across = offY * c - offX * s
    const y = Math.abs(across)
    const canBack = asternCost < Infinity && !isInsideCircle(-x, y, 1)
    const nose = isInsideCircle(x, y, 1) ? Infinity : curveLength(x, y, 1) + (gear < 0 ? CHANGE : 0)
    const tail = canBack ? asternCost * curveLength(-x, y, 1) + (gear > 0 ? CHANGE : 0) : Infinity
    // what is inside of the circle takes another piece first
    if (way === 0) return Math.min(nose, tail, Math.hypot(x, y) + Math.PI)
    const cost = way > 0 ? nose : tail
    if (cost === Infinity) return cost
    this.place(position, lattice.x[node]!, lattice.y[node]!)
    shot.begin(position, this.headingAt(heading, c, s))
    cross(beside, up, heading)
    if (across < 0) scale(beside, beside, -1)
    const turn = way < 0 ? -1 : 1
    const bend = curveAngle(turn * x, y, 1)
    shot.arc(beside, radius, bend, turn)
    shot.straight((curveLength(turn * x, y, 1) - bend) * radius, turn)
    return cost
  }

  private headingAt(out: Vec3, cosine: number, sine: number): Vec3 {
    return addScaled(out, scale(out, ahead, cosine), left, sine)
  }

  /** Whether the gear allows `shot`, and nothing is in its way. */
  private isOpen(node: number): boolean {
    const { limits, map, shot } = this
    const { gear, parent } = this.lattice!
    if (parent[node]! < 0 && shot.count > 0 && shot.gearOf(0) === -gear[node]!) return false
    return this.isFree(shot, map, limits.clearance)
  }

  isFree(path: ArcPath, map: ObstacleQuery | null, clearance: number): boolean {
    this.map = map
    if (map === null) return true
    path.pointAt(here, 0)
    for (let i = 0; i < path.count; i++) {
      const bend = path.bendOf(i)
      const size = path.lengthOf(i)
      const parts = Math.max(1, Math.ceil((size * bend) / CHORD))
      for (let k = 1; k <= parts; k++) {
        path.pointAt(there, path.startOf(i) + (k / parts) * size * (1 - 1e-9))
        if (!this.sweep(here, there, clearance)) return false
        copy(here, there)
      }
    }
    return true
  }

  /** Whether nothing is on a straight line. */
  private sweep(a: Vec3Like, b: Vec3Like, clearance: number): boolean {
    if (this.map === null) return true
    this.sweeps++
    return this.map.isPathFree(a, b, clearance)
  }

  /** Writes the way over a place and `shot`. */
  private trace(out: ArcPath, last: number): void {
    const { limits, moves, prefix, prefixTurn, start } = this
    const { radius } = limits
    const { gear, grid, hand, parent, turn } = this.lattice!
    const { piece } = grid
    let count = 0
    let root = last
    for (; parent[root]! >= 0; root = parent[root]!) moves[count++] = root
    out.begin(start, ahead)
    if (root === prefix && root > 0) {
      const way = limits.gear < 0 ? -1 : 1
      const angle = Math.abs(prefixTurn) * piece
      scale(beside, left, way * prefixTurn < 0 ? -1 : 1)
      if (angle === 0) out.straight(limits.stop, way)
      else out.arc(beside, limits.stop / angle, angle, way)
    }
    for (let k = count - 1; k >= 0;) {
      const node = moves[k]!
      const before = turn[parent[node]!]! * piece
      let pieces = 0
      while (k >= 0 && gear[moves[k]!] === gear[node] && hand[moves[k]!] === hand[node]) {
        pieces++
        k--
      }
      const way = gear[node]! < 0 ? -1 : 1
      if (hand[node] === 0) out.straight(pieces * STRAIGHT * piece * radius, way)
      else {
        scale(beside, left, hand[node]! * Math.cos(before))
        addScaled(beside, beside, ahead, -hand[node]! * Math.sin(before))
        out.arc(beside, radius, pieces * piece, way)
      }
    }
    out.append(this.rest)
  }

  private place(out: Vec3, x: number, y: number): Vec3 {
    const { radius } = this.limits
    copy(out, this.start)
    addScaled(out, out, ahead, x * radius)
    return addScaled(out, out, left, y * radius)
  }
}

/** Length (m) of a path on which what is driven astern counts by a factor. */
function costOf(path: ArcPath, asternCost: number): number {
  let cost = 0
  for (let i = 0; i < path.count; i++) cost += path.lengthOf(i) * (path.gearOf(i) < 0 ? asternCost : 1)
  return cost
}

/** Number of changes of gear on a path that is begun in a gear. */
function changesOf(path: ArcPath, gear: number): number {
  let changes = 0
  let last = gear
  for (let i = 0; i < path.count; i++) {
    const next = path.gearOf(i)
    if (last === -next) changes++
    last = next
  }
  return changes
}

// Ways of a vehicle with a least turn radius to a place, whatever its heading is there. In its own plane,
// with the vehicle at the origin: x ahead, y to the side of the place (≥ 0).

/** Whether a place lies inside the circle with this `radius` that touches the vehicle on that side. */
export function isInsideCircle(x: number, y: number, radius: number): boolean {
  return x * x + y * y < 2 * radius * y
}

/**
 * Length (m) of the curve and the straight line that lead to a place ahead or behind, outside of the circle
 * (the shortest way, Dubins 1957, with a free heading at its end).
 */
export function curveLength(x: number, y: number, radius: number): number {
  if (x * x + y * y === Infinity) return Infinity
  const offset = y - radius
  const distance = Math.hypot(x, offset)
  const straight = Math.sqrt(Math.max(0, distance * distance - radius * radius))
  return radius * curveAngle(x, y, radius) + straight
}

/** Angle (rad) of that curve, from the vehicle to where the straight line leaves the circle. */
export function curveAngle(x: number, y: number, radius: number): number {
  const offset = y - radius
  const distance = Math.hypot(x, offset)
  const angle = Math.atan2(x, -offset) - Math.acos(Math.min(1, radius / Math.max(distance, radius)))
  return angle < -1e-9 ? angle + 2 * Math.PI : Math.max(0, angle)
}
