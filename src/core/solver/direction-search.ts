import type { FrameLike, Quat, Vec3, Vec3Like } from '../types.js'
import type { OutlineSink } from '../obstacles/shape.js'
import { carryBack } from './meet-turning.js'
import type { Flight, ObstacleView } from './obstacle-view.js'
import { Silhouettes } from './silhouettes.js'
import type { VelocityProgram } from './velocity-program.js'
import { carryFrame, copyFrame, frame } from '../math/frame.js'
import { copyQuat, quat, rotate, spin } from '../math/quat.js'
import { arccos } from '../math/scalar.js'
import {
  addScaled,
  copy,
  cross,
  dot,
  isZero,
  length,
  normalize,
  reject,
  scale,
  set,
  vec3,
} from '../math/vec3.js'

// The numbers below are chosen by hand unless they say otherwise.

/**
 * Price (rad) of a direction that is blocked immediately, more than any turn. For an obstacle farther ahead
 * it is multiplied by the square of the missing share of its horizon.
 */
const BLOCKED_PRICE = 6

/** Price of turning away from the direction chosen last, per rad. Larger: fewer changes of side. */
const CHANGE_PRICE = 0.8

/** Share by which the exit from a disc is moved to the side that was chosen last. */
const HINT_SHARE = 0.1

/** An obstacle beyond this share of its horizon is not worth a turn. */
export const NEAR_SHARE = 0.9

/** An obstacle that is hit fewer radii than this before the goal blocks only in part. */
const GOAL_FADE_RADII = 2

/**
 * If more than this share of its horizon is missing in the best direction, directions that no outline
 * suggests are tried as well.
 */
const FAR_SHARE = 0.3

/** Slides along walls less than this share of the direction lead nowhere. */
const SLIDE_SHARE = 1e-6

/** Number of walls that are met one after the other: the three of a corner. */
const WALLS = 3

/** Half-spaces violated by less than this share of the speed block nothing: the agent hardly slows down. */
const SLACK = 0.05

/**
 * With more obstacles than this that are no balls, those at rest are not looked at one by one, and only the
 * outlines of a few are considered: a box has up to twenty edges and corners that a direction may pass.
 */
export const MANY_OBSTACLES = 24

/**
 * Among many obstacles the best direction is turned towards a better one until an obstacle stops it: in this
 * number of rounds. More: a better direction, at more cost.
 */
const ROUNDS = 4
/** Share of the angle by which it is turned at first. */
const FIRST_TURN = 1 / 32
/** Largest share of the angle by which it is turned at once. */
const LARGEST_TURN = 1 / 2
/** Number of turns of one round. */
const TRIES = 8

/** Rings of directions that are tried where outlines do not help: angles (rad) from the wanted direction. */
const RINGS: readonly number[] = [0.2, 0.45, 0.8, 1.2, 1.6, 2.2, 3]
/** Directions on each ring. More: narrower gaps are found, at more cost. */
const SPOKES = 12

const plane: { -readonly [K in keyof FrameLike]: Vec3 } = frame()
const silhouettes = new Silhouettes()
const candidate = vec3()
const turned = vec3()
const turnTarget = vec3()
const axis = vec3()
const arcStart = vec3()
const arcEnd = vec3()
const apparentFrom = vec3()
const slide = vec3()

/** Rotates the axes of an outline to world axes. */
const worldOutline: OutlineSink & { quaternion: Quat } = {
  quaternion: quat(),
  circle(x, y, z, cosine) {
    silhouettes.cosine = cosine
    silhouettes.add(rotate(axis, this.quaternion, set(axis, x, y, z)))
  },
  arc(a, b) {
    silhouettes.arc(rotate(arcStart, this.quaternion, a), rotate(arcEnd, this.quaternion, b))
  },
}

