import type { Agent, Step, Vec3, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import { ObstacleMap } from '../obstacles/obstacle-map.js'
import { TAU } from '../math/scalar.js'
import {
  addScaled,
  copy,
  cross,
  distance,
  isZero,
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

// The numbers below are chosen by hand unless they say otherwise.

/** Most places of a search. With more of each of these three it finds longer routes, and takes longer. */
const MAX_PLACES = 256
/** Most places whose successors are computed. */
const MAX_EXPANSIONS = 64
/** Most tests of a line of sight. */
const MAX_LINES = 3000

/** A route is good enough if no other can be shorter by more than this factor. Larger: a quicker search. */
const GOOD_FACTOR = 1.1

/** Number of directions in which an obstacle is passed, evenly distributed around the line that it blocks. */
const SIDES = 8

/**
 * If a place beside an obstacle is hidden by another one, places beside that one are tried, down to this
 * depth.
 */
const MAX_DEPTH = 1

/**
 * To find where an obstacle ends, a point is moved into it by this share of the agent's clearance radius: an
 * obstacle that is only touched does not contain the point.
 */
const ENTRY_SHARE = 0.01

/** Places nearer to each other than this share of the agent's diameter are the same place. */
const SAME_PLACE_SHARE = 0.5
/** The same for a place in a gap between two obstacles, and on a tight route. */
const SAME_GAP_SHARE = 0.05

/** On a tight route a place keeps this share of the agent's diameter from obstacles where there is space. */
const TIGHT_CLEARANCE = 0.05

/**
 * If the angle between the upward direction and the line into the obstacle is smaller than this (sine),
 * another perpendicular direction is the first side.
 */
const MIN_SINE = 1e-3

const here = vec3()
const there = vec3()
const spot = vec3()
const goal = vec3()

/**
 * The directions in which an obstacle is passed, in the tangent plane of its surface at the point of contact.
 */
class Side {
  /** Unit direction into the obstacle, and the depth (m) of the obstacle along it. */
  readonly inwards: Vec3 = vec3()
  depth = 0
  private readonly up: Vec3 = vec3()
  private readonly across: Vec3 = vec3()

  turnFrom(up: Vec3Like): void {
    reject(this.up, up, this.inwards)
    if (lengthSq(this.up) < MIN_SINE * MIN_SINE) perpendicular(this.up, this.inwards)
    normalize(this.up, this.up)
    cross(this.across, this.inwards, this.up)
  }

  direction(k: number): Vec3 {
    const turn = (TAU * k) / SIDES
    const out = scale(vec3(), this.up, Math.cos(turn))
    return addScaled(out, out, this.across, Math.sin(turn))
  }

  /** Writes the place that is farther in by this share of the depth. */
  farther(out: Vec3, place: Vec3Like, share: number): Vec3 {
    return addScaled(out, place, this.inwards, share * this.depth)
  }
}

/**
 * Finds a route of straight legs past obstacles at rest: A* over places beside the obstacles that block the
 * path (a visibility graph that is built during the search; Lozano-Pérez and Wesley, An Algorithm for
 * Planning Collision-Free Paths, 1979). In 3D a shortest route touches edges, not corners, so the places are
 * not corners: an obstacle that blocks a line is passed abreast of the middle of the blocked part, in eight
 * directions, as near as the agent's size allows. Routes are a few per cent longer than the shortest.
 */
export class RouteFinder {
  /** `[3 × count]`: the waypoints of the last search (m), without start and goal. */
  readonly points: Float64Array = new Float64Array(3 * MAX_PLACES)
  count = 0
  /** Whether the last search has looked everywhere that it looks, within its limits. */
  isWhole = false
  private readonly places = new Float64Array(3 * MAX_PLACES)
  /**
   * Length of the path from the start (m), and with the straight rest to the goal (m); negative once the
   * successors of the place are known.
   */
  private readonly cost = new Float64Array(MAX_PLACES)
  private readonly total = new Float64Array(MAX_PLACES)
  private readonly parent = new Int32Array(MAX_PLACES)
  /** The place with a free line to the goal and the shortest path so far, and the length of that path (m). */
  private lastPlace = -1
  bestLength = Infinity
  private size = 0
  private lines = 0
  /** Diameter of the agent (m), and the upward direction. */
  private diameter = 0
  private isPlanar = false
  private map!: ObstacleMap
  private up!: Vec3Like
  private allows: ((direction: Vec3Like) => boolean) | null = null

  /**
   * Searches a route from `start` to `end` (m) for an agent of this `diameter` (m). `up`: the first of the
   * directions in which obstacles are passed; with `isPlanar` the normal of the plane in which the agent
   * moves, so that it passes left and right only. `allows` says whether the agent may start in a direction.
   * Only routes shorter than `most` (m) count.
   * @returns whether a route was found; its waypoints are in `points`.
   */
  find(
    map: ObstacleMap,
    start: Vec3Like,
    end: Vec3Like,
    up: Vec3Like,
    diameter: number,
    allows: (direction: Vec3Like) => boolean,
    isPlanar = false,
    most = Infinity,
  ): boolean {
    this.isPlanar = isPlanar
    this.map = map
    this.up = up
    this.diameter = diameter
    this.allows = allows
    this.size = this.lines = this.count = 0
    this.bestLength = most
    this.lastPlace = -1
    copy(goal, end)
    this.add(start, 0, -1)
    for (let expansions = 0; expansions < MAX_EXPANSIONS && this.lines < MAX_LINES; expansions++) {
      const next = this.cheapest()
      if (next < 0 || this.bestLength <= GOOD_FACTOR * this.total[next]!) break
      this.total[next] = -1
      load(here, this.places, 3 * next)
      if (this.isVisible(here, goal)) continue
      const { obstacle, distance: hitDistance } = map.hit
      if (obstacle !== null) this.addPlacesBeside(next, goal, obstacle, hitDistance, 0)
    }
    this.isWhole = this.size < MAX_PLACES && this.lines < MAX_LINES && this.cheapest() < 0
    if (this.lastPlace < 0) return false
    this.trace(this.lastPlace)
    return true
  }

  /**
   * Adds places beside `obstacle`, which blocks the line from place `from` to `target` at `hitDistance` (m):
   * on each side one where the obstacle begins, one where it ends, and, if necessary, one abreast of its
   * middle.
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
    // along the surface at the contact, and through to the other side
    const away = obstacle.distance(touch, side.inwards)
    scale(side.inwards, side.inwards, -1)
    if (this.isPlanar) normalize(side.inwards, reject(side.inwards, side.inwards, this.up))
    // the agent has all of its clearance in front of the surface
    addScaled(touch, touch, side.inwards, away - map.clearanceRadius)
    const inside = addScaled(spot, touch, side.inwards, ENTRY_SHARE * map.clearanceRadius)
    const through = map.leave(obstacle, inside, side.inwards)
    side.depth = through < Infinity ? through : 0
    side.turnFrom(this.up)
    const place = vec3()
    const hiders = new Set<Obstacle>()
    // an agent that moves in a plane passes to the left and to the right
    const step = this.isPlanar ? SIDES / 2 : 1
    for (
      let k = this.isPlanar ? SIDES / 4 : 0;
      k < SIDES && this.size < MAX_PLACES && this.lines < MAX_LINES;
      k += step
    ) {
      const direction = side.direction(k)
      let sideways = 0
      for (let part = 1; part <= 3; part++)
        sideways = Math.max(sideways, map.leave(obstacle, side.farther(place, touch, part / 4), direction))
      if (!(sideways < Infinity)) continue
      const front = addScaled(vec3(), touch, direction, sideways)
      const neighbor = map.obstacleAt(side.farther(place, front, 0.5))
      // a gap between two obstacles is found along the edge of one, beside the other
      if (neighbor !== null)
        for (const turn of this.isPlanar ? [] : [SIDES / 4, -SIDES / 4]) {
          const other = side.direction(k + turn)
          const out = map.leave(neighbor, place, other)
          if (!(out < Infinity)) continue
          const gap = addScaled(vec3(), front, other, out)
          if (map.obstacleAt(side.farther(spot, gap, 0.5)) === null)
            this.addPlacesOnSide(from, gap, side, true)
        }
      if (!map.leaveAlong(front, direction) || this.addPlacesOnSide(from, front, side) || depth === MAX_DEPTH)
        continue
      const { distance: near, obstacle: hider } = map.hit
      if (hider === null || hiders.has(hider)) continue
      hiders.add(hider)
      this.addPlacesBeside(from, front, hider, near, depth + 1)
    }
  }

  /**
   * Adds the places on one side of an obstacle: `front`, and places farther in. False if there is no free
   * line from place `from` to `front`.
   */
  private addPlacesOnSide(from: number, front: Vec3, side: Side, isGap = false): boolean {
    const { map } = this
    if (map.isTight) this.centre(front, side)
    const first = this.connect(from, front, isGap || map.isTight)
    if (first < 0 || side.depth === 0) return first >= 0
    const back = side.farther(vec3(), front, 1)
    if (map.obstacleAt(back) !== null || this.connect(first, back) >= 0) return true
    const middle = side.farther(vec3(), front, 0.5)
    // from there `back` is as hidden as from `front`, since they lie on one line
    if (map.obstacleAt(middle) === null) this.connect(first, middle)
    return true
  }

  /** Moves a place on a tight route to the middle of the gap behind it. */
  private centre(front: Vec3, side: Side): void {
    const { hit } = this.map
    const room = 2 * TIGHT_CLEARANCE * this.diameter
    const middle = side.farther(vec3(), front, 0.5)
    const free = (direction: Vec3Like): number => {
      hit.distance = room
      this.map.sweep(middle, direction, 1, 0, 1)
      return hit.distance
    }
    for (let k = this.isPlanar ? SIDES / 4 : 0; k < SIDES / 2; k += SIDES / 4) {
      const direction = side.direction(k)
      const move = (free(direction) - free(side.direction(k + SIDES / 2))) / 2
      addScaled(front, front, direction, move)
      addScaled(middle, middle, direction, move)
    }
  }

  /** Index of a place, new or known, to which there is a free line from place `from`; −1 if there is none. */
  private connect(from: number, place: Vec3Like, isGap = false): number {
    const { cost } = this
    load(there, this.places, 3 * from)
    const length = cost[from]! + distance(there, place)
    const known = this.numberOf(place, isGap ? SAME_GAP_SHARE : SAME_PLACE_SHARE)
    if (known === from) return from
    if (known >= 0 && cost[known]! <= length + SAME_PLACE_SHARE * this.diameter)
      return this.isVisible(there, place) ? known : -1
    if (!this.isVisible(there, place) || (from === 0 && !this.mayLeave(there, place))) return -1
    return this.add(place, length, from)
  }

  /** Index of the place that is equivalent to `place`; −1 if there is none. */
  private numberOf({ x, y, z }: Vec3Like, same: number): number {
    const { diameter, places, size } = this
    const near = same * diameter * same * diameter
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

  /**
   * The place with the shortest estimated path among those whose successors are not known yet; −1 if there is
   * none.
   */
  private cheapest(): number {
    const { size, total } = this
    let best = -1
    for (let i = 0; i < size; i++) if (total[i]! >= 0 && (best < 0 || total[i]! < total[best]!)) best = i
    return best
  }

  /** Writes the route that ends in a place, without the waypoints that can be left out. */
  private trace(place: number): void {
    const { parent, places, points } = this
    let count = 0
    for (let i = place; i > 0; i = parent[i]!) count++
    this.count = count
    for (let i = place, k = count - 1; i > 0; i = parent[i]!, k--)
      save(load(spot, places, 3 * i), points, 3 * k)
    this.straighten()
  }

  /** Removes waypoints that are not needed. */
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
        // now the previous one may be unnecessary as well
        if (k > 0) k--
      } else k++
    }
  }
}

/** One for all agents of all worlds: it remembers nothing. */
export const finder: RouteFinder = /* @__PURE__ */ new RouteFinder()

/**
 * Searches a route of straight legs to a place (m), through gaps that are tight, too; see `RouteFinder.find`.
 * It is then in `finder`.
 */
export function findTightRoute(
  { position, radius }: Agent,
  map: ObstacleMap,
  to: Vec3Like,
  up: Vec3Like,
  isPlanar: boolean,
): boolean {
  const { isTight } = map
  map.isTight = true
  const found = finder.find(map, position, to, up, 2 * radius, () => true, isPlanar)
  map.isTight = isTight
  return found
}

/** A map that also knows whether a route leads to a place. */
export class RouteMap extends ObstacleMap {
  readonly hasRoute = (agent: Agent, { up }: Step, to: Vec3Like): boolean => {
    const isPlanar = !isZero(agent.plane)
    return findTightRoute(agent, this, to, isPlanar ? agent.plane : up, isPlanar) || !finder.isWhole
  }
}
