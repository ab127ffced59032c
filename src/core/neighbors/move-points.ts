import type { Step } from '../types.js'
import {
  ANGULAR_DAMPING,
  DAMPING,
  INERTIA,
  MASS,
  MAX_TURN_RATE,
  TRAITS,
  type Agents,
  type Binding,
} from '../engine/agents.js'

/**
 * Gives the agents without a body whose rows have 1 in `steered` their next position, velocity and attitude,
 * as `integrate` does, bit by bit, but in one loop with plain numbers. Writes 0 into `steered` for those that
 * are left to the engine.
 */
export function movePoints(agents: Agents, steered: Uint8Array, step: Step): void {
  const { dt } = step
  const { body, binding, count, course, given, gravity, position, traits, turned, velocity } = agents
  let last: Binding | null = null
  let isPoint: boolean | null = false
  for (let row = 0; row < count; row++) {
    if (steered[row] === 0) continue
    if (binding[row] !== last) {
      last = binding[row]!
      isPoint = isPointMass(last)
    }
    const v = 3 * row
    const c = 6 * row
    const trait = TRAITS * row
    const k = dt / traits[trait + MASS]!
    const vx = velocity[v]! + given[c]! * k + gravity[v]! * dt
    const vy = velocity[v + 1]! + given[c + 1]! * k + gravity[v + 1]! * dt
    const vz = velocity[v + 2]! + given[c + 2]! * k + gravity[v + 2]! * dt
    const px = position[v]! + vx * dt
    const py = position[v + 1]! + vy * dt
    const pz = position[v + 2]! + vz * dt
    if (
      isPoint === null ||
      body[row] !== null ||
      traits[trait + DAMPING]! + traits[trait + ANGULAR_DAMPING]! > 0 ||
      !(Math.abs(px) + Math.abs(py) + Math.abs(pz) < Infinity) ||
      !(isPoint || turnRow(agents, row, step))
    ) {
      steered[row] = 0
      continue
    }
    velocity[v] = vx
    velocity[v + 1] = vy
    velocity[v + 2] = vz
    position[v] = px
    position[v + 1] = py
    position[v + 2] = pz
    if (!isPoint) continue
    const t = 5 * row
    turned[t] = course[c]!
    turned[t + 1] = course[c + 1]!
    turned[t + 2] = course[c + 2]!
    turned[t + 3] = dt
    turned[t + 4] = traits[trait + MAX_TURN_RATE]! * dt
  }
}

/**
 * Turns an agent by its torque, as `integrate`. False, and nothing is written, where its principal axes are
 * not those of the model, or its attitude is no rotation.
 */
function turnRow(agents: Agents, row: number, { dt }: Step): boolean {
  const { given, inertiaFrame, lastAngularVelocity, lastOrientation, traits } = agents
  const v = 3 * row
  const q = 4 * row
  const w = 6 * row + 3
  const i = TRAITS * row + INERTIA
  if (inertiaFrame[q] !== 0 || inertiaFrame[q + 1] !== 0 || inertiaFrame[q + 2] !== 0) return false
  const qx = lastOrientation[q]!
  const qy = lastOrientation[q + 1]!
  const qz = lastOrientation[q + 2]!
  const qw = lastOrientation[q + 3]!
  // as `turnAcceleration`
  let x = given[w]!
  let y = given[w + 1]!
  let z = given[w + 2]!
  let tx = 2 * (qz * y - qy * z)
  let ty = 2 * (qx * z - qz * x)
  let tz = 2 * (qy * x - qx * y)
  const bx = x + qw * tx - qy * tz + qz * ty
  const by = y + qw * ty - qz * tx + qx * tz
  const bz = z + qw * tz - qx * ty + qy * tx
  x = traits[i]! > 0 ? bx / traits[i]! : 0
  y = traits[i + 1]! > 0 ? by / traits[i + 1]! : 0
  z = traits[i + 2]! > 0 ? bz / traits[i + 2]! : 0
  tx = 2 * (qy * z - qz * y)
  ty = 2 * (qz * x - qx * z)
  tz = 2 * (qx * y - qy * x)
  const sx = lastAngularVelocity[v]! + (x + qw * tx + qy * tz - qz * ty) * dt
  const sy = lastAngularVelocity[v + 1]! + (y + qw * ty + qz * tx - qx * tz) * dt
  const sz = lastAngularVelocity[v + 2]! + (z + qw * tz + qx * ty - qy * tx) * dt
  // as `spin`
  const rate = Math.sqrt(sx * sx + sy * sy + sz * sz)
  const half = 0.5 * rate * dt
  const k = rate > 1e-12 ? Math.sin(half) / rate : 0.5 * dt
  const rx = sx * k
  const ry = sy * k
  const rz = sz * k
  const rw = Math.cos(half)
  const nx = rw * qx + rx * qw + ry * qz - rz * qy
  const ny = rw * qy - rx * qz + ry * qw + rz * qx
  const nz = rw * qz + rx * qy - ry * qx + rz * qw
  const nw = rw * qw - rx * qx - ry * qy - rz * qz
  const sq = nx * nx + ny * ny + nz * nz + nw * nw
  if (!(sq > 1e-280 && sq < 1e280)) return false
  const unit = 1 / Math.sqrt(sq)
  lastAngularVelocity[v] = sx
  lastAngularVelocity[v + 1] = sy
  lastAngularVelocity[v + 2] = sz
  lastOrientation[q] = nx * unit
  lastOrientation[q + 1] = ny * unit
  lastOrientation[q + 2] = nz * unit
  lastOrientation[q + 3] = nw * unit
  return true
}

/** Null where that cannot be read: the engine reports it. */
function isPointMass({ locomotion }: Binding): boolean | null {
  try {
    return locomotion.pointMass === true
  } catch {
    return null
  }
}
