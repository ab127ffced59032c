import type { Vec3, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import { unrotate } from '../math/quat.js'
import { addScaled, copy, dot, length, vec3 } from '../math/vec3.js'

/** Slopes below this are flat. */
const FLAT = 1e-9

const relativeCourse = vec3()
const point = vec3()
const gradient = vec3()

/** Share of the margin that a chosen direction may use up: it lies on the outline itself, and must not count as blocked by it. */
const USED_CLEARANCE = 0.9

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
  outlineRadius = 0
  /** Whether agents slide along it: then it weighs in choices, but calls for none. */
  isWall = false
  /** Whether the goal lies in it: then it blocks no direction, and is only braked for. */
  holdsGoal = false
  /** Whether it is so near that it must be passed both from where the agent is and from where it will be when it has turned. */
  isNear = false
  /** As `outline`, from where the agent is. Only where it is close. */
  outlineRadiusHere = 0
  readonly here: Vec3 = vec3()
  private wantedClearance = 0
  private passingRadius = 0
  private passingRadiusHere = 0
  /** Of the ball that must never touch it. */
  hullRadius = 0
  private isMoving = false
  private ballRadius = -1
  private readonly from: Vec3 = vec3()

  constructor(obstacle: Obstacle) {
    this.obstacle = obstacle
  }

  set(obstacle: Obstacle, horizon: number, hull: number, clearance: number): void {
    this.obstacle = obstacle
    this.horizon = horizon
    this.holdsGoal = this.isWall = false
    this.hullRadius = hull
    this.wantedClearance = clearance
    const { x, y, z } = obstacle.velocity
    this.isMoving = x !== 0 || y !== 0 || z !== 0
    this.ballRadius = obstacle.ball
  }

  /**
   * Looks at it from `from`, where the agent will be when it has turned, and, when that is within `lag` (m), from `here`, where it is:
   * a turn towards something that is passed only soon would cut the corner. The margin shrinks where there is less room.
   */
  update(from: Vec3Like, here: Vec3Like, lag: number): void {
    this.measure(here)
    this.isNear = this.clearance < 2 * lag + this.wantedClearance
    const clearanceHere =
      NEAR_SHARE * Math.max(0, Math.min(this.clearance, this.wantedClearance / NEAR_SHARE))
    this.outlineRadiusHere = this.hullRadius + clearanceHere
    this.passingRadiusHere = this.hullRadius + USED_CLEARANCE * clearanceHere
    copy(this.here, here)
    this.measure(from)
    const clearance = Math.min(this.wantedClearance, NEAR_SHARE * Math.max(0, this.clearance))
    this.outlineRadius = this.hullRadius + clearance
    this.passingRadius = this.hullRadius + USED_CLEARANCE * clearance
    copy(this.from, from)
  }

  /** Measures the gap from a point, and stays there. */
  measure(from: Vec3Like): void {
    copy(this.from, from)
    if (this.ballRadius < 0) this.clearance = this.obstacle.distance(from, this.normal) - this.hullRadius
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
    this.clearance = d - this.ballRadius - this.hullRadius
  }

  /**
   * Whether no direction within `angle` (rad) of the unit `axis` can be blocked by it, at `speed` (m/s). Only told of balls; others
   * say false.
   */
  isAside(axis: Vec3Like, angle: number, speed: number): boolean {
    if (this.ballRadius < 0 || this.isNear) return false
    const { normal } = this
    const d = this.clearance + this.ballRadius + this.hullRadius
    const sine = (this.ballRadius + this.outlineRadius) / d
    if (!(sine < 1)) return false
    let halfAngle = angle + Math.asin(sine)
    if (this.isMoving) {
      const drift = length(this.obstacle.velocity) / speed
      if (!(drift < 1)) return false
      halfAngle += Math.asin(drift) + Math.asin(Math.min(1, sine * (1 + drift))) - Math.asin(sine)
    }
    return (
      halfAngle < Math.PI &&
      -(axis.x * normal.x + axis.y * normal.y + axis.z * normal.z) < Math.cos(halfAngle)
    )
  }

  /** Way (m) that the agent can fly along the unit direction (x, y, z) with `speed` (m/s) before it must have turned. */
  distanceToOutline(x: number, y: number, z: number, speed: number): number {
    const distance = this.distanceToTouch(this.from, x, y, z, speed, this.passingRadius)
    return this.isNear
      ? Math.min(distance, this.distanceToTouch(this.here, x, y, z, speed, this.passingRadiusHere))
      : distance
  }

  /** Way (m) until its hull touches. */
  distanceToHull(x: number, y: number, z: number, speed: number): number {
    return this.distanceToTouch(this.from, x, y, z, speed, this.hullRadius)
  }

  /** Way (m) along the unit direction until it is passed: where it is nearest. */
  distanceAbreast(direction: Vec3Like): number {
    const { from, horizon, obstacle } = this
    if (this.ballRadius >= 0) {
      const { position } = obstacle
      const x = (position.x - from.x) * direction.x
      return Math.max(0, x + (position.y - from.y) * direction.y + (position.z - from.z) * direction.z)
    }
    let low = 0
    let high = horizon
    for (let i = 0; i < 10; i++) {
      const middle = (low + high) / 2
      obstacle.distance(addScaled(point, from, direction, middle), gradient)
      // along a flat side it is passed at the end of the flat: rounding must not decide
      if (dot(gradient, direction) < FLAT) low = middle
      else high = middle
    }
    return high
  }

  /** How far (m) from its origin, along a unit direction in world axes, the agent must be to pass it. */
  extent(direction: Vec3Like): number {
    unrotate(point, this.obstacle.quaternion, direction)
    return this.obstacle.shape.support(point) + this.hullRadius + this.wantedClearance
  }

  /** Way (m) until its hull touches, if both kept their velocities; `relative` is the unit direction of its own as seen from there. */
  distanceToHit(relative: Vec3Like, limit: number): number {
    return this.obstacle.sweep(this.from, relative, this.hullRadius, limit)
  }

  private distanceToTouch(
    from: Vec3Like,
    x: number,
    y: number,
    z: number,
    speed: number,
    radius: number,
  ): number {
    let limit = this.horizon
    let pathRatio = 1
    if (this.isMoving) {
      const { velocity } = this.obstacle
      relativeCourse.x = x * speed - velocity.x
      relativeCourse.y = y * speed - velocity.y
      relativeCourse.z = z * speed - velocity.z
      const relative = length(relativeCourse)
      if (!(relative > 0)) return Infinity
      relativeCourse.x /= relative
      relativeCourse.y /= relative
      relativeCourse.z /= relative
      pathRatio = speed / relative
      limit /= Math.max(pathRatio, 1e-6)
    } else {
      relativeCourse.x = x
      relativeCourse.y = y
      relativeCourse.z = z
    }
    if (this.ballRadius < 0) return this.obstacle.sweep(from, relativeCourse, radius, limit) * pathRatio
    const { position } = this.obstacle
    const cx = position.x - from.x
    const cy = position.y - from.y
    const cz = position.z - from.z
    const along = cx * relativeCourse.x + cy * relativeCourse.y + cz * relativeCourse.z
    const reach = this.ballRadius + radius
    const half = reach * reach - (cx * cx + cy * cy + cz * cz - along * along)
    if (along <= 0 || half <= 0) return Infinity
    const hit = along - Math.sqrt(half)
    return hit > limit ? Infinity : Math.max(0, hit) * pathRatio
  }
}
