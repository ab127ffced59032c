import type { Step } from '../types.js'
import { MASS, MAX_TURN_RATE, TRAITS, type Agents, type Binding } from '../engine/agents.js'

/**
 * Gives the agents without a body whose rows have 1 in `steered` their next position and velocity, as
 * `integrate` does for a point mass, bit by bit, but in one loop with plain numbers. Writes 0 into `steered`
 * for those that are left to the engine.
 */
export function movePoints(agents: Agents, steered: Uint8Array, { dt }: Step): void {
  const { body, binding, count, course, given, gravity, position, traits, turned, velocity } = agents
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
    turned[t] = course[c]!
    turned[t + 1] = course[c + 1]!
    turned[t + 2] = course[c + 2]!
    turned[t + 3] = dt
    turned[t + 4] = traits[trait + MAX_TURN_RATE]! * dt
  }
}

function isPointMass({ locomotion }: Binding): boolean {
  try {
    return locomotion.pointMass === true
  } catch {
    return false
  }
}
