import type { FrameLike, Vec3Like } from '../types.js'
import type { ObstacleView } from './obstacle-view.js'
import { grown } from '../math/grown.js'
import type { OutlineSink } from '../obstacles/shape.js'
import { addScaled, dot, isZero, length, normalize, scale, set, vec3 } from '../math/vec3.js'

/**
 * A circle through the direction straight behind the agent is a line on the plane. It is replaced by a circle
 * with a radius of the inverse of this.
 */
const LEAST_DENOMINATOR = 1e-4

/** Circles that miss each other by less than this share count as touching. */
const TOUCHING = 1e-12

/** Arcs are longer by this share, so that rounding does not part the plane of an edge from its corner. */
const ROUNDING = 1e-6

const axis = vec3()

/**
 * The YZ plane of a local frame, with obstacles projected onto it as discs (Green, Obstacle Avoidance, in
 * 3D). Green projects along x, which shows where a cylinder ahead is blocked. Here directions are projected:
 * a direction at angle θ from the x axis to the distance tan(θ/2) from the origin (stereographic), so that
 * the outline of every ball is a true circle at any angle, also behind.
 */
export class Silhouettes implements OutlineSink {
  /**
   * `[3 × count]`: y and z of the centre, and the radius, which is negative if everything outside of the
   * circle is blocked.
   */
  data: Float64Array = new Float64Array(3 * 64)
  /**
   * `[3 × count]`: such a disc around the arc of each edge that counts. Its radius is infinite where all of
   * the edge counts.
   */
  private arcs: Float64Array = new Float64Array(3 * 64)
  count = 0
  /** `[count]`: the obstacle of each edge; new edges belong to `owner`. */
  readonly owners: (ObstacleView | null)[] = []
  owner: ObstacleView | null = null
  /** A point of the plane, and a second one: the results of `nearest`, `cross` and `crossAxis`. */
  y = 0.5
  z = 0.5
  otherY = 0.5
  otherZ = 0.5
  /** Of the circle or ball that is added next. Fields, as are the results: passed numbers are boxed. */
  cosine = 0.5
  radius = 0.5
  private frame: FrameLike | null = null

  /** Removes all discs. The x axis of the frame is the origin of the plane. */
  begin(frame: FrameLike): void {
    this.frame = frame
    this.count = 0
  }

  /** Whether `view` has an edge here. Behind the last edge are the owners of earlier ones. */
  has(view: ObstacleView): boolean {
    for (let i = 0; i < this.count; i++) if (this.owners[i] === view) return true
    return false
  }

  circle(axisX: number, axisY: number, axisZ: number, cosine: number): void {
    this.cosine = cosine
    this.add(set(axis, axisX, axisY, axisZ))
  }

  /** As `ballCone`, for most obstacles: without a call of `circle`, whose four numbers would be boxed. */
  ball({ x, y, z }: Vec3Like, from: Vec3Like): void {
    const { radius } = this
    const dx = x - from.x
    const dy = y - from.y
    const dz = z - from.z
    const d = Math.sqrt(dx * dx + dy * dy + dz * dz)
    if (!(d > radius)) return
    const sine = radius / d
    axis.x = dx / d
    axis.y = dy / d
    axis.z = dz / d
    this.cosine = Math.sqrt(1 - sine * sine)
    this.add(axis)
  }

  /** Adds the circle of directions u with u · center = `cosine`. */
  add(center: Vec3Like): void {
    const { count } = this
    if (3 * count === this.data.length) {
      this.data = grown(this.data, 6 * count)
      this.arcs = grown(this.arcs, 6 * count)
    }
    this.owners[count] = this.owner
    this.project(center, this.data, 3 * count)
    this.arcs[3 * count + 2] = Infinity
    this.count++
  }

  arc(a: Vec3Like, b: Vec3Like): void {
    const { arcs } = this
    const at = 3 * this.count - 3
    const toA = length(a)
    addScaled(axis, scale(axis, a, 1 / toA), b, 1 / length(b))
    if (isZero(normalize(axis, axis))) return
    // the two ends are a diameter of this cap, and the shorter arc lies within it
    this.cosine = Math.min(1, dot(axis, a) / toA)
    this.project(axis, arcs, at)
    const radius = arcs[at + 2]!
    arcs[at + 2] = radius < 0 ? Infinity : radius + ROUNDING * (1 + radius)
  }

