import type { Behavior, Vec3Like } from 'three-steering'
import type { Contribution, Verdict } from 'three-steering/explain'
import { magnitude } from '../scenarios/metrics.js'
import { times } from '../scenarios/vectors.js'

/** One row of the tree: a contribution, and its position in the tree. */
export interface Row {
  readonly part: Contribution
  readonly depth: number
  /** Name of the mode in the state machine. Empty for other behaviours. */
  readonly mode: string
  readonly color: string
  /** Whether it combines parts. */
  readonly whole: boolean
  /** Its force after all cuts above it (N). */
  readonly remaining: Vec3Like
  /** Its own share of the wanted force (N). */
  readonly own: Vec3Like
  readonly verdict: Verdict
}

/** Colour of each kind of behaviour. */
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

/**
 * All rows, parents first. A behaviour that was not asked is one row, without its parts. `modeOf` gives the
 * name of a mode for a behaviour, or ''.
 */
export function rowsOf(root: Contribution, modeOf: (behavior: Behavior) => string): Row[] {
  const rows: Row[] = []
  collect(rows, root, 0, 1, false, modeOf)
  return rows
}

/**
 * `share` is the part of its granted force that remains after all cuts above it. `idle` is true for a mode
 * that is not active.
 */
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
  // limits of the engines cut the sum, not its parts
  const rest = depth === 0 ? 1 : share * ratio(magnitude(granted.force), magnitude(asked.force))
  rows.push({
    part,
    depth,
    mode: modeOf(behavior),
    color: TINTS[name] ?? PLAIN,
    whole: children.length > 0,
    remaining: times(granted.force, share),
    own: times(own.force, rest),
    verdict,
  })
  if (verdict === 'not asked' || verdict === 'off') return
  for (const child of children) collect(rows, child, depth + 1, rest, name === 'Modes', modeOf)
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}
