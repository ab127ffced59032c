import { requireFinite, requireVector } from '../math/require.js'
import type { Vec3, Vec3Like } from '../types.js'
import type { OutlineSink, SweptBall } from './shape.js'
import { copy, length, set, vec3 } from '../math/vec3.js'
import { polytopeOutline } from './outline.js'
import { polytope, type Polytope } from './polytope.js'
import { ConvexShape } from './convex-shape.js'
import { CENTER, ROUNDING, sizeOf, sweepByBall, sweepConvex, TOUCH } from './sweep.js'
import { type OptionTable, readOptions } from '../math/options.js'

function requireExtents(what: string, extents: Vec3Like): Vec3Like {
  const { x, y, z } = requireVector(what, extents)
  requireFinite(`${what}.x`, x, 0, true)
  requireFinite(`${what}.y`, y, 0, true)
  requireFinite(`${what}.z`, z, 0, true)
  return extents
}

/** A box around the origin, with its faces across the axes. */
export class BoxShape extends ConvexShape {
  static readonly options = {
    halfExtents: { kind: 'vector', required: true, unit: 'm', check: requireExtents },
  } satisfies OptionTable<{ halfExtents: Vec3Like }>

  readonly kind = 'box'
  /** Half of the sizes along x, y and z, m, each > 0. */
  readonly halfExtents: Readonly<Vec3> = vec3()
  readonly faceNormals: ArrayLike<number> = FACE_NORMALS
  private readonly body: Polytope

  /**
   * `halfExtents` as `CANNON.Box` takes them: half of the sizes of a `THREE.BoxGeometry`.
   * @throws TypeError / RangeError naming the value.
   */
  constructor(halfExtents: Vec3Like) {
    super()
    readOptions('BoxShape', BoxShape.options, { halfExtents })
    copy(this.halfExtents, halfExtents)
    this.body = polytope(
      CORNERS.map((corner) => times(corner, halfExtents)),
      FACES,
    )
  }

  distance({ x, y, z }: Vec3Like, normal: Vec3): number {
    const { halfExtents } = this
    const signX = x < 0 ? -1 : 1
    const signY = y < 0 ? -1 : 1
    const signZ = z < 0 ? -1 : 1
    const dx = signX * x - halfExtents.x
    const dy = signY * y - halfExtents.y
    const dz = signZ * z - halfExtents.z
    if (dx > CENTER || dy > CENTER || dz > CENTER) {
      set(normal, dx > 0 ? signX * dx : 0, dy > 0 ? signY * dy : 0, dz > 0 ? signZ * dz : 0)
      const d = length(normal)
      normal.x /= d
      normal.y /= d
      normal.z /= d
      return d
    }
    if (dx >= dy && dx >= dz) {
      set(normal, signX, 0, 0)
      return dx
    }
    if (dy >= dz) {
      set(normal, 0, signY, 0)
      return dy
    }
    set(normal, 0, 0, signZ)
    return dz
  }

  override sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number {
    return sweepByBall(this, origin, direction, radius, limit)
  }

  /**
   * In closed form. Along the path the square of the distance is a quadratic function, until a coordinate
   * enters or leaves the slab between two faces. The path is followed from where it enters the box grown by
   * the radius, through at most six such places.
   * @internal
   */
  sweepBall(origin: Vec3Like, direction: Vec3Like, ball: SweptBall): void {
    const { halfExtents } = this
    const { limit, radius } = ball
    ball.distance = Infinity
    // not by a call for each axis: numbers that are passed are boxed where the call is not inlined
    START[0] = origin.x
    START[1] = origin.y
    START[2] = origin.z
    RATE[0] = direction.x
    RATE[1] = direction.y
    RATE[2] = direction.z
    HALF[0] = halfExtents.x
    HALF[1] = halfExtents.y
    HALF[2] = halfExtents.z
    let t = 0
    let end = Math.min(limit, FARTHEST)
    let sq = 0
    for (let i = 0; i < 3; i++) {
      // mirrored so that it grows
      const o = RATE[i]! < 0 ? -START[i]! : START[i]!
      const v = Math.abs(RATE[i]!) || 1 * TINY
      const h = HALF[i]!
      START[i] = o
      RATE[i] = v
      NEAR[i] = (-h - o) / v
      FAR[i] = (h - o) / v
      t = Math.max(t, (-h - radius - o) / v)
      end = Math.min(end, (h + radius - o) / v)
      sq += Math.max(0, Math.abs(o) - h) ** 2
    }
    if (!(t <= end)) return
    const size = sizeOf(origin, radius)
    if (!(Math.sqrt(sq) > radius + TOUCH * size)) {
      ball.distance = sweepConvex(this, origin, direction, radius, limit)
      return
    }
    while (t <= end) {
      let a = 0
      let b = 0
      let c = -radius * radius
      let next = Infinity
      for (let i = 0; i < 3; i++) {
        const isBefore = t < NEAR[i]!
        const change = isBefore ? NEAR[i]! : FAR[i]!
        if (change > t) {
          if (change < next) next = change
          if (!isBefore) continue
        }
        const v = RATE[i]!
        const excess = START[i]! + t * v + (isBefore ? HALF[i]! : -HALF[i]!)
        a += v * v
        b += excess * v
        c += excess * excess
      }
      const slack = ROUNDING * (size + t)
      if (c <= slack * (slack + 2 * radius)) {
        ball.distance = t
        return
      }
      const discriminant = b * b - a * c
      if (b < 0 && discriminant >= 0) {
        // of the two forms of the root the one without cancellation
        const hit = t + c / (Math.sqrt(discriminant) - b)
        if (hit <= next) {
          if (hit <= end) ball.distance = hit
          return
        }
      }
      t = next
    }
  }

  support({ x, y, z }: Vec3Like): number {
    const { halfExtents } = this
    return Math.abs(x) * halfExtents.x + Math.abs(y) * halfExtents.y + Math.abs(z) * halfExtents.z
  }

  outline(from: Vec3Like, radius: number, rim: OutlineSink): void {
    polytopeOutline(this.body, from, radius, rim)
  }
}

/** `[3 × 6]` */
const FACE_NORMALS: ArrayLike<number> = [-1, 0, 0, 0, -1, 0, 0, 0, -1, 1, 0, 0, 0, 1, 0, 0, 0, 1]
const CORNERS: readonly Vec3Like[] = [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
  vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1),
)
const FACES: readonly (readonly number[])[] = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
]

// Of the present sweep, for each axis: place and rate, half of the size of the box, and where the path
// enters and leaves the slab between its faces.
// A rate of 0 counts as `TINY`, and nothing is met beyond `FARTHEST`, where such a path would meet something.
const TINY = 1e-200
const FARTHEST = 1e100
const START = new Float64Array(3)
const RATE = new Float64Array(3)
const HALF = new Float64Array(3)
const NEAR = new Float64Array(3)
const FAR = new Float64Array(3)

function times(a: Vec3Like, b: Vec3Like): Vec3 {
  return vec3(a.x * b.x, a.y * b.y, a.z * b.z)
}
