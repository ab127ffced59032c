import type { Vec3 } from '../types.js'
import { emptyBounds, includePoint } from '../math/bounds.js'
import { set } from '../math/vec3.js'
import type { Agents, Binding } from './agents.js'

const spare = new Float64Array(6)

/**
 * Bounding box (m) of the agents that share the behaviour of `binding`, computed at its first use in the step
 * `tick`.
 */
export function flockBox(agents: Agents, binding: Binding, tick: number): Float64Array {
  const { box } = binding
  if (binding.boxTick === tick) return box
  binding.boxTick = tick
  emptyBounds(box)
  const { position, lost, count } = agents
  for (let row = 0; row < count; row++) {
    if (lost[row] === 1 || agents.binding[row]!.behavior !== binding.behavior) continue
    includePoint(box, position, 3 * row)
  }
  return box
}

/** Writes the middle (m) of a box. */
export function middleOf(out: Vec3, box: Float64Array): Vec3 {
  return set(out, (box[0]! + box[3]!) / 2, (box[1]! + box[4]!) / 2, (box[2]! + box[5]!) / 2)
}

/** Writes the centre (m) of the bounding box of the agents in `slots`; the origin for none. */
export function centerOf(out: Vec3, { position, row }: Agents, slots: Int32Array): Vec3 {
  const box = emptyBounds(spare)
  for (let i = 0; i < slots.length; i++) includePoint(box, position, 3 * row[slots[i]!]!)
  return slots.length > 0 ? middleOf(out, box) : set(out, 0, 0, 0)
}