/**
 * Chooses the direction of flight: the free point nearest to the axis on the YZ plane of a frame whose x axis
 * is the wanted direction. All obstacles are projected onto this plane as discs. Candidates are the axis
 * itself, the point of each disc's edge nearest to it, and the points where two edges cross; each is tested
 * against all obstacles. Blocking is not binary, but a price that grows as the obstacle comes near, compared
 * with the price of turning. So the agent reacts over the whole horizon, and in a dead end the direction with
 * the longest free distance is chosen. Turning away from the last choice has a price as well, so the agent
 * does not alternate between two sides. For an agent that moves in a plane the candidates are the points
 * where the edges cross the z axis of the YZ plane.
 */
export class DirectionSearch {
  /** The best direction so far. */
  readonly direction: Vec3 = vec3()
  /** Of the last search of all: its YZ plane, and what it saw there. */
  readonly plane: FrameLike = plane
  readonly silhouettes: Silhouettes = silhouettes
  /**
   * The price (rad) of that direction. Beyond this angle to the wanted direction none is better, because the
   * price is at least the angle, however near the goal.
   */
  price = 0.5
  private violation = 0.5
  private readonly lastDirection: Vec3 = vec3()
  /** Views of the obstacles that matter. */
  private readonly views: ObstacleView[] = []
  private count = 0
  private readonly nearEdges: number[] = []
  /** `[≥ edges]`: their distances from the origin of the plane. */
  private offsets = new Float64Array(64)
  private readonly flight: Flight = { speed: 0.5, lag: 0.5 }
  /**
   * Of the direction that is considered, prices (rad): its angle to the wanted one, and its difference from
   * the last one. Fields, because numbers that are passed are boxed.
   */
  private turn = 0.5
  private change = 0.5
  /** The obstacle that blocks the best direction most. */
  private blocker: ObstacleView | null = null
  /** The obstacle because of which a direction was dropped last. */
  private lastBlocker: ObstacleView | null = null
  private goalDistance = 0.5
  /** Time (s) until the agent arrives at the obstacle that is projected. */
  private arrival = 0.5
  /** Whether there are more than `MANY_OBSTACLES`. */
  private isMany = false
  /** See `SearchContext`. */
  private findBlocker: SearchContext['findBlocker'] = null
  private program!: VelocityProgram

  /** @returns whether `direction` differs from the wanted one. */
  choose(
    context: SearchContext,
    views: readonly ObstacleView[],
    count: number,
    program: VelocityProgram,
  ): boolean {
    const { wantedDirection: wanted, lastDirection, velocity, from, goalDistance } = context
    this.count = 0
    this.program = program
    for (let i = 0; i < count; i++) {
      const view = views[i]!
      if (!view.holdsGoal && view.clearance < Math.min(NEAR_SHARE * view.horizon, goalDistance))
        this.views[this.count++] = view
    }
    this.flight.speed = context.speed
    this.goalDistance = goalDistance
    this.findBlocker = context.findBlocker
    this.isMany = this.findBlocker !== null || this.countAngular() > MANY_OBSTACLES
    copy(this.lastDirection, lastDirection)
    this.price = Infinity
    this.blocker = this.lastBlocker = null
    this.turn = 0
    this.measureChange(wanted)
    this.consider(wanted)
    silhouettes.begin(plane)
    carryFrame(copyFrame(plane, context.course), wanted)
    const isPlanar = !isZero(context.normal)
    if (isPlanar) cross(plane.z, plane.x, copy(plane.y, context.normal))
    if (this.violation === 0) {
      this.price = 0
      return false
    }
    const straight = this.price
    const hint = isZero(lastDirection) ? velocity : lastDirection
    this.turn = angleBetween(lastDirection, wanted)
    this.measureChange(lastDirection)
    if (!isZero(lastDirection)) this.consider(lastDirection)
    // first evade the blocking obstacle: obstacles that block no cheaper direction can then be left out
    const blocker = this.blocker as ObstacleView | null
    if (blocker !== null && (this.isMany || !blocker.isWall)) {
      this.project(blocker, from)
      this.considerEdges(hint, isPlanar)
    }
    if (this.isMany) {
      this.searchMany(wanted, from, hint, isPlanar)
      return this.price < straight
    }
    this.cull(wanted)
    silhouettes.begin(plane)
    for (let i = 0; i < this.count; i++) this.project(this.views[i]!, from)
    silhouettes.owner = null
    program.outline(silhouettes, this.flight.speed)
    this.considerEdges(hint, isPlanar)
    if (!isPlanar) this.considerCrossings(0)
    if (this.violation > FAR_SHARE) this.considerRings(isPlanar)
    return this.price < straight
  }

