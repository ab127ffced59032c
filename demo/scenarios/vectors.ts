import type { Quat, QuatLike, Vec3, Vec3Like } from 'three-steering'

/** Vectors as values, for scenes and measurements. Not for hot loops. */

export const ORIGIN: Vec3Like = Object.freeze({ x: 0, y: 0, z: 0 })

export function vec(x: number, y: number, z: number): Vec3 {
  return { x, y, z }
}

/** Returns a + b · k. */
export function plus(a: Vec3Like, b: Vec3Like, k = 1): Vec3 {
  return { x: a.x + b.x * k, y: a.y + b.y * k, z: a.z + b.z * k }
}

export function minus(a: Vec3Like, b: Vec3Like): Vec3 {
  return plus(a, b, -1)
}

export function times(a: Vec3Like, k: number): Vec3 {
  return { x: a.x * k, y: a.y * k, z: a.z * k }
}

export function inner(a: Vec3Like, b: Vec3Like): number {
  return a.x * b.x + a.y * b.y + a.z * b.z
}

export function outer(a: Vec3Like, b: Vec3Like): Vec3 {
  return { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x }
}

export function unit(a: Vec3Like): Vec3 {
  return times(a, 1 / Math.hypot(a.x, a.y, a.z))
}

/** `a` rotated by the unit quaternion `q`. */
export function turned(q: QuatLike, a: Vec3Like): Vec3 {
  const t = times(outer(q, a), 2)
  return plus(plus(a, t, q.w), outer(q, t))
}

export function conjugate({ x, y, z, w }: QuatLike): Quat {
  return { x: -x, y: -y, z: -z, w }
}

/** Rotation by `angle` (rad) about the unit `axis`. */
export function turnAbout(axis: Vec3Like, angle: number): Quat {
  return { ...times(axis, Math.sin(angle / 2)), w: Math.cos(angle / 2) }
}

/** Shortest rotation that takes +Y to the unit `up`. */
export function turnFromY(up: Vec3Like): Quat {
  if (up.y < -0.999999) return { x: 1, y: 0, z: 0, w: 0 }
  const w = Math.sqrt((1 + up.y) / 2)
  return { x: up.z / (2 * w), y: 0, z: -up.x / (2 * w), w }
}

/** A source of random numbers in [0, 1), for example `seeded(7)`. */
export type Random = () => number

/** Random number between `low` and `high`, both > 0, uniform in its logarithm. */
export function between(random: Random, low: number, high: number): number {
  return low * (high / low) ** random()
}

/** Random number between `low` and `high`, uniform. */
export function evenly(random: Random, low: number, high: number): number {
  return low + (high - low) * random()
}

/** Random unit vector, uniform on the sphere. */
export function direction(random: Random): Vec3 {
  const y = 2 * random() - 1
  const angle = 2 * Math.PI * random()
  const rim = Math.sqrt(1 - y * y)
  return { x: rim * Math.cos(angle), y, z: rim * Math.sin(angle) }
}

/** Random unit vector perpendicular to the unit `ahead`, uniform. */
export function aside(random: Random, ahead: Vec3Like): Vec3 {
  for (;;) {
    const across = outer(ahead, direction(random))
    if (Math.hypot(across.x, across.y, across.z) > 0.1) return unit(across)
  }
}

/** Random rotation, uniform (Shoemake 1992). */
export function anyTurn(random: Random): Quat {
  const share = random()
  const a = 2 * Math.PI * random()
  const b = 2 * Math.PI * random()
  const r = Math.sqrt(1 - share)
  const s = Math.sqrt(share)
  return { x: r * Math.sin(a), y: r * Math.cos(a), z: s * Math.sin(b), w: s * Math.cos(b) }
}

/** Shortest rotation that takes +Z to the unit `ahead`. */
export function turnFromZ(ahead: Vec3Like): Quat {
  if (ahead.z < -0.999999) return { x: 0, y: 1, z: 0, w: 0 }
  const w = Math.sqrt((1 + ahead.z) / 2)
  return { x: -ahead.y / (2 * w), y: ahead.x / (2 * w), z: 0, w }
}

/** The rotation `b`, followed by `a`. */
export function product(a: QuatLike, b: QuatLike): Quat {
  const v = plus(plus(times(b, a.w), a, b.w), outer(a, b))
  return { ...v, w: a.w * b.w - inner(a, b) }
}

/** Points on the unit sphere, spread evenly (Vogel's spiral), with a random rotation. */
export function spread(count: number, random: Random): Vec3Like[] {
  const turn = anyTurn(random)
  return Array.from({ length: count }, (_, i) => {
    const y = 1 - (2 * i + 1) / count
    const angle = i * Math.PI * (3 - Math.sqrt(5))
    const rim = Math.sqrt(1 - y * y)
    return turned(turn, vec(rim * Math.cos(angle), y, rim * Math.sin(angle)))
  })
}

/** Angular velocity of the small rotation from `a` to `b` (rad/s). */
export function spinBetween(a: Quat, b: Quat, dt: number): Vec3 {
  const side = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1 : 1
  return times(minus(plus(times(b, a.w), a, -b.w), outer(b, a)), (2 * side) / dt)
}
