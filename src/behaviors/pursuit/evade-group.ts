import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import { drive, topSpeed } from '../../control/drive.js'
import { requireFinite, requireWhole } from '../../math/require.js'
import { clamp } from '../../math/scalar.js'
import { nearnessSq, ownSize } from '../../control/nearness.js'
import { addScaled, copy, dot, isZero, length, normalize, reject, scale, set, vec3 } from '../../math/vec3.js'

export interface EvadeGroupOptions {
  /** Neighbours with one of these group bits are predators. */
  groups: number
  /** Those nearer than this count, m, > 0: a distance as in flocks, see `FlockRuleOptions.radius`. */
  neighborDistance: number
  /** Looks so many seconds ahead where each of them will be, s, ≥ 0. Default 1. */
  maxPredictionTime?: number
}

const DEFAULT_MAX_TIME = 1

/** From this share of the radius inwards it flees with all it has. */
const PANIC = 0.5

/** Passing nearer than this share of the distance is a hit. */
const DEAD_ON = 1e-6

const away = vec3()
const each = vec3()
const path = vec3()

/**
 * Prey: flees at full speed from all neighbours that belong to a group of predators, from the nearest most. It parts from the place where each
 * predator passes closest within `maxPredictionTime`, so who is ahead of one flies aside of its way instead of along it: the flock opens
 * like a fountain and closes behind (Partridge, The Structure and Function of Fish Schools, 1982; Reynolds 1999, evasion, of one pursuer that
 * is known). The fright fades in from `neighborDistance`, so nobody jolts.
 */
export class EvadeGroup implements Behavior {
  static readonly type: string = 'EvadeGroup'
  groups: number
  neighborDistance: number
  maxPredictionTime: number

  /** @throws TypeError / RangeError naming the option. */
  constructor({ groups, neighborDistance, maxPredictionTime = DEFAULT_MAX_TIME }: EvadeGroupOptions) {
    this.groups = requireWhole('EvadeGroup.groups', groups, -(2 ** 31), 2 ** 32 - 1)
    this.neighborDistance = requireFinite('EvadeGroup.neighborDistance', neighborDistance, 0, true)
    this.maxPredictionTime = requireFinite('EvadeGroup.maxPredictionTime', maxPredictionTime, 0, false)
  }

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
      const near = nearnessSq(neighbors, i, own)
      if (!(near < radiusSq) || (group[row[i]!]! & this.groups) === 0) continue
      const far = near > 0 ? Math.sqrt(near) / this.neighborDistance : 0
      const felt = Math.min(1, (1 - far) / (1 - PANIC))
      this.part(agent, row[i]!)
      addScaled(away, away, each, felt)
      fright = Math.max(fright, felt)
    }
    if (fright === 0) return
    normalize(away, away)
    // surrounded: on as before
    if (isZero(away)) copy(away, agent.course.x)
    drive(agent, step, scale(away, away, topSpeed(agent)), out.force, fright)
  }

  /** Writes into `each` the unit direction away from where the agent in `row` will be nearest to here. */
  private part(agent: Agent, row: number): void {
    const { course, position } = agent
    const neighbors = neighborsOf(agent)
    const { position: p, velocity: v } = neighbors
    const o = 3 * row
    set(each, position.x - p[o]!, position.y - p[o + 1]!, position.z - p[o + 2]!)
    normalize(path, set(path, v[o]!, v[o + 1]!, v[o + 2]!))
    const way = this.maxPredictionTime * Math.hypot(v[o]!, v[o + 1]!, v[o + 2]!)
    const gap = length(each)
    addScaled(each, each, path, -clamp(dot(each, path), 0, way))
    // dead on, but for rounding: up in the course frame, or to its side
    if (!(length(each) > DEAD_ON * gap)) {
      reject(each, course.y, path)
      if (!(length(each) > DEAD_ON)) reject(each, course.z, path)
    }
    normalize(each, each)
  }
}
