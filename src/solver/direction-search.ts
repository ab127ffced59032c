import type { DebugDraw, FrameLike, Quat, Vec3, Vec3Like } from '../types.js'
import type { OutlineSink } from '../obstacles/shape.js'
import type { ObstacleView } from './obstacle-view.js'
import { Silhouettes } from './silhouettes.js'
import type { VelocityProgram } from './velocity-program.js'
import { traceDirectionSearch } from './trace-direction-search.js'
import { carryFrame, copyFrame, frame } from '../math/frame.js'
import { copyQuat, quat, rotate } from '../math/quat.js'
import { arccos } from '../math/scalar.js'
import { addScaled, copy, dot, isZero, set, vec3 } from '../math/vec3.js'

/** Price (rad) of a way that is blocked at once; it falls with the square of the way that is free. More than any turn. */
const BLOCKED = 6

/** Price of turning away from the direction chosen last, per rad. */
const CHANGE = 0.8

/** Share by which the side that was chosen last draws the exit from a disc. */
const PULL = 0.1

/** What is farther than this share of its horizon blocks nothing worth a turn. */
const NEAR_SHARE = 0.9

/** What ends fewer radii than this before the goal blocks it only in part. */
const GOAL_FADE_RADII = 2

/** When the best way ends within this share of its horizon, directions that no outline names are tried as well. */
const FAR_SHARE = 0.3

/** Half-spaces that lack less than this share of the speed bar nothing: the agent hardly slows down. */
const SLACK = 0.05

/** Directions tried where outlines do not help: rings about the wanted one. */
const RINGS: readonly number[] = [0.2, 0.45, 0.8, 1.2, 1.6, 2.2, 3]
const SPOKES = 12

const plane: { -readonly [K in keyof FrameLike]: Vec3 } = frame()
const silhouettes = new Silhouettes()
const candidate = vec3()
const axis = vec3()
const apparentFrom = vec3()

/** Turns the axes of an outline to world axes. */
const worldOutline: OutlineSink & { quaternion: Quat } = {
  quaternion: quat(),
  circle(x, y, z, cosine) {
    rotate(axis, this.quaternion, set(axis, x, y, z))
    silhouettes.circle(axis.x, axis.y, axis.z, cosine)
  },
}

/**
 * Chooses the direction to fly: the free point nearest to the axis on the YZ plane of a frame whose x axis is the wanted direction, on
 * which all obstacles are projected as discs. Candidates are the axis itself, the point of each disc's edge nearest to it, and
 * the points where two edges cross; each is tested against all obstacles. Being blocked is not yes or no, but a price that
 * grows as the obstacle comes near, set against the price of turning: so the answer comes over the whole horizon, and in a pocket
 * the way that is free longest wins. Turning away from the last choice costs, too: no dithering between two sides.
 */
