import { HOLD_SHARE, MAX_SPEED, TRAITS, type Agents } from './agents.js'

/**
 * Carries the course frame of `row` to its present velocity by parallel transport, without reference to world
 * up. The arithmetic is that of `carryFrame`, but in place on the column, because it runs for each agent in
 * each step. A test checks that both agree.
 */
export function carryCourse(agents: Agents, row: number): void {
  const { velocity, course } = agents
  const v = 3 * row
  const c = 6 * row
  const vx = velocity[v]!
  const vy = velocity[v + 1]!
  const vz = velocity[v + 2]!
  const speed = Math.sqrt(vx * vx + vy * vy + vz * vz)
  const maxSpeed = agents.traits[TRAITS * row + MAX_SPEED]!
  if (!(speed > HOLD_SHARE * (maxSpeed < 1 ? maxSpeed : 1)) || speed === Infinity) return
  const x = vx / speed
  const y = vy / speed
  const z = vz / speed
  let ux = course[c + 3]!
  let uy = course[c + 4]!
  let uz = course[c + 5]!
  const sx = course[c]! + x
  const sy = course[c + 1]! + y
  const sz = course[c + 2]! + z
  // 1 + cosine of the turn; for a reversal the up axis is kept
  const q = sx * x + sy * y + sz * z
  if (q > 1e-3) {
    const k = (ux * x + uy * y + uz * z) / q
    ux -= k * sx
    uy -= k * sy
    uz -= k * sz
  }
  const along = ux * x + uy * y + uz * z
  ux -= along * x
  uy -= along * y
  uz -= along * z
  const unit = 1 / Math.sqrt(ux * ux + uy * uy + uz * uz)
  course[c] = x
  course[c + 1] = y
  course[c + 2] = z
  course[c + 3] = ux * unit
  course[c + 4] = uy * unit
  course[c + 5] = uz * unit
}
