import fc, { toStringMethod, type Arbitrary } from 'fast-check'
import {
  BoxShape,
  CapsuleShape,
  CylinderShape,
  HalfSpaceShape,
  HollowShape,
  HullShape,
  Path,
  PathTube,
  PrismShape,
  SphereShape,
  type PlanPoint,
  type Shape,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { direction, minus, norm, number, plus, times, unit, v, vector } from '../support/geometry.js'

/** A shape, and its properties, independent of the source. */
export interface Known {
  readonly shape: Shape
  /** Whether a point is inside of the solid. */
  inside(point: Vec3Like): boolean
  /** A point of the surface from three numbers in [0, 1). */
  surface(a: number, b: number, c: number): Vec3
  /** Largest distance of the surface from the origin, m. */
  readonly size: number
  /** Its text when a law fails. */
  readonly [toStringMethod]: () => string
}

function known(name: string, all: Omit<Known, typeof toStringMethod>): Known {
  return { ...all, [toStringMethod]: () => name }
}

/** Sizes over four decades, round numbers often. */
export const extent: Arbitrary<number> = fc.oneof(
  fc.constantFrom(0.5, 1, 2),
  number(-1.5, 2.5).map((power) => 10 ** power),
)

export function knownSphere(r: number): Known {
  return known(`SphereShape(${JSON.stringify(r)})`, {
    shape: new SphereShape(r),
    inside: (p) => norm(p) < r,
    surface: (a, b) => times(onSphere(a, b), r),
    size: r,
  })
}

export function knownBox(h: Vec3Like): Known {
  return known(`BoxShape(${JSON.stringify(h)})`, {
    shape: new BoxShape(h),
    inside: ({ x, y, z }) => Math.abs(x) < h.x && Math.abs(y) < h.y && Math.abs(z) < h.z,
    surface: (a, b, c) => {
      const side = Math.floor(6 * a)
      const end = side % 2 === 0 ? 1 : -1
      const [p, q] = [2 * b - 1, 2 * c - 1]
      if (side < 2) return v(end * h.x, p * h.y, q * h.z)
      return side < 4 ? v(p * h.x, end * h.y, q * h.z) : v(p * h.x, q * h.y, end * h.z)
    },
    size: norm(h),
  })
}

export function knownCapsule(r: number, l: number): Known {
  const middle = ({ y }: Vec3Like): Vec3 => v(0, Math.max(-l / 2, Math.min(l / 2, y)), 0)
  return known(`CapsuleShape(${JSON.stringify(r)}, ${JSON.stringify(l)})`, {
    shape: new CapsuleShape(r, l),
    inside: (p) => norm(minus(p, middle(p))) < r,
    surface: (a, b, c) => {
      const n = onSphere(a, b)
      if (c < 0.5) return plus(times(n, r), v(0, (Math.sign(n.y) * l) / 2, 0))
      const out = unit(v(n.x, 0, n.z))
      return plus(times(out, r), v(0, (4 * c - 3) * (l / 2), 0))
    },
    size: r + l / 2,
  })
}

export function knownCylinder(r: number, h: number): Known {
  return known(`CylinderShape(${JSON.stringify(r)}, ${JSON.stringify(h)})`, {
    shape: new CylinderShape(r, h),
    inside: ({ x, y, z }) => Math.hypot(x, z) < r && Math.abs(y) < h / 2,
    surface: (a, b, c) => {
      const [x, z] = [Math.cos(2 * Math.PI * a), Math.sin(2 * Math.PI * a)]
      if (c < 0.4) return v(r * x, (2 * b - 1) * (h / 2), r * z)
      const far = r * Math.sqrt(b)
      return v(far * x, ((c < 0.7 ? 1 : -1) * h) / 2, far * z)
    },
    size: Math.hypot(r, h / 2),
  })
}

export function knownHalfSpace(normal: Vec3Like): Known {
  const n = unit(normal)
  return known(`HalfSpaceShape(${JSON.stringify(normal)})`, {
    shape: new HalfSpaceShape(normal),
    inside: (p) => n.x * p.x + n.y * p.y + n.z * p.z < 0,
    surface: (a, b, c) => {
      const p = times(onSphere(a, b), 200 * c)
      return plus(p, n, -(n.x * p.x + n.y * p.y + n.z * p.z))
    },
    size: 100,
  })
}

export function knownHollow(inner: Known): Known {
  return known(`hollow ${inner[toStringMethod]()}`, {
    ...inner,
    shape: new HollowShape(inner.shape),
    inside: (p) => !inner.inside(p),
  })
}

/**
 * A tube of radius `r` around two straights of length `l` with a quarter of a circle of radius 3·r between
 * them, which has its middle near the origin.
 */
export function knownTube(r: number, l: number): Known {
  const bend = 3 * r
  // one straight arrives along `a`, the other leaves along `b`
  const [a, b] = [v(1, 0, 0), v(0, 0.6, 0.8)]
  const center = times(minus(b, a), bend * Math.SQRT1_2)
  const from = plus(center, b, -bend)
  const to = plus(center, a, bend)
  const points = [plus(from, a, -l), plus(from, a, bend), plus(to, b, l)]
  const middle = (p: Vec3Like): Vec3 => {
    const [x, y] = [dot(minus(p, center), a), dot(minus(p, center), b)]
    const around = unit(plus(times(a, Math.max(x, 1e-300)), b, Math.min(y, -1e-300)))
    const feet = [
      plus(from, a, Math.min(0, Math.max(-l, dot(minus(p, from), a)))),
      plus(to, b, Math.max(0, Math.min(l, dot(minus(p, to), b)))),
      plus(center, around, bend),
    ]
    return feet.reduce((one, next) => (norm(minus(p, next)) < norm(minus(p, one)) ? next : one))
  }
  return known(`PathTube(${r}, ${l})`, {
    shape: new PathTube(new Path({ points, curve: 'arcs', radius: bend }), r),
    inside: (p) => norm(minus(p, middle(p))) > r,
    surface: (s, t, u) => {
      const n = onSphere(s, t)
      const side = cross(a, b)
      if (u < 0.2) return plus(plus(from, a, -l), dot(n, a) < 0 ? n : times(n, -1), r)
      if (u < 0.4) return plus(plus(to, b, l), dot(n, b) > 0 ? n : times(n, -1), r)
      const [c, d] = [Math.cos(2 * Math.PI * s), Math.sin(2 * Math.PI * s)]
      const [at, out] =
        u < 0.6
          ? [plus(from, a, -l * t), b]
          : u < 0.8
            ? [plus(to, b, l * t), a]
            : [center, plus(times(a, Math.sin((t * Math.PI) / 2)), b, -Math.cos((t * Math.PI) / 2))]
      const ring = plus(times(out, c * r), side, d * r)
      return plus(plus(at, out, u < 0.8 ? 0 : bend), ring)
    },
    size: norm(points[0]!) + norm(points[2]!) + r,
  })
}

type Triangle = readonly [number, number, number]

/**
 * Triangles of the convex hull of points in general position, counterclockwise: every plane through three
 * points that has all others below.
 */
export function hullTriangles(points: readonly Vec3Like[]): Triangle[] {
  const found: Triangle[] = []
  for (let a = 0; a < points.length; a++)
    for (let b = 0; b < points.length; b++)
      for (let c = 0; c < points.length; c++) {
        // each triangle once, starting with its lowest index
        if (a >= b || a >= c || b === c) continue
        const n = cross(minus(points[b]!, points[a]!), minus(points[c]!, points[a]!))
        if (points.every((p, i) => i === a || i === b || i === c || dot(n, minus(p, points[a]!)) < 0))
          found.push([a, b, c])
      }
  return found
}

/** A convex polyhedron with its vertices on an ellipsoid, anywhere. */
export function knownHull(directions: readonly Vec3Like[], half: Vec3Like, center: Vec3Like): Known {
  const vertices = directions.map((d) => plus(v(d.x * half.x, d.y * half.y, d.z * half.z), center))
  const faces = hullTriangles(vertices)
  const planes = faces.map(([a, b, c]) => {
    const n = unit(cross(minus(vertices[b]!, vertices[a]!), minus(vertices[c]!, vertices[a]!)))
    return { n, height: dot(n, vertices[a]!) }
  })
  return known(
    `HullShape(${JSON.stringify(directions)}, ${JSON.stringify(half)}, ${JSON.stringify(center)})`,
    {
      shape: new HullShape({ vertices, faces }),
      inside: (p) => planes.every(({ n, height }) => dot(n, p) < height),
      surface: (a, b, c) => {
        const [i, j, k] = faces[Math.floor(a * faces.length)]!
        const [p, q] = b + c > 1 ? [1 - b, 1 - c] : [b, c]
        return plus(plus(plus(times(vertices[i]!, 1 - p - q), vertices[j]!, p), vertices[k]!, q), v(0, 0, 0))
      },
      size: Math.max(...vertices.map(norm)),
    },
  )
}

/** An extruded polygon; a point is inside if a ray from it crosses an odd number of edges. */
export function knownPrism(corners: readonly PlanPoint[], height: number): Known {
  const edges = corners.map((a, i) => [a, corners[(i + 1) % corners.length]!] as const)
  const isOver = (x: number, z: number): boolean =>
    edges.filter(([a, b]) => a.z > z !== b.z > z && x < a.x + ((z - a.z) / (b.z - a.z)) * (b.x - a.x))
      .length %
      2 ===
    1
  const [lowX, highX, lowZ, highZ] = [
    Math.min(...corners.map(({ x }) => x)),
    Math.max(...corners.map(({ x }) => x)),
    Math.min(...corners.map(({ z }) => z)),
    Math.max(...corners.map(({ z }) => z)),
  ]
  return known(`PrismShape(${JSON.stringify(corners)}, ${JSON.stringify(height)})`, {
    shape: new PrismShape(corners, height),
    inside: ({ x, y, z }) => y > 0 && y < height && isOver(x, z),
    surface: (a, b, c) => {
      const random = seeded(Math.floor(a * 1e9))
      const tries = c < 0.4 ? 100 : 0
      for (let i = 0; i < tries; i++) {
        const [x, z] = [lowX + random() * (highX - lowX), lowZ + random() * (highZ - lowZ)]
        if (isOver(x, z)) return v(x, c < 0.2 ? 0 : height, z)
      }
      const [from, to] = edges[Math.floor(a * edges.length)]!
      return v(from.x + b * (to.x - from.x), c * height, from.z + b * (to.z - from.z))
    },
    size: Math.max(...corners.map(({ x, z }) => Math.hypot(x, height, z))),
  })
}

/** Corners of an ellipse around a point, in either direction of rotation. */
const convexPlan: Arbitrary<PlanPoint[]> = fc
  .tuple(fc.integer({ min: 3, max: 9 }), fc.nat(), number(0.5, 5), number(0.5, 5), vector(0.4))
  .map(([count, seed, halfX, halfZ, { x, z }]) => {
    const random = seeded(seed)
    const plan = Array.from({ length: count }, (_, i) => {
      const angle = ((i + 0.8 * random()) / count) * 2 * Math.PI
      return { x: x + halfX * Math.cos(angle), z: z + halfZ * Math.sin(angle) }
    })
    return seed % 2 === 0 ? plan : plan.reverse()
  })

const points = (...numbers: number[]): PlanPoint[] =>
  Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i]!, z: numbers[2 * i + 1]! }))

