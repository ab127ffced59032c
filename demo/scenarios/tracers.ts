import type { Vec3, Vec3Like } from 'three-steering'

/** Shots in the air at a time. */
export const ROOM = 384
/** A shot is seen, and hits, for so long, s. */
const LIFE = 0.95

export interface Hit {
  readonly shooter: number
  readonly target: number
  readonly position: Vec3
}

/** Balls that can be hit: place and radius, m. Null where there is none. */
export type Ball = { readonly position: Vec3Like; readonly radius: number; readonly team: number } | null

/** Shots that fly straight. Kept in columns of which the oldest is used again. */
export class Tracers {
  /** `[3 × ROOM]`, m and m/s. */
  readonly position = new Float64Array(3 * ROOM)
  readonly velocity = new Float64Array(3 * ROOM)
  /** `[ROOM]`, time left, s; 0 or less: none. */
  readonly left = new Float64Array(ROOM)
  readonly team = new Int8Array(ROOM)
  readonly #shooter = new Int16Array(ROOM)
  fired = 0

  fire(shooter: number, team: number, from: Vec3Like, velocity: Vec3Like): void {
    const index = this.fired++ % ROOM
    this.position.set([from.x, from.y, from.z], 3 * index)
    this.velocity.set([velocity.x, velocity.y, velocity.z], 3 * index)
    this.left[index] = LIFE
    this.team[index] = team
    this.#shooter[index] = shooter
  }

  /** Moves all shots on, and tells of those that come within a ball of the other team on the way. */
  step(dt: number, balls: readonly Ball[], onHit: (hit: Hit) => void): void {
    const { left, position: p, velocity: v } = this
    for (let index = 0; index < ROOM; index++) {
      if (!(left[index]! > 0)) continue
      left[index]! -= dt
      const at = 3 * index
      const from = { x: p[at]!, y: p[at + 1]!, z: p[at + 2]! }
      const way = { x: v[at]! * dt, y: v[at + 1]! * dt, z: v[at + 2]! * dt }
      p[at] = from.x + way.x
      p[at + 1] = from.y + way.y
      p[at + 2] = from.z + way.z
      const target = balls.findIndex(
        (ball) =>
          ball !== null && ball.team !== this.team[index] && touches(from, way, ball.position, ball.radius),
      )
      if (target < 0) continue
      left[index] = 0
      onHit({ shooter: this.#shooter[index]!, target, position: { x: p[at], y: p[at + 1]!, z: p[at + 2]! } })
    }
  }
}

/** Whether the stretch `way` from `from` comes within `radius` of `center`. */
function touches(from: Vec3Like, way: Vec3Like, center: Vec3Like, radius: number): boolean {
  const x = center.x - from.x
  const y = center.y - from.y
  const z = center.z - from.z
  const sq = way.x * way.x + way.y * way.y + way.z * way.z
  const share = sq > 0 ? Math.min(1, Math.max(0, (x * way.x + y * way.y + z * way.z) / sq)) : 0
  return Math.hypot(x - way.x * share, y - way.y * share, z - way.z * share) <= radius
}
