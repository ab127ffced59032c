import type { Agent, SnapshotState, PointSource, Step, Vec3Like, Wrench } from '../../types.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import type { Constraint, VelocityConstraints, QueueOrder } from '../../solver/constraint.js'
import { VelocitySolver } from '../../solver/velocity-solver.js'
import { requireFinite, requireVector, requireWhole } from '../../math/require.js'
import { dot, length, lengthSq, normalize, reject, scale } from '../../math/vec3.js'
import { set, sub, vec3 } from '../../math/vec3.js'
import { capPlane, measureAgility } from './plane-cap.js'
import { pointAt, requirePoint } from '../../control/target.js'

export interface QueueOptions {
  /** What is queued for, m: a counter, a dock, the far end of a doorway. */
  target: PointSource
  /** Queues within this distance of the place, m, > 0. Should cover the queue and the way to stop at its end. */
  radius: number
  /** Clear distance (m) kept to who is ahead, ≥ 0. Default a fifth of the agent's radius. */
  clearance?: number
  /**
   * Who is farther beside the straight way to the place than both hulls and this is not ahead, m, finite. More makes one file in time of those
   * who come from all sides; negative lets them through side by side. Default twice the agent's radius.
   */
  sideClearance?: number
  /**
   * The way through the place, when it is a door: who is beyond it in this direction (any length, not 0) queues no more, and is
   * ahead of all who still do. Default none: a counter, queued for from all sides.
   */
  exitDirection?: Vec3Like
  /** Only agents with one of these group bits count. Default all. */
  groups?: number
}

const DEFAULT_GAP = 0.2

/** Room for one more beside: ways to one place converge. */
const DEFAULT_ASIDE = 2

const place = vec3()
const ahead = vec3()
const offset = vec3()
const beside = vec3()
const way = vec3()
const motion = vec3()
const normal = vec3()

/**
 * Waits for those ahead at a place, in true 3D: who is nearer to it, and in the way to it, is neared no faster than at √(2·a·d) plus
 * their own speed, from which the agent can still stop behind them; nor does it slide past them. Who is too near is given room.
 * "Ahead" is an order of all (distance to the place; of equals the lower seed first), so no two wait for each other, and the one that is
 * nearest is never held (but by who is `exitDirection` and stands in its way): nobody starves while the first goes on. Forces that keep apart
 * know no such order, and in a door they press from all sides alike (Green, Prioritised Dithering: creatures "get buffeted
 * around by other creatures and not reach their destinations").
 *
 * What it demands yields to walls and obstacles: nobody is pushed into one by those ahead. And it tells `ReciprocalAvoidance` beside it the order:
 * of two in the queue the one behind makes way, so that those beside a door do not hold up the one in it. All agents in `groups` must queue.
 *
 * It limits, and does not lead: the wish goes to the place, and within `within` stand beside it what avoids walls and what avoids
 * other agents: past the place nobody queues any more. The wish must turn to what comes next at the place.
 */
