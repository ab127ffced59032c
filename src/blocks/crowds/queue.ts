import type { Agent, NeighborSearch, SnapshotState, Step, Vec3Like, Wrench } from '../../core/types.js'
import { neighborSearch } from '../../core/neighbors/neighbor-search.js'
import { neighborsOf } from '../../core/control/neighbors-of.js'
import type { Constraint, VelocityConstraints, QueueOrder } from '../../core/solver/constraint.js'
import { SolverMemory } from '../../core/solver/velocity-solver.js'
import { requireVector } from '../../core/math/require.js'
import { dot, length, lengthSq, load, normalize, reject, scale } from '../../core/math/vec3.js'
import { sub, vec3 } from '../../core/math/vec3.js'
import { capPlane, measureAgility } from '../../core/behaviors/avoidance/plane-cap.js'
import { isGone, isThere, pointAt, requirePoint } from '../../core/control/target.js'
import { GROUPS, WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface QueueOptions extends Options, OptionsOf<typeof Queue.options> {}
export interface Queue extends FieldsOf<typeof Queue.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** Default clearance to the agent ahead, in radii of the agent. */
const DEFAULT_CLEARANCE = 0.2

/** Default clearance to the sides, in radii: space for others, because paths to one target converge. */
const DEFAULT_SIDE_CLEARANCE = 2

const targetPoint = vec3()
const toTarget = vec3()
const fromTarget = vec3()
const offset = vec3()
const direction = vec3()
const otherVelocity = vec3()
const normal = vec3()

/**
 * Makes the agent wait for the agents ahead at a target, in true 3D. An agent that is nearer to the target
 * and on the way to it is approached no faster than √(2·a·d) plus its own speed, from which the agent can
 * still stop behind it; nor does the agent slide past it. An agent that is too near is given clearance.
 * "Ahead" is an order of all agents (distance to the target; of equals the lower seed first), so no two
 * agents wait for each other. The nearest one is never held, except by an agent beyond `exitDirection` that
 * is in its way. So every agent gets through as long as the first one goes on. Forces that keep agents apart
 * have no such order, and in a door they act from all sides alike (Green, Prioritised Dithering: creatures
 * "get buffeted around by other creatures and not reach their destinations").
 *
 * Its constraints yield to walls and obstacles: agents ahead force no agent into one. It also gives the
 * order to a `ReciprocalAvoidance` beside it: of two agents in the queue the one behind makes way, so that
 * agents beside a door do not hold up the one in it. All agents in `groups` must queue.
 *
 * It limits the velocity and does not lead. The wish goes to the target. Within `within` it stands beside
 * constraints that avoid walls and other agents, because agents beyond the target do not queue. At the target
 * the wish must turn to the next goal.
 */
export class Queue extends WithOptions<QueueOptions> implements Constraint, QueueOrder {
  static readonly type: string = 'Queue'
  static readonly options = {
    /** Point that the agents queue for, m: a counter, a dock, the far end of a doorway. */
    target: { kind: 'point', required: true, check: requirePoint },
    /**
     * Agents queue within this distance of the target, m, > 0. It should cover the queue, and the distance to
     * stop at its end.
     */
    radius: { kind: 'number', required: true, unit: 'm', above: 0 },
    /** Clearance (m) kept to the agent ahead, ≥ 0. Default a fifth of the agent's radius. */
    clearance: { kind: 'number', unit: 'm', atLeast: 0 },
    /**
     * An agent whose hull is farther than this from the hull of the agent, measured across the straight line
     * to the target, is not ahead; m, finite. A larger value makes one file sooner of agents from all sides;
     * negative values let them through side by side. Default twice the agent's radius.
     */
    sideClearance: { kind: 'number', unit: 'm' },
    /**
     * Direction through the target, when it is a door (any length, not 0): agents beyond the target in this
     * direction do not queue any more, and are ahead of all agents that do. Default none: a counter, queued
     * for from all sides.
     */
    exitDirection: { kind: 'vector', check: requireVector },
    /** Only agents with one of these group bits count. Default all. */
    groups: GROUPS,
  } as const satisfies AnyTable
  readonly neighborSearch: NeighborSearch = neighborSearch
  private readonly solverMemory = new SolverMemory()
  readonly state: SnapshotState = [this.solverMemory]

  /** An agent that is ahead and in the way is hardly farther than the target. */
  get reach(): number {
    return this.radius
  }

  survey(_agent: Agent, _step: Step, limits: VelocityConstraints): void {
    limits.queueOrder ??= this
  }

  rank(agent: Agent, row: number): number {
    const neighbors = neighborsOf(agent)
    if ((neighbors.group[row]! & this.groups) === 0 || !isThere(this.target)) return 0
    pointAt(targetPoint, this.target, agent)
    const own = this.distanceOf(agent.position)
    const other = this.distanceOf(load(offset, neighbors.position, 3 * row))
    if (!(own <= this.radius && other <= this.radius)) return 0
    // agents that have passed the target have no order among themselves
    if (own < 0 && other < 0) return 0
    return other < own || (other === own && neighbors.seed[row]! < agent.seed) ? 1 : -1
  }

  /** Distance (m) of a point from `targetPoint`; −1 for a point beyond it within `radius`. */
  private distanceOf(point: Vec3Like): number {
    const { exitDirection } = this
    const distance = length(sub(fromTarget, point, targetPoint))
    return exitDirection !== undefined && dot(fromTarget, exitDirection) > 0 && distance <= this.radius
      ? -1
      : distance
  }

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    if (isGone(agent, step, this, this.target)) return
    const { position, radius, seed } = agent
    const neighbors = neighborsOf(agent)
    const { count, row, group, seed: seeds } = neighbors
    const sideClearance = this.sideClearance ?? DEFAULT_SIDE_CLEARANCE * radius
    pointAt(targetPoint, this.target, agent)
    const own = this.distanceOf(position)
    if (!(own >= 0 && own <= this.radius)) return
    normalize(toTarget, sub(toTarget, targetPoint, position))
    const clearance = this.clearance ?? DEFAULT_CLEARANCE * radius
    measureAgility(agent)
    for (let i = 0; i < count; i++) {
      const r = row[i]!
      if ((group[r]! & this.groups) === 0) continue
      const other = this.distanceOf(load(offset, neighbors.position, 3 * r))
      if (other > own || (other === own && seeds[r]! >= seed)) continue
      sub(offset, offset, position)
      const sum = radius + neighbors.radius(r)
      const lateral = length(reject(direction, offset, toTarget))
      if (!(lateral < sum + sideClearance)) continue
      load(otherVelocity, neighbors.velocity, 3 * r)
      const kept = sum + clearance
      // it does not slide past the one ahead
      if (lateral < kept) {
        const free = dot(offset, toTarget) - Math.sqrt((kept - lateral) * (kept + lateral))
        limitAlong(agent, step, toTarget, Math.max(0, free), otherVelocity, limits)
      }
      limitAlong(agent, step, normalize(direction, offset), length(offset) - kept, otherVelocity, limits)
    }
  }

  /** As a plain behaviour: writes the force that keeps the present velocity behind the agents ahead. */
  steer(agent: Agent, step: Step, out: Wrench): void {
    this.solverMemory.obey(agent, step, this, out.force)
  }
}

/**
 * Limits the speed along the unit direction `along`, with `distance` (m) to go to another agent that flies
 * with `velocity` (m/s), less the distance that it flies before its braking can be noticed.
 */
function limitAlong(
  agent: Agent,
  step: Step,
  along: Vec3Like,
  distance: number,
  velocity: Vec3Like,
  limits: VelocityConstraints,
): void {
  if (lengthSq(along) === 0) return
  scale(normal, along, -1)
  capPlane(
    agent,
    step,
    normal,
    distance - step.dt * Math.max(0, dot(velocity, along)),
    velocity,
    limits,
    true,
  )
}
