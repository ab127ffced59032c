import type { MovingFrame } from '../../types.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { requireFinite, requireNumber } from '../../math/require.js'
import type { Pattern } from './formation-slot.js'
import type { FormationFrame } from './guide.js'
import type { FormationRoute } from './passage-search.js'
import { wedgePattern } from './patterns.js'

/**
 * The speed of a formation.
 * - `slowest`: that of the slowest member. The formation wheels no faster than the outermost member can fly,
 *   and the leader slows down in bends and waits for members that are late.
 * - `leader`: that of the leader. The formation only wheels no faster than the outermost member can fly.
 * - `free`: the frame is that of the leader, even if the members cannot follow.
 */
export type FormationPace = 'slowest' | 'leader' | 'free'

/** See {@link FormationShape}. */
export type FormationPassing = 'together' | 'each'

/** Options of a formation, except its `parent`. */
export interface FormationShape {
  /**
   * Least distance of two slots, m, > 0: more than twice the radius of a member. From 2 √2 radii on, paths of
   * changes are straight; below that they are arcs.
   */
  spacing: number
  /**
   * Clearance (m, ≥ 0) between the hulls of neighbours, for members of different sizes: the distance of two
   * slots is then twice the radius of the largest member plus this, where that is more than `spacing`. It
   * follows the members that come and leave (Green, Steering Formations: "creatures all had different
   * extents"). Default none: `spacing` as given.
   */
  memberClearance?: number
  /** Default `wedgePattern`. May be changed at any time. */
  pattern?: Pattern
  /**
   * The leader: it flies at the origin of the pattern and has no slot. Default none: then a member with a
   * `leadBehavior` in its `KeepSlot` leads, and without such a member the formation flies straight on. May be
   * changed at any time.
   */
  leader?: MovingFrame | null
  /** The axes of the formation. Default `attitude`: those of the leader. */
  frame?: FormationFrame
  /** Default `slowest`. */
  pace?: FormationPace
  /**
   * With `slowest`: greatest speed of the leader on a straight course, as a share of the top speed of the
   * slowest member, in (0, 1]. With 1 a member that is late catches up only while the leader waits for it.
   * Default 0.9.
   */
  leaderShare?: number
  /**
   * Obstacles for which the formation is flown narrower, lower or as a column if it cannot pass as it is.
   * Default none.
   */
  obstacles?: Obstacles
  /**
   * What gives way to `obstacles`. `together` (default): the whole formation. `each`: each member by itself
   * moves its own slot towards its place in a column, and the others keep theirs (J. van Verth in Green,
   * Steering Formations). With `each` give the members `ReciprocalAvoidance`, since a member on its way to
   * the column may cross the slot of another.
   */
  passing?: FormationPassing
  /**
   * Clearance (m, ≥ 0) that slots need to pass, beyond the radius of the largest member. Default half of that
   * radius.
   */
  clearance?: number
  /**
   * The future path of the leader. Default a straight line: if the leader flies a curved path, give it here,
   * or the formation looks for obstacles in the wrong place.
   */
  route?: FormationRoute
  /**
   * Distance of two members in a column, m, > 0. Default four radii of the largest member, and no more than
   * the spacing.
   */
  columnSpacing?: number
  /**
   * Whether slots behind the leader follow its trail around bends, instead of turning with it like a rigid
   * body. Default false.
   */
  warp?: boolean
  /**
   * Hysteresis of the assignment when members come and leave, dimensionless, see `AssignmentOptions`. Default
   * 0.2.
   */
  hysteresis?: number
}

/** Leaves a tenth of the speed to members that are late. Chosen by hand. */
const DEFAULT_LEADER_SHARE = 0.9

const FRAMES: readonly unknown[] = ['attitude', 'course', 'level'] satisfies FormationFrame[]
const PACES: readonly unknown[] = ['slowest', 'leader', 'free'] satisfies FormationPace[]

/** The options of a formation that may be changed at any time. */
export abstract class FormationSettings {
  columnSpacing: number | undefined
  warp: boolean
  frame: FormationFrame
  passing: FormationPassing
  memberClearance: number | undefined
  leaderShare: number
  private _pattern: Pattern
  private _spacing: number
  private _leader: MovingFrame | null
  private _pace: FormationPace

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: FormationShape) {
    checkFormation(options)
    const {
      frame = 'attitude',
      leader = null,
      pace = 'slowest',
      pattern = wedgePattern,
      warp = false,
    } = options
    this._pattern = pattern
    this._spacing = options.spacing
    this._leader = leader
    this._pace = pace
    this.frame = frame
    this.warp = warp
    this.columnSpacing = options.columnSpacing
    this.passing = options.passing ?? 'together'
    this.memberClearance = options.memberClearance
    this.leaderShare = options.leaderShare ?? DEFAULT_LEADER_SHARE
  }

  /** Called after a change that needs a new assignment of slots. */
  protected abstract reshape(leader: boolean): void

  get pattern(): Pattern {
    return this._pattern
  }

  /** The members change to the new pattern in flight. @throws TypeError if it is not a function. */
  set pattern(pattern: Pattern) {
    this._pattern = requireMaker(pattern)
    this.reshape(false)
  }

  /** m */
  get spacing(): number {
    return this._spacing
  }

  /** @throws TypeError / RangeError unless > 0. */
  set spacing(spacing: number) {
    this._spacing = requireSpacing('Formation.spacing', spacing)
    this.reshape(false)
  }

  get leader(): MovingFrame | null {
    return this._leader
  }

  /**
   * The members fly to their slots about the new leader.
   * @throws TypeError unless it has a position and a velocity.
   */
  set leader(leader: MovingFrame | null) {
    this._leader = requireLeader(leader)
    this.reshape(true)
  }

  get pace(): FormationPace {
    return this._pace
  }

  /** @throws RangeError naming the allowed values. */
  set pace(pace: FormationPace) {
    this._pace = requirePace(pace)
  }
}

/** @throws TypeError / RangeError naming the option. */
function checkFormation(options: FormationShape): void {
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
  const { leaderShare, memberClearance, passing } = options
  if (passing !== undefined && passing !== 'together' && passing !== 'each')
    throw new RangeError(`Formation.passing: got '${String(passing)}', allowed are 'together', 'each'`)
  if (memberClearance !== undefined) requireFinite('Formation.memberClearance', memberClearance, 0, false)
  if (leaderShare !== undefined) requireNumber('Formation.leaderShare', leaderShare, 0, true, 1)
  if (columnSpacing !== undefined) requireSpacing('Formation.columnSpacing', columnSpacing)
  if (hysteresis !== undefined) requireNumber('Formation.hysteresis', hysteresis, 0, false, 1)
}

function requireSpacing(what: string, spacing: number): number {
  return requireFinite(what, spacing, 0, true)
}

function requirePace(pace: FormationPace): FormationPace {
  if (!PACES.includes(pace))
    throw new RangeError(`Formation.pace: got '${pace}', allowed are '${PACES.join("', '")}'`)
  return pace
}

function requireMaker(pattern: Pattern): Pattern {
  if (typeof pattern !== 'function')
    throw new TypeError(
      `Formation.pattern: got ${String(pattern)}, must be a function (count, spacing) => slots`,
    )
  return pattern
}

function requireLeader(leader: MovingFrame | null): MovingFrame | null {
  if (leader !== null && (typeof leader?.position?.x !== 'number' || typeof leader.velocity?.x !== 'number'))
    throw new TypeError(
      `Formation.leader: got ${String(leader)}, must have a position and a velocity, or be null`,
    )
  return leader
}