  /** Writes the disc of the directions u with u · axis > `cosine`. */
  private project({ x: axisX, y: axisY, z: axisZ }: Vec3Like, out: Float64Array, at: number): void {
    const { cosine } = this
    const { x, y, z } = this.frame!
    const ahead = axisX * x.x + axisY * x.y + axisZ * x.z
    const sum = ahead + cosine
    // times a number: V8 boxes the sum beside a variable of a module, which may hold anything
    const denominator = Math.abs(sum) > LEAST_DENOMINATOR ? sum : (sum < 0 ? -1 : 1) * LEAST_DENOMINATOR
    const k = 1 / denominator
    // moving the circle away from the direction behind makes it a little wider or narrower
    const bent = denominator - ahead
    out[at] = (axisX * y.x + axisY * y.y + axisZ * y.z) * k
    out[at + 1] = (axisX * z.x + axisY * z.y + axisZ * z.z) * k
    out[at + 2] = Math.sqrt(Math.max(0, 1 - bent * bent)) * k
  }

  /** Lower bound of the distance (dimensionless) from the origin to what counts of edge i. */
  edgeDistance(i: number): number {
    const { arcs, data } = this
    const y = data[3 * i]!
    const z = data[3 * i + 1]!
    const edge = Math.abs(Math.sqrt(y * y + z * z) - Math.abs(data[3 * i + 2]!))
    const radius = arcs[3 * i + 2]!
    if (radius === Infinity) return edge
    const arcY = arcs[3 * i]!
    const arcZ = arcs[3 * i + 1]!
    return Math.max(edge, Math.sqrt(arcY * arcY + arcZ * arcZ) - radius)
  }

  /** Whether the arcs of edges i and j that count may cross. */
  mayCross(i: number, j: number): boolean {
    const { arcs } = this
    const reach = arcs[3 * i + 2]! + arcs[3 * j + 2]!
    if (reach === Infinity) return true
    const dy = arcs[3 * i]! - arcs[3 * j]!
    const dz = arcs[3 * i + 1]! - arcs[3 * j + 1]!
    return dy * dy + dz * dz <= reach * reach
  }

  /** Whether the point, which lies on edge i, lies on the arc of it that counts. */
  isOnArc(i: number): boolean {
    const { arcs } = this
    const radius = arcs[3 * i + 2]!
    if (radius === Infinity) return true
    const dy = this.y - arcs[3 * i]!
    const dz = this.z - arcs[3 * i + 1]!
    return dy * dy + dz * dz <= radius * radius
  }

  /**
   * Writes into `y` and `z` the point of edge i nearest to the origin. If the origin lies within the circle,
   * the point is moved towards (hintY, hintZ), by the length of that vector relative to 1; the hint decides
   * at the very centre. False if there is no such point.
   */
  nearest(i: number, hintY: number, hintZ: number): boolean {
    const y = this.data[3 * i]!
    const z = this.data[3 * i + 1]!
    const radius = Math.abs(this.data[3 * i + 2]!)
    const d = Math.sqrt(y * y + z * z)
    let ey = y
    let ez = z
    if (d < radius) {
      ey = hintY - y / radius
      ez = hintZ - z / radius
    }
    const far = Math.sqrt(ey * ey + ez * ez)
    if (!(far > 0)) return false
    ey /= far
    ez /= far
    // nearest crossing of the edge with the ray from the origin along e
    const along = ey * y + ez * z
    const root = Math.sqrt(Math.max(0, along * along + (radius - d) * (radius + d)))
    const t = d < radius ? along + root : along - root
    this.y = ey * t
    this.z = ez * t
    return true
  }

  /** Writes the two points where edge i crosses the z axis. False if it does not. */
  crossAxis(i: number): boolean {
    const y = this.data[3 * i]!
    const radius = this.data[3 * i + 2]!
    const half = radius * radius - y * y
    if (!(half >= 0)) return false
    const root = Math.sqrt(half)
    this.y = this.otherY = 0
    this.z = this.data[3 * i + 1]! - root
    this.otherZ = this.data[3 * i + 1]! + root
    return true
  }

  /** Moves the point to the second one. */
  takeOther(): void {
    this.y = this.otherY
    this.z = this.otherZ
  }

  /** Writes where edges i and j cross: `y`, `z`, `otherY`, `otherZ`. False if they do not cross. */
  cross(i: number, j: number): boolean {
    const { data } = this
    const y = data[3 * i]!
    const z = data[3 * i + 1]!
    const r = Math.abs(data[3 * i + 2]!)
    const s = Math.abs(data[3 * j + 2]!)
    const dy = data[3 * j]! - y
    const dz = data[3 * j + 1]! - z
    const sq = dy * dy + dz * dz
    const a = (sq + (r - s) * (r + s)) / 2
    const half = r * r * sq - a * a
    // the edge of a box and the corner where it ends touch by construction: rounding must not decide
    if (!(half > -TOUCHING * r * r * sq)) return false
    const k = a / sq
    const h = half > TOUCHING * r * r * sq ? Math.sqrt(half) / sq : 0
    this.y = y + k * dy - h * dz
    this.z = z + k * dz + h * dy
    this.otherY = y + k * dy + h * dz
    this.otherZ = z + k * dz - h * dy
    return true
  }
}