export class Queue implements Constraint, QueueOrder {
  static readonly type: string = 'Queue'
  target: PointSource
  radius: number
  clearance: number | undefined
  sideClearance: number | undefined
  exitDirection: Vec3Like | undefined
  groups: number
  private readonly limits = new VelocitySolver()
  readonly state: SnapshotState = [this.limits]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: QueueOptions) {
    const { target: at, radius, clearance, sideClearance, exitDirection, groups = -1 } = options
    this.target = requirePoint('Queue.target', at)
    this.radius = requireFinite('Queue.radius', radius, 0, true)
    this.clearance =
      clearance === undefined ? undefined : requireFinite('Queue.clearance', clearance, 0, false)
    this.sideClearance =
      sideClearance === undefined
        ? undefined
        : requireFinite('Queue.sideClearance', sideClearance, -Infinity, true)
    this.exitDirection =
      exitDirection === undefined ? undefined : requireVector('Queue.exitDirection', exitDirection)
    this.groups = requireWhole('Queue.groups', groups, -(2 ** 31), 2 ** 32 - 1)
  }

  /** Who is ahead and in the way is hardly farther than the place. */
  get reach(): number {
    return this.radius
  }

  survey(_agent: Agent, _step: Step, limits: VelocityConstraints): void {
    limits.queueOrder ??= this
  }

  rank(agent: Agent, row: number): number {
    const { position, seed } = agent
    const neighbors = neighborsOf(agent)
    if ((neighbors.group[row]! & this.groups) === 0) return 0
    const { position: p } = neighbors
    pointAt(place, this.target, agent)
    sub(offset, position, place)
    set(beside, p[3 * row]! - place.x, p[3 * row + 1]! - place.y, p[3 * row + 2]! - place.z)
    const own = this.distanceTo(offset)
    const other = this.distanceTo(beside)
    if (!(own <= this.radius && other <= this.radius)) return 0
    // agents that have passed the place have no order among themselves
    if (own < 0 && other < 0) return 0
    const before = own === other ? neighbors.seed[row]! < seed : other < own
    return before ? 1 : -1
  }

  /** Distance (m) from the place of a point that is at `off` (m) from it; −1 beyond it, as far as the zone. */
  private distanceTo(off: Vec3Like): number {
    const { exitDirection } = this
    const distance = length(off)
    return exitDirection !== undefined && dot(off, exitDirection) > 0 && distance <= this.radius
      ? -1
      : distance
  }

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    const { position, seed } = agent
    const neighbors = neighborsOf(agent)
    const { count, row, group, seed: seeds } = neighbors
    const { groups, exitDirection } = this
    const aside = this.sideClearance ?? DEFAULT_ASIDE * agent.radius
    pointAt(place, this.target, agent)
    const own = length(sub(ahead, place, position))
    if (!(own <= this.radius)) return
    normalize(ahead, ahead)
    if (exitDirection !== undefined && dot(ahead, exitDirection) < 0) return
    const clear = agent.radius + (this.clearance ?? DEFAULT_GAP * agent.radius)
    measureAgility(agent)
    for (let i = 0; i < count; i++) {
      const r = row[i]!
      if ((group[r]! & groups) === 0) continue
      const { position: p } = neighbors
      const x = p[3 * r]!
      const y = p[3 * r + 1]!
      const z = p[3 * r + 2]!
      const other = length(sub(offset, place, set(offset, x, y, z)))
      const beyond =
        exitDirection !== undefined &&
        (x - place.x) * exitDirection.x + (y - place.y) * exitDirection.y + (z - place.z) * exitDirection.z >
          0
      if (!beyond && (other > own || (other === own && seeds[r]! >= seed))) continue
      set(offset, x - position.x, y - position.y, z - position.z)
      const hull = neighbors.radius(r)
      const lateral = length(reject(beside, offset, ahead))
      if (!(lateral < agent.radius + hull + aside)) continue
      capBehind(agent, step, r, clear + hull, lateral, limits)
    }
  }

  /** As a plain behaviour: the force that keeps the present velocity behind those ahead. */
  steer(agent: Agent, step: Step, out: Wrench): void {
    this.limits.obey(agent, step, this, out.force)
  }
}

/**
 * Caps the speed towards the agent in `row`, to stop with the centres `room` (m) apart, and that towards the place, so that nobody who
 * slides along the one ahead gets past. Needs `offset` and `ahead`.
 */
function capBehind(
  agent: Agent,
  step: Step,
  row: number,
  room: number,
  lateral: number,
  limits: VelocityConstraints,
): void {
  const { velocity } = neighborsOf(agent)
  set(motion, velocity[3 * row]!, velocity[3 * row + 1]!, velocity[3 * row + 2]!)
  if (lateral < room) {
    const free = dot(offset, ahead) - Math.sqrt((room - lateral) * (room + lateral))
    capAlong(agent, step, ahead, Math.max(0, free), limits)
  }
  normalize(way, offset)
  capAlong(agent, step, way, length(offset) - room, limits)
}

/** Caps the speed along the unit direction `along`, with `clearance` (m) to go, less what the other one flies until it can be seen to brake. Needs `motion`. */
function capAlong(agent: Agent, step: Step, along: Vec3Like, gap: number, limits: VelocityConstraints): void {
  if (lengthSq(along) === 0) return
  scale(normal, along, -1)
  capPlane(agent, step, normal, gap - step.dt * Math.max(0, dot(motion, along)), motion, limits, true)
}
