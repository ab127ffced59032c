import type { Vec3, Vec3Like } from '../types.js'
import { copy, isZero, length, sub, vec3 } from '../math/vec3.js'
import { ObstacleIndex } from './obstacle-index.js'
import type { ObstacleFilter } from './obstacle-layers.js'
import { ObstacleMap } from './obstacle-map.js'
import { isObstacle, Obstacle, requireObstacle, type ObstacleOptions } from './obstacle.js'
import { refuse, requireVector } from '../math/require.js'
import type { SweptBall } from './shape.js'
import { sweptBall } from './sweep.js'

/** The first obstacle on the path of a ball. */
export interface ObstacleHit {
  /** Distance that the ball flies until it touches, m. */
  readonly distance: number
  readonly obstacle: Obstacle
}

/** What `ahead` finds: an object, because numbers that are passed would be boxed. @internal */
export interface Cone {
  /** Half-angle, rad. */
  angle: number
  /** Obstacles are grown by this, m. */
  extra: number
  /** None is nearer than this, and none farther away, m. */
  beyond: number
  distance: number
  /** If more than this number may reach into it, the search may end early, and sets `isPartial`. */
  enough: number
  isPartial: boolean
}

/** What `coming` finds: an object, because numbers that are passed would be boxed. @internal */
export interface Arrival {
  /** None is nearer than this, and none farther away, m. */
  beyond: number
  distance: number
  /** Obstacles are grown by this, m. */
  radius: number
  /** `[9]`: three velocities (m/s), one of which brings it near. */
  velocities: Float64Array
  /** None comes later, s. */
  time: number
}

export type { ObstacleFilter }

/** A line of sight ends before its end by this share of its length: a point on a surface is seen. */
const SIGHT_SHARE = 1e-9
/** Distances are enlarged by this share, so that rounding excludes no obstacle. */
const ROUNDING = 1e-12

/** A search for the nearest obstacle begins in a ball of at least this radius (m). */
const LEAST_RANGE = 1e-3

const spread = vec3()

/** From this half-angle (rad) on a cone is treated as the whole sphere of directions. */
const WIDEST_CONE = 1.4

/**
 * A set of obstacles that is searched by the distance to their surfaces: a huge obstacle whose centre is far
 * away is found as a small one is. It may be shared by any number of behaviours and worlds. Adding and
 * removing is allowed at any time. While an agent is steered, no query finds what belongs to that agent.
 * Because of a tree of boxes a query among 10,000 obstacles takes some
 * microseconds; sets with moving obstacles take more time in each step.
 */
export class Obstacles implements Iterable<Obstacle> {
  static readonly options = { obstacles: { kind: ['instance'] } } as const

  /** @internal */
  readonly index: ObstacleIndex = new ObstacleIndex()
  private readonly normal: Vec3 = vec3()
  private readonly outward: Vec3 = vec3()
  private readonly direction: Vec3 = vec3()
  private readonly swept = sweptBall<Obstacle>()
  private readonly around: Obstacle[] = []
  /** Radius (m) of the ball in which the next search for the nearest begins: half of the last result. */
  private firstRange = LEAST_RANGE
  private lastStep: object | null = null
  private lastTick = -1
  private map: ObstacleMap | null = null

  /** @throws TypeError / RangeError naming the option of the first obstacle that is refused. */
  constructor(obstacles: Iterable<Obstacle | ObstacleOptions> = []) {
    if (typeof obstacles !== 'object' || typeof obstacles?.[Symbol.iterator] !== 'function')
      refuse('Obstacles', obstacles, 'must be an array or set of obstacles')
    addAll(this, 'Obstacles', obstacles)
  }

  get size(): number {
    return this.index.numberOf.size
  }

  /** Speed (m/s) of the fastest obstacle when it was last read. */
  get fastest(): number {
    return this.index.fastest
  }

  /** In the order of adding. */
  [Symbol.iterator](): Iterator<Obstacle> {
    return this.index.numberOf.keys()
  }

  /** Radius (m) of a ball around each bounded obstacle that moves, when they were last read. @internal */
  get widest(): number {
    return this.index.widest
  }

  has(obstacle: Obstacle): boolean {
    return this.index.numberOf.has(obstacle)
  }

  /** Adds an obstacle, or makes one from options. @returns it. @throws TypeError when it is in the set. */
  add(obstacle: Obstacle | ObstacleOptions): Obstacle {
    const one = isObstacle(obstacle) ? obstacle : new Obstacle(obstacle)
    if (this.has(one)) throw new TypeError('Obstacles.add: this obstacle is in the set already')
    this.index.add(one)
    return one
  }

  /** Removes an obstacle, at any time. @throws TypeError for an obstacle that is not in the set. */
  remove(obstacle: Obstacle): this {
    if (!this.index.remove(obstacle))
      refuse('Obstacles.remove', obstacle, 'must be an obstacle of this set, as add returned it')
    return this
  }

  clear(): void {
    this.index.clear()
  }

