import type {
  Agent,
  NeighborSearch,
  Quat,
  Snapshotable,
  Step,
  Vec3,
  Vec3Like,
  Wrench,
} from '../../core/types.js'
import { quat } from '../../core/math/quat.js'
import { copy, set, vec3 } from '../../core/math/vec3.js'

/**
 * Goal of a steering pipeline: several channels, which different targeters may write. Each channel counts
 * only if its flag is set. World axes.
 */
export class PipelineGoal {
  /** Position (m). */
  readonly position: Vec3 = vec3()
  /** Velocity (m/s): with a position, that of the place; without, the one to have. */
  readonly velocity: Vec3 = vec3()
  /** Attitude of the model, as `Agent.orientation`. */
  readonly orientation: Quat = quat()
  /** Angular velocity (rad/s). */
  readonly spin: Vec3 = vec3()
  hasPosition = false
  hasVelocity = false
  hasOrientation = false
  hasSpin = false
  /** Distance that is left after `position` (m, ≥ 0). With 0 the agent is to stop there. */
  distanceAfter = 0

  clear(): void {
    set(this.velocity, 0, 0, 0)
    set(this.spin, 0, 0, 0)
    this.hasPosition = this.hasVelocity = this.hasOrientation = this.hasSpin = false
    this.distanceAfter = 0
  }
}

/** Path of an actuator to a goal (m): straight lines between points. */
export class PipelinePath {
  /** Points from index `count` on belong to earlier paths. */
  readonly points: Vec3[] = []
  count = 0

  clear(): void {
    this.count = 0
  }

  add(point: Vec3Like): void {
    if (this.count === this.points.length) this.points.push(vec3())
    copy(this.points[this.count++]!, point)
  }
}

/** Common part of all stages of a pipeline. */
export interface PipelineStage extends Snapshotable {
  /** Whether the stage takes part. Default true. */
  enabled?: boolean
  /** Distance up to which the stage needs neighbors (m). Default none. */
  readonly reach?: number
  /** See `Behavior.neighborSearch`. */
  readonly neighborSearch?: NeighborSearch | undefined
}

/** Writes the channels of the goal that it defines. Later targeters overwrite earlier ones. */
export interface Targeter extends PipelineStage {
  target(agent: Agent, step: Step, goal: PipelineGoal): void
}

/** Replaces `goal` by a nearer one, such as the next waypoint. Later decomposers refine the result. */
export interface Decomposer extends PipelineStage {
  decompose(agent: Agent, step: Step, goal: PipelineGoal): void
}

/** Limits the paths of an actuator. */
export interface PipelineConstraint extends PipelineStage {
  /** True if `path` violates the constraint: it then changes `goal` to one that should not. */
  suggest(agent: Agent, step: Step, path: PipelinePath, goal: PipelineGoal): boolean
}

/** Moves this vehicle to a goal. */
export interface Actuator extends PipelineStage {
  /** Writes the planned path into `path`, which is empty before the call. */
  plan(agent: Agent, step: Step, goal: PipelineGoal, path: PipelinePath): void
  /** Adds force (N) and torque (N·m) that follow the path. */
  follow(agent: Agent, step: Step, goal: PipelineGoal, path: PipelinePath, out: Wrench): void
}
