import type { Agent, SnapshotState, Step, Vec3Like } from '../../types.js'
import { Memory } from '../../control/memory.js'
import { arccos, lagShare } from '../../math/scalar.js'
import {
  addScaled,
  cross,
  distance,
  dot,
  length,
  load,
  normalize,
  save,
  scale,
  set,
  sub,
  vec3,
} from '../../math/vec3.js'
import type { VehicleLimits } from './vehicle-limits.js'
import type { Goal } from './goal.js'

/**
 * How an agent stands to its goal: still on its way; nearest to it in this step, within the tolerances or not; beyond it, once it was within; or
 * the goal is another than before.
 */
export type Pass = 'under way' | 'within' | 'outside' | 'beyond' | 'moved'

const SEEN = 0
const STATUS = 3
const SEEN_VELOCITY = 4
const TURNING = 7
const WIDTH = 10

/** Time (s) over which the turning of a goal's velocity is learnt. */
const LEARNING = 0.2

const UNDER_WAY = 1
const BEYOND = 2

const heading = vec3()
const spot = vec3()
const relative = vec3()

/** Sees when agents pass their goal, and how well. */
export class Passing {
  /** How far off the goal it passed, m, and how far it was turned from its heading, rad: of the agent that passed last. */
  off = 0
  turned = 0
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]

  /** Once per step, with the goal as it is now. Within is nearer than `tolerance` (m), no more than `angle` (rad) from its heading. */
  look(agent: Agent, step: Step, now: Goal, terms: VehicleLimits, tolerance: number, angle: number): Pass {
    const at = this.memory.at(agent)
    const { data, fresh } = this.memory
    const moved =
      fresh ||
      distance(load(spot, data, at + SEEN), now.position) > tolerance + length(now.velocity) * step.dt
    save(addScaled(spot, now.position, now.velocity, step.dt), data, at + SEEN)
    this.learn(at, now, moved ? 0 : step.dt)
    if (moved) {
      data[at + STATUS] = UNDER_WAY
      return 'moved'
    }
    if (data[at + STATUS] === BEYOND) return 'beyond'
    if (terms.final === 0) return this.rest(agent, at, now, tolerance)
    // on the way of the last step, seen from the goal
    sub(relative, agent.velocity, now.velocity)
    sub(spot, agent.position, now.position)
    const since = dot(spot, relative) / dot(relative, relative)
    if (!(since > 0)) return 'under way'
    addScaled(spot, spot, relative, -Math.min(since, step.dt))
    this.off = length(spot)
    this.turned = this.angle(normalize(heading, agent.velocity), now, terms)
    if (!(this.off <= tolerance && this.turned <= angle)) return 'outside'
    data[at + STATUS] = BEYOND
    return 'within'
  }

  /** Learns how the velocity of the goal turns, and tells it to `now`. */
  private learn(at: number, now: Goal, dt: number): void {
    const { data } = this.memory
    const sq = dot(now.velocity, now.velocity)
    load(now.turning, data, at + TURNING)
    if (dt > 0 && sq > 0) {
      cross(relative, load(spot, data, at + SEEN_VELOCITY), now.velocity)
      addScaled(relative, scale(relative, relative, 1 / (sq * dt)), now.turning, -1)
      addScaled(now.turning, now.turning, relative, lagShare(dt, LEARNING))
    } else set(now.turning, 0, 0, 0)
    save(now.turning, data, at + TURNING)
    save(now.velocity, data, at + SEEN_VELOCITY)
  }

  /** Who comes to rest does not pass: it is there when it is near, and slower than one tolerance per second. At rest there is no course. */
  private rest(agent: Agent, at: number, now: Goal, tolerance: number): Pass {
    this.off = distance(agent.position, now.position)
    if (this.off > tolerance || distance(agent.velocity, now.velocity) > tolerance) return 'under way'
    this.turned = 0
    this.memory.data[at + STATUS] = BEYOND
    return 'within'
  }

  /** Between a course and the heading of the goal. Who may fly astern may come so. */
  private angle(course: Vec3Like, { heading: wanted }: Goal, { reverse }: VehicleLimits): number {
    const cosine = dot(course, wanted)
    return arccos(reverse ? Math.abs(cosine) : cosine)
  }
}