  /**
   * Reads the poses and velocities of the bodies that the obstacles follow. Behaviours call it at the start
   * of each step. Call it before queries of your own.
   */
  refresh(): void {
    this.sync()
    this.index.refresh()
  }

  /**
   * Moves all obstacles that stand still by a vector (m), for a floating origin, see `SteeringWorld.shift`.
   * Those that follow a body move with it. @throws TypeError / RangeError for a vector that is not finite.
   */
  shift(by: Vec3Like): void {
    requireVector('Obstacles.shift: by', by)
    for (const each of this) each.shift(by)
    this.refresh()
  }

  /** @internal Refreshes once per step, however many agents call it. */
  refreshFor(step: { readonly tick: number }): void {
    if (this.lastStep === step && this.lastTick === step.tick) return
    this.lastStep = step
    this.lastTick = step.tick
    this.refresh()
  }

  /** @internal The set alone as an agent of `radius` (m) sees it; valid until the next call. */
  mapFor(radius: number): ObstacleMap {
    const map = (this.map ??= new ObstacleMap())
    map.clear()
    map.add(this, radius, 0)
    return map
  }

  /**
   * Writes into `out` the obstacles whose surface is nearer to `point` than `distance` (m), or that contain
   * it, in the order of adding. Entries of `out` after them are left as they are.
   * @returns their number.
   */
  near(point: Vec3Like, distance: number, out: Obstacle[]): number {
    this.swept.radius = distance
    return this.nearBall(point, this.swept, out)
  }

  /** As `near`, within the radius of `ball`. @internal */
  nearBall(point: Vec3Like, ball: SweptBall, out: Obstacle[]): number {
    const distance = ball.radius
    const { index, normal } = this
    index.prepare()
    const { found, tree } = index
    // a little wider, so that rounding excludes no obstacle
    tree.distance = Math.max(0, distance) * (1 + ROUNDING)
    const boxes = tree.near(point, found)
    const end = boxes + index.others
    let count = 0
    for (let k = 0; k < end; k++) {
      const number = index.candidate(k, boxes)
      const obstacle = index.seen(number)
      if (obstacle !== null && obstacle.isNearer(point, distance, normal)) found[count++] = number
    }
    return index.list(out, 0, count)
  }

  /**
   * Appends to the first `count` of `out` the obstacles that move and are not nearer than `beyond`, but whose
   * bounding ball meets a ball around `point` that has one of three velocities. Returns the number of all.
   * @internal
   */
  coming(point: Vec3Like, arrival: Arrival, out: Obstacle[], count: number): number {
    const { index } = this
    index.prepare()
    const { members, found, tree, built } = index
    const { beyond, radius, time, velocities } = arrival
    tree.distance = arrival.distance
    const boxes = tree.near(point, found)
    let coming = 0
    for (let i = 0; i < boxes + members.length - built; i++) {
      const number = i < boxes ? found[i]! : built + i - boxes
      const obstacle = index.seen(number)
      if (obstacle === null) continue
      const { position, velocity } = obstacle
      const x = position.x - point.x
      const y = position.y - point.y
      const z = position.z - point.z
      // what turns sweeps a ball around the point that it turns about
      const { turns } = obstacle
      let reach = obstacle.boundingRadius + radius
      if (turns) reach += 2 * length(sub(spread, position, obstacle.origin))
      let comes = turns && x * x + y * y + z * z < reach * reach
      if (!isZero(velocity))
        for (let k = 0; k < 9 && !comes; k += 3) {
          const vx = velocities[k]! - velocity.x
          const vy = velocities[k + 1]! - velocity.y
          const vz = velocities[k + 2]! - velocity.z
          // where they are nearest to each other
          const t = Math.min(time, (x * vx + y * vy + z * vz) / (vx * vx + vy * vy + vz * vz))
          const missX = x - vx * t
          const missY = y - vy * t
          const missZ = z - vz * t
          comes = t > 0 && missX * missX + missY * missY + missZ * missZ < reach * reach
        }
      if (comes && index.isBeyond(number, point, beyond)) found[coming++] = number
    }
    return index.list(out, count, coming)
  }

  /**
   * As `near`, but only obstacles that may reach into a cone of directions around the unit `axis`. Some more
   * may be included, because boxes are tested, not surfaces.
   * @internal
   */
  ahead(point: Vec3Like, axis: Vec3Like, cone: Cone, out: Obstacle[]): number {
    const { angle, extra, beyond, distance } = cone
    let count = 0
    cone.isPartial = false
    if (!(angle < WIDEST_CONE)) {
      const near = this.near(point, distance, out)
      for (let i = 0; i < near; i++) if (!out[i]!.isNearer(point, beyond, this.normal)) out[count++] = out[i]!
      return count
    }
    const { index } = this
    index.prepare()
    const { found, tree } = index
    tree.angle = angle
    tree.extra = extra
    tree.distance = Math.max(0, distance)
    tree.enough = cone.enough
    const boxes = tree.ahead(point, axis, found)
    cone.isPartial = tree.isPartial
    const end = boxes + index.others
    for (let k = 0; k < end; k++) {
      const number = index.candidate(k, boxes)
      if (index.isBeyond(number, point, beyond)) found[count++] = number
    }
    return index.list(out, 0, count)
  }

