import type { MovingFrame } from '../../types.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { requireFinite, requireNumber } from '../../math/require.js'
import type { Pattern } from './formation-slot.js'
import type { FormationFrame } from './guide.js'
import type { FormationRoute } from './passage-search.js'

/**
 * How fast it goes.
 * - `slowest`: as the slowest can: it wheels no faster than the outermost can fly, slows down in bends and waits for laggards.
 * - `leader`: as the leader likes; it only wheels no faster than the outermost can fly.
 * - `free`: its frame is the leader's, whatever that asks of the members.
 */
export type FormationPace = 'slowest' | 'leader' | 'free'

/** Options of a formation, but for the one it belongs to. */
export interface FormationShape {
  /** Least distance of two slots, m, > 0: more than both hulls. From 2 √2 radii on changes are flown straight, nearer ones in arcs. */
  spacing: number
  /** Default `wedgePattern`. May be changed at any time. */
  pattern?: Pattern
  /**
   * Whom it follows: who flies at the origin of the pattern and has no slot. Default none: then a member leads whose `KeepSlot` has a
   * `lead`, and without one the formation flies straight on. May be changed at any time.
   */
  leader?: MovingFrame | null
  /** Whose axes it has. Default `attitude`. */
  frame?: FormationFrame
  /** Default `slowest`. */
  pace?: FormationPace
  /** What it closes into a column for, where it cannot pass as it is. Default nothing. */
  obstacles?: Obstacles
  /** Room (m, ≥ 0) that slots need beyond the radius of the largest member, to pass. Default half of that radius. */
  clearance?: number
  /** Where the leader will be. Default straight on: in bends give it, from the path, or it looks for obstacles where it will not be. */
  route?: FormationRoute
  /** Distance of two members in the column, m, > 0. Default four radii of the largest, and no more than the spacing. */
  columnSpacing?: number
  /** Whether what is behind the leader follows his trail round bends, instead of being swung round him. Default false. */
  warp?: boolean
  /** Of the assignment when members come and go, see `AssignmentOptions`. Default 0.2. */
  hysteresis?: number
}

const FRAMES: readonly unknown[] = ['attitude', 'course', 'level'] satisfies FormationFrame[]
const PACES: readonly unknown[] = ['slowest', 'leader', 'free'] satisfies FormationPace[]

/** @throws TypeError / RangeError naming the option. */
export function checkFormation(options: FormationShape): void {
  const { columnSpacing, frame, hysteresis, leader, clearance, obstacles, pace, pattern, route, spacing } =
    options
  requireSpacing('Formation.spacing', spacing)
  if (pattern !== undefined) requireMaker(pattern)
  if (leader !== undefined) requireLeader(leader)
  if (frame !== undefined && !FRAMES.includes(frame))
    throw new RangeError(`Formation.frame: got '${frame}', allowed are '${FRAMES.join("', '")}'`)
  if (pace !== undefined) requirePace(pace)
  if (obstacles !== undefined && typeof obstacles?.distance !== 'function')
    throw new TypeError(`Formation.obstacles: got ${String(obstacles)}, must be Obstacles`)
  if (clearance !== undefined) requireFinite('Formation.clearance', clearance, 0, false)
  if (route !== undefined && typeof route !== 'function')
    throw new TypeError(`Formation.route: got ${String(route)}, must be a function (ahead, out) => void`)
  if (columnSpacing !== undefined) requireSpacing('Formation.columnSpacing', columnSpacing)
  if (hysteresis !== undefined) requireNumber('Formation.hysteresis', hysteresis, 0, false, 1)
}

export function requireSpacing(what: string, spacing: number): number {
  return requireFinite(what, spacing, 0, true)
}

export function requirePace(pace: FormationPace): FormationPace {
  if (!PACES.includes(pace))
    throw new RangeError(`Formation.pace: got '${pace}', allowed are '${PACES.join("', '")}'`)
  return pace
}

export function requireMaker(pattern: Pattern): Pattern {
  if (typeof pattern !== 'function')
    throw new TypeError(
      `Formation.pattern: got ${String(pattern)}, must be a function (count, spacing) => slots`,
    )
  return pattern
}

export function requireLeader(leader: MovingFrame | null): MovingFrame | null {
  if (leader !== null && (typeof leader?.position?.x !== 'number' || typeof leader.velocity?.x !== 'number'))
    throw new TypeError(
      `Formation.leader: got ${String(leader)}, must have a position and a velocity, or be null`,
    )
  return leader
}
