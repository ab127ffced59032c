import type { Vec3Like } from '../../types.js'
import { dot, lengthSq } from '../../math/vec3.js'

/** Time (s) to come to rest after `distance` (m), starting with `along` (m/s), with so much thrust and brakes (m/s²), no faster than `top`. */
export function lineTime(distance: number, along: number, push: number, brake: number, top: number): number {
  let way = distance
  let speed = along
  let time = 0
  if (speed < 0) {
    time = -speed / push
    way += (speed * speed) / (2 * push)
    speed = 0
  }
  const peak = Math.sqrt((2 * (way + (speed * speed) / (2 * push)) * push * brake) / (push + brake))
  // too fast to stop in time: past it and back, about
  if (peak < speed) return time + speed / brake + (speed - peak) / push
  if (peak <= top) return time + (peak - speed) / push + peak / brake
  const fast = Math.max(top, 1e-3)
  const rest = way - (fast * fast - speed * speed) / (2 * push) - (fast * fast) / (2 * brake)
  return time + Math.max(0, fast - speed) / push + fast / brake + Math.max(0, rest) / fast
}

/** Speed (m/s, ≥ 0) along the unit `direction` that may be added to `base`, so that the sum is no faster than `speed`. */
export function speedAlong(base: Vec3Like, direction: Vec3Like, speed: number): number {
  if (speed === Infinity) return Infinity
  const along = dot(base, direction)
  const inside = along * along - lengthSq(base) + speed * speed
  return inside > 0 ? Math.max(0, Math.sqrt(inside) - along) : 0
}

/** Way towards the goal that is flown without braking, m, at `along` (m/s) of the velocity `relative`, while the engines are busy with what is across. */
export function busyWay(relative: Vec3Like, along: number, brake: number): number {
  if (!(along > 0) || brake === 0) return 0
  const across = Math.sqrt(Math.max(0, lengthSq(relative) - along * along))
  return (along * across) / brake
}
