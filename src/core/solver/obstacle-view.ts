import type { QuatLike, Vec3, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import { sweptBall } from '../obstacles/sweep.js'
import { quat, spin, unrotate } from '../math/quat.js'
import type { Footing } from './footing.js'
import { type BallHit, carryBack, type Hit, meetTurning, turnBy } from './meet-turning.js'
import { add, addScaled, copy, cross, dot, length, scale, sub, vec3 } from '../math/vec3.js'

/** Gradients below this count as 0. */
const FLAT = 1e-9

/** Corners lie on the ball that bounds a shape: it is enlarged by this share, because of rounding. */
const ROUNDING = 1e-6
const SQUARE_ROUNDING = 1e-14

const relativeCourse = vec3()
const point = vec3()
const gradient = vec3()
const swept = sweptBall()
const ballHit: BallHit = { radius: 0.5, horizon: 0.5, time: 0.5 }
const flown = vec3()

// The numbers below are chosen by hand unless they say otherwise.

/**
 * Share of the clearance that a chosen direction may use up: it lies on the outline itself, and must not
 * count as blocked by it.
 */
export const USED_CLEARANCE = 0.9

/**
 * Share of the distance to a near obstacle that the clearance may take: an obstacle nearer than the clearance
 * is passed, not fled from.
 */
const NEAR_SHARE = 0.9

/** A ball that touches a wall is swept along it with this share of its distance. */
const JUST_CLEAR = 0.999

/** The flight of the agent, in an object: numbers that are passed would be boxed. */
export interface Flight {
  /** m/s. */
  speed: number
  /** Distance (m) that the agent flies until it has turned; 0 where it is seen from its position only. */
  lag: number
}

/** Where an obstacle is, and how it moves. */
interface Motion {
  readonly position: Vec3Like
  readonly quaternion: QuatLike
  readonly velocity: Vec3Like
}

/** The balls that may touch it: a radius that is passed would be boxed. */
const HULL = 0
const PASSING = 1
const PASSING_HERE = 2
type Ball = typeof HULL | typeof PASSING | typeof PASSING_HERE

/** One obstacle as seen from one agent that chooses its direction. */
export class ObstacleView {
  obstacle: Obstacle
  /** Index of the constraint that added it. */
  owner = 0
  /** Distance (m) beyond which it blocks nothing. */
  horizon = 0.5
  /** Distance (m) between the hull and the surface, negative if they overlap; direction away. */
  clearance = 0.5
  readonly normal: Vec3 = vec3()
  /** Radius (m) of the ball that must pass it, for its outline. */
  outlineRadius = 0.5
  /** A wall that agents slide along: it influences the choice of a direction, but requires none. */
  isWall = false
  /** Whether it contains the goal: then it blocks no direction, and the agent only brakes for it. */
  holdsGoal = false
  /** Whether it is near: its views from the present position and from after turning both count. */
  isNear = false
  /** As `outlineRadius`, from the present position. Only if `isNear`. */
  outlineRadiusHere = 0.5
  readonly here: Vec3 = vec3()
  /** What `measure` finds from `here`, and whether it is known. */
  private clearanceHere = 0.5
  private readonly normalHere: Vec3 = vec3()
  private isKnownHere = false
  /** Clearance (m) to be kept where there is room. */
  wantedClearance = 0.5
  private passingRadius = 0.5
  private passingRadiusHere = 0.5
  /** Radius (m) of the ball that must never touch it. */
  hullRadius = 0.5
  /** Whether the obstacle moves or turns, and whether it turns. */
  isMoving = false
  isTurning = false
  /**
   * Position (m), attitude and velocity (m/s) of the obstacle; if it turns, of one that flies straight and
   * hits the agent as `findHit` has found: at the same time, in the same attitude, as fast at the contact.
   */
  shown: Motion
  private readonly straight = { position: vec3(), quaternion: quat(), velocity: vec3() }
  readonly hitNormal: Vec3 = vec3()
  private ballRadius = -1.5
  /** Radius (m) of a ball around its position that contains it. */
  private bound = 0.5
  /** The viewpoint, m. */
  readonly from: Vec3 = vec3()
  /** What the agent walks on, and by how much (m) the ball is moved for it, see `Footing`. */
  private footing: Footing | undefined
  private offset = 0.5
  private touchDistance = 0.5
  /** Distance (m) along a direction to where the obstacle is passed, see `measureAbreast`. */
  abreast = 0.5
  /** When (s) it hits the agent, see `foresee`; Infinity for one that lets it alone. */
  comesIn = 0.5
  /** Distance (m) to the tangent plane of a wall, see `measureWall`. */
  ahead = 0.5

  constructor(obstacle: Obstacle) {
    this.obstacle = obstacle
    this.shown = obstacle
  }

  set(obstacle: Obstacle, horizon: number, hull: number, clearance: number, footing?: Footing): void {
    this.obstacle = obstacle
    this.horizon = horizon
    this.holdsGoal = this.isWall = this.isKnownHere = this.isNear = false
    this.hullRadius = hull
    this.wantedClearance = clearance
    this.passingRadius = hull + USED_CLEARANCE * clearance
    const { x, y, z } = obstacle.velocity
    this.isTurning = obstacle.turns
    // read before the hit is known, so that V8 boxes nothing: `findHit` writes what is in it
    this.shown = this.isTurning ? this.straight : obstacle
    this.isMoving = this.isTurning || x !== 0 || y !== 0 || z !== 0
    this.ballRadius = obstacle.ballRadius
    this.bound = obstacle.ballRadius < 0 ? obstacle.boundingRadius : obstacle.ballRadius
    this.footing = footing?.isBound === true ? footing : undefined
    this.offset = this.footing === undefined ? 0 : this.footing.offset(obstacle)
  }

  /**
   * Measures it from `from`, where the agent will be when it has turned, and, if it is within the lag, from
   * `here`, where the agent is: a turn towards an obstacle that is passed a moment later would cut the
   * corner. The clearance shrinks where there is less space.
   */
  update(from: Vec3Like, here: Vec3Like, { lag }: Flight): void {
    this.measure(here)
    this.isNear = this.clearance < 2 * lag + this.wantedClearance
    const clearanceHere =
      NEAR_SHARE * Math.max(0, Math.min(this.clearance, this.wantedClearance / NEAR_SHARE))
    this.outlineRadiusHere = this.hullRadius + clearanceHere
    this.passingRadiusHere = this.hullRadius + USED_CLEARANCE * clearanceHere
    copy(this.here, this.from)
    copy(this.normalHere, this.normal)
    this.clearanceHere = this.clearance
    this.isKnownHere = true
    this.measure(from)
    const clearance = Math.min(this.wantedClearance, NEAR_SHARE * Math.max(0, this.clearance))
    this.outlineRadius = this.hullRadius + clearance
    this.passingRadius = this.hullRadius + USED_CLEARANCE * clearance
  }

  /** As `measure` from the position of the agent, from which `update` may have measured it. */
  measureHere(here: Vec3Like): void {
    if (!this.isKnownHere) return this.measure(here)
    copy(this.from, this.here)
    copy(this.normal, this.normalHere)
    this.clearance = this.clearanceHere
  }

  /** Makes a point the viewpoint. */
  moveTo(from: Vec3Like): void {
    if (this.footing === undefined) copy(this.from, from)
    else this.footing.raise(this.from, from, this.offset)
  }

  /** The same, and measures the clearance from there. */
  measure(from: Vec3Like): void {
    this.moveTo(from)
    if (this.ballRadius < 0) this.clearance = this.obstacle.distance(this.from, this.normal) - this.hullRadius
    else this.measureSphere(this.from)
  }

  /** As above for a ball, whose attitude does not matter: scenes have hundreds of balls. */
  private measureSphere(from: Vec3Like): void {
    const { position } = this.obstacle
    const { normal } = this
    const x = from.x - position.x
    const y = from.y - position.y
    const z = from.z - position.z
    const d = Math.sqrt(x * x + y * y + z * z)
    // below this distance its square underflows
    normal.x = d > 1e-140 ? x / d : 0
    normal.y = d > 1e-140 ? y / d : 1
    normal.z = d > 1e-140 ? z / d : 0
    this.clearance = d - this.ballRadius - this.hullRadius
  }

  /**
   * Whether no direction within `angle` (rad) of the unit `axis` can be blocked by it, at `speed` (m/s).
   * Computed for balls only; false for other shapes.
   */
  isAside(axis: Vec3Like, angle: number, speed: number): boolean {
    if (this.ballRadius < 0 || this.isNear || this.isTurning) return false
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

  /** Distance (m) from its position at which the agent passes it on any side. */
  get boundingDistance(): number {
    return this.bound + this.hullRadius + this.wantedClearance
  }

  get isBall(): boolean {
    return this.ballRadius >= 0
  }

  /** Whether the ball that bounds it contains a point (m). */
  mayContain(place: Vec3Like): boolean {
    const { position } = this.obstacle
    const x = place.x - position.x
    const y = place.y - position.y
    const z = place.z - position.z
    const reach = this.bound * (1 + ROUNDING)
    return !(x * x + y * y + z * z > reach * reach)
  }

  /** Whether the unit direction may meet it: it meets the ball that bounds it, or it moves. */
  mayMeet(direction: Vec3Like): boolean {
    if (this.isMoving || this.bound === Infinity) return true
    return (
      this.meetsBound(this.from, direction, this.outlineRadius) ||
      (this.isNear && this.meetsBound(this.here, direction, this.outlineRadiusHere))
    )
  }

  /** Whether a ball that flies from `from` along the unit direction meets the ball that bounds it. */
  private meetsBound(from: Vec3Like, { x, y, z }: Vec3Like, radius: number): boolean {
    const { position } = this.obstacle
    const cx = position.x - from.x
    const cy = position.y - from.y
    const cz = position.z - from.z
    const along = cx * x + cy * y + cz * z
    const sq = cx * cx + cy * cy + cz * cz
    const reach = (this.bound + radius) * (1 + ROUNDING)
    // far away the difference loses its digits
    return (along > 0 ? sq - along * along : sq) <= reach * reach + SQUARE_ROUNDING * sq
  }

  /** Distance (m) that the agent can fly along the unit direction before it must have turned. */
  distanceToOutline(direction: Vec3Like, flight: Flight): number {
    this.touch(direction, flight, PASSING)
    const distance = this.touchDistance
    if (!this.isNear) return distance
    this.touch(direction, flight, PASSING_HERE)
    return Math.min(distance, this.touchDistance)
  }

  /** Distance (m) along the direction until the hull of the agent touches. */
  distanceToHull(direction: Vec3Like, flight: Flight): number {
    this.touch(direction, flight, HULL)
    return this.touchDistance
  }

  /** Writes into `abreast` the distance (m) along the unit direction to where it is passed. */
  measureAbreast(direction: Vec3Like): void {
    const { from, horizon, obstacle } = this
    if (this.ballRadius >= 0) {
      const { position } = obstacle
      const x = (position.x - from.x) * direction.x
      this.abreast = Math.max(
        0,
        x + (position.y - from.y) * direction.y + (position.z - from.z) * direction.z,
      )
      return
    }
    let low = 0
    let high = horizon
    for (let i = 0; i < 10; i++) {
      const middle = (low + high) / 2
      obstacle.distance(addScaled(point, from, direction, middle), gradient)
      // along a flat side it is passed at the end of that side: rounding must not decide
      if (dot(gradient, direction) < FLAT) low = middle
      else high = middle
    }
    this.abreast = high
  }

  /** Distance (m) from its origin, along a unit direction in world axes, at which the agent passes it. */
  extent(direction: Vec3Like): number {
    unrotate(point, this.shown.quaternion, direction)
    return this.obstacle.shape.support(point) + this.hullRadius + this.wantedClearance
  }

  /**
   * Distance (m) until the hull touches if both keep their velocities; `relative` is the unit direction of
   * the agent's velocity relative to the obstacle's. Writes the normal of the surface there.
   */
  distanceToHit(relative: Vec3Like, limit: number, normal: Vec3): number {
    if (!this.meetsBound(this.from, relative, this.hullRadius)) return Infinity
    swept.radius = this.hullRadius
    swept.limit = limit
    this.sweep(this.from, relative)
    if (swept.distance < Infinity)
      this.obstacle.distance(addScaled(point, this.from, relative, swept.distance), normal)
    return swept.distance
  }

  /**
   * Writes into `hit` the time until the hull of an agent with this `velocity` (m/s) touches, if the obstacle
   * keeps its own.
   */
  findHit(velocity: Vec3Like, hit: Hit): void {
    if (this.isTurning) return this.findHitOfTurning(velocity, hit)
    const { from, obstacle } = this
    const { position, velocity: own } = obstacle
    const x = velocity.x - own.x
    const y = velocity.y - own.y
    const z = velocity.z - own.z
    const cx = position.x - from.x
    const cy = position.y - from.y
    const cz = position.z - from.z
    const speed = Math.sqrt(x * x + y * y + z * z)
    const approach = cx * x + cy * y + cz * z
    const reach = (this.bound + this.hullRadius) * speed
    hit.time = 1 / 0
    // most pass by, or are too far away: nothing is called for them
    if (!(approach > 0) || this.clearance > hit.horizon * speed) return
    const half = reach * reach - ((cx * cx + cy * cy + cz * cz) * speed * speed - approach * approach)
    if (!(half > -SQUARE_ROUNDING * reach * reach)) return
    scale(relativeCourse, sub(relativeCourse, velocity, own), 1 / speed)
    hit.time = this.distanceToHit(relativeCourse, speed * hit.horizon, gradient) / speed
  }

  /** As `findHit`. Writes the obstacle that flies straight, and the normal of the surface at the hit. */
  private findHitOfTurning(velocity: Vec3Like, hit: Hit): void {
    const { from, obstacle, straight, hitNormal } = this
    const { angularVelocity, origin, position } = obstacle
    ballHit.radius = this.hullRadius
    ballHit.horizon = hit.horizon
    meetTurning(obstacle, from, velocity, ballHit, this.footing)
    const time = (hit.time = ballHit.time)
    if (time === Infinity) return
    // the surface at the hit, seen from the origin of the obstacle
    addScaled(flown, from, velocity, time)
    const distance = obstacle.distance(carryBack(point, obstacle, flown, time), hitNormal)
    turnBy(hitNormal, angularVelocity, time)
    addScaled(flown, flown, hitNormal, -distance)
    addScaled(flown, sub(flown, flown, origin), obstacle.velocity, -time)
    add(straight.velocity, obstacle.velocity, cross(straight.velocity, angularVelocity, flown))
    turnBy(sub(straight.position, position, origin), angularVelocity, time)
    add(straight.position, straight.position, origin)
    addScaled(straight.position, straight.position, obstacle.velocity, time)
    addScaled(straight.position, straight.position, straight.velocity, -time)
    spin(straight.quaternion, obstacle.quaternion, angularVelocity, time)
  }

  /**
   * Writes into `ahead` the distance (m) between the hull and the tangent plane of a wall where the unit
   * direction meets it within the horizon, from the nearer viewpoint; Infinity if it does not. Writes the
   * normal of that plane. A hull that touches is swept as one that is just clear, so that the wall it slides
   * along does not hide others.
   */
  measureWall(direction: Vec3Like, normal: Vec3): void {
    const { from, here, hullRadius } = this
    swept.radius = Math.min(hullRadius, JUST_CLEAR * (this.clearance + hullRadius))
    swept.limit = this.horizon
    this.sweep(from, direction)
    this.ahead = 1 / 0
    if (!(swept.distance < Infinity)) return
    addScaled(point, from, direction, swept.distance)
    this.obstacle.distance(point, normal)
    const { x, y, z } = normal
    const steepness = direction.x * x + direction.y * y + direction.z * z
    this.ahead = swept.radius - hullRadius - swept.distance * steepness
    if (!this.isNear) return
    const nearer = (here.x - from.x) * x + (here.y - from.y) * y + (here.z - from.z) * z
    if (nearer < 0) this.ahead += nearer
  }

  private sweep(from: Vec3Like, direction: Vec3Like): void {
    if (this.footing === undefined) this.obstacle.sweepBall(from, direction, swept)
    else this.footing.sweepBall(this.obstacle, from, direction, swept)
  }

  /** Writes into `touchDistance` the distance (m) along the direction until a ball touches. */
  private touch(direction: Vec3Like, flight: Flight, ball: Ball): void {
    if (this.isTurning) this.touchTurning(direction, flight, ball)
    else this.touchStraight(direction, flight, ball)
  }

  private touchTurning(direction: Vec3Like, { speed }: Flight, ball: Ball): void {
    ballHit.radius =
      ball === HULL ? this.hullRadius : ball === PASSING ? this.passingRadius : this.passingRadiusHere
    ballHit.horizon = this.horizon / speed
    scale(flown, direction, speed)
    meetTurning(this.obstacle, ball === PASSING_HERE ? this.here : this.from, flown, ballHit, this.footing)
    this.touchDistance = speed * ballHit.time
  }

  private touchStraight({ x, y, z }: Vec3Like, { speed }: Flight, ball: Ball): void {
    this.touchDistance = Infinity
    const from = ball === PASSING_HERE ? this.here : this.from
    const radius =
      ball === HULL ? this.hullRadius : ball === PASSING ? this.passingRadius : this.passingRadiusHere
    let limit = this.horizon
    let pathRatio = 1
    if (this.isMoving) {
      const { velocity } = this.obstacle
      relativeCourse.x = x * speed - velocity.x
      relativeCourse.y = y * speed - velocity.y
      relativeCourse.z = z * speed - velocity.z
      const relative = length(relativeCourse)
      if (!(relative > 0)) return
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
    if (this.ballRadius < 0 || this.footing !== undefined) {
      if (!this.meetsBound(from, relativeCourse, radius)) return
      swept.radius = radius
      swept.limit = limit
      this.sweep(from, relativeCourse)
      this.touchDistance = swept.distance * pathRatio
      return
    }
    const { position } = this.obstacle
    const cx = position.x - from.x
    const cy = position.y - from.y
    const cz = position.z - from.z
    const along = cx * relativeCourse.x + cy * relativeCourse.y + cz * relativeCourse.z
    const reach = this.ballRadius + radius
    const half = reach * reach - (cx * cx + cy * cy + cz * cz - along * along)
    if (along <= 0 || half <= 0) return
    const hit = along - Math.sqrt(half)
    if (!(hit > limit)) this.touchDistance = Math.max(0, hit) * pathRatio
  }
}