  /**
   * Distance (m) from a world point to the nearest surface, negative inside; Infinity in an empty set. Writes
   * the outward unit normal of that surface into `out`, if given.
   */
  distance(point: Vec3Like, out: Vec3 = this.outward): number {
    const { around, normal, swept } = this
    let least = Infinity
    if (this.index.isEmpty) return least
    for (let range = this.firstRange; least === Infinity && range < Infinity; range *= 2) {
      swept.radius = range
      const count = this.nearBall(point, swept, around)
      for (let i = 0; i < count; i++) {
        const distance = around[i]!.distance(point, normal)
        if (!(distance < least)) continue
        least = distance
        copy(out, normal)
      }
    }
    this.firstRange = Math.max(LEAST_RANGE, least < Infinity ? least / 2 : 0)
    return least
  }

  /**
   * The first obstacle that a ball of `radius` (m) touches on its path from `origin` along the unit
   * `direction`, within `limit` (m); null when there is none. Obstacles are taken as at rest. See
   * {@link Shape.sweep} for a ball that touches an obstacle at the start.
   */
  sweep(
    origin: Vec3Like,
    direction: Vec3Like,
    radius: number,
    limit = Infinity,
    ignore?: ObstacleFilter,
  ): ObstacleHit | null {
    const { swept } = this
    swept.radius = radius
    swept.limit = limit
    this.sweepBall(origin, direction, swept, ignore)
    const { distance, obstacle } = swept
    return obstacle && { distance, obstacle }
  }

  /**
   * Whether no obstacle lies on the line between two points. Points on a surface are seen; points behind or
   * inside an obstacle are not.
   */
  sees(from: Vec3Like, to: Vec3Like, ignore?: ObstacleFilter): boolean {
    const { direction, swept } = this
    const d = length(sub(direction, to, from))
    if (!(d > 0)) return true
    direction.x /= d
    direction.y /= d
    direction.z /= d
    swept.radius = 0
    swept.limit = d * (1 - SIGHT_SHARE)
    return this.isFree(from, direction, swept, ignore)
  }

  /**
   * Whether a ball touches nothing on its path from `origin` along the unit `direction`. Obstacles are taken
   * as at rest. @internal
   */
  isFree(origin: Vec3Like, direction: Vec3Like, ball: SweptBall, ignore?: ObstacleFilter): boolean {
    const { index } = this
    index.prepare()
    const { tree } = index
    const { limit, radius } = ball
    tree.extra = radius
    tree.distance = limit
    const boxes = tree.along(origin, direction, index.found)
    const end = boxes + index.others
    for (let k = 0; k < end; k++) {
      const obstacle = index.seen(index.candidate(k, boxes))
      if (obstacle === null || ignore?.(obstacle) === true) continue
      // written anew, because a filter may do the same
      ball.radius = radius
      ball.limit = limit
      obstacle.sweepBall(origin, direction, ball)
      if (ball.distance < Infinity) return false
    }
    return true
  }

  /**
   * As `sweep`, with its numbers in `ball`, where it writes what is touched: nothing, at Infinity, when there
   * is no obstacle. Numbers that are passed would be boxed. @internal
   */
  sweepBall(origin: Vec3Like, direction: Vec3Like, ball: SweptBall<Obstacle>, ignore?: ObstacleFilter): void {
    const { index } = this
    index.prepare()
    const { found, members, tree } = index
    const { radius } = ball
    let least = ball.limit
    let first = -1
    tree.extra = radius
    tree.distance = least
    const boxes = tree.touched(origin, direction, found)
    const { touches } = tree
    const end = boxes + index.others
    for (let k = 0; k < end; k++) {
      if (k < boxes && touches[k]! > least) continue
      const number = index.candidate(k, boxes)
      const obstacle = index.seen(number)
      if (obstacle === null || ignore?.(obstacle) === true) continue
      // written anew, because a filter may ask this set, too
      ball.radius = radius
      ball.limit = least
      obstacle.sweepBall(origin, direction, ball)
      const { distance } = ball
      if (distance === Infinity || (distance === least && first >= 0 && number > first)) continue
      least = distance
      first = number
    }
    ball.obstacle = first < 0 ? null : members[first]!
    ball.distance = first < 0 ? 1 / 0 : least
  }

  /** Called at the start of `refresh`. Sets that mirror another collection add and remove obstacles here. */
  protected sync(): void {
    // this set mirrors no other collection
  }
}

/** Adds a list of obstacles that the caller calls `what`. @throws TypeError / RangeError naming its place. */
export function addAll(
  set: Obstacles,
  what: string,
  obstacles: Iterable<Obstacle | ObstacleOptions>,
): Obstacles {
  let i = 0
  for (const each of obstacles) {
    if (!isObstacle(each)) requireObstacle(`${what}[${i}]`, each)
    set.add(each)
    i++
  }
  return set
}
