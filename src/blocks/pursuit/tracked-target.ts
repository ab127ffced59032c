import type { Agent, SnapshotState, PointSource, Step, Vec3, Vec3Like } from '../../core/types.js'
import { Memory } from '../../core/control/memory.js'
import { addScaled, copy, cross, dot, isFiniteVec, length, lengthSq, load } from '../../core/math/vec3.js'
import { save, scale, set, sub, vec3 } from '../../core/math/vec3.js'
import { MotionModel } from './motion-model.js'
import { pointAt, velocityOf } from '../../core/control/target.js'

/** Below this share of the follower's top speed, a target has no course. */
export const SLOW_SHARE = 0.01

const first = vec3()
const second = vec3()
const motionBetween = vec3()
const change = vec3()
const third = vec3()
const spinBefore = vec3()

/** A target with its present motion and a prediction. SI units, world axes. */
export class TrackedTarget {
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  /**
   * Velocity over the last step, that is, of half a step ago. Engines that move a body by its new velocity
   * show this one, also for the agent, so the agent should match it. For a target that moves by a formula,
   * `velocity` is the present one instead.
   */
  readonly flown: Vec3 = vec3()
  /** Learnt from the velocity: that of the coming step, which the force of this step can still follow. */
  readonly acceleration: Vec3 = vec3()
  private readonly motion = new MotionModel()
  /** Position in the last step. */
  private readonly memory = new Memory(3, [0])
  readonly state: SnapshotState = [this.motion, this.memory]

  /** Updates the motion of `source`, once per step; points and functions rest. False if it is not finite. */
  update(agent: Agent, step: Step, source: PointSource): boolean {
    const { acceleration, motion, position, velocity } = this
    const { dt } = step
    pointAt(position, source, agent)
    velocityOf(velocity, source, agent)
    if (!isFiniteVec(position) || !isFiniteVec(velocity)) return false
    motion.update(agent, this, step)
    addScaled(acceleration, sub(acceleration, motion.positionAt(acceleration, dt), position), velocity, -dt)
    scale(acceleration, acceleration, 2 / (dt * dt))
    if (!isFiniteVec(acceleration)) set(acceleration, 0, 0, 0)
    this.updateFlown(agent, dt)
    return true
  }

  private updateFlown(agent: Agent, dt: number): void {
    const { acceleration, flown, memory, position, velocity } = this
    const offset = memory.at(agent)
    const { data, fresh } = memory
    load(first, data, offset)
    save(position, data, offset)
    copy(flown, velocity)
    if (fresh) return
    // As far as the last position shows it. After a jump over several steps it does not.
    scale(first, sub(first, position, first), 1 / dt)
    scale(second, acceleration, dt / 2)
    const share = dot(sub(first, velocity, first), second) / lengthSq(second)
    if (share > 0) addScaled(flown, velocity, second, -Math.min(1, share))
  }

  /** Writes the predicted position after `time` seconds (m). */
  positionAt(out: Vec3, time: number): Vec3 {
    return time === 0 ? copy(out, this.position) : this.motion.positionAt(out, time)
  }

  /**
   * Writes the angular velocity of the target's course (rad/s) and its change (rad/s²), for a frame that is
   * carried along without roll. At a distance of `reach` (m) the rotation moves a place no faster than `top`
   * (m/s), because the rotation of a target that hardly moves cannot be followed.
   */
  turnInto(spin: Vec3, spinUp: Vec3, reach: number, top: number, dt: number): void {
    const { acceleration, motion, position, velocity } = this
    const slowest = SLOW_SHARE * top
    set(spinUp, 0, 0, 0)
    if (!turnOf(spin, velocity, acceleration, slowest)) return
    const speedAtReach = reach * length(spin)
    if (speedAtReach > top) {
      scale(spin, spin, top / speedAtReach)
      return
    }
    motion.positionAt(first, dt)
    motion.positionAt(second, 2 * dt)
    motion.positionAt(third, 3 * dt)
    if (
      turnBetween(spinBefore, position, first, second, slowest, dt) &&
      turnBetween(spinUp, first, second, third, slowest, dt)
    )
      scale(spinUp, sub(spinUp, spinUp, spinBefore), 1 / dt)
  }
}

/** Writes the rate at which a velocity turns. False for a slow or non-finite velocity. */
function turnOf(out: Vec3, velocity: Vec3Like, acceleration: Vec3Like, slowest: number): boolean {
  const speedSq = lengthSq(velocity)
  scale(out, cross(out, velocity, acceleration), speedSq > slowest * slowest ? 1 / speedSq : 0)
  if (speedSq > slowest * slowest && isFiniteVec(out)) return true
  set(out, 0, 0, 0)
  return false
}

/** As `turnOf`, at the second of three positions that are `dt` apart. */
function turnBetween(out: Vec3, a: Vec3Like, b: Vec3Like, c: Vec3Like, slowest: number, dt: number): boolean {
  sub(change, c, b)
  sub(motionBetween, b, a)
  sub(change, change, motionBetween)
  scale(change, change, 1 / (dt * dt))
  scale(motionBetween, sub(motionBetween, c, a), 1 / (2 * dt))
  return turnOf(out, motionBetween, change, slowest)
}