  /**
   * Among many obstacles: tries directions all around, and turns the best one towards the wanted one until an
   * obstacle stops it. The outline of that obstacle shows a better direction, and the best one is turned
   * towards that one next.
   */
  private searchMany(wanted: Vec3Like, from: Vec3Like, hint: Vec3Like, isPlanar: boolean): void {
    const start = silhouettes.count
    silhouettes.owner = null
    this.program.outline(silhouettes, this.flight.speed)
    this.considerEdges(hint, isPlanar, start)
    this.considerRings(isPlanar)
    copy(turnTarget, wanted)
    for (let round = 0; round < ROUNDS; round++) {
      const stopper = this.turnTo(turnTarget, wanted)
      if (stopper === null || silhouettes.has(stopper)) return
      const first = silhouettes.count
      this.project(stopper, from)
      this.considerEdges(hint, isPlanar, first)
      if (!isPlanar) this.considerCrossings(first)
      if (!this.aimAtEdge(first, stopper)) return
    }
  }

  /**
   * Turns the best direction towards `target` as long as that makes it better. Returns the obstacle that
   * stops it; null if none does.
   */
  private turnTo(target: Vec3Like, wanted: Vec3Like): ObstacleView | null {
    let share = FIRST_TURN
    let stopper: ObstacleView | null = null
    for (let i = 0; i < TRIES; i++) {
      const { price } = this
      scale(turned, this.direction, 1 - share)
      addScaled(turned, turned, target, share)
      if (isZero(normalize(turned, turned))) return null
      this.lastBlocker = null
      this.turn = angleBetween(turned, wanted)
      this.measureChange(turned)
      this.consider(turned)
      if (this.price < price) share = Math.min(4 * share, LARGEST_TURN)
      else {
        stopper = this.lastBlocker ?? stopper
        if (!(share > FIRST_TURN)) return stopper
        share /= 4
      }
    }
    return stopper
  }

  /**
   * Writes into `turnTarget` the direction nearest to the wanted one of the edges from `first` on that lie in
   * front of their obstacle. False if the best direction is as near.
   */
  private aimAtEdge(first: number, owner: ObstacleView): boolean {
    let least = this.price
    for (let i = first; i < silhouettes.count; i++) {
      if (!silhouettes.nearest(i, 0, 0)) continue
      const { y, z } = silhouettes
      const angle = 2 * Math.atan(Math.sqrt(y * y + z * z))
      if (!(angle < least)) continue
      toDirection(candidate, silhouettes)
      if (!owner.mayMeet(candidate)) continue
      least = angle
      copy(turnTarget, candidate)
    }
    return least < this.price
  }

  private countAngular(): number {
    let angular = 0
    for (let i = 0; i < this.count; i++) {
      const { isBall, isWall } = this.views[i]!
      if (!isBall && !isWall) angular++
    }
    return angular
  }

  /** Removes obstacles that cannot block any direction that is cheaper than the wanted one. */
  private cull(wanted: Vec3Like): void {
    let remaining = 0
    for (let i = 0; i < this.count; i++) {
      const view = this.views[i]!
      if (!view.isAside(wanted, this.price, this.flight.speed)) this.views[remaining++] = view
    }
    this.count = remaining
    this.lastBlocker = null
  }

