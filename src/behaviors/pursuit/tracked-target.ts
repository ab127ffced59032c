import type { Agent, SnapshotState, PointSource, Step, Vec3, Vec3Like } from '../../types.js'
import { Memory } from '../../control/memory.js'
import { addScaled, copy, cross, dot, isFiniteVec, length, lengthSq, load } from '../../math/vec3.js'
import { save, scale, set, sub, vec3 } from '../../math/vec3.js'
import { MotionModel } from './motion-model.js'
import { pointAt, velocityOf } from '../../control/target.js'

/** Slower than this share of who keeps it company, it shows no course. */
export const SLOW_SHARE = 0.01

const first = vec3()
const second = vec3()
const motionBetween = vec3()
const change = vec3()
const third = vec3()
const spinBefore = vec3()

/** Something whose company is kept: where it is and how it moves now, and where it will be. SI units, world axes. */
export class TrackedTarget {
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  /**
   * Its velocity over the last step: that of half a step ago. Engines that move by the new velocity show this one, of the agent as well, so it is
   * what the agent's own is to be like; whoever flies by a formula shows that of now.
   */
  readonly flown: Vec3 = vec3()
  /** Learnt from its velocity; that of the step to come, which is what the force of this step can do something about. */
  readonly acceleration: Vec3 = vec3()
  private readonly motion = new MotionModel()
  /** Where it was. */
  private readonly memory = new Memory(3)
  readonly state: SnapshotState = [this.motion, this.memory]

  /** Looks at `source`, once per step. False when it is lost: not finite. Points and functions are at rest. */
  update(agent: Agent, step: Step, source: PointSource): boolean {
    const { acceleration, motion, position, velocity } = this
    const { dt } = step
    pointAt(position, source, agent)
    velocityOf(velocity, source, agent)
    if (!isFiniteVec(position) || !isFiniteVec(velocity)) return false
    motion.update(agent, this, step)
    addScaled(acceleration, sub(acceleration, motion.at(acceleration, dt), position), velocity, -dt)
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
    // as far as where it was tells so, which it does not when it is moved once in several steps
    scale(first, sub(first, position, first), 1 / dt)
    scale(second, acceleration, dt / 2)
    const share = dot(sub(first, velocity, first), second) / lengthSq(second)
    if (share > 0) addScaled(flown, velocity, second, -Math.min(1, share))
  }

  /** Writes where it will be in `time` seconds, m. */
  at(out: Vec3, time: number): Vec3 {
    return time === 0 ? copy(out, this.position) : this.motion.at(out, time)
  }

  /**
   * Writes how its course turns, rad/s, and how that changes, rad/s²: of a frame that is carried along, without roll. At a place so far (m) from it no
   * faster than `top` (m/s): a turn about one that hardly moves is no flight to be followed.
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
    motion.at(first, dt)
    motion.at(second, 2 * dt)
    motion.at(third, 3 * dt)
    if (
      turnBetween(spinBefore, position, first, second, slowest, dt) &&
      turnBetween(spinUp, first, second, third, slowest, dt)
    )
      scale(spinUp, sub(spinUp, spinUp, spinBefore), 1 / dt)
  }
}

/** Writes the rate at which a velocity turns. False where it is slow, or nowhere. */
function turnOf(out: Vec3, velocity: Vec3Like, acceleration: Vec3Like, slowest: number): boolean {
  const speedSq = lengthSq(velocity)
  scale(out, cross(out, velocity, acceleration), speedSq > slowest * slowest ? 1 / speedSq : 0)
  if (speedSq > slowest * slowest && isFiniteVec(out)) return true
  set(out, 0, 0, 0)
  return false
}

/** As `turnOf`, at the second of three places that follow each other by `dt`. */
function turnBetween(out: Vec3, a: Vec3Like, b: Vec3Like, c: Vec3Like, slowest: number, dt: number): boolean {
  sub(change, c, b)
  sub(motionBetween, b, a)
  sub(change, change, motionBetween)
  scale(change, change, 1 / (dt * dt))
  scale(motionBetween, sub(motionBetween, c, a), 1 / (2 * dt))
  return turnOf(out, motionBetween, change, slowest)
}
