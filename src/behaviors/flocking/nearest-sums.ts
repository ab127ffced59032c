import type { NearestFew } from '../../neighbors/nearest-few.js'
import { EDGE, MOTION } from '../../neighbors/sorted-agents.js'
import type { FlockRule } from './flock.js'
import { SUMS, separationGain } from './flock-sums.js'
import { coneEdge } from './nearest.js'

/**
 * Writes the sums of all agents of a batch into `table`, where each sees a limited number of the others: of
 * those in its field of view the nearest ones, nearest first, up to `reach` (m).
 */
export function sumNearestFew(
  nearest: NearestFew,
  reach: number,
  sep: FlockRule,
  ali: FlockRule,
  coh: FlockRule,
  table: Float64Array,
): void {
  const { place, distanceSq, sorted } = nearest
  const { count, group, motion, x: X, y: Y, z: Z } = sorted
  const sepSq = sep.neighborDistance * sep.neighborDistance
  const aliSq = ali.neighborDistance * ali.neighborDistance
  const cohSq = coh.neighborDistance * coh.neighborDistance
  const sepEdge = coneEdge(sep.fieldOfView)
  const aliEdge = coneEdge(ali.fieldOfView)
  const cohEdge = coneEdge(coh.fieldOfView)
  const fade = sep.response === 'unit' ? 0 : 1 / sep.neighborDistance
  const sepMask = sep.groups
  const aliMask = ali.groups
  const cohMask = coh.groups
  for (let i = 0; i < count; i++) {
    const m = MOTION * i
    if (motion[m + EDGE] === Infinity) continue
    const found = nearest.find(i, reach)
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
      if (sq < sepSq && (bits & sepMask) !== 0 && side >= sepEdge * sq) {
        if (sq > 0) {
          const gain = separationGain(sq, fade)
          sx -= dx * gain
          sy -= dy * gain
          sz -= dz * gain
        } else coincident++
      }
      if (sq < aliSq && (bits & aliMask) !== 0 && side >= aliEdge * sq) {
        ax += motion[MOTION * j]!
        ay += motion[MOTION * j + 1]!
        az += motion[MOTION * j + 2]!
        velocityCount++
      }
      if (sq < cohSq && (bits & cohMask) !== 0 && side >= cohEdge * sq) {
        ox += dx
        oy += dy
        oz += dz
        offsetCount++
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
