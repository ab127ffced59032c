import type { Behavior, Fault, Step, Wrench } from '../types.js'
import { clearWrench, zeroWrench } from '../math/wrench.js'
import type { Cursor } from './cursor.js'

/** True for a wrench without NaN and infinities. One sum finds any of them. */
export function isFiniteWrench({ force, torque }: Readonly<Wrench>): boolean {
  return Number.isFinite(force.x + force.y + force.z + torque.x + torque.y + torque.z)
}

/** The deepest part of a tree whose own output is not finite, or throws; the root when no part can be blamed alone. Never throws. */
export function findCulprit(
  root: Behavior,
  agent: Cursor,
  step: Step,
  above: readonly Behavior[] = [],
): Behavior {
  const out = zeroWrench()
  const path = [...above, root]
  for (const child of partsOf(root)) {
    if (path.includes(child)) continue
    clearWrench(out)
    try {
      child.steer(agent, step, out)
    } catch {
      return findCulprit(child, agent, step, path)
    }
    if (!isFiniteWrench(out)) return findCulprit(child, agent, step, path)
  }
  return root
}

/** The parts that can be asked: who failed may have put in what is none. */
function partsOf(root: Behavior): readonly Behavior[] {
  try {
    return [...(root.children ?? [])].filter((child) => typeof child?.steer === 'function')
  } catch {
    return []
  }
}

/** One line for people. */
export function describe({ id, name, behavior, message }: Fault): string {
  return `three-steering: agent ${id}${name === '' ? '' : ` (${name})`}: ${behavior}: ${message}; dropped, others go on`
}
