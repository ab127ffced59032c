import { MAX_NEIGHBORS, RADIUS, TRAITS, type Agents } from '../engine/agents.js'
import { EDGE, MOTION, nearRange, type SortedAgents } from './sorted-agents.js'
import { SIGHT_MARGIN } from './sight.js'

/** Spheres are larger than the range by this share: rounding must not hide an agent. */
const MARGIN = 1e-6

/** Finds the nearest few neighbours of the agents of a batch. */
export class NearestFew {
  readonly sorted: SortedAgents
  /** Places and squared distances (m²) of the neighbours that were found last. */
  place: Int32Array = new Int32Array(0)
  distanceSq: Float64Array = new Float64Array(0)
  private agents: Agents | null = null
  /** Number of neighbours that count at most, whatever the agents see. */
  private most = Infinity
  /** How far the agents look at most, and in the present search, m. Fields, so that they are not boxed. */
  private reach = 0.5
  private range = 0.5
  /** Place of the agent that was searched for last, and the number of its neighbours. */
  private last = -1
  private found = 0

  constructor(sorted: SortedAgents) {
    this.sorted = sorted
  }

  /**
   * To be called before the first search of a step, with the distance (m) that the agents look far, and the
   * number of neighbours that count at most.
   */
  begin(agents: Agents, reach: number, most: number): void {
    const { count } = this.sorted
    this.agents = agents
    this.reach = reach
    this.most = most
    this.last = -1
    if (this.place.length > count) return
    this.place = new Int32Array(2 * count + 1)
    this.distanceSq = new Float64Array(2 * count + 1)
  }

  /**
   * Finds the neighbours of the agent at place `i`: of those in its field of view and within reach as many as
   * it sees at most, nearest first. They are searched where they were found in the last step, and if that is
   * not enough, in the whole reach. Returns their number.
   */
  find(i: number): number {
    if (i === this.last) return this.found
    const { reach, sorted } = this
    const { sight, traits } = this.agents!
    const row = sorted.row[i]!
    // a whole number for the compiler, too
    const limit = Math.min(traits[TRAITS * row + MAX_NEIGHBORS]!, this.most, sorted.count) | 0
    const radius = traits[TRAITS * row + RADIUS]!
    this.range = nearRange(sight[row]!, radius, reach)
    let found = this.search(i)
    if (found < limit && this.range < reach) {
      this.range = reach
      found = this.search(i)
    }
    found = this.keepNearest(found, limit)
    sight[row] =
      found < limit ? 0 : Math.max(0, SIGHT_MARGIN * Math.sqrt(this.distanceSq[limit - 1]!) - radius)
    this.last = i
    this.found = found
    return found
  }

  /** Finds the agents in range of the one at place `i`, and in its view. Returns their number. */
  private search(i: number): number {
    const { distanceSq, place, range, sorted } = this
    const { motion, nx, ny, nz, position, start, width, x0, y0, z0 } = sorted
    const m = MOTION * i
    const hx = motion[m + 3]!
    const hy = motion[m + 4]!
    const hz = motion[m + 5]!
    const edge = motion[m + EDGE]!
    const x = position[3 * i]!
    const y = position[3 * i + 1]!
    const z = position[3 * i + 2]!
    const far = range * (1 + MARGIN)
    const farSq = far * far
    const rangeSq = range * range
    const perLength = 1 / sorted.length
    const perWidth = 1 / width
    const fromX = x - x0
    const fromY = y - y0
    const fromZ = z - z0
    const y1 = Math.max(0, Math.floor((fromY - far) * perWidth))
    const y2 = Math.min(ny - 1, Math.floor((fromY + far) * perWidth))
    const z1 = Math.max(0, Math.floor((fromZ - far) * perWidth))
    const z2 = Math.min(nz - 1, Math.floor((fromZ + far) * perWidth))
    let found = 0
    for (let jz = z1; jz <= z2; jz++) {
      const offZ = Math.max(0, jz * width - fromZ, fromZ - (jz + 1) * width)
      for (let jy = y1; jy <= y2; jy++) {
        const offY = Math.max(0, jy * width - fromY, fromY - (jy + 1) * width)
        const chordSq = farSq - offY * offY - offZ * offZ
        if (!(chordSq > 0)) continue
        const half = Math.sqrt(chordSq)
        const first = Math.floor((fromX - half) * perLength)
        const last = Math.floor((fromX + half) * perLength)
        const cells = nx * (jy + ny * jz)
        const to = start[cells + (last < nx ? last : nx - 1) + 1]!
        for (let j = start[cells + (first > 0 ? first : 0)]!; j < to; j++) {
          const dx = position[3 * j]! - x
          const dy = position[3 * j + 1]! - y
          const dz = position[3 * j + 2]! - z
          const sq = dx * dx + dy * dy + dz * dz
          const t = dx * hx + dy * hy + dz * hz
          // no branch to mispredict
          place[found] = j
          distanceSq[found] = sq
          found += Number(sq < rangeSq) & Number(t * Math.abs(t) >= edge * sq) & Number(j !== i)
        }
      }
    }
    return found
  }

  /** Moves the `limit` nearest of those found to the front, nearest first. Returns their number. */
  private keepNearest(found: number, limit: number): number {
    const { distanceSq, place } = this
    let kept = 0
    for (let n = 0; n < found; n++) {
      const sq = distanceSq[n]!
      if (kept === limit && sq >= distanceSq[kept - 1]!) continue
      const j = place[n]!
      let at = kept < limit ? kept++ : kept - 1
      for (; at > 0 && distanceSq[at - 1]! > sq; at--) {
        place[at] = place[at - 1]!
        distanceSq[at] = distanceSq[at - 1]!
      }
      place[at] = j
      distanceSq[at] = sq
    }
    return kept
  }
}