  private project(view: ObstacleView, from: Vec3Like): void {
    if (view.isWall) return this.projectWall(view)
    const { obstacle, clearance, normal } = view
    const { velocity } = obstacle
    // its position when the agent arrives there
    const closing = this.flight.speed + dot(velocity, normal)
    const time = closing > 0 ? Math.max(0, clearance) / Math.max(closing, this.flight.speed / 4) : 0
    silhouettes.owner = view
    this.arrival = time
    if (view.isTurning) carryBack(apparentFrom, obstacle, from, time)
    else addScaled(apparentFrom, from, velocity, -time)
    silhouettes.radius = view.outlineRadius
    this.outline(view)
    if (!view.isNear) return
    if (view.isTurning) carryBack(apparentFrom, obstacle, view.here, time)
    else addScaled(apparentFrom, view.here, velocity, -time)
    silhouettes.radius = view.outlineRadiusHere
    this.outline(view)
  }

  /**
   * For an agent without a goal: adds the edges of the directions that meet a wall within its horizon. The
   * wall counts by its tangent planes where the wanted direction, and the slides along the wall from there,
   * meet it. So the turn grows from none as the agent nears the wall.
   */
  private projectWall(view: ObstacleView): void {
    if (this.goalDistance < Infinity) return
    silhouettes.owner = view
    copy(slide, plane.x)
    for (let i = 0; i < WALLS; i++) {
      view.measureWall(slide, axis)
      if (!(view.ahead < Infinity)) return
      reject(slide, slide, axis)
      silhouettes.cosine = view.ahead / view.horizon
      silhouettes.add(scale(axis, axis, -1))
      if (!(length(slide) > SLIDE_SHARE)) return
      normalize(slide, slide)
    }
  }

  /**
   * Adds the outline of an obstacle, grown by `silhouettes.radius` and seen from `apparentFrom`, as it will
   * have turned at the arrival.
   */
  private outline({ isTurning, obstacle }: ObstacleView): void {
    const { angularVelocity, ballRadius, position, quaternion } = obstacle
    if (ballRadius >= 0 && !isTurning) {
      silhouettes.radius += ballRadius
      return silhouettes.ball(position, apparentFrom)
    }
    copyQuat(worldOutline.quaternion, quaternion)
    if (isTurning) spin(worldOutline.quaternion, quaternion, angularVelocity, this.arrival)
    obstacle.outline(apparentFrom, silhouettes.radius, worldOutline)
  }

  /**
   * Considers the point of each disc's edge nearest to the axis; if the axis is within the disc, moved a
   * little towards the side of `hint`. In a plane, considers the points where the edges cross the z axis.
   * Only edges from `first` on.
   */
  private considerEdges(hint: Vec3Like, isPlanar: boolean, first = 0): void {
    if (isPlanar) return this.considerPlane(first)
    let y = dot(hint, plane.y)
    let z = dot(hint, plane.z)
    const side = Math.sqrt(y * y + z * z)
    y = side > 1e-6 ? (HINT_SHARE * y) / side : 1 * HINT_SHARE
    z = side > 1e-6 ? (HINT_SHARE * z) / side : 0
    for (let i = first; i < silhouettes.count; i++)
      if (silhouettes.nearest(i, y, z)) this.considerPoint(silhouettes.owners[i] ?? null, null)
  }

  private considerPlane(first: number): void {
    for (let i = first; i < silhouettes.count; i++)
      if (silhouettes.crossAxis(i)) {
        const owner = silhouettes.owners[i] ?? null
        this.considerPoint(owner, null)
        silhouettes.takeOther()
        this.considerPoint(owner, null)
      }
  }

  /** Considers the points where the edges of two discs cross, at least one of them from `first` on. */
  private considerCrossings(first: number): void {
    const { count, owners } = silhouettes
    const { nearEdges } = this
    if (this.offsets.length < count) this.offsets = new Float64Array(2 * count)
    const { offsets } = this
    // of hundreds of discs only few have an edge that is near enough
    let edgeCount = 0
    let price = this.price
    let radius = this.searchRadius()
    for (let i = 0; i < count; i++) {
      const offset = silhouettes.edgeDistance(i)
      if (!(offset < radius)) continue
      offsets[edgeCount] = offset
      nearEdges[edgeCount++] = i
    }
    for (let a = 0; a < edgeCount; a++) {
      if (offsets[a]! >= radius) continue
      const i = nearEdges[a]!
      for (let b = a + 1; b < edgeCount; b++) {
        if (this.price < price) {
          price = this.price
          radius = this.searchRadius()
          if (offsets[a]! >= radius) break
        }
        // both edges must be near, because a crossing lies on both
        if (offsets[b]! >= radius) continue
        const j = nearEdges[b]!
        if (j < first) continue
        if (!silhouettes.mayCross(i, j) || !silhouettes.cross(i, j)) continue
        const owner = owners[i] ?? owners[j] ?? null
        const second = owner === owners[i] ? (owners[j] ?? null) : null
        // on the circle of an edge, but off the outline of its obstacle, no free region has a corner
        if (silhouettes.isOnArc(i) && silhouettes.isOnArc(j)) this.considerPoint(owner, second)
        silhouettes.takeOther()
        if (silhouettes.isOnArc(i) && silhouettes.isOnArc(j)) this.considerPoint(owner, second)
      }
    }
  }