/** Floor plans that are not convex: with right angles, straight corners, teeth, and a spiral. */
export const PLANS: Readonly<Record<string, readonly PlanPoint[]>> = {
  ell: points(0, 0, 4, 0, 4, 1, 1, 1, 1, 3, 0, 3),
  yard: points(-3, -2, 3, -2, 3, 4, 2, 4, 2, -1, -2, -1, -2, 4, -3, 4),
  cross: points(1, 0, 2, 0, 2, 1, 3, 1, 3, 2, 2, 2, 2, 3, 1, 3, 1, 2, 0, 2, 0, 1, 1, 1),
  comb: points(0, 0, 7, 0, 7, 2, 6, 2, 5.5, 0.5, 5, 2, 4, 2, 3.5, 0.5, 3, 2, 2, 2, 1, 0.5, 1, 2, 0, 2),
  spiral: points(0, 0, 6, 0, 6, 5, 1, 5, 1, 2, 4, 2, 4, 3, 2, 3, 2, 4, 5, 4, 5, 1, 0, 1),
  arrow: points(0, 0, 3, -2, 1, 0, 3, 2),
}

/** Polygons that are not convex: stars around a point, and the plans above, turned and mirrored. */
const concavePlan: Arbitrary<PlanPoint[]> = fc
  .tuple(fc.integer({ min: 5, max: 11 }), fc.nat(), number(0, 6.3), number(0.3, 3))
  .map(([count, seed, turn, scale]) => {
    const random = seeded(seed)
    const plans = Object.values(PLANS)
    const star = Array.from({ length: count }, (_, i) => {
      const angle = ((i + 0.8 * random()) / count) * 2 * Math.PI
      const far = i % 2 === 0 ? 2 + random() : 0.3 + random()
      return { x: far * Math.cos(angle), z: far * Math.sin(angle) }
    })
    const plan = seed % 2 === 0 ? star : plans[Math.floor(seed / 2) % plans.length]!
    // half of the plans stay along the axes
    const [cosine, sine] = seed % 3 === 0 ? [1, 0] : [Math.cos(turn), Math.sin(turn)]
    const turned = plan.map(({ x, z }) => ({
      x: scale * (cosine * x - sine * z),
      z: scale * (sine * x + cosine * z),
    }))
    return seed % 5 < 2 ? turned.reverse() : turned
  })

