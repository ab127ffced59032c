import type { Vec3, Vec3Like } from 'three-steering'

/** Greatest number of shots in the air. */
export const MAX_TRACERS = 384
/** Life time of a shot (s). */
const LIFE = 0.95

export interface Hit {
  readonly shooter: number
  readonly target: number
  readonly position: Vec3
}

/** Ball that can be hit: position and radius (m). Null for none. */
export type Ball = { readonly position: Vec3Like; readonly radius: number; readonly team: number } | null

/** Shots that fly straight. Kept in typed arrays; a new shot replaces the oldest. */
export class Tracers {
  /** `[3 × MAX_TRACERS]`: position (m) and velocity (m/s). */
  readonly position = new Float64Array(3 * MAX_TRACERS)
  readonly velocity = new Float64Array(3 * MAX_TRACERS)
  /** `[MAX_TRACERS]`: remaining life time (s). A shot with 0 or less is gone. */
  readonly left = new Float64Array(MAX_TRACERS)
  readonly team = new Int8Array(MAX_TRACERS)
  readonly #shooter = new Int16Array(MAX_TRACERS)
  fired = 0

  fire(shooter: number, team: number, from: Vec3Like, velocity: Vec3Like): void {
    const index = this.fired++ % MAX_TRACERS
    this.position.set([from.x, from.y, from.z], 3 * index)
    this.velocity.set([velocity.x, velocity.y, velocity.z], 3 * index)
    this.left[index] = LIFE
    this.team[index] = team
    this.#shooter[index] = shooter
  }

  /** Moves all shots, and reports those that come within a ball of the other team during the step. */
  step(dt: number, balls: readonly Ball[], onHit: (hit: Hit) => void): void {
    const { left, position: p, velocity: v } = this
    for (let index = 0; index < MAX_TRACERS; index++) {
      if (!(left[index]! > 0)) continue
      left[index]! -= dt
      const offset = 3 * index
      const from = { x: p[offset]!, y: p[offset + 1]!, z: p[offset + 2]! }
      const step = { x: v[offset]! * dt, y: v[offset + 1]! * dt, z: v[offset + 2]! * dt }
      p[offset] = from.x + step.x
      p[offset + 1] = from.y + step.y
      p[offset + 2] = from.z + step.z
      const target = balls.findIndex(
        (ball) =>
          ball !== null && ball.team !== this.team[index] && touches(from, step, ball.position, ball.radius),
      )
      if (target < 0) continue
      left[index] = 0
      onHit({
        shooter: this.#shooter[index]!,
        target,
        position: { x: p[offset], y: p[offset + 1]!, z: p[offset + 2]! },
      })
    }
  }
}

/** Whether the segment from `from` to `from + step` comes within `radius` of `center`. */
function touches(from: Vec3Like, step: Vec3Like, center: Vec3Like, radius: number): boolean {
  const x = center.x - from.x
  const y = center.y - from.y
  const z = center.z - from.z
  const sq = step.x * step.x + step.y * step.y + step.z * step.z
  const share = sq > 0 ? Math.min(1, Math.max(0, (x * step.x + y * step.y + z * step.z) / sq)) : 0
  return Math.hypot(x - step.x * share, y - step.y * share, z - step.z * share) <= radius
}
