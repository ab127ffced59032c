import type { Behavior, Fault, Step, Wrench } from '../types.js'
import { isFiniteVec } from '../math/vec3.js'
import { zeroWrench } from '../math/wrench.js'
import type { Cursor } from './cursor.js'
import { typeName } from '../math/type-name.js'

/** What kind of fault: each is told once for each part of an agent. Inputs that cannot be used go by their names, e.g. 'target'. */
export type FaultKind = 'threw' | 'not finite' | 'replaced' | 'alters' | `input ${string}`

/** Told of what went wrong with a part of the agent in `row`, or of the world where that is −1; all others go on. */
export type ReportFault = (row: number, part: object | string, kind: FaultKind, message: string) => void

/** Name of a part: that of its class, or `role` where it has none of its own. */
export function nameOf(part: object, role: string): string {
  const name = typeName(part)
  return name === 'Object' || name === '' ? role : name
}

/** True for a wrench of finite numbers. Never throws, whatever stands in their place. */
export function isFiniteWrench({ force, torque }: Readonly<Wrench>): boolean {
  return isFiniteVec(force) && isFiniteVec(torque)
}

/**
 * The deepest part of a tree that throws, or is `bad`: by default, whose output is not finite. The root when no part can be blamed alone. Never
 * throws.
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
    // new for each: a part may put anything in the place of its vectors
    const out = zeroWrench()
    try {
      child.steer(agent, step, out)
      if (!isFaulty(out)) continue
    } catch {
      // that is the one
    }
    return findFaultyPart(child, agent, step, isFaulty, path)
  }
  return root
}

const isUnusable = (out: Wrench): boolean => !isFiniteWrench(out)

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
  const subject = id < 0 ? '' : `agent ${id}${name === '' ? '' : ` (${name})`}: `
  return `three-steering: ${subject}${behavior}: ${message}; dropped, others go on`
}
