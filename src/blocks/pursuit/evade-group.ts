import type { Agent, Behavior, NeighborSearch, Step, Wrench } from '../../core/types.js'
import { evasiveSide } from '../../core/control/evasive-side.js'
import { neighborSearch } from '../../core/neighbors/neighbor-search.js'
import { neighborsOf } from '../../core/control/neighbors-of.js'
import { drive, topSpeed } from '../../core/control/drive.js'
import { nearestWithin } from '../../core/math/approach.js'
import { nearnessSq, ownSize } from '../../core/control/nearness.js'
import { addScaled, copy, isZero, length, load, normalize } from '../../core/math/vec3.js'
import { reject, scale, set, sub, vec3 } from '../../core/math/vec3.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface EvadeGroupOptions extends Options, OptionsOf<typeof EvadeGroup.options> {}
export interface EvadeGroup extends FieldsOf<typeof EvadeGroup.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** At and below this share of `neighborDistance` the agent flees with its full force. */
const FULL_FRIGHT_SHARE = 0.5

/** A predator that passes nearer than this share of its distance passes through the agent. */
const DEAD_ON = 1e-6

const away = vec3()
const awayFromOne = vec3()
const drift = vec3()

/**
 * Flees at full speed from all neighbors that belong to a group of predators; the nearest count most. The
 * agent flies away from the point where each predator passes closest within `maxPredictionTime`. So an agent
 * ahead of a predator flies sideways and not along its path. The flock opens like a fountain and closes
 * behind the predator (Partridge, The Structure and Function of Fish Schools, 1982; Reynolds 1999, evasion,
 * of one known pursuer). The force fades in from `neighborDistance`, without a jump.
 */
export class EvadeGroup extends WithOptions<EvadeGroupOptions> implements Behavior {
  static readonly type: string = 'EvadeGroup'
  static readonly options = {
    /** Neighbors with one of these group bits are predators. */
    // One bit for each group.
    groups: { kind: 'number', required: true, whole: true, atLeast: -2147483648, atMost: 4294967295 },
    /**
     * Predators within this distance count (m, > 0), measured as in flocks, see
     * `FlockRuleOptions.neighborDistance`. Larger flees earlier.
     */
    neighborDistance: { kind: 'number', required: true, unit: 'm', above: 0 },
    /** Predators are predicted for at most this time (s, ≥ 0). Default 1. */
    maxPredictionTime: { kind: 'number', unit: 's', atLeast: 0, default: 1 },
    /** Speed to flee at (m/s, > 0), no more than the top speed. Default the top speed. */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
  } as const satisfies AnyTable
  readonly neighborSearch: NeighborSearch = neighborSearch

  get reach(): number {
    return this.neighborDistance
  }

  get reachTo(): 'center' {
    return 'center'
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const neighbors = neighborsOf(agent)
    const { count, row, group } = neighbors
    const own = ownSize(agent)
    const radiusSq = this.neighborDistance * this.neighborDistance
    let fright = 0
    set(away, 0, 0, 0)
    for (let i = 0; i < count; i++) {
      const distanceSq = nearnessSq(neighbors, i, own)
      if (!(distanceSq < radiusSq) || (group[row[i]!]! & this.groups) === 0) continue
      const distanceShare = distanceSq > 0 ? Math.sqrt(distanceSq) / this.neighborDistance : 0
      const share = Math.min(1, (1 - distanceShare) / (1 - FULL_FRIGHT_SHARE))
      this.directionAway(agent, row[i]!)
      addScaled(away, away, awayFromOne, share)
      fright = Math.max(fright, share)
    }
    if (fright === 0) return
    normalize(away, away)
    // Surrounded evenly, the agent keeps its course.
    if (isZero(away)) copy(away, agent.course.x)
    drive(agent, step, scale(away, away, topSpeed(agent, this.speed)), out.force, fright)
  }

  /** Writes into `awayFromOne` the unit direction away from where the agent in `row` will pass nearest. */
  private directionAway(agent: Agent, row: number): void {
    const { course, position } = agent
    const neighbors = neighborsOf(agent)
    sub(awayFromOne, position, load(awayFromOne, neighbors.position, 3 * row))
    scale(drift, load(drift, neighbors.velocity, 3 * row), -1)
    const gap = length(awayFromOne)
    nearestWithin(awayFromOne, awayFromOne, drift, this.maxPredictionTime)
    // Passing through the agent, except for rounding: away is up in the course frame, or to its side.
    if (!(length(awayFromOne) > DEAD_ON * gap)) {
      normalize(drift, drift)
      reject(awayFromOne, evasiveSide(agent), drift)
      if (!(length(awayFromOne) > DEAD_ON)) reject(awayFromOne, course.z, drift)
    }
    normalize(awayFromOne, awayFromOne)
  }
}
