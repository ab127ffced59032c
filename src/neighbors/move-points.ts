import type { Step } from '../types.js'
import {
  HOLD_SHARE,
  MASS,
  MAX_SPEED,
  MAX_TURN_RATE,
  TRAITS,
  type Agents,
  type Binding,
  type Box,
} from '../engine/agents.js'

const EVERYWHERE: Box = {
  min: { x: -Infinity, y: -Infinity, z: -Infinity },
  max: { x: Infinity, y: Infinity, z: Infinity },
}

/**
 * Moves the agents without a body whose rows have 1 in `steered`, as `integrate`, `carryCourse` and
 * `wrapPosition` of the engine move a point mass, bit by bit. One loop with plain numbers takes half of the
 * time of those calls, because the roots and quotients of several agents are then computed side by side.
 * Writes 0 into `steered` for those that are left to the engine.
 */
export function movePoints(agents: Agents, steered: Uint8Array, { dt }: Step, wrap: Box | null): void {
  const { body, binding, count, course, given, gravity, position, previous, traits, turned, velocity } =
    agents
  const { min, max } = wrap ?? EVERYWHERE
  let last: Binding | null = null
  let isPoint = false
  for (let row = 0; row < count; row++) {
    if (steered[row] === 0) continue
    if (binding[row] !== last) {
      last = binding[row]!
      isPoint = isPointMass(last)
    }
    const v = 3 * row
    const c = 6 * row
    const t = 5 * row
    const trait = TRAITS * row
    const k = dt / traits[trait + MASS]!
    const vx = velocity[v]! + given[c]! * k + gravity[v]! * dt
    const vy = velocity[v + 1]! + given[c + 1]! * k + gravity[v + 1]! * dt
    const vz = velocity[v + 2]! + given[c + 2]! * k + gravity[v + 2]! * dt
    const px = position[v]! + vx * dt
    const py = position[v + 1]! + vy * dt
    const pz = position[v + 2]! + vz * dt
    if (!isPoint || body[row] !== null || !(Math.abs(px) + Math.abs(py) + Math.abs(pz) < Infinity)) {
      steered[row] = 0
      continue
    }
    velocity[v] = vx
    velocity[v + 1] = vy
    velocity[v + 2] = vz
    position[v] = px
    position[v + 1] = py
    position[v + 2] = pz
    if (!(px >= min.x && px < max.x)) wrapAxis(position, v, previous, 7 * row, min.x, max.x)
    if (!(py >= min.y && py < max.y)) wrapAxis(position, v + 1, previous, 7 * row + 1, min.y, max.y)
    if (!(pz >= min.z && pz < max.z)) wrapAxis(position, v + 2, previous, 7 * row + 2, min.z, max.z)
    const hx = course[c]!
    const hy = course[c + 1]!
    const hz = course[c + 2]!
    turned[t] = hx
    turned[t + 1] = hy
    turned[t + 2] = hz
    turned[t + 3] = dt
    turned[t + 4] = traits[trait + MAX_TURN_RATE]! * dt
    const speed = Math.sqrt(vx * vx + vy * vy + vz * vz)
    const maxSpeed = traits[trait + MAX_SPEED]!
    if (!(speed > HOLD_SHARE * (maxSpeed < 1 ? maxSpeed : 1)) || speed === Infinity) continue
    const x = vx / speed
    const y = vy / speed
    const z = vz / speed
    let ux = course[c + 3]!
    let uy = course[c + 4]!
    let uz = course[c + 5]!
    const sx = hx + x
    const sy = hy + y
    const sz = hz + z
    const q = sx * x + sy * y + sz * z
    if (q > 1e-3) {
      const share = (ux * x + uy * y + uz * z) / q
      ux -= share * sx
      uy -= share * sy
      uz -= share * sz
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
}

function isPointMass({ locomotion }: Binding): boolean {
  try {
    return locomotion.pointMass === true
  } catch {
    return false
  }
}

/** Moves a coordinate that has left the box to the opposite side, and the start of its interpolation, too. */
function wrapAxis(
  position: Float64Array,
  p: number,
  previous: Float64Array,
  q: number,
  min: number,
  max: number,
): void {
  const shift = Math.floor((position[p]! - min) / (max - min)) * (max - min)
  position[p]! -= shift
  previous[q]! -= shift
}
