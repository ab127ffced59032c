import type { Vec3 } from '../types.js'
import { set } from '../math/vec3.js'
import type { Agents, Binding } from './agents.js'

/**
 * Bounding box (m) of the agents that share the behaviour of `binding`, computed at its first use in the step
 * `tick`.
 */
export function flockBox(agents: Agents, binding: Binding, tick: number): Float64Array {
  const { box } = binding
  if (binding.boxTick === tick) return box
  binding.boxTick = tick
  box.fill(Infinity, 0, 3).fill(-Infinity, 3)
  const { position, lost, count } = agents
  for (let row = 0; row < count; row++) {
    if (lost[row] === 1 || agents.binding[row]!.behavior !== binding.behavior) continue
    for (let axis = 0; axis < 3; axis++) {
      const p = position[3 * row + axis]!
      if (p < box[axis]!) box[axis] = p
      if (p > box[axis + 3]!) box[axis + 3] = p
    }
  }
  return box
}

/** Writes the centre (m) of the bounding box of the agents in `slots`; the origin for none. */
export function centerOf(out: Vec3, { position, row }: Agents, slots: Int32Array): Vec3 {
  set(out, 0, 0, 0)
  for (const axis of ['x', 'y', 'z'] as const) {
    let low = Infinity
    let high = -Infinity
    for (let i = 0; i < slots.length; i++) {
      const p = position[3 * row[slots[i]!]! + (axis === 'x' ? 0 : axis === 'y' ? 1 : 2)]!
      low = Math.min(low, p)
      high = Math.max(high, p)
    }
    if (slots.length > 0) out[axis] = (low + high) / 2
  }
  return out
}
