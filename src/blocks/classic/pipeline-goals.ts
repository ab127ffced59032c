import type { Agent, SnapshotState, Oriented, PointSource, Step, Vec3Like } from '../../core/types.js'
import type { Decomposer, PipelineGoal, Targeter } from './pipeline-types.js'
import type { Path } from '../paths/path.js'
import { Memory } from '../../core/control/memory.js'
import { modelAttitude } from '../../core/control/turn.js'
import { frame, frameOf } from '../../core/math/frame.js'
import { quatFromAxes } from '../../core/math/quat.js'
import { copy, distance, isFiniteVec, vec3 } from '../../core/math/vec3.js'
import { requirePath } from '../paths/follow-options.js'
import { isThere, pointAt, requireOriented, requirePoint, velocityOf } from '../../core/control/target.js'
import { type OptionTable, readOptions } from '../../core/math/options.js'

const wanted = frame()
const place = vec3()
const placeVelocity = vec3()

/** Targeter of a pipeline: a place and its velocity. Writes nothing while either is not finite. */
export class PlaceTargeter implements Targeter {
  enabled = true
  /** A point (m), a moving thing, or a function. */
  place: PointSource

  /** @throws TypeError for a value that is not a place. */
  constructor(source: PointSource) {
    this.place = requirePoint('PlaceTargeter', source)
  }

  target(agent: Agent, _step: Step, goal: PipelineGoal): void {
    if (!isThere(this.place)) return
    pointAt(place, this.place, agent)
    velocityOf(placeVelocity, this.place, agent)
    if (!isFiniteVec(place) || !isFiniteVec(placeVelocity)) return
    copy(goal.position, place)
    copy(goal.velocity, placeVelocity)
    goal.hasPosition = goal.hasVelocity = true
    goal.distanceAfter = 0
  }
}

/** Targeter of a pipeline: attitude and angular velocity of another thing. */
export class AttitudeTargeter implements Targeter {
  enabled = true
  of: Oriented & { readonly angularVelocity?: Vec3Like }

  /** @throws TypeError for a thing without a quaternion. */
  constructor(of: Oriented & { readonly angularVelocity?: Vec3Like }) {
    this.of = requireOriented('AttitudeTargeter', of)
  }

  target(agent: Agent, _step: Step, goal: PipelineGoal): void {
    if (!isThere(this.of)) return
    const { x, y } = frameOf(wanted, this.of)
    modelAttitude(goal.orientation, quatFromAxes(goal.orientation, x, y), agent.axes)
    goal.hasOrientation = true
    const { angularVelocity } = this.of
    goal.hasSpin = angularVelocity !== undefined
    if (angularVelocity !== undefined) copy(goal.spin, angularVelocity)
  }
}

/** The nearest point is searched from one `ahead` behind the last station to this multiple beyond it. */
const WINDOW = 3

/**
 * Decomposer of a pipeline: the goal is reached along a path, for example one that a planner has found. It
 * replaces the goal by the point of the path that is `ahead` of the one nearest to the agent. Beyond the end
 * of the path it leaves the goal unchanged.
 */
export class PathDecomposer implements Decomposer {
  static readonly options = {
    path: { kind: 'instance', required: true, check: requirePath },
    ahead: { kind: 'number', required: true, unit: 'm', above: 0 },
  } satisfies OptionTable<{ path: Path; ahead: number }>

  enabled = true
  path!: Path
  /** Distance ahead along the path (m, > 0). Larger cuts corners, smaller oscillates about the path. */
  ahead!: number
  /** Previous station of the agent (m). */
  private readonly memory = new Memory(1)
  readonly state: SnapshotState = [this.memory]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: { path: Path; ahead: number }) {
    Object.assign(this, readOptions('PathDecomposer', PathDecomposer.options, options))
  }

  decompose(agent: Agent, _step: Step, goal: PipelineGoal): void {
    if (!goal.hasPosition) return
    const { ahead, memory, path } = this
    const offset = memory.at(agent)
    const { data } = memory
    const previous = data[offset]!
    const current = memory.fresh
      ? path.nearest(agent.position)
      : path.nearest(agent.position, previous - ahead, previous + WINDOW * ahead)
    data[offset] = current
    if (!path.endless && current + ahead >= path.length) return
    copy(place, goal.position)
    path.pointAt(goal.position, current + ahead)
    goal.distanceAfter += path.endless
      ? distance(goal.position, place)
      : path.length - current - ahead + distance(path.pointAt(placeVelocity, path.length), place)
    goal.hasVelocity = false
  }
}
