import type { Agent, Vec3Like } from '../../types.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import { clamp } from '../../math/scalar.js'

/**
 * How crowded a place is, dimensionless, 0 … 1: the areas of all other vehicles that reach into the ball of `radius` (m) around it, summed and
 * divided by the area of that ball, saturated at 1 (Green, Steering Behaviours, the pilot metric `is_crowded`; area means π r², what one sees of
 * a ball). It sees the agent's own neighbours only: some behaviour's `reach` must cover the place and `radius`, and
 * `maxNeighbors` and `fieldOfView` of the agent count. A vehicle counts whole or not at all, so this is for decisions; what steers takes
 * {@link density}.
 */
export function isCrowded(agent: Agent, place: Vec3Like, radius: number): number {
  return Math.min(1, areas(agent, place, radius, false))
}

/**
 * As {@link isCrowded}, but neither saturated nor with steps: each vehicle counts by the share of its width that is in the ball, so 0 where it
 * touches from outside. Dimensionless, ≥ 0: 1 when the areas of the others make up that of the ball.
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
    const own = neighbors.radius(r)
    const dx = position[3 * r]! - x
    const dy = position[3 * r + 1]! - y
    const dz = position[3 * r + 2]! - z
    // what overflows is far away; `hypot` takes ten times as long
    const d = Math.sqrt(dx * dx + dy * dy + dz * dz)
    const deep = radius + own - d
    if (!(deep > 0)) continue
    const size = own / radius
    sum += size * size * (smooth ? clamp(deep / (2 * Math.min(own, radius)), 0, 1) : 1)
  }
  return sum
}
