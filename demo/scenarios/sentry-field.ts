import { Body, Sphere, Vec3 } from 'cannon-es'
import { Path, type Vec3Like } from 'three-steering'
import { distance } from './metrics.js'
import { aside, direction, evenly, inner, minus, plus, times, vec, type Random } from './vectors.js'

/** Rocks lie between these distances from the station, and within this height above and below it (m). */
const INNER = 64
const OUTER = 190
const HIGH = 42
const SMALLEST = 2.2
const LARGEST = 8.5
/** Clearance between rocks, and around a beacon (m). */
const GAP = 11
const BEACON_CLEARANCE = 16

/** Number of beacons, and radius of their ring around the station (m). */
const BEACONS = 5
const RING = 106

/** Radius of the first guard's round, and increment for each further guard (m). */
const ROUND = 66
const ROUND_APART = 5

export interface Boulder {
  readonly body: Body
  readonly radius: number
}

/** Positions of the beacons, the targets of the raiders. */
export function makeBeacons(random: Random): Vec3Like[] {
  return Array.from({ length: BEACONS }, (_, k) => {
    const angle = ((k + 0.3 * random()) / BEACONS) * 2 * Math.PI
    return vec(RING * Math.sin(angle), evenly(random, -16, 20), RING * Math.cos(angle))
  })
}

/** Rotating rocks at fixed positions. They are kinematic, so nothing moves them. */
export function makeBoulders(random: Random, count: number, beacons: readonly Vec3Like[]): Boulder[] {
  const boulders: Boulder[] = []
  for (let tries = 0; boulders.length < count && tries < 100 * count; tries++) {
    const share = 1 - boulders.length / count
    const radius = SMALLEST + (LARGEST - SMALLEST) * share ** 2.5 * evenly(random, 0.7, 1)
    const far = evenly(random, INNER + radius, OUTER)
    const place = times(direction(random), far)
    if (Math.abs(place.y) > HIGH) continue
    if (beacons.some((beacon) => distance(beacon, place) < radius + BEACON_CLEARANCE)) continue
    if (boulders.some(({ body, radius: other }) => distance(body.position, place) < radius + other + GAP))
      continue
    const body = new Body({ type: Body.KINEMATIC, shape: new Sphere(radius), allowSleep: false })
    body.position.set(place.x, place.y, place.z)
    const { x, y, z } = direction(random)
    body.angularVelocity.copy(new Vec3(x, y, z).scale(0.2 / Math.sqrt(radius)))
    boulders.push({ body, radius })
  }
  return boulders
}

/** The round of guard `k` around the station, each in its own plane. */
export function makeRound(random: Random, k: number): Path {
  const axis = vec(evenly(random, -0.32, 0.32), k % 2 === 0 ? 1 : -1, evenly(random, -0.32, 0.32))
  const up = times(axis, 1 / Math.hypot(axis.x, axis.y, axis.z))
  const right = aside(random, up)
  const ahead = vec(
    up.y * right.z - up.z * right.y,
    up.z * right.x - up.x * right.z,
    up.x * right.y - up.y * right.x,
  )
  const radius = ROUND + ROUND_APART * k
  const points = Array.from({ length: 10 }, (_, i) => {
    const angle = (i / 10) * 2 * Math.PI
    const there = plus(times(right, radius * Math.cos(angle)), ahead, radius * Math.sin(angle))
    return plus(there, up, evenly(random, -7, 7))
  })
  return new Path({ points, ends: 'closed' })
}

/** Whether a sphere hides one point from the other. */
export function isHidden(from: Vec3Like, to: Vec3Like, { x, y, z }: Vec3Like, radius: number): boolean {
  const segment = minus(to, from)
  const offset = minus({ x, y, z }, from)
  const share = Math.min(1, Math.max(0, inner(offset, segment) / Math.max(1e-9, inner(segment, segment))))
  return distance(plus(from, segment, share), { x, y, z }) < radius
}