/** Points spread over the unit sphere, but not evenly. */
const hullCorners: Arbitrary<Vec3[]> = fc
  .tuple(fc.integer({ min: 5, max: 14 }), fc.nat())
  .map(([count, seed]) => {
    const random = seeded(seed)
    const jitter = (): number => (random() - 0.5) * 0.6
    return Array.from({ length: count }, (_, i) => {
      const even = onSphere((i + 0.5) / count, (i * 0.618034) % 1)
      return unit(plus(even, v(jitter(), jitter(), jitter()), 1 / Math.sqrt(count)))
    })
  })

export const halves: Arbitrary<Vec3> = fc.record({ x: extent, y: extent, z: extent })

const sphere = extent.map(knownSphere)
const box = halves.map(knownBox)
const capsule = fc.tuple(extent, extent).map(([r, l]) => knownCapsule(r, l))
const cylinder = fc.tuple(extent, extent).map(([r, h]) => knownCylinder(r, h))
const hull = fc
  .tuple(hullCorners, fc.record({ x: number(0.5, 5), y: number(0.5, 5), z: number(0.5, 5) }), vector(3))
  .map(([directions, half, center]) => knownHull(directions, half, center))
const prism = fc.tuple(convexPlan, number(0.3, 6)).map(([corners, height]) => knownPrism(corners, height))
/** Solid, bounded and not convex. */
export const concavePrism: Arbitrary<Known> = fc
  .tuple(concavePlan, number(0.3, 6))
  .map(([corners, height]) => knownPrism(corners, height))
