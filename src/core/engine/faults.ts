import type { Behavior, Fault, Step, Wrench } from '../types.js'
import { isFiniteVec } from '../math/vec3.js'
import { zeroWrench } from '../math/wrench.js'
import type { Cursor } from './cursor.js'
import { typeName } from '../math/show.js'

/**
 * Kind of a fault: each is reported once for each part of an agent. Inputs that cannot be used have a kind by
 * name, e.g. 'input target'.
 */
export type FaultKind = 'threw' | 'not finite' | 'replaced' | 'alters' | `input ${string}`

/** Reports a fault of a part of the agent in `row`; −1: of the world. All other agents go on. */
export type ReportFault = (row: number, part: object | string, kind: FaultKind, message: string) => void

/** Name of a part: that of its class, or `role` when its class has no name. */
export function nameOf(part: object, role: string): string {
  const name = typeName(part)
  return name === 'Object' || name === '' ? role : name
}

/** True for a wrench of finite numbers. Never throws, whatever was written in place of its vectors. */
export function isFiniteWrench({ force, torque }: Readonly<Wrench>): boolean {
  return isFiniteVec(force) && isFiniteVec(torque)
}

/**
 * The deepest part of a tree that throws, or for which `isFaulty` is true: by default, whose output is not
 * finite. The root when no part fails alone. Never throws.
 */
export function findFaultyPart(
  root: Behavior,
  agent: Cursor,
  step: Step,
  isFaulty: (out: Wrench) => boolean = isUnusable,
  ancestors: readonly Behavior[] = [],
): Behavior {
  const path = [...ancestors, root]
  for (const child of partsOf(root)) {
    if (path.includes(child)) continue
    // a new one for each part: a part may replace its vectors
    const out = zeroWrench()
    try {
      child.steer(agent, step, out)
      if (!isFaulty(out)) continue
    } catch {
      // this part throws
    }
    return findFaultyPart(child, agent, step, isFaulty, path)
  }
  return root
}

const isUnusable = (out: Wrench): boolean => !isFiniteWrench(out)

/** The parts that can be called: a behaviour that failed may contain values that are not behaviours. */
function partsOf(root: Behavior): readonly Behavior[] {
  try {
    return [...(root.children ?? [])].filter((child) => typeof child?.steer === 'function')
  } catch {
    return []
  }
}

/** The fault as one line of text. */
export function faultText({ id, name, behavior, message }: Fault): string {
  const subject = id < 0 ? '' : `agent ${id}${name === '' ? '' : ` (${name})`}: `
  return `three-steering: ${subject}${behavior}: ${message}; dropped, others go on`
}
