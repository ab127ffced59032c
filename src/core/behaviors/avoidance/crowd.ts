import type { Agent, Vec3Like } from '../../types.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import { clamp } from '../../math/scalar.js'

/**
 * Crowding at a place, dimensionless, 0 … 1: the areas of all other vehicles that reach into the ball of
 * `radius` (m) around it, summed and divided by the area of that ball, limited to 1 (Green, Steering
 * Behaviours, the pilot metric `is_crowded`; area means π r², the disc seen of a ball). It counts only the
 * neighbours of the agent: the `reach` of some behaviour must cover the place and `radius`, and
 * `maxNeighbors` and `fieldOfView` of the agent apply. A vehicle counts completely or not at all, so this is
 * for decisions. For steering use {@link density}.
 */
export function isCrowded(agent: Agent, place: Vec3Like, radius: number): number {
  return Math.min(1, areas(agent, place, radius, false))
}

/**
 * As {@link isCrowded}, but neither limited nor with steps: each vehicle counts by the share of its width
 * that is in the ball, so 0 where it touches from outside. Dimensionless, ≥ 0: 1 when the areas of the others
 * equal that of the ball.
 */
export function density(agent: Agent, place: Vec3Like, radius: number): number {
  return areas(agent, place, radius, true)
}

function areas(agent: Agent, { x, y, z }: Vec3Like, radius: number, smooth: boolean): number {
  const neighbors = neighborsOf(agent)
  const { count, row, position } = neighbors
  let sum = 0
  for (let i = 0; i < count; i++) {
    const r = row[i]!
    const otherRadius = neighbors.radius(r)
    const dx = position[3 * r]! - x
    const dy = position[3 * r + 1]! - y
    const dz = position[3 * r + 2]! - z
    // a sum that overflows is far away; `Math.hypot` takes ten times as long
    const d = Math.sqrt(dx * dx + dy * dy + dz * dz)
    const depth = radius + otherRadius - d
    if (!(depth > 0)) continue
    const relativeSize = otherRadius / radius
    sum +=
      relativeSize * relativeSize * (smooth ? clamp(depth / (2 * Math.min(otherRadius, radius)), 0, 1) : 1)
  }
  return sum
}