export class DirectionSearch {
  /** The best direction so far. */
  readonly direction: Vec3 = vec3()
  private price = 0
  private violation = 0
  private readonly lastDirection: Vec3 = vec3()
  /** Those that matter. */
  private readonly views: ObstacleView[] = []
  private count = 0
  private readonly nearEdges: number[] = []
  private speed = 0
  /** What blocks the best direction most. */
  private blocker: ObstacleView | null = null
  private goalDistance = 0
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
    this.speed = context.speed
    this.goalDistance = goalDistance
    copy(this.lastDirection, lastDirection)
    this.price = Infinity
    this.consider(wanted.x, wanted.y, wanted.z, 0)
    silhouettes.begin(plane)
    carryFrame(copyFrame(plane, context.course), wanted)
    if (this.violation === 0) {
      this.price = 0
      return false
    }
    const straight = this.price
    const hint = isZero(lastDirection) ? velocity : lastDirection
    if (!isZero(lastDirection))
      this.consider(lastDirection.x, lastDirection.y, lastDirection.z, angleBetween(lastDirection, wanted))
    // first past what is in the way; what matters for nothing cheaper can be left out
    if (this.blocker !== null) this.project(this.blocker, from)
    this.considerEdges(hint)
    this.cull(wanted)
    silhouettes.begin(plane)
    for (let i = 0; i < this.count; i++) this.project(this.views[i]!, from)
    silhouettes.owner = null
    program.outline(silhouettes, this.speed)
    this.considerEdges(hint)
    this.considerCrossings()
    if (this.violation > FAR_SHARE) this.considerRings()
    return this.price < straight
  }

  /** Drops what cannot block any direction that is cheaper than the wanted one. */
  private cull(wanted: Vec3Like): void {
    let remaining = 0
    for (let i = 0; i < this.count; i++)
      if (!this.views[i]!.isAside(wanted, this.price, this.speed)) this.views[remaining++] = this.views[i]!
    this.count = remaining
  }

  /** Draws the plane of the last choice, `distance` (m) ahead of `from`. */
  trace(draw: DebugDraw, from: Vec3Like, distance: number): void {
    traceDirectionSearch(draw, from, plane, silhouettes.data, silhouettes.count, this.direction, distance)
  }

  private project(view: ObstacleView, from: Vec3Like): void {
    const { obstacle, clearance, normal } = view
    const { velocity, quaternion } = obstacle
    copyQuat(worldOutline.quaternion, quaternion)
    // where it will be when the agent is there
    const closing = this.speed + dot(velocity, normal)
    const time = closing > 0 ? Math.max(0, clearance) / Math.max(closing, this.speed / 4) : 0
    if (view.isWall) return
    silhouettes.owner = view
    obstacle.outline(addScaled(apparentFrom, from, velocity, -time), view.outlineRadius, worldOutline)
    if (view.isNear)
      obstacle.outline(
        addScaled(apparentFrom, view.here, velocity, -time),
        view.outlineRadiusHere,
        worldOutline,
      )
  }

  /** The point of each disc's edge nearest to the axis; from within a disc, drawn a little towards the side of `hint`. */
  private considerEdges(hint: Vec3Like): void {
    let y = dot(hint, plane.y)
    let z = dot(hint, plane.z)
    const side = Math.sqrt(y * y + z * z)
    y = side > 1e-6 ? (PULL * y) / side : PULL
    z = side > 1e-6 ? (PULL * z) / side : 0
    for (let i = 0; i < silhouettes.count; i++)
      if (silhouettes.nearest(i, y, z))
        this.considerPoint(silhouettes.y, silhouettes.z, silhouettes.owners[i] ?? null, null)
  }

  /** The points where the edges of two discs cross. */
  private considerCrossings(): void {
    const { count, owners } = silhouettes
    const { nearEdges } = this
    // of hundreds of discs few have an edge near enough
    let edgeCount = 0
    for (let i = 0; i < count; i++)
      if (silhouettes.edgeDistance(i) < this.searchRadius()) nearEdges[edgeCount++] = i
    for (let a = 0; a < edgeCount; a++) {
      const i = nearEdges[a]!
      if (silhouettes.edgeDistance(i) >= this.searchRadius()) continue
      for (let b = a + 1; b < edgeCount; b++) {
        const j = nearEdges[b]!
        if (!silhouettes.cross(i, j)) continue
        const { otherY, otherZ } = silhouettes
        const first = owners[i] ?? owners[j] ?? null
        const second = first === owners[i] ? (owners[j] ?? null) : null
        this.considerPoint(silhouettes.y, silhouettes.z, first, second)
        this.considerPoint(otherY, otherZ, first, second)
      }
    }
  }

  /** Angle (rad) to the wanted direction beyond which none is better than the best: none costs less than the angle, however near the goal. */
  priceBound(): number {
    return this.price
  }

  /** Distance from the origin of the plane beyond which no point can be better than the best so far. */
  private searchRadius(): number {
    return Math.tan(Math.min(this.priceBound(), 3) / 2)
  }

  private considerRings(): void {
    for (let ring = 0; ring < RINGS.length; ring++) {
      const angle = RINGS[ring]!
      if (angle >= this.price) return
      const off = Math.tan(angle / 2)
      for (let i = 0; i < SPOKES; i++) {
        const turn = (2 * Math.PI * (i + (ring % 2) / 2)) / SPOKES
        this.considerPoint(off * Math.cos(turn), off * Math.sin(turn), null, null)
      }
    }
  }

  /** Considers the direction of a point of the YZ plane, on the edges of one or two bars. */
  private considerPoint(y: number, z: number, first: ObstacleView | null, second: ObstacleView | null): void {
    const { goalDistance } = this
    const sq = y * y + z * z
    if (!(sq < Infinity)) return
    let angle = 2 * Math.atan(Math.sqrt(sq))
    if (angle >= this.price) return
    const k = 2 / (1 + sq)
    addScaled(candidate, plane.x, plane.x, k - 2)
    addScaled(candidate, candidate, plane.y, y * k)
    addScaled(candidate, candidate, plane.z, z * k)
    if (first !== null && goalDistance < Infinity) {
      // what is too dear already need not be looked at closer: what follows makes it no cheaper
      if (angle + this.changePrice(candidate.x, candidate.y, candidate.z) >= this.price) return
      // half of the turn now, and half of the one that is left where it passes the edge: that is no less
      const past = Math.max(
        first.distanceAbreast(candidate),
        second === null ? 0 : second.distanceAbreast(candidate),
      )
      const away = goalDistance * (k - 1) - past
      const aside = goalDistance * k * Math.sqrt(sq)
      angle = (angle + Math.atan2(aside, away)) / 2
    }
    this.consider(candidate.x, candidate.y, candidate.z, angle)
  }

  /** Price (rad) of another direction than the last. */
  private changePrice(x: number, y: number, z: number): number {
    const { lastDirection } = this
    return isZero(lastDirection)
      ? 0
      : CHANGE * arccos(x * lastDirection.x + y * lastDirection.y + z * lastDirection.z)
  }

  private consider(x: number, y: number, z: number, angle: number): void {
    const { views, count, goalDistance, speed } = this
    const price = angle + this.changePrice(x, y, z)
    if (price >= this.price) return
    let worst = 0
    let wallViolation = 0
    let blocker: ObstacleView | null = null
    for (let i = 0; i < count; i++) {
      const view = views[i]!
      const outlineDistance = view.distanceToOutline(x, y, z, speed)
      if (outlineDistance >= view.horizon || outlineDistance >= goalDistance) continue
      // fades in over the last few radii before the goal, which may lie in the margin of what is behind it
      const violation =
        (1 - outlineDistance / view.horizon) *
        Math.min(1, (goalDistance - outlineDistance) / (GOAL_FADE_RADII * view.outlineRadius))
      if (view.isWall && goalDistance < Infinity) wallViolation = Math.max(wallViolation, violation)
      else if (violation > worst) {
        worst = violation
        blocker = view
      }
      if (price + cost(worst, wallViolation) >= this.price) return
    }
    const halfSpaceViolation = this.program.violationAt(x, y, z, speed)
    const total =
      price +
      cost(worst, halfSpaceViolation > SLACK ? Math.max(wallViolation, halfSpaceViolation) : wallViolation)
    if (total >= this.price) return
    this.price = total
    this.violation = worst
    this.blocker = blocker
    set(this.direction, x, y, z)
  }
}

function angleBetween(a: Vec3Like, b: Vec3Like): number {
  return arccos(a.x * b.x + a.y * b.y + a.z * b.z)
}

/** Price (rad) of a way that lacks these shares of its horizons before what bars it and before a wall. */
function cost(violation: number, wallViolation: number): number {
  return BLOCKED * Math.max(violation, wallViolation) ** 2
}

/** What a direction is chosen for. */
export interface SearchContext {
  /** Unit direction. */
  readonly wantedDirection: Vec3Like
  /** Chosen in the last step, or zero. */
  readonly lastDirection: Vec3Like
  /** Breaks ties: its y axis is the side taken where all are alike. */
  readonly course: FrameLike
  /** Velocity now: the side taken where nothing was chosen in the last step. */
  readonly velocity: Vec3Like
  /** Where the agent will be when it has turned, m. */
  readonly from: Vec3Like
  /** Speed to fly at, m/s. */
  speed: number
  /** Way (m) to the goal, beyond which nothing matters. */
  goalDistance: number
}