  /** Distance from the origin of the plane beyond which no point can be better than the best so far. */
  private searchRadius(): number {
    return Math.tan(Math.min(this.price, 3) / 2)
  }

  private considerRings(isPlanar: boolean): void {
    for (let ring = 0; ring < RINGS.length; ring++) {
      const angle = RINGS[ring]!
      if (angle >= this.price) return
      const off = Math.tan(angle / 2)
      if (isPlanar) {
        this.considerAt(0, off)
        this.considerAt(0, -off)
        continue
      }
      for (let i = 0; i < SPOKES; i++) {
        const turn = (2 * Math.PI * (i + (ring % 2) / 2)) / SPOKES
        this.considerAt(off * Math.cos(turn), off * Math.sin(turn))
      }
    }
  }

  private considerAt(y: number, z: number): void {
    silhouettes.y = y
    silhouettes.z = z
    this.considerPoint(null, null)
  }

  /**
   * Considers the direction of the point of the YZ plane in `silhouettes`, which lies on the edges of one or
   * two obstacles.
   */
  private considerPoint(first: ObstacleView | null, second: ObstacleView | null): void {
    const { goalDistance } = this
    const { y, z } = silhouettes
    const sq = y * y + z * z
    if (!(sq < Infinity)) return
    const angle = 2 * Math.atan(Math.sqrt(sq))
    if (angle >= this.price) return
    toDirection(candidate, silhouettes)
    this.turn = angle
    if (this.isMany && !(mayMeet(first, candidate) && mayMeet(second, candidate))) return
    this.measureChange(candidate)
    // a direction that is too expensive already is dropped: the next lines only add to its price
    if (angle + this.change >= this.price) return
    if (first !== null && goalDistance < Infinity) {
      if (this.isDropped(candidate)) return
      // the price is the mean of the turn now and the turn that is left where it passes the edge, which is
      // not smaller
      first.measureAbreast(candidate)
      let past = first.abreast
      if (second !== null) {
        second.measureAbreast(candidate)
        past = Math.max(past, second.abreast)
      }
      const k = 2 / (1 + sq)
      const away = goalDistance * (k - 1) - past
      const aside = goalDistance * k * Math.sqrt(sq)
      this.turn = (angle + Math.atan2(aside, away)) / 2
    }
    this.consider(candidate)
  }

  /** Writes the price (rad) of a direction that differs from the last one. */
  private measureChange(direction: Vec3Like): void {
    const { lastDirection } = this
    this.change = isZero(lastDirection) ? 0 : CHANGE_PRICE * angleBetween(direction, lastDirection)
  }

  /** Which share of the horizon of an obstacle is missing in this direction. */
  private violationOf(view: ObstacleView, direction: Vec3Like): number {
    const { goalDistance } = this
    const outlineDistance = view.distanceToOutline(direction, this.flight)
    if (outlineDistance >= view.horizon || outlineDistance >= goalDistance) return 0
    // fades out over the last few radii before the goal, which may lie within the clearance of an obstacle
    // behind it
    return (
      (1 - outlineDistance / view.horizon) *
      Math.min(1, (goalDistance - outlineDistance) / (GOAL_FADE_RADII * view.outlineRadius))
    )
  }

