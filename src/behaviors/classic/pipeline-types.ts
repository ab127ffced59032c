import type { Agent, Snapshotable, Quat, Step, Vec3, Vec3Like, Wrench } from '../../types.js'
import { quat } from '../../math/quat.js'
import { copy, set, vec3 } from '../../math/vec3.js'

/**
 * What a steering pipeline is to bring about: channels, each of which holds only where its flag says so, and which may be written by
 * different targeters. World axes.
 */
export class PipelineGoal {
  /** m */
  readonly position: Vec3 = vec3()
  /** m/s; with a position the velocity of that place, alone a velocity to have. */
  readonly velocity: Vec3 = vec3()
  /** Attitude of the model, as `Agent.orientation`. */
  readonly orientation: Quat = quat()
  /** rad/s */
  readonly spin: Vec3 = vec3()
  hasPosition = false
  hasVelocity = false
  hasOrientation = false
  hasSpin = false
  /** Way (m) that is left when `position` is reached, ≥ 0: 0 where the agent is to stop there. */
  beyond = 0

  clear(): void {
    set(this.velocity, 0, 0, 0)
    set(this.spin, 0, 0, 0)
    this.hasPosition = this.hasVelocity = this.hasOrientation = this.hasSpin = false
    this.beyond = 0
  }
}

/** The way an actuator would take to a goal, m: straight from point to point. */
export class PipelinePath {
  /** Those beyond `count` are of earlier paths. */
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

/** What all stages of a pipeline have. */
export interface PipelineStage extends Snapshotable {
  /** Whether it takes part. Default true. */
  enabled?: boolean
  /** Neighbours farther than this (m) are not needed. Default none are. */
  readonly reach?: number
}

/** Says where to get to: writes the channels it has an opinion on. Later ones overrule earlier ones. */
export interface Targeter extends PipelineStage {
  target(agent: Agent, step: Step, goal: PipelineGoal): void
}

/** Puts a goal that is nearer at hand in place of `goal`, such as the next waypoint of a way there. Later ones refine. */
export interface Decomposer extends PipelineStage {
  decompose(agent: Agent, step: Step, goal: PipelineGoal): void
}

/** Limits where an actuator goes. */
export interface PipelineConstraint extends PipelineStage {
  /** True where `path` violates it; `goal` is then changed to one that should be reached without. */
  suggest(agent: Agent, step: Step, path: PipelinePath, goal: PipelineGoal): boolean
}

/** Knows how this vehicle gets to a goal. */
export interface Actuator extends PipelineStage {
  /** Writes the way it would take into `path`, which arrives empty. */
  plan(agent: Agent, step: Step, goal: PipelineGoal, path: PipelinePath): void
  /** Adds force (N) and torque (N·m) that follow the path. */
  follow(agent: Agent, step: Step, goal: PipelineGoal, path: PipelinePath, out: Wrench): void
}
