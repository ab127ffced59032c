import { Ray, RaycastResult, type Body } from 'cannon-es'
import type { Vec3, Vec3Like } from 'three-steering'
import { inner, minus, plus, vec } from './vectors.js'

/** Greatest number of shots in the air. */
export const MAX_TRACERS = 384
/** Life time of a shot (s). */
const LIFE = 0.95

export interface Hit {
  readonly shooter: number
  /** Index of the ball, or −1 for a shot that has come to the end of its way. */
  readonly target: number
  readonly position: Vec3
}

/** Ball that can be hit: position and radius (m). Null for none. */
export type Ball = {
  readonly position: Vec3Like
  readonly radius: number
  readonly team: number
  /** A body within the ball that stops the shots of its own team, except for its own. Default: they pass. */
  readonly hull?: Body
} | null

/** Shots that fly straight. Kept in typed arrays; a new shot replaces the oldest. */
export class Tracers {
  /** `[3 × MAX_TRACERS]`: position (m) and velocity (m/s). */
  readonly position = new Float64Array(3 * MAX_TRACERS)
  readonly velocity = new Float64Array(3 * MAX_TRACERS)
  /** `[MAX_TRACERS]`: remaining life time (s). A shot with 0 or less is gone. */
  readonly left = new Float64Array(MAX_TRACERS)
  readonly team = new Int8Array(MAX_TRACERS)
  readonly #shooter = new Int16Array(MAX_TRACERS)
  /** Whether something is at the end of its way. */
  readonly #ends = new Uint8Array(MAX_TRACERS)
  fired = 0

  /** `end`: time (s) after which the shot meets something at rest. */
  fire(shooter: number, team: number, from: Vec3Like, velocity: Vec3Like, end = Infinity): void {
    const index = this.fired++ % MAX_TRACERS
    this.position.set([from.x, from.y, from.z], 3 * index)
    this.velocity.set([velocity.x, velocity.y, velocity.z], 3 * index)
    this.left[index] = Math.min(LIFE, end)
    this.#ends[index] = end < LIFE ? 1 : 0
    this.team[index] = team
    this.#shooter[index] = shooter
  }

  /**
   * Moves all shots. Reports those that enter a ball of the other team during the step, meet a hull of their
   * own, or come to their end. A shot enters one ball at most: the first on its way.
   */
  step(dt: number, balls: readonly Ball[], onHit: (hit: Hit) => void): void {
    const { left, position: p, team, velocity: v } = this
    for (let index = 0; index < MAX_TRACERS; index++) {
      if (!(left[index]! > 0)) continue
      const offset = 3 * index
      const from = vec(p[offset]!, p[offset + 1]!, p[offset + 2]!)
      const time = Math.min(dt, left[index]!)
      const way = vec(v[offset]! * time, v[offset + 1]! * time, v[offset + 2]! * time)
      left[index]! -= dt
      const shooter = this.#shooter[index]!
      let first = Infinity
      let target = -1
      for (let k = 0; k < balls.length; k++) {
        const ball = balls[k]
        if (!ball) continue
        const isOwn = ball.team === team[index]
        if (isOwn && (ball.hull === undefined || k === shooter)) continue
        let share = entryOf(from, way, ball.position, ball.radius)
        if (isOwn && share < first) share = meeting(from, plus(from, way), [ball.hull!])
        if (share >= first) continue
        first = share
        target = k
      }
      const { x, y, z } = plus(from, way, Math.min(1, first))
      p[offset] = x
      p[offset + 1] = y
      p[offset + 2] = z
      if (target < 0 && (left[index]! > 0 || this.#ends[index] === 0)) continue
      left[index] = 0
      onHit({ shooter, target, position: { x, y, z } })
    }
  }
}

/** Share of the way at which a point is within `radius` of `center` for the first time, or infinity. */
function entryOf(from: Vec3Like, way: Vec3Like, center: Vec3Like, radius: number): number {
  const x = center.x - from.x
  const y = center.y - from.y
  const z = center.z - from.z
  const outside = x * x + y * y + z * z - radius * radius
  if (outside <= 0) return 0
  const along = x * way.x + y * way.y + z * way.z
  const sq = inner(way, way)
  const root = along * along - sq * outside
  if (along <= 0 || root < 0) return Infinity
  const share = (along - Math.sqrt(root)) / sq
  return share <= 1 ? share : Infinity
}

const ray = new Ray()
ray.mode = Ray.CLOSEST
const met = new RaycastResult()

/** Share of the line `from` … `to` at which it meets the first of these bodies, or infinity. */
export function meeting(from: Vec3Like, to: Vec3Like, bodies: Body[]): number {
  ray.from.set(from.x, from.y, from.z)
  ray.to.set(to.x, to.y, to.z)
  met.reset()
  ray.intersectBodies(bodies, met)
  if (!met.hasHit) return Infinity
  const line = minus(to, from)
  return met.distance / Math.sqrt(inner(line, line))
}
