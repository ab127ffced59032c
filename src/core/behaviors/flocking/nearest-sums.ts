import type { NearestFew } from '../../neighbors/nearest-few.js'
import { EDGE, MOTION } from '../../neighbors/sorted-agents.js'
import type { FlockRule } from './flock.js'
import { SUMS, separationGain } from './flock-sums.js'
import { coneEdge } from './nearest.js'

/** More neighbours than any agent has: a whole number for the compiler, too. */
const MAX_COUNT = 2 ** 30

/** What a rule counts: squared radius (m²), `coneEdge` of its field of view, and the options of the rule. */
class Counted {
  radiusSq = 0.5
  edge = 0.5
  leaderWeight = 0.5
  groups = 0
  leaders = 0
  most = 0

  set({ fieldOfView, groups, leaders, leaderWeight, maxNeighbors, neighborDistance }: FlockRule): void {
    this.radiusSq = neighborDistance * neighborDistance
    this.edge = coneEdge(fieldOfView)
    this.leaderWeight = leaderWeight
    this.groups = groups
    this.leaders = leaders
    this.most = Math.min(maxNeighbors, MAX_COUNT)
  }
}

/**
 * Sums the neighbours of agents of a batch of which a limited number counts: of those in their field of view
 * the nearest ones, nearest first.
 */
export class NearestSums {
  private readonly nearest: NearestFew
  private readonly separation = new Counted()
  private readonly alignment = new Counted()
  private readonly cohesion = new Counted()
  private fade = 0.5

  constructor(nearest: NearestFew) {
    this.nearest = nearest
  }

  /** To be called before the first sum of a step. */
  begin(separation: FlockRule, alignment: FlockRule, cohesion: FlockRule): void {
    this.separation.set(separation)
    this.alignment.set(alignment)
    this.cohesion.set(cohesion)
    this.fade = separation.response === 'unit' ? 0 : 1 / separation.neighborDistance
  }

  /** Writes the sums of the agents at the places `from … to − 1` into `table`. */
  sum(from: number, to: number, table: Float64Array): void {
    const { fade, nearest } = this
    const { radiusSq: sepSq, edge: sepEdge, groups: sepMask, most: sepMost } = this.separation
    const { radiusSq: aliSq, edge: aliEdge, groups: aliMask, most: aliMost } = this.alignment
    const { radiusSq: cohSq, edge: cohEdge, groups: cohMask, most: cohMost } = this.cohesion
    const { leaders: aliLeaders, leaderWeight: aliWeight } = this.alignment
    const { leaders: cohLeaders, leaderWeight: cohWeight } = this.cohesion
    const { place, distanceSq, sorted } = nearest
    const { group, motion, x: X, y: Y, z: Z } = sorted
    for (let i = from; i < to; i++) {
      const m = MOTION * i
      if (motion[m + EDGE] === Infinity) continue
      const found = nearest.find(i)
      const x = X[i]!
      const y = Y[i]!
      const z = Z[i]!
      const hx = motion[m + 3]!
      const hy = motion[m + 4]!
      const hz = motion[m + 5]!
      let sx = 0
      let sy = 0
      let sz = 0
      let ax = 0
      let ay = 0
      let az = 0
      let ox = 0
      let oy = 0
      let oz = 0
      let velocityCount = 0
      let offsetCount = 0
      let coincident = 0
      for (let n = 0; n < found; n++) {
        const j = place[n]!
        const sq = distanceSq[n]!
        const dx = X[j]! - x
        const dy = Y[j]! - y
        const dz = Z[j]! - z
        const bits = group[j]!
        const t = dx * hx + dy * hy + dz * hz
        const side = t * Math.abs(t)
        if (sq < sepSq && n < sepMost && (bits & sepMask) !== 0 && side >= sepEdge * sq) {
          if (sq > 0) {
            const gain = separationGain(sq, fade)
            sx -= dx * gain
            sy -= dy * gain
            sz -= dz * gain
          } else coincident++
        }
        if (sq < aliSq && n < aliMost && (bits & aliMask) !== 0 && side >= aliEdge * sq) {
          const weight = (bits & aliLeaders) === 0 ? 1 : aliWeight
          ax += weight * motion[MOTION * j]!
          ay += weight * motion[MOTION * j + 1]!
          az += weight * motion[MOTION * j + 2]!
          velocityCount += weight
        }
        if (sq < cohSq && n < cohMost && (bits & cohMask) !== 0 && side >= cohEdge * sq) {
          const weight = (bits & cohLeaders) === 0 ? 1 : cohWeight
          ox += weight * dx
          oy += weight * dy
          oz += weight * dz
          offsetCount += weight
        }
      }
      const s = SUMS * i
      table[s] = sx
      table[s + 1] = sy
      table[s + 2] = sz
      table[s + 3] = ax
      table[s + 4] = ay
      table[s + 5] = az
      table[s + 6] = ox
      table[s + 7] = oy
      table[s + 8] = oz
      table[s + 9] = velocityCount
      table[s + 10] = offsetCount
      table[s + 11] = coincident
    }
  }
}
