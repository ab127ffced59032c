import type { Agent, SnapshotState, PointSource, Step, Vec3, Vec3Like } from '../../types.js'
import { Memory } from '../../control/memory.js'
import { addScaled, copy, cross, dot, isFiniteVec, length, lengthSq, load } from '../../math/vec3.js'
import { save, scale, set, sub, vec3 } from '../../math/vec3.js'
import { MotionModel } from './motion-model.js'
import { pointAt, velocityOf } from '../../control/target.js'

/** Slower than this share of who keeps it company, it shows no course. */
export const SLOW_SHARE = 0.01

const near = vec3()
const far = vec3()
const pace = vec3()
const change = vec3()
const last = vec3()
const before = vec3()

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
    this.lookBack(agent, dt)
    return true
  }

  private lookBack(agent: Agent, dt: number): void {
    const { acceleration, flown, memory, position, velocity } = this
    const at = memory.at(agent)
    const { data, fresh } = memory
    load(near, data, at)
    save(position, data, at)
    copy(flown, velocity)
    if (fresh) return
    // as far as where it was tells so, which it does not when it is moved once in several steps
    scale(near, sub(near, position, near), 1 / dt)
    scale(far, acceleration, dt / 2)
    const share = dot(sub(near, velocity, near), far) / lengthSq(far)
    if (share > 0) addScaled(flown, velocity, far, -Math.min(1, share))
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
    const slow = SLOW_SHARE * top
    set(spinUp, 0, 0, 0)
    if (!turnOf(spin, velocity, acceleration, slow)) return
    const swing = reach * length(spin)
    if (swing > top) {
      scale(spin, spin, top / swing)
      return
    }
    motion.at(near, dt)
    motion.at(far, 2 * dt)
    motion.at(last, 3 * dt)
    if (turnBetween(before, position, near, far, slow, dt) && turnBetween(spinUp, near, far, last, slow, dt))
      scale(spinUp, sub(spinUp, spinUp, before), 1 / dt)
  }
}

/** Writes the rate at which a velocity turns. False where it is slow, or nowhere. */
function turnOf(out: Vec3, velocity: Vec3Like, acceleration: Vec3Like, slowest: number): boolean {
  const paceSq = lengthSq(velocity)
  scale(out, cross(out, velocity, acceleration), paceSq > slowest * slowest ? 1 / paceSq : 0)
  if (paceSq > slowest * slowest && isFiniteVec(out)) return true
  set(out, 0, 0, 0)
  return false
}

/** As `turnOf`, at the second of three places that follow each other by `dt`. */
function turnBetween(out: Vec3, a: Vec3Like, b: Vec3Like, c: Vec3Like, slowest: number, dt: number): boolean {
  sub(change, c, b)
  sub(pace, b, a)
  sub(change, change, pace)
  scale(change, change, 1 / (dt * dt))
  scale(pace, sub(pace, c, a), 1 / (2 * dt))
  return turnOf(out, pace, change, slowest)
}
