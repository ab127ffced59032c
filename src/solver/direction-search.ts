import type { DebugDraw, FrameLike, Quat, Vec3, Vec3Like } from '../types.js'
import type { OutlineSink } from '../obstacles/shape.js'
import type { ObstacleView } from './obstacle-view.js'
import { Silhouettes } from './silhouettes.js'
import type { VelocityProgram } from './velocity-program.js'
import { traceHeading } from './trace-direction-search.js'
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
const NEAR = 0.9

/** What ends fewer radii than this before the goal blocks it only in part. */
const GOAL_ROOM = 2

/** When the best way ends within this share of its horizon, directions that no outline names are tried as well. */
const FAR = 0.3

/** Half-spaces that lack less than this share of the speed bar nothing: the agent hardly slows down. */
const SLACK = 0.05

/** Directions tried where outlines do not help: rings about the wanted one. */
const RINGS: readonly number[] = [0.2, 0.45, 0.8, 1.2, 1.6, 2.2, 3]
const SPOKES = 12

const plane: { -readonly [K in keyof FrameLike]: Vec3 } = frame()
const discs = new Silhouettes()
const aim = vec3()
const axis = vec3()
const seen = vec3()

/** Turns the axes of an outline to world axes. */
const turned: OutlineSink & { quaternion: Quat } = {
  quaternion: quat(),
  circle(x, y, z, cosine) {
    rotate(axis, this.quaternion, set(axis, x, y, z))
    discs.circle(axis.x, axis.y, axis.z, cosine)
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
  private readonly last: Vec3 = vec3()
  /** Those that matter. */
  private readonly views: ObstacleView[] = []
  private count = 0
  private readonly edged: number[] = []
  private speed = 0
  /** What blocks the best direction most. */
  private blocker: ObstacleView | null = null
  private reach = 0
  private program!: VelocityProgram

  /** @returns whether `direction` differs from the wanted one. */
  choose(
    outlook: SearchContext,
    bars: readonly ObstacleView[],
    count: number,
    program: VelocityProgram,
  ): boolean {
    const {
      wantedDirection: wanted,
      lastDirection: last,
      velocity: motion,
      from,
      goalDistance: reach,
    } = outlook
    this.count = 0
    this.program = program
    for (let i = 0; i < count; i++) {
      const bar = bars[i]!
      if (!bar.holdsGoal && bar.clearance < Math.min(NEAR * bar.horizon, reach))
        this.views[this.count++] = bar
    }
    this.speed = outlook.speed
    this.reach = reach
    copy(this.last, last)
    this.price = Infinity
    this.consider(wanted.x, wanted.y, wanted.z, 0)
    discs.begin(plane)
    carryFrame(copyFrame(plane, outlook.course), wanted)
    if (this.violation === 0) {
      this.price = 0
      return false
    }
    const straight = this.price
    const hint = isZero(last) ? motion : last
    if (!isZero(last)) this.consider(last.x, last.y, last.z, angleBetween(last, wanted))
    // first past what is in the way; what matters for nothing cheaper can be left out
    if (this.blocker !== null) this.project(this.blocker, from)
    this.edges(hint)
    this.cull(wanted)
    discs.begin(plane)
    for (let i = 0; i < this.count; i++) this.project(this.views[i]!, from)
    discs.owner = null
    program.outline(discs, this.speed)
    this.edges(hint)
    this.crossings()
    if (this.violation > FAR) this.fan()
    return this.price < straight
  }

  /** Drops what cannot block any direction that is cheaper than the wanted one. */
  private cull(wanted: Vec3Like): void {
    let kept = 0
    for (let i = 0; i < this.count; i++)
      if (!this.views[i]!.isAside(wanted, this.price, this.speed)) this.views[kept++] = this.views[i]!
    this.count = kept
  }

  /** Draws the plane of the last choice, `distance` (m) ahead of `from`. */
  trace(draw: DebugDraw, from: Vec3Like, distance: number): void {
    traceHeading(draw, from, plane, discs.data, discs.count, this.direction, distance)
  }

  private project(bar: ObstacleView, from: Vec3Like): void {
    const { obstacle, clearance: gap, normal } = bar
    const { velocity, quaternion } = obstacle
    copyQuat(turned.quaternion, quaternion)
    // where it will be when the agent is there
    const closing = this.speed + dot(velocity, normal)
    const time = closing > 0 ? Math.max(0, gap) / Math.max(closing, this.speed / 4) : 0
    if (bar.isWall) return
    discs.owner = bar
    obstacle.outline(addScaled(seen, from, velocity, -time), bar.outline, turned)
    if (bar.isNear) obstacle.outline(addScaled(seen, bar.here, velocity, -time), bar.outlineHere, turned)
  }

  /** The point of each disc's edge nearest to the axis; from within a disc, drawn a little towards the side of `hint`. */
  private edges(hint: Vec3Like): void {
    let y = dot(hint, plane.y)
    let z = dot(hint, plane.z)
    const side = Math.sqrt(y * y + z * z)
    y = side > 1e-6 ? (PULL * y) / side : PULL
    z = side > 1e-6 ? (PULL * z) / side : 0
    for (let i = 0; i < discs.count; i++)
      if (discs.nearest(i, y, z)) this.point(discs.y, discs.z, discs.owners[i] ?? null, null)
  }

  /** The points where the edges of two discs cross. */
  private crossings(): void {
    const { count, owners } = discs
    const { edged } = this
    // of hundreds of discs few have an edge near enough
    let kept = 0
    for (let i = 0; i < count; i++) if (discs.off(i) < this.worth()) edged[kept++] = i
    for (let a = 0; a < kept; a++) {
      const i = edged[a]!
      if (discs.off(i) >= this.worth()) continue
      for (let b = a + 1; b < kept; b++) {
        const j = edged[b]!
        if (!discs.cross(i, j)) continue
        const { otherY, otherZ } = discs
        const one = owners[i] ?? owners[j] ?? null
        const other = one === owners[i] ? (owners[j] ?? null) : null
        this.point(discs.y, discs.z, one, other)
        this.point(otherY, otherZ, one, other)
      }
    }
  }

  /** Angle (rad) to the wanted direction beyond which none is better than the best: none costs less than the angle, however near the goal. */
  bound(): number {
    return this.price
  }

  /** Distance from the origin of the plane beyond which no point can be better than the best so far. */
  private worth(): number {
    return Math.tan(Math.min(this.bound(), 3) / 2)
  }

  private fan(): void {
    for (let ring = 0; ring < RINGS.length; ring++) {
      const angle = RINGS[ring]!
      if (angle >= this.price) return
      const off = Math.tan(angle / 2)
      for (let i = 0; i < SPOKES; i++) {
        const turn = (2 * Math.PI * (i + (ring % 2) / 2)) / SPOKES
        this.point(off * Math.cos(turn), off * Math.sin(turn), null, null)
      }
    }
  }

  /** Considers the direction of a point of the YZ plane, on the edges of one or two bars. */
  private point(y: number, z: number, one: ObstacleView | null, other: ObstacleView | null): void {
    const { reach } = this
    const sq = y * y + z * z
    if (!(sq < Infinity)) return
    let angle = 2 * Math.atan(Math.sqrt(sq))
    if (angle >= this.price) return
    const k = 2 / (1 + sq)
    addScaled(aim, plane.x, plane.x, k - 2)
    addScaled(aim, aim, plane.y, y * k)
    addScaled(aim, aim, plane.z, z * k)
    if (one !== null && reach < Infinity) {
      // what is too dear already need not be looked at closer: what follows makes it no cheaper
      if (angle + this.change(aim.x, aim.y, aim.z) >= this.price) return
      // half of the turn now, and half of the one that is left where it passes the edge: that is no less
      const past = Math.max(one.abreast(aim), other === null ? 0 : other.abreast(aim))
      const away = reach * (k - 1) - past
      const aside = reach * k * Math.sqrt(sq)
      angle = (angle + Math.atan2(aside, away)) / 2
    }
    this.consider(aim.x, aim.y, aim.z, angle)
  }

  /** Price (rad) of another direction than the last. */
  private change(x: number, y: number, z: number): number {
    const { last } = this
    return isZero(last) ? 0 : CHANGE * arccos(x * last.x + y * last.y + z * last.z)
  }

  private consider(x: number, y: number, z: number, angle: number): void {
    const { views: bars, count, reach, speed } = this
    const price = angle + this.change(x, y, z)
    if (price >= this.price) return
    let worst = 0
    let wall = 0
    let blocker: ObstacleView | null = null
    for (let i = 0; i < count; i++) {
      const bar = bars[i]!
      const way = bar.distanceToOutline(x, y, z, speed)
      if (way >= bar.horizon || way >= reach) continue
      // fades in over the last few radii before the goal, which may lie in the margin of what is behind it
      const lack = (1 - way / bar.horizon) * Math.min(1, (reach - way) / (GOAL_ROOM * bar.outline))
      if (bar.isWall && reach < Infinity) wall = Math.max(wall, lack)
      else if (lack > worst) {
        worst = lack
        blocker = bar
      }
      if (price + cost(worst, wall) >= this.price) return
    }
    const barred = this.program.violationAt(x, y, z, speed)
    const whole = price + cost(worst, barred > SLACK ? Math.max(wall, barred) : wall)
    if (whole >= this.price) return
    this.price = whole
    this.violation = worst
    this.blocker = blocker
    set(this.direction, x, y, z)
  }
}

function angleBetween(a: Vec3Like, b: Vec3Like): number {
  return arccos(a.x * b.x + a.y * b.y + a.z * b.z)
}

/** Price (rad) of a way that lacks these shares of its horizons before what bars it and before a wall. */
function cost(lack: number, wall: number): number {
  return BLOCKED * Math.max(lack, wall) ** 2
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
