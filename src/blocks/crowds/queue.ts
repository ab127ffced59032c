import type { Agent, NeighborSearch, SnapshotState, Step, Vec3Like, Wrench } from '../../core/types.js'
import { neighborSearch } from '../../core/neighbors/neighbor-search.js'
import { neighborsOf } from '../../core/control/neighbors-of.js'
import type { Constraint, VelocityConstraints, QueueOrder } from '../../core/solver/constraint.js'
import { SolverMemory } from '../../core/solver/velocity-solver.js'
import { requireVector } from '../../core/math/require.js'
import { dot, length, lengthSq, normalize, reject, scale } from '../../core/math/vec3.js'
import { set, sub, vec3 } from '../../core/math/vec3.js'
import { capPlane, measureAgility } from '../../core/behaviors/avoidance/plane-cap.js'
import { isGone, isThere, pointAt, requirePoint } from '../../core/control/target.js'
import { GROUPS, WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface QueueOptions extends Options, OptionsOf<typeof Queue.options> {}
export interface Queue extends FieldsOf<typeof Queue.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** Default clearance to the agent ahead, in radii of the agent. */
const DEFAULT_CLEARANCE = 0.2

/**
 * Default clearance to the sides, in radii: space for another agent, because paths to one target converge.
 */
const DEFAULT_SIDE_CLEARANCE = 2

const targetPoint = vec3()
const toTarget = vec3()
const ownOffset = vec3()
const otherPosition = vec3()
const otherOffset = vec3()
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
    sideClearance: { kind: 'number' },
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
    const { position, seed } = agent
    const neighbors = neighborsOf(agent)
    if ((neighbors.group[row]! & this.groups) === 0 || !isThere(this.target)) return 0
    const { position: p } = neighbors
    pointAt(targetPoint, this.target, agent)
    sub(ownOffset, position, targetPoint)
    set(
      otherOffset,
      p[3 * row]! - targetPoint.x,
      p[3 * row + 1]! - targetPoint.y,
      p[3 * row + 2]! - targetPoint.z,
    )
    const ownDistance = this.distanceTo(ownOffset)
    const otherDistance = this.distanceTo(otherOffset)
    if (!(ownDistance <= this.radius && otherDistance <= this.radius)) return 0
    // agents that have passed the target have no order among themselves
    if (ownDistance < 0 && otherDistance < 0) return 0
    const otherFirst =
      ownDistance === otherDistance ? neighbors.seed[row]! < seed : otherDistance < ownDistance
    return otherFirst ? 1 : -1
  }

  /**
   * Distance (m) from the target of a point with the offset `fromTarget` (m) from it; −1 for a point beyond
   * the target within `radius`.
   */
  private distanceTo(fromTarget: Vec3Like): number {
    const { exitDirection } = this
    const distance = length(fromTarget)
    return exitDirection !== undefined && dot(fromTarget, exitDirection) > 0 && distance <= this.radius
      ? -1
      : distance
  }

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    if (isGone(agent, step, this, this.target)) return
    const { position, seed } = agent
    const neighbors = neighborsOf(agent)
    const { count, row, group, seed: seeds } = neighbors
    const { groups, exitDirection } = this
    const sideClearance = this.sideClearance ?? DEFAULT_SIDE_CLEARANCE * agent.radius
    pointAt(targetPoint, this.target, agent)
    const ownDistance = length(sub(toTarget, targetPoint, position))
    if (!(ownDistance <= this.radius)) return
    normalize(toTarget, toTarget)
    if (exitDirection !== undefined && dot(toTarget, exitDirection) < 0) return
    const hullClearance = agent.radius + (this.clearance ?? DEFAULT_CLEARANCE * agent.radius)
    measureAgility(agent)
    for (let i = 0; i < count; i++) {
      const r = row[i]!
      if ((group[r]! & groups) === 0) continue
      const { position: p } = neighbors
      const x = p[3 * r]!
      const y = p[3 * r + 1]!
      const z = p[3 * r + 2]!
      const otherDistance = length(sub(otherPosition, targetPoint, set(otherPosition, x, y, z)))
      const hasPassed =
        exitDirection !== undefined &&
        (x - targetPoint.x) * exitDirection.x +
          (y - targetPoint.y) * exitDirection.y +
          (z - targetPoint.z) * exitDirection.z >
          0
      if (!hasPassed && (otherDistance > ownDistance || (otherDistance === ownDistance && seeds[r]! >= seed)))
        continue
      set(otherPosition, x - position.x, y - position.y, z - position.z)
      const otherRadius = neighbors.radius(r)
      const lateral = length(reject(otherOffset, otherPosition, toTarget))
      if (!(lateral < agent.radius + otherRadius + sideClearance)) continue
      limitBehind(agent, step, r, otherPosition, toTarget, hullClearance + otherRadius, lateral, limits)
    }
  }

  /** As a plain behaviour: writes the force that keeps the present velocity behind the agents ahead. */
  steer(agent: Agent, step: Step, out: Wrench): void {
    this.solverMemory.obey(agent, step, this, out.force)
  }
}

/**
 * Limits the speed towards the agent in `row`, which is at `offset` (m) from the agent, to stop with the
 * centres `centerDistance` (m) apart, and the speed in the direction `ahead` towards the target, so that the
 * agent does not slide past the one ahead.
 */
function limitBehind(
  agent: Agent,
  step: Step,
  row: number,
  offset: Vec3Like,
  ahead: Vec3Like,
  centerDistance: number,
  lateral: number,
  limits: VelocityConstraints,
): void {
  const { velocity } = neighborsOf(agent)
  set(otherVelocity, velocity[3 * row]!, velocity[3 * row + 1]!, velocity[3 * row + 2]!)
  if (lateral < centerDistance) {
    const freeDistance =
      dot(offset, ahead) - Math.sqrt((centerDistance - lateral) * (centerDistance + lateral))
    limitAlong(agent, step, ahead, Math.max(0, freeDistance), otherVelocity, limits)
  }
  normalize(direction, offset)
  limitAlong(agent, step, direction, length(offset) - centerDistance, otherVelocity, limits)
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
