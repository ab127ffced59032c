import type { MovingFrame, Vec3 } from '../../core/types.js'
import { requireSet } from '../../core/obstacles/require-set.js'
import { DEFAULT_HYSTERESIS } from './assignment.js'
import { checkOption, type Option } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'
import { refuse } from '../../core/math/require.js'
import type { Pattern } from './formation-slot.js'
import { wedgePattern } from './patterns.js'

/**
 * The speed of a formation.
 * - `slowest`: that of the slowest member. The formation wheels no faster than the outermost member can fly,
 *   and the leader slows down in bends and waits for members that are late: it flies on at a quarter of its
 *   speed, and waits two seconds at most for one that does not come nearer.
 * - `leader`: that of the leader. The formation only wheels no faster than the outermost member can fly.
 * - `free`: the frame is that of the leader, even if the members cannot follow.
 */
export type FormationPace = 'slowest' | 'leader' | 'free'

/** Writes the position (m, world axes) at which the leader will be after flying `ahead` metres. */
export type FormationRoute = (ahead: number, out: Vec3) => void

/** Options of a formation, except its `parent`. */
export interface FormationShape extends Options, OptionsOf<typeof FORMATION> {}
export interface FormationSettings extends FieldsOf<typeof FORMATION> {}

/** The table of `FormationShape`. */
export const FORMATION = {
  /**
   * Least distance of two slots, m, > 0: more than twice the radius of a member. From 2 √2 radii on, paths of
   * changes are straight; below that they are arcs.
   */
  spacing: { kind: 'number', required: true, unit: 'm', above: 0 },
  /**
   * Clearance (m, ≥ 0) between the hulls of neighbours, for members of different sizes: the distance of two
   * slots is then twice the radius of the largest member plus this, where that is more than `spacing`. It
   * follows the members that come and leave (Green, Steering Formations: "creatures all had different
   * extents"). Default none: `spacing` as given.
   */
  memberClearance: { kind: 'number', unit: 'm', atLeast: 0 },
  /** Default `wedgePattern`. May be changed at any time. */
  pattern: { kind: 'function', default: wedgePattern, check: requireMaker },
  /**
   * A leader that is no member: it flies at the origin of the pattern and has no slot, and the slots are
   * beside or behind it, see `leaderApart`. Default none: then a member with a `leadBehavior` in its
   * `KeepSlot` leads, and without such a member the formation flies straight on. May be changed at any time.
   */
  leader: { kind: 'named', default: null, check: requireLeader },
  /**
   * Whether the place of the `leader` is its own: no slot is nearer to it than the spacing. If the pattern
   * has a place for a leader, that is left free; a pattern that would still come too near is moved back as a
   * whole. Default true; false for a leader that is only a point, through which members may fly.
   */
  leaderApart: { kind: 'boolean', default: true },
  /** The axes of the formation. Default `attitude`: those of the leader. */
  frame: { kind: 'text', oneOf: ['attitude', 'course', 'level'], default: 'attitude' },
  /** Default `slowest`. */
  pace: { kind: 'text', oneOf: ['slowest', 'leader', 'free'], default: 'slowest' },
  /**
   * With `slowest`: greatest speed of the leader on a straight course, as a share of the top speed of the
   * slowest member, in (0, 1]. With 1 a member that is late catches up only while the leader waits for it.
   * Default 0.9.
   */
  // Leaves a tenth of the speed to members that are late. Chosen by hand.
  leaderShare: { kind: 'number', above: 0, atMost: 1, default: 0.9 },
  /**
   * Obstacles for which the formation is flown narrower, lower or as a column if it cannot pass as it is.
   * Default none.
   */
  obstacles: { kind: 'instance', check: requireSet },
  /**
   * What gives way to `obstacles`. `together` (default): the whole formation, and then each member that is
   * late because its slot would lie in an obstacle. `each`: each member by itself moves its own slot towards
   * its place in a column, and the others keep theirs (J. van Verth in Green, Steering Formations). With
   * `each` give the members `ReciprocalAvoidance`, since a member on its way to the column may cross the slot
   * of another.
   */
  passing: { kind: 'text', oneOf: ['together', 'each'], default: 'together' },
  /**
   * Clearance (m, ≥ 0) that slots need to pass, beyond the radius of the largest member. Default half of that
   * radius.
   */
  clearance: { kind: 'number', unit: 'm', atLeast: 0 },
  /**
   * The future path of the leader. Default what the behaviour that leads tells by its `placeAhead`, as
   * `FollowPath` does; else a straight line: if the leader flies a curved path, give it here, or the
   * formation looks for obstacles in the wrong place.
   */
  route: { kind: 'function', check: requireRoute },
  /**
   * Distance of two members in a column, m, > 0. Default four radii of the largest member, and no more than
   * the spacing.
   */
  columnSpacing: { kind: 'number', unit: 'm', above: 0 },
  /**
   * Whether slots behind the leader follow its trail around bends, instead of turning with it like a rigid
   * body. Default false.
   */
  warp: { kind: 'boolean', default: false },
  /**
   * Hysteresis of the assignment when members come and leave, dimensionless, see `AssignmentOptions`. Default
   * 0.2.
   */
  hysteresis: { kind: 'number', atLeast: 0, atMost: 1, default: DEFAULT_HYSTERESIS },
} as const satisfies AnyTable

/** Options that are checked when changed. After one of the first `RESHAPING` slots are assigned anew. */
const CHECKED = ['leader', 'leaderApart', 'pattern', 'spacing', 'obstacles', 'pace', 'route'] as const
const RESHAPING = 4

/** The options of a formation, which may be changed at any time. */
export abstract class FormationSettings {
  static readonly options = [FORMATION, { parent: { kind: 'named' } }] as const

  constructor(read: FieldsOf<typeof FORMATION>) {
    Object.assign(this, read)
    CHECKED.forEach((name, i) => this.watch(name, i < RESHAPING))
  }

  /** Called after a change that needs a new assignment of slots. */
  protected abstract reshape(leader: boolean): void

  /** Checks each new value of an option. */
  private watch(name: (typeof CHECKED)[number], reshapes: boolean): void {
    const option = FORMATION[name] as Option
    let value: unknown = this[name]
    const set = (changed: unknown): void => {
      const given = changed !== undefined || option.default !== undefined || option.required
      value = given ? checkOption(`Formation.${name}`, changed, option) : changed
      if (reshapes) this.reshape(name === 'leader')
    }
    Object.defineProperty(this, name, { get: () => value, set, enumerable: true })
  }
}

function requireRoute(what: string, route: FormationRoute): FormationRoute {
  if (typeof route !== 'function') refuse(what, route, 'must be a function (ahead, out) => void')
  return route
}

function requireMaker(what: string, pattern: Pattern): Pattern {
  if (typeof pattern !== 'function') refuse(what, pattern, 'must be a function (count, spacing) => slots')
  return pattern
}

function requireLeader(what: string, leader: MovingFrame | null): MovingFrame | null {
  if (leader !== null && (typeof leader?.position?.x !== 'number' || typeof leader.velocity?.x !== 'number'))
    refuse(what, leader, 'must have a position and a velocity, or be null')
  return leader
}