const halfSpace = direction().map(knownHalfSpace)

/** Arbitrary shapes by name; those in `bounded` are convex and bounded. */
export const bounded: Readonly<Record<string, Arbitrary<Known>>> = {
  sphere,
  box,
  capsule,
  cylinder,
  hull,
  prism,
}
export const hollow: Readonly<Record<string, Arbitrary<Known>>> = Object.fromEntries(
  Object.entries(bounded).map(([name, each]) => [`hollow ${name}`, each.map(knownHollow)]),
)
export const convex: Readonly<Record<string, Arbitrary<Known>>> = { ...bounded, 'half-space': halfSpace }
export const all: Readonly<Record<string, Arbitrary<Known>>> = {
  ...convex,
  ...hollow,
  'concave prism': concavePrism,
  'hollow path': fc.tuple(extent, extent).map(([r, l]) => knownTube(r, l)),
}

/** A point inside or around a shape, as a share of its size; often on its axes and faces. */
export const spot: Arbitrary<Vec3> = fc.record({ x: part(), y: part(), z: part() })

function part(): Arbitrary<number> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(0, 1, -1, 0.5) },
    { weight: 6, arbitrary: number(-2.5, 2.5) },
  )
}

function onSphere(a: number, b: number): Vec3 {
  const y = 2 * a - 1
  const k = Math.sqrt(1 - y * y)
  return v(k * Math.cos(2 * Math.PI * b), y, k * Math.sin(2 * Math.PI * b))
}

function dot(a: Vec3Like, b: Vec3Like): number {
  return a.x * b.x + a.y * b.y + a.z * b.z
}

function cross(a: Vec3Like, b: Vec3Like): Vec3 {
  return v(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
