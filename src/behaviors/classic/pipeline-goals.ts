import type { Agent, SnapshotState, Oriented, PointSource, Step, Vec3Like } from '../../types.js'
import type { Decomposer, PipelineGoal, Targeter } from './pipeline-types.js'
import type { Path } from '../paths/path.js'
import { Memory } from '../../control/memory.js'
import { modelAttitude } from '../../control/turn.js'
import { frame, frameOf } from '../../math/frame.js'
import { quatFromAxes } from '../../math/quat.js'
import { requireFinite } from '../../math/require.js'
import { copy, distance, isFiniteVec, vec3 } from '../../math/vec3.js'
import { requirePath } from '../paths/follow-options.js'
import { pointAt, requirePoint, velocityOf } from '../../control/target.js'

const wanted = frame()
const place = vec3()
const placeVelocity = vec3()

/** Targeter of a pipeline: a place, and the velocity that it has. Says nothing while that is not finite. */
export class PlaceTargeter implements Targeter {
  enabled = true
  /** A point (m), a thing that may move, or a function. */
  place: PointSource

  /** @throws TypeError for what is no place. */
  constructor(at: PointSource) {
    this.place = requirePoint('PlaceTargeter', at)
  }

  target(agent: Agent, _step: Step, goal: PipelineGoal): void {
    pointAt(place, this.place, agent)
    velocityOf(placeVelocity, this.place, agent)
    if (!isFiniteVec(place) || !isFiniteVec(placeVelocity)) return
    copy(goal.position, place)
    copy(goal.velocity, placeVelocity)
    goal.hasPosition = goal.hasVelocity = true
    goal.beyond = 0
  }
}

/** Targeter of a pipeline: the nose, top and spin of another. */
export class AttitudeTargeter implements Targeter {
  enabled = true
  of: Oriented & { readonly angularVelocity?: Vec3Like }

  /** @throws TypeError for a thing without a quaternion. */
  constructor(of: Oriented & { readonly angularVelocity?: Vec3Like }) {
    if (typeof of?.quaternion?.w !== 'number')
      throw new TypeError(`AttitudeTargeter: got ${String(of)}, must have a quaternion`)
    this.of = of
  }

  target(agent: Agent, _step: Step, goal: PipelineGoal): void {
    const { x, y } = frameOf(wanted, this.of)
    modelAttitude(goal.orientation, quatFromAxes(goal.orientation, x, y), agent.axes)
    goal.hasOrientation = true
    const { angularVelocity } = this.of
    goal.hasSpin = angularVelocity !== undefined
    if (angularVelocity !== undefined) copy(goal.spin, angularVelocity)
  }
}

/** A path is looked at so many looks ahead of where the agent was, and one behind. */
const WINDOW = 3

/**
 * Decomposer of a pipeline: the goal is reached along a path, which a planner may have found; in its place comes the point of the path `ahead`
 * of the one nearest to the agent. Past the end of the path the goal is left as it is.
 */
export class PathDecomposer implements Decomposer {
  enabled = true
  path: Path
  /** m, > 0. Larger cuts corners, smaller swings about the path. */
  ahead: number
  /** How far along it the agent was, m. */
  private readonly memory = new Memory(1)
  readonly state: SnapshotState = [this.memory]

  /** @throws TypeError / RangeError naming the option. */
  constructor({ path, ahead }: { path: Path; ahead: number }) {
    this.path = requirePath('PathDecomposer.path', path)
    this.ahead = requireFinite('PathDecomposer.ahead', ahead, 0, true)
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
    goal.beyond += path.endless
      ? distance(goal.position, place)
      : path.length - current - ahead + distance(path.pointAt(placeVelocity, path.length), place)
    goal.hasVelocity = false
  }
}
