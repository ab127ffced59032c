import type { Agent, Neighborhood } from '../../types.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import { TAU } from '../../math/scalar.js'
import { nearnessSq, ownSize } from '../../control/nearness.js'

/**
 * Writes the indices `i` (into `row` and `distanceSq` of `neighborsOf(agent)`) of the `k` nearest neighbours
 * into `out`, nearest first, and returns their number: at most `k`, and no more than `out` holds. A neighbour
 * counts if it is nearer than `radius` (m, see `nearnessSq`), shares a bit with `groups` and is within
 * `fieldOfView` (full angle around the course, rad). Of two at the same distance the one with the smaller
 * seed comes first, then the one with the smaller id, so the order of the rows does not matter. For a `k` of
 * Infinity all of them, in the order of the rows.
 */
export function selectNearest(
  agent: Agent,
  k: number,
  radius: number,
  groups: number,
  fieldOfView: number,
  out: Int32Array,
): number {
  const neighbors = neighborsOf(agent)
  const { count, row, distanceSq, position, group } = neighbors
  const { x: ox, y: oy, z: oz } = agent.position
  const { x: hx, y: hy, z: hz } = agent.course.x
  const isSorted = k < Infinity
  const limit = Math.min(k, out.length)
  const edge = coneEdge(fieldOfView)
  const radiusSq = radius * radius
  const own = ownSize(agent)
  let found = 0
  if (!(limit >= 1)) return 0
  for (let i = 0; i < count; i++) {
    const sq = distanceSq[i]!
    const r = row[i]!
    if (!(nearnessSq(neighbors, i, own) < radiusSq) || (group[r]! & groups) === 0) continue
    if (found >= limit && !(isSorted && isBefore(neighbors, i, out[found - 1]!, own))) continue
    if (edge > -2) {
      const p = 3 * r
      const t = (position[p]! - ox) * hx + (position[p + 1]! - oy) * hy + (position[p + 2]! - oz) * hz
      if (!(t * Math.abs(t) >= edge * sq)) continue
    }
    // insertion sort: k is small, and with a limit on the neighbours they arrive nearest first
    let at = found >= limit ? found - 1 : found++
    if (isSorted) for (; at > 0 && isBefore(neighbors, i, out[at - 1]!, own); at--) out[at] = out[at - 1]!
    out[at] = i
  }
  return found
}

/** Whether neighbour i comes before neighbour j. */
function isBefore(neighbors: Neighborhood, i: number, j: number, own: number): boolean {
  const { row, seed, id } = neighbors
  const a = nearnessSq(neighbors, i, own)
  const b = nearnessSq(neighbors, j, own)
  if (a !== b) return a < b
  const r = row[i]!
  const q = row[j]!
  return seed[r] === seed[q] ? id[r]! < id[q]! : seed[r]! < seed[q]!
}

/**
 * c·|c|, with c the cosine of half a field of view (full angle, rad). With t the component of an offset d
 * along the course, t·|t| ≥ c·|c|·d² means "inside the cone" without a square root. −2 lets everything
 * through, whatever the rounding.
 */
export function coneEdge(fieldOfView: number): number {
  if (fieldOfView >= TAU) return -2
  const c = Math.cos(fieldOfView / 2)
  return c * Math.abs(c)
}
