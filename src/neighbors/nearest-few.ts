import { MAX_NEIGHBORS, RADIUS, TRAITS, type Agents } from '../engine/agents.js'
import { EDGE, MOTION, nearRange, type SortedAgents } from './sorted-agents.js'
import { SIGHT_MARGIN } from './sight.js'

/** Spheres are larger than the range by this share: rounding must not hide an agent. */
const MARGIN = 1e-6

/** Up to so many agents are sorted by rank: comparing all with all is faster for them. Chosen by hand. */
const RANKED = 20

/** Finds the nearest few neighbours of the agents of a batch. */
export class NearestFew {
  readonly sorted: SortedAgents
  /** Places and squared distances (m²) of the neighbours that were found last. */
  place: Int32Array = new Int32Array(0)
  distanceSq: Float64Array = new Float64Array(0)
  /** Scratch: places of the agents in the cells around, and the nearest of them. */
  private near: Int32Array = new Int32Array(0)
  private readonly ranked = new Int32Array(RANKED)
  private readonly rankedSq = new Float64Array(RANKED)
  private agents: Agents | null = null
  /** How far the agents look at most, and in the present search, m. Fields, so that they are not boxed. */
  private reach = 0.5
  private range = 0.5
  /** Place of the agent that was searched for last, and the number of its neighbours. */
  private last = -1
  private found = 0

  constructor(sorted: SortedAgents) {
    this.sorted = sorted
  }

  /** To be called before the first search of a step, with the distance (m) that the agents look far. */
  begin(agents: Agents, reach: number): void {
    const { count } = this.sorted
    this.agents = agents
    this.reach = reach
    this.last = -1
    if (this.place.length > count) return
    this.near = new Int32Array(2 * count + 8)
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
    const limit = Math.min(traits[TRAITS * row + MAX_NEIGHBORS]!, sorted.count) | 0
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
    const { distanceSq, near, place, range, sorted } = this
    const { motion, x: X, y: Y, z: Z } = sorted
    const m = MOTION * i
    const hx = motion[m + 3]!
    const hy = motion[m + 4]!
    const hz = motion[m + 5]!
    const edge = motion[m + EDGE]!
    const x = X[i]!
    const y = Y[i]!
    const z = Z[i]!
    const rangeSq = range * range
    const count = this.listNear(x, y, z)
    let found = 0
    for (let n = 0; n < count; n++) {
      const j = near[n]!
      const dx = X[j]! - x
      const dy = Y[j]! - y
      const dz = Z[j]! - z
      const sq = dx * dx + dy * dy + dz * dz
      const t = dx * hx + dy * hy + dz * hz
      // no branch to mispredict
      place[found] = j
      distanceSq[found] = sq
      found += Number(sq < rangeSq) & Number(t * Math.abs(t) >= edge * sq) & Number(j !== i)
    }
    return found
  }

  /**
   * Lists the places in the cells that the sphere of `range` around (x, y, z) touches. Returns their number.
   */
  private listNear(x: number, y: number, z: number): number {
    const { near, range, sorted } = this
    const { nx, ny, nz, start, width, x0, y0, z0 } = sorted
    const far = range * (1 + MARGIN)
    const farSq = far * far
    const perLength = 1 / sorted.length
    const perWidth = 1 / width
    const fromX = x - x0
    const fromY = y - y0
    const fromZ = z - z0
    const y1 = fromY > far ? ((fromY - far) * perWidth) | 0 : 0
    const y2 = Math.min(ny - 1, (fromY + far) * perWidth) | 0
    const z1 = fromZ > far ? ((fromZ - far) * perWidth) | 0 : 0
    const z2 = Math.min(nz - 1, (fromZ + far) * perWidth) | 0
    let count = 0
    for (let jz = z1; jz <= z2; jz++) {
      const offZ = Math.max(0, jz * width - fromZ, fromZ - (jz + 1) * width)
      for (let jy = y1; jy <= y2; jy++) {
        const offY = Math.max(0, jy * width - fromY, fromY - (jy + 1) * width)
        const chordSq = farSq - offY * offY - offZ * offZ
        if (!(chordSq > 0)) continue
        const half = Math.sqrt(chordSq)
        const first = fromX > half ? ((fromX - half) * perLength) | 0 : 0
        const last = Math.min(nx - 1, (fromX + half) * perLength) | 0
        const cells = nx * (jy + ny * jz)
        const from = start[cells + first]!
        const length = start[cells + last + 1]! - from
        // eight at once: whether there are more is predicted nearly always, and the number of agents is not
        for (let n = 0; n < length; n += 8) {
          const j = from + n
          const at = count + n
          near[at] = j
          near[at + 1] = j + 1
          near[at + 2] = j + 2
          near[at + 3] = j + 3
          near[at + 4] = j + 4
          near[at + 5] = j + 5
          near[at + 6] = j + 6
          near[at + 7] = j + 7
        }
        count += length
      }
    }
    return count
  }

  /** Moves the `limit` nearest of those found to the front, nearest first. Returns their number. */
  private keepNearest(found: number, limit: number): number {
    if (found <= RANKED) return this.rank(found, limit)
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

  /** The same for a few, without a branch to mispredict: sorted by the number of nearer ones. */
  private rank(found: number, limit: number): number {
    const { distanceSq, place, ranked, rankedSq } = this
    for (let n = 0; n < found; n++) {
      const sq = distanceSq[n]!
      let nearer = 0
      for (let k = 0; k < n; k++) nearer += Number(distanceSq[k]! <= sq)
      for (let k = n + 1; k < found; k++) nearer += Number(distanceSq[k]! < sq)
      ranked[nearer] = place[n]!
      rankedSq[nearer] = sq
    }
    const kept = Math.min(found, limit)
    for (let n = 0; n < kept; n++) {
      place[n] = ranked[n]!
      distanceSq[n] = rankedSq[n]!
    }
    return kept
  }
}
