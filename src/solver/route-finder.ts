import type { Vec3, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { ObstacleMap } from './obstacle-map.js'
import { TAU } from '../math/scalar.js'
import {
  addScaled,
  copy,
  cross,
  distance,
  lengthSq,
  load,
  normalize,
  perpendicular,
  reject,
  save,
  scale,
  sub,
  vec3,
} from '../math/vec3.js'

/** A search ends with this number of places, of places looked on from, and of lines of sight. */
const MAX_PLACES = 256
const MAX_EXPANSIONS = 64
const MAX_LINES = 3000

/** A route longer by no more than this factor than any could be that has not been found yet will do. */
const GOOD = 1.1

/** Directions in which an obstacle is passed, evenly around the line that it blocks. */
const SIDES = 8

/** A place beside an obstacle that is not seen itself is neared by places beside what hides it, and so on, this often. */
const DEPTH = 1

/** An obstacle is entered by this share of the agent's size to find where it ends: what only touches is not inside. */
const INTO = 0.01

/** Places nearer to each other than this share of the agent's size are one. */
const SAME = 0.5

/** A direction less than this (sine) aside of the line gives no side to it. */
const ALONG = 1e-3

const here = vec3()
const there = vec3()
const spot = vec3()
const goal = vec3()

/** The directions in which an obstacle is passed, in the tangent plane of its surface where it is met. */
class Side {
  /** Unit, into the obstacle, and how deep (m) it is there. */
  readonly inwards: Vec3 = vec3()
  deep = 0
  private readonly up: Vec3 = vec3()
  private readonly across: Vec3 = vec3()

  turnFrom(up: Vec3Like): void {
    reject(this.up, up, this.inwards)
    if (lengthSq(this.up) < ALONG * ALONG) perpendicular(this.up, this.inwards)
    normalize(this.up, this.up)
    cross(this.across, this.inwards, this.up)
  }

  direction(k: number): Vec3 {
    const turn = (TAU * k) / SIDES
    const out = scale(vec3(), this.up, Math.cos(turn))
    return addScaled(out, out, this.across, Math.sin(turn))
  }

  /** Writes the place that is this share of the depth farther in. */
  at(out: Vec3, place: Vec3Like, share: number): Vec3 {
    return addScaled(out, place, this.inwards, share * this.deep)
  }
}

/**
 * Finds a route of straight legs past obstacles at rest: A* over places beside the obstacles that block the way (a visibility graph made as it is
 * searched; Lozano-Pérez and Wesley, An Algorithm for Planning Collision-Free Paths, 1979). In space a shortest route touches edges, not corners, so
 * the places are not corners: an obstacle that blocks a line is passed abreast of the middle of what it blocks, in eight directions, as near
 * as the agent's size allows. Routes are a few per cent longer than the shortest.
 */
export class RouteFinder {
  /** `[3 × count]`: the waypoints of the last search, m, without start and goal. */
  readonly points = new Float64Array(3 * MAX_PLACES)
  count = 0
  private readonly places = new Float64Array(3 * MAX_PLACES)
  /** Length of the way from the start, and with the straight rest to the goal; negative once looked on from. */
  private readonly cost = new Float64Array(MAX_PLACES)
  private readonly total = new Float64Array(MAX_PLACES)
  private readonly parent = new Int32Array(MAX_PLACES)
  /** The place that sees the goal and has the shortest way so far, and the length (m) of that. */
  private lastPlace = -1
  private bestLength = Infinity
  private size = 0
  private lines = 0
  /** Of this size (m) is the agent, and this is upwards. */
  private diameter = 0
  private map!: ObstacleMap
  private up!: Vec3Like
  private allows: ((direction: Vec3Like) => boolean) | null = null

  /**
   * Searches a route from `start` to `end` (m) for an agent of the size `girth` (m). `up`: the first of the directions in which obstacles are passed.
   * `allows` tells whether the agent may set out in a direction.
   * @returns whether there is one that was found; then its waypoints are in `points`.
   */
  find(
    map: ObstacleMap,
    start: Vec3Like,
    end: Vec3Like,
    up: Vec3Like,
    diameter: number,
    allows: (direction: Vec3Like) => boolean,
  ): boolean {
    this.map = map
    this.up = up
    this.diameter = diameter
    this.allows = allows
    this.size = this.lines = this.count = 0
    this.bestLength = Infinity
    this.lastPlace = -1
    copy(goal, end)
    this.add(start, 0, -1)
    for (let expansions = 0; expansions < MAX_EXPANSIONS && this.lines < MAX_LINES; expansions++) {
      const next = this.cheapest()
      if (next < 0 || this.bestLength <= GOOD * this.total[next]!) break
      this.total[next] = -1
      load(here, this.places, 3 * next)
      if (this.isVisible(here, goal)) continue
      const { obstacle, distance: hitDistance } = map.hit
      if (obstacle !== null) this.addPlacesBeside(next, goal, obstacle, hitDistance, 0)
    }
    if (this.lastPlace < 0) return false
    this.trace(this.lastPlace)
    return true
  }

  /**
   * Adds places beside `obstacle`, which blocks the line from place `from` to `target` after `off` (m): on each side of the surface that is met one
   * where the obstacle begins, one where it ends, and, if need be, one abreast of its middle.
   */
  private addPlacesBeside(
    from: number,
    target: Vec3Like,
    obstacle: Obstacle,
    hitDistance: number,
    depth: number,
  ): void {
    const { map, places } = this
    const start = load(vec3(), places, 3 * from)
    const line = normalize(vec3(), sub(spot, target, start))
    const touch = addScaled(vec3(), start, line, hitDistance)
    const side = new Side()
    // along the surface that is met, and through to the other side
    const away = obstacle.distance(touch, side.inwards)
    scale(side.inwards, side.inwards, -1)
    // with all of its clearance before the surface
    addScaled(touch, touch, side.inwards, away - map.clearanceRadius)
    const inside = addScaled(spot, touch, side.inwards, INTO * map.clearanceRadius)
    const through = map.leave(obstacle, inside, side.inwards)
    side.deep = through < Infinity ? through : 0
    side.turnFrom(this.up)
    const place = vec3()
    const hiders = new Set<Obstacle>()
    for (let k = 0; k < SIDES && this.size < MAX_PLACES && this.lines < MAX_LINES; k++) {
      const direction = side.direction(k)
      let sideways = 0
      for (let part = 1; part <= 3; part++)
        sideways = Math.max(sideways, map.leave(obstacle, side.at(place, touch, part / 4), direction))
      if (!(sideways < Infinity)) continue
      const front = addScaled(vec3(), touch, direction, sideways)
      const neighbor = map.obstacleAt(side.at(place, front, 0.5))
      // a gap between two obstacles is found along the edge of the one, beside the other
      if (neighbor !== null)
        for (const turn of [SIDES / 4, -SIDES / 4]) {
          const other = side.direction(k + turn)
          const out = map.leave(neighbor, place, other)
          if (!(out < Infinity)) continue
          const gap = addScaled(vec3(), front, other, out)
          if (map.obstacleAt(side.at(spot, gap, 0.5)) === null) this.addPlacesOnSide(from, gap, side)
        }
      if (!map.leaveAlong(front, direction) || this.addPlacesOnSide(from, front, side) || depth === DEPTH)
        continue
      const { distance: near, obstacle: hider } = map.hit
      if (hider === null || hiders.has(hider)) continue
      hiders.add(hider)
      this.addPlacesBeside(from, front, hider, near, depth + 1)
    }
  }

  /** Adds the places on one side of an obstacle: `front`, and those farther in. False where `front` cannot be seen from place `from`. */
  private addPlacesOnSide(from: number, front: Vec3Like, side: Side): boolean {
    const { map } = this
    const first = this.connect(from, front)
    if (first < 0 || side.deep === 0) return first >= 0
    const back = side.at(vec3(), front, 1)
    if (map.obstacleAt(back) !== null || this.connect(first, back) >= 0) return true
    const middle = side.at(vec3(), front, 0.5)
    const second = map.obstacleAt(middle) === null ? this.connect(first, middle) : -1
    if (second >= 0) this.connect(second, back)
    return true
  }

  /** The number of a place to which there is a line from place `from`, new or known; −1 for none. */
  private connect(from: number, place: Vec3Like): number {
    const { cost } = this
    load(there, this.places, 3 * from)
    const length = cost[from]! + distance(there, place)
    const known = this.numberOf(place)
    if (known === from) return from
    if (known >= 0 && cost[known]! <= length + SAME * this.diameter)
      return this.isVisible(there, place) ? known : -1
    if (!this.isVisible(there, place) || (from === 0 && !this.mayLeave(there, place))) return -1
    return this.add(place, length, from)
  }

  /** The number of the place that is as good as `place`; −1 for none. */
  private numberOf({ x, y, z }: Vec3Like): number {
    const { diameter, places, size } = this
    const near = SAME * diameter * SAME * diameter
    for (let i = 0; i < 3 * size; i += 3) {
      const dx = places[i]! - x
      const dy = places[i + 1]! - y
      const dz = places[i + 2]! - z
      if (dx * dx + dy * dy + dz * dz < near) return i / 3
    }
    return -1
  }

  private mayLeave(from: Vec3Like, to: Vec3Like): boolean {
    return this.allows === null || this.allows(normalize(spot, sub(spot, to, from)))
  }

  private isVisible(from: Vec3Like, to: Vec3Like): boolean {
    this.lines++
    return this.map.isPathFree(from, to)
  }

  private add(place: Vec3Like, cost: number, parent: number): number {
    if (this.size === MAX_PLACES) return -1
    const i = this.size++
    const total = cost + distance(place, goal)
    save(place, this.places, 3 * i)
    this.cost[i] = cost
    this.total[i] = total
    this.parent[i] = parent
    if (total < this.bestLength && this.isVisible(place, goal) && (i > 0 || this.mayLeave(place, goal))) {
      this.bestLength = total
      this.lastPlace = i
    }
    return i
  }

  /** The place from which the way seems shortest, of those not looked on from yet; −1 for none. */
  private cheapest(): number {
    const { size, total } = this
    let best = -1
    for (let i = 0; i < size; i++) if (total[i]! >= 0 && (best < 0 || total[i]! < total[best]!)) best = i
    return best
  }

  /** Writes the route that ends in place `last`, without the places that can be left out. */
  private trace(place: number): void {
    const { parent, places, points } = this
    let count = 0
    for (let i = place; i > 0; i = parent[i]!) count++
    this.count = count
    for (let i = place, k = count - 1; i > 0; i = parent[i]!, k--)
      save(load(spot, places, 3 * i), points, 3 * k)
    this.straighten()
  }

  /** Leaves out waypoints that can be passed by. */
  private straighten(): void {
    const { map, places, points } = this
    for (let k = 0; k < this.count;) {
      if (k === 0) load(here, places, 0)
      else load(here, points, 3 * k - 3)
      if (k + 1 < this.count) load(there, points, 3 * k + 3)
      else copy(there, goal)
      if (map.isPathFree(here, there) && (k > 0 || this.mayLeave(here, there))) {
        points.copyWithin(3 * k, 3 * k + 3, 3 * this.count)
        this.count--
        // the one before may be left out now, too
        if (k > 0) k--
      } else k++
    }
  }
}
