import type { Agent, Keeps, PointSource, Step, Vec3Like, Wrench } from '../types.js'
import type { Constraint, Limits } from '../control/constraint.js'
import { VelocityLimits } from '../control/limits.js'
import { requireFinite, requireVector, requireWhole } from '../math/require.js'
import { dot, length, lengthSq, normalize, reject, scale } from '../math/vec3.js'
import { set, sub, vec3 } from '../math/vec3.js'
import { capPlane, measure } from './support/plane-cap.js'
import { pointAt, requirePoint } from './support/target.js'

export interface QueueOptions {
  /** What is queued for, m: a counter, a dock, the far end of a doorway. */
  place: PointSource
  /** Queues within this distance of the place, m, > 0. Should cover the queue and the way to stop at its end. */
  radius: number
  /** Clear distance (m) kept to who is ahead, ≥ 0. Default a fifth of the agent's radius. */
  gap?: number
  /**
   * Who is farther beside the straight way to the place than both hulls and this is not ahead, m, finite. More makes one file in time of those
   * who come from all sides; negative lets them through side by side. Default twice the agent's radius.
   */
  aside?: number
  /**
   * The way through the place, when it is a door: who is beyond it in this direction (any length, not 0) queues no more, and is
   * ahead of all who still do. Default none: a counter, queued for from all sides.
   */
  through?: Vec3Like
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
 * nearest is never held (but by who is `through` and stands in its way): nobody starves while the first goes on. Forces that keep apart
 * know no such order, and in a door they press from all sides alike (Green, Prioritised Dithering: creatures "get buffeted
 * around by other creatures and not reach their destinations").
 *
 * It limits, and does not lead: the wish goes to the place, and within `within` stand beside it what avoids walls and what avoids
 * other agents: past the place nobody queues any more. The wish must turn to what comes next at the place.
 */
export class Queue implements Constraint {
  static readonly type: string = 'Queue'
  place: PointSource
  radius: number
  gap: number | undefined
  aside: number | undefined
  through: Vec3Like | undefined
  groups: number
  private readonly limits = new VelocityLimits()
  readonly keeps: Keeps = [this.limits]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: QueueOptions) {
    const { place: at, radius, gap, aside, through, groups = -1 } = options
    this.place = requirePoint('Queue.place', at)
    this.radius = requireFinite('Queue.radius', radius, 0, true)
    this.gap = gap === undefined ? undefined : requireFinite('Queue.gap', gap, 0, false)
    this.aside = aside === undefined ? undefined : requireFinite('Queue.aside', aside, -Infinity, true)
    this.through = through === undefined ? undefined : requireVector('Queue.through', through)
    this.groups = requireWhole('Queue.groups', groups, -(2 ** 31), 2 ** 32 - 1)
  }

  /** Who is ahead and in the way is hardly farther than the place. */
  get reach(): number {
    return this.radius
  }

  constrain(agent: Agent, step: Step, limits: Limits): void {
    const { neighbors, position, seed } = agent
    const { count, row, group, seed: seeds } = neighbors
    const { groups, through } = this
    const aside = this.aside ?? DEFAULT_ASIDE * agent.radius
    pointAt(place, this.place, agent)
    const own = length(sub(ahead, place, position))
    if (!(own <= this.radius)) return
    normalize(ahead, ahead)
    if (through !== undefined && dot(ahead, through) < 0) return
    const clear = agent.radius + (this.gap ?? DEFAULT_GAP * agent.radius)
    measure(agent)
    for (let i = 0; i < count; i++) {
      const r = row[i]!
      if ((group[r]! & groups) === 0) continue
      const { position: p } = neighbors
      const x = p[3 * r]!
      const y = p[3 * r + 1]!
      const z = p[3 * r + 2]!
      const other = length(sub(offset, place, set(offset, x, y, z)))
      const beyond =
        through !== undefined &&
        (x - place.x) * through.x + (y - place.y) * through.y + (z - place.z) * through.z > 0
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
  limits: Limits,
): void {
  const { velocity } = agent.neighbors
  set(motion, velocity[3 * row]!, velocity[3 * row + 1]!, velocity[3 * row + 2]!)
  if (lateral < room) {
    const free = dot(offset, ahead) - Math.sqrt((room - lateral) * (room + lateral))
    capAlong(agent, step, ahead, Math.max(0, free), limits)
  }
  normalize(way, offset)
  capAlong(agent, step, way, length(offset) - room, limits)
}

/** Caps the speed along the unit direction `along`, with `gap` (m) to go, less what the other one flies until it can be seen to brake. Needs `motion`. */
function capAlong(agent: Agent, step: Step, along: Vec3Like, gap: number, limits: Limits): void {
  if (lengthSq(along) === 0) return
  scale(normal, along, -1)
  capPlane(agent, step, normal, gap - step.dt * Math.max(0, dot(motion, along)), motion, limits)
}
