import type { Vec3, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import { unrotate } from '../math/quat.js'
import { addScaled, copy, dot, length, vec3 } from '../math/vec3.js'

/** Slopes below this are flat. */
const FLAT = 1e-9

const course = vec3()
const spot = vec3()
const rising = vec3()

/** Share of the margin that a chosen direction may use up: it lies on the outline itself, and must not count as blocked by it. */
const USED_MARGIN = 0.9

/** Share of the way to a near obstacle that its margin may take: what is nearer than its margin is passed, not fled from. */
const NEAR_SHARE = 0.9

/** One obstacle as seen from one agent that plans its way. */
export class ObstacleView {
  obstacle: Obstacle
  /** Who told of it. */
  owner = 0
  /** Blocks nothing beyond this, m. */
  horizon = 0
  /** Clear distance (m) between the agent's hull and the surface, negative when they overlap; and the way out. */
  clearance = 0
  readonly normal: Vec3 = vec3()
  /** Radius (m) of the ball that must pass it: for the outline, and for the test of a direction. */
  outline = 0
  /** Whether agents slide along it: then it weighs in choices, but calls for none. */
  isWall = false
  /** Whether the goal lies in it: then it blocks no direction, and is only braked for. */
  holdsGoal = false
  /** Whether it is so near that it must be passed both from where the agent is and from where it will be when it has turned. */
  isNear = false
  /** As `outline`, from where the agent is. Only where it is close. */
  outlineHere = 0
  readonly here: Vec3 = vec3()
  private wantedClearance = 0
  private passing = 0
  private passingHere = 0
  /** Of the ball that must never touch it. */
  hullRadius = 0
  private moves = false
  private radius = -1
  private readonly from: Vec3 = vec3()

  constructor(obstacle: Obstacle) {
    this.obstacle = obstacle
  }

  set(obstacle: Obstacle, horizon: number, hull: number, margin: number): void {
    this.obstacle = obstacle
    this.horizon = horizon
    this.holdsGoal = this.isWall = false
    this.hullRadius = hull
    this.wantedClearance = margin
    const { x, y, z } = obstacle.velocity
    this.moves = x !== 0 || y !== 0 || z !== 0
    this.radius = obstacle.ballRadius
  }

  /**
   * Looks at it from `from`, where the agent will be when it has turned, and, when that is within `lag` (m), from `here`, where it is:
   * a turn towards something that is passed only soon would cut the corner. The margin shrinks where there is less room.
   */
  update(from: Vec3Like, here: Vec3Like, lag: number): void {
    this.measure(here)
    this.isNear = this.clearance < 2 * lag + this.wantedClearance
    const beside = NEAR_SHARE * Math.max(0, Math.min(this.clearance, this.wantedClearance / NEAR_SHARE))
    this.outlineHere = this.hullRadius + beside
    this.passingHere = this.hullRadius + USED_MARGIN * beside
    copy(this.here, here)
    this.measure(from)
    const room = Math.min(this.wantedClearance, NEAR_SHARE * Math.max(0, this.clearance))
    this.outline = this.hullRadius + room
    this.passing = this.hullRadius + USED_MARGIN * room
    copy(this.from, from)
  }

  /** Measures the gap from a point, and stays there. */
  measure(from: Vec3Like): void {
    copy(this.from, from)
    if (this.radius < 0) this.clearance = this.obstacle.distance(from, this.normal) - this.hullRadius
    else this.measureSphere(from)
  }

  /** As above for a ball, whose turn does not matter: scenes have hundreds of them. */
  private measureSphere(from: Vec3Like): void {
    const { position } = this.obstacle
    const { normal } = this
    const x = from.x - position.x
    const y = from.y - position.y
    const z = from.z - position.z
    const d = Math.sqrt(x * x + y * y + z * z)
    // nearer than this the square of the distance has lost its digits
    normal.x = d > 1e-140 ? x / d : 0
    normal.y = d > 1e-140 ? y / d : 1
    normal.z = d > 1e-140 ? z / d : 0
    this.clearance = d - this.radius - this.hullRadius
  }

  /**
   * Whether no direction within `angle` (rad) of the unit `axis` can be blocked by it, at `speed` (m/s). Only told of balls; others
   * say false.
   */
  isAside(axis: Vec3Like, angle: number, speed: number): boolean {
    if (this.radius < 0 || this.isNear) return false
    const { normal } = this
    const d = this.clearance + this.radius + this.hullRadius
    const sine = (this.radius + this.outline) / d
    if (!(sine < 1)) return false
    let reach = angle + Math.asin(sine)
    if (this.moves) {
      const drift = length(this.obstacle.velocity) / speed
      if (!(drift < 1)) return false
      reach += Math.asin(drift) + Math.asin(Math.min(1, sine * (1 + drift))) - Math.asin(sine)
    }
    return reach < Math.PI && -(axis.x * normal.x + axis.y * normal.y + axis.z * normal.z) < Math.cos(reach)
  }

  /** Way (m) that the agent can fly along the unit direction (x, y, z) with `speed` (m/s) before it must have turned. */
  distanceToOutline(x: number, y: number, z: number, speed: number): number {
    const way = this.way(this.from, x, y, z, speed, this.passing)
    return this.isNear ? Math.min(way, this.way(this.here, x, y, z, speed, this.passingHere)) : way
  }

  /** Way (m) until its hull touches. */
  distanceToHull(x: number, y: number, z: number, speed: number): number {
    return this.way(this.from, x, y, z, speed, this.hullRadius)
  }

  /** Way (m) along the unit direction until it is passed: where it is nearest. */
  abreast(direction: Vec3Like): number {
    const { from, horizon, obstacle } = this
    if (this.radius >= 0) {
      const { position } = obstacle
      const x = (position.x - from.x) * direction.x
      return Math.max(0, x + (position.y - from.y) * direction.y + (position.z - from.z) * direction.z)
    }
    let low = 0
    let high = horizon
    for (let i = 0; i < 10; i++) {
      const middle = (low + high) / 2
      obstacle.distance(addScaled(spot, from, direction, middle), rising)
      // along a flat side it is passed at the end of the flat: rounding must not decide
      if (dot(rising, direction) < FLAT) low = middle
      else high = middle
    }
    return high
  }

  /** How far (m) from its origin, along a unit direction in world axes, the agent must be to pass it. */
  reach(direction: Vec3Like): number {
    unrotate(spot, this.obstacle.quaternion, direction)
    return this.obstacle.shape.support(spot) + this.hullRadius + this.wantedClearance
  }

  /** Way (m) until its hull touches, if both kept their velocities; `relative` is the unit direction of its own as seen from there. */
  hit(relative: Vec3Like, limit: number): number {
    return this.obstacle.sweep(this.from, relative, this.hullRadius, limit)
  }

  private way(from: Vec3Like, x: number, y: number, z: number, speed: number, radius: number): number {
    let limit = this.horizon
    let pace = 1
    if (this.moves) {
      const { velocity } = this.obstacle
      course.x = x * speed - velocity.x
      course.y = y * speed - velocity.y
      course.z = z * speed - velocity.z
      const relative = length(course)
      if (!(relative > 0)) return Infinity
      course.x /= relative
      course.y /= relative
      course.z /= relative
      pace = speed / relative
      limit /= Math.max(pace, 1e-6)
    } else {
      course.x = x
      course.y = y
      course.z = z
    }
    if (this.radius < 0) return this.obstacle.sweep(from, course, radius, limit) * pace
    const { position } = this.obstacle
    const cx = position.x - from.x
    const cy = position.y - from.y
    const cz = position.z - from.z
    const along = cx * course.x + cy * course.y + cz * course.z
    const reach = this.radius + radius
    const half = reach * reach - (cx * cx + cy * cy + cz * cz - along * along)
    if (along <= 0 || half <= 0) return Infinity
    const hit = along - Math.sqrt(half)
    return hit > limit ? Infinity : Math.max(0, hit) * pace
  }
}
