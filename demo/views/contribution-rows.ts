import type { Behavior, Vec3Like } from 'three-steering'
import type { Contribution, Verdict } from 'three-steering/explain'
import { magnitude } from '../scenarios/metrics.js'
import { times } from '../scenarios/vectors.js'

/** One line of the tree: what is told of it, and where it hangs. */
export interface Row {
  readonly part: Contribution
  readonly depth: number
  /** The name by which a state machine knows it; empty for others. */
  readonly mode: string
  readonly color: string
  /** Has parts, whose sum it is. */
  readonly whole: boolean
  /** What of its force is left in the end, after all cuts above it: N. */
  readonly left: Vec3Like
  /** What it brings by itself to the force that all want together, N. */
  readonly own: Vec3Like
  readonly verdict: Verdict
}

/** A kind of behaviour is of one colour wherever it is met. */
const TINTS: Readonly<Record<string, string>> = {
  AvoidObstacles: '#ffb13b',
  ReciprocalAvoidance: '#c792ff',
  FollowPath: '#4dd2ff',
  Orbit: '#4dd2ff',
  Arrive: '#6dffbe',
  OffsetPursue: '#ff8f5a',
  Evade: '#ff6b9a',
  Face: '#b8e04a',
  Seek: '#7fa8ff',
  Wander: '#e8dc6a',
  Dock: '#6dffbe',
  Undock: '#6dffbe',
}
const PLAIN = '#c9d2e2'

/** All lines, parents first. Who was not asked is one line, whatever is below it. `modeOf` knows the names that a state machine has for parts. */
export function rowsOf(root: Contribution, modeOf: (behavior: Behavior) => string): Row[] {
  const rows: Row[] = []
  collect(rows, root, 0, 1, false, modeOf)
  return rows
}

/** `share` of what is granted to it is left after all cuts above; it is `idle` where the mode is another one. */
function collect(
  rows: Row[],
  part: Contribution,
  depth: number,
  share: number,
  idle: boolean,
  modeOf: (behavior: Behavior) => string,
): void {
  const { asked, behavior, children, granted, name, own } = part
  const verdict = idle && part.verdict === 'off' ? 'not asked' : part.verdict
  // what the engines cannot give is cut from the sum, not from its parts
  const rest = depth === 0 ? 1 : share * ratio(magnitude(granted.force), magnitude(asked.force))
  rows.push({
    part,
    depth,
    mode: modeOf(behavior),
    color: TINTS[name] ?? PLAIN,
    whole: children.length > 0,
    left: times(granted.force, share),
    own: times(own.force, rest),
    verdict,
  })
  if (verdict === 'not asked' || verdict === 'off') return
  for (const child of children) collect(rows, child, depth + 1, rest, name === 'Modes', modeOf)
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}
