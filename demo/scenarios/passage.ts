import type { Vec3Like, Waypoint } from 'three-steering'
import { inner, minus, plus, unit } from './vectors.js'

/** A waypoint is passed within this distance (turn radii) and within this angle of its heading (rad). */
export const PASS_WITHIN = 0.05
export const PASS_ANGLE = (2 * Math.PI) / 180

/** Measures how one craft passes a waypoint, independently of the events of its behaviour. */
export class Passage {
  /** Distance flown before it passed (m). */
  flown = 0
  /** Distance (m) and angle (rad) from the waypoint when it was last abreast of it within a turn radius. */
  missedBy = Infinity
  headingError = Infinity
  passed = false
  #along = Infinity
  #last: Vec3Like
  #offset: Vec3Like | null = null

  /** The distance flown is counted from `start`. */
  constructor(start: Vec3Like) {
    this.#last = { ...start }
  }

  /** Call after each step, with current positions. */
  see(position: Vec3Like, velocity: Vec3Like, goal: Waypoint, radius: number): void {
    if (this.passed) return
    const heading = unit(goal.heading)
    const offset = minus(position, goal.position)
    const along = inner(offset, heading)
    const step = minus(position, this.#last)
    const length = Math.hypot(step.x, step.y, step.z)
    const crosses = this.#offset !== null && this.#along < 0 && along >= 0
    const share = crosses ? -this.#along / (along - this.#along) : 1
    if (crosses)
      this.#checkPass(plus(this.#offset!, minus(offset, this.#offset!), share), velocity, heading, radius)
    this.flown += length * (this.passed ? share : 1)
    this.#along = along
    this.#last = { ...position }
    this.#offset = offset
  }

  #checkPass(offset: Vec3Like, velocity: Vec3Like, heading: Vec3Like, radius: number): void {
    const aside = Math.hypot(offset.x, offset.y, offset.z)
    if (aside > radius) return
    this.missedBy = aside
    this.headingError = angleBetween(velocity, heading)
    this.passed = aside <= PASS_WITHIN * radius && this.headingError <= PASS_ANGLE
  }
}

/** Angle between two directions (rad). Accurate for small angles, too. */
export function angleBetween(a: Vec3Like, b: Vec3Like): number {
  const [u, v] = [unit(a), unit(b)]
  const difference = minus(u, v)
  const half = Math.hypot(difference.x, difference.y, difference.z) / 2
  return half < 0.7 ? 2 * Math.asin(half) : Math.acos(Math.max(-1, Math.min(1, inner(u, v))))
}