  /**
   * Whether a direction with at least the price of its turn and change is worse than the best because of the
   * obstacle that was in the way of another one before: most directions are.
   */
  private isDropped(direction: Vec3Like): boolean {
    const { lastBlocker } = this
    return (
      lastBlocker !== null &&
      this.turn + this.change + cost(this.violationOf(lastBlocker, direction), 0) >= this.price
    )
  }

  /** Considers a direction whose `turn` and `change` are known. */
  private consider(direction: Vec3Like): void {
    const { views, count, goalDistance } = this
    const { speed } = this.flight
    const price = this.turn + this.change
    if (price >= this.price) return
    let worst = 0
    let wallViolation = 0
    let blocker: ObstacleView | null = null
    if (this.isDropped(direction)) return
    for (let i = 0; i < count; i++) {
      const view = views[i]!
      const violation = this.violationOf(view, direction)
      if (!(violation > 0)) continue
      if (view.isWall && goalDistance < Infinity) wallViolation = Math.max(wallViolation, violation)
      else if (violation > worst) {
        worst = violation
        blocker = view
      }
      if (price + cost(worst, wallViolation) < this.price) continue
      this.lastBlocker = view
      return
    }
    if (this.findBlocker !== null) {
      const found = this.findBlocker(direction, goalDistance)
      if (found !== null) {
        this.views[this.count++] = found
        const violation = this.violationOf(found, direction)
        if (violation > worst) {
          worst = violation
          blocker = found
        }
        if (price + cost(worst, wallViolation) >= this.price) {
          this.lastBlocker = found
          return
        }
      }
    }
    const halfSpaceViolation = this.program.violationAt(direction, speed)
    const total =
      price +
      cost(worst, halfSpaceViolation > SLACK ? Math.max(wallViolation, halfSpaceViolation) : wallViolation)
    if (total >= this.price) return
    this.price = total
    this.violation = worst
    this.blocker = blocker
    copy(this.direction, direction)
  }
}

/** Writes the direction of a point of the YZ plane. */
function toDirection(out: Vec3, { y, z }: { readonly y: number; readonly z: number }): Vec3 {
  const k = 2 / (1 + (y * y + z * z))
  addScaled(out, plane.x, plane.x, k - 2)
  addScaled(out, out, plane.y, y * k)
  return addScaled(out, out, plane.z, z * k)
}

function angleBetween(a: Vec3Like, b: Vec3Like): number {
  return arccos(a.x * b.x + a.y * b.y + a.z * b.z)
}

/**
 * Price (rad) of a direction in which these shares of the horizons are missing, before obstacles and before a
 * wall.
 */
function cost(violation: number, wallViolation: number): number {
  return BLOCKED_PRICE * (violation > wallViolation ? violation : wallViolation) ** 2
}

/** Whether a direction may meet an obstacle, or there is none. */
function mayMeet(view: ObstacleView | null, direction: Vec3Like): boolean {
  return view === null || view.mayMeet(direction)
}

/** The inputs of a search for a direction. */
export interface SearchContext {
  /** Unit direction. */
  readonly wantedDirection: Vec3Like
  /** Direction chosen in the last step, or zero. */
  readonly lastDirection: Vec3Like
  /** Breaks ties: its y axis is the side that is taken if all sides are alike. */
  readonly course: FrameLike
  /** Present velocity (m/s): the side that is taken if no direction was chosen in the last step. */
  readonly velocity: Vec3Like
  /** Position of the agent when it has turned (m). */
  readonly from: Vec3Like
  /** Speed to fly at, m/s. */
  speed: number
  /** Distance to the goal (m), beyond which obstacles are ignored. */
  goalDistance: number
  /** Unit normal of the plane in which the direction must lie, and the wanted one does; 0 for none. */
  readonly normal: Vec3Like
  /**
   * Finds the first obstacle within a distance (m) along a unit direction of those that are too many to be
   * views from the start; null if there are no such obstacles.
   */
  findBlocker: ((direction: Vec3Like, limit: number) => ObstacleView | null) | null
}
