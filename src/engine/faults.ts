import type { Behavior, Fault, Step, Wrench } from '../types.js'
import { clearWrench, zeroWrench } from '../math/wrench.js'
import type { Cursor } from './cursor.js'

/** True for a wrench without NaN and infinities. One sum finds any of them. */
export function isFiniteWrench({ force, torque }: Readonly<Wrench>): boolean {
  return Number.isFinite(force.x + force.y + force.z + torque.x + torque.y + torque.z)
}

/** The deepest part of a tree whose own output is not finite, or throws; the root when no part can be blamed alone. */
export function findCulprit(root: Behavior, agent: Cursor, step: Step): Behavior {
  const out = zeroWrench()
  for (const child of root.children ?? []) {
    clearWrench(out)
    try {
      child.steer(agent, step, out)
    } catch {
      return findCulprit(child, agent, step)
    }
    if (!isFiniteWrench(out)) return findCulprit(child, agent, step)
  }
  return root
}

/** One line for people. */
export function describe({ id, name, behavior, message }: Fault): string {
  return `three-steering: agent ${id}${name === '' ? '' : ` (${name})`}: ${behavior}: ${message}; dropped, others go on`
}
