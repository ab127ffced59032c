import type { Frame, Oriented, Vec3, Vec3Like } from '../../core/types.js'
import { frame, frameOf } from '../../core/math/frame.js'
import { rotate } from '../../core/math/quat.js'
import { turnedBy, turningDisplacement } from '../../core/math/turning.js'
import type { Carrier } from './port.js'
import {
  add,
  addScaled,
  copy,
  cross,
  isZero,
  length,
  scale,
  set,
  sub,
  truncate,
  vec3,
  ZERO,
} from '../../core/math/vec3.js'

/** Below this turn rate (rad/s) a carrier does not turn: less than a tenth of a degree in an hour. */
const MIN_TURN_RATE = 1e-7

/** Time (s) over which an acceleration is learnt, and the least one (share of the limit). Chosen by hand. */
const LEARN_TIME = 0.3
const STEADY_SHARE = 1.6e-4

const swing = vec3()
const path = vec3()

/**
 * Predicts the motion of a carrier. It keeps its angular velocity, and its velocity in the world, so that a
 * point fixed on it moves along a screw. If its velocity turns with it, it keeps the velocity in its own
 * frame instead, and moves along a circle or a helix. One object is read anew for each agent and step.
 */
export class CarrierMotion {
  /** Centre of mass (m), velocity (m/s) and angular velocity (rad/s) at the moment of `read`. World axes. */
  readonly position: Vec3 = vec3()
  /** From the origin of its model to the centre of mass at that moment (m). World axes. */
  readonly center: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  readonly spin: Vec3 = vec3()
  /**
   * Velocity (m/s) by which the shown one differs from the motion in the last step, see `compareStep`. World
   * axes.
   */
  readonly ahead: Vec3 = vec3()
  /** Steering frame at that moment: x ahead, y up, z to starboard. */
  readonly axes: Frame = frame()
  /** Acceleration (m/s²) of its centre apart from that turn, as `learn` has it. World axes. */
  readonly acceleration: Vec3 = vec3()
  /** Turn rate (rad/s). */
  rate = 0

  private velocityTurns = false

  /** Whether the carrier neither moves nor turns. */
  get isStill(): boolean {
    return isZero(this.velocity) && isZero(this.spin) && isZero(this.acceleration)
  }

  /**
   * Reads the present state of the carrier. A carrier without a quaternion has the axes of the world, one
   * without a velocity is at rest.
   * @param velocityTurns whether its velocity turns with it, as that of a ship or an aircraft does.
   */
  read(carrier: Carrier, velocityTurns = false): this {
    this.velocityTurns = velocityTurns
    set(this.ahead, 0, 0, 0)
    set(this.acceleration, 0, 0, 0)
    copy(this.position, carrier.position)
    copy(this.velocity, carrier.velocity ?? ZERO)
    copy(this.spin, carrier.angularVelocity ?? ZERO)
    this.rate = length(this.spin)
    if (carrier.quaternion !== undefined) frameOf(this.axes, carrier as Carrier & Required<Oriented>)
    else {
      set(this.axes.x, 1, 0, 0)
      set(this.axes.y, 0, 1, 0)
      set(this.axes.z, 0, 0, 1)
    }
    const { center = ZERO, quaternion } = carrier
    if (quaternion === undefined) copy(this.center, center)
    else rotate(this.center, quaternion, center)
    return this
  }

  /** Takes the carrier as one that does not turn. */
  forgetTurn(): void {
    set(this.spin, 0, 0, 0)
    this.rate = 0
  }

  /**
   * Sets `ahead`. Integrators that change the velocity first show an agent with the velocity of the middle of
   * its last step. A carrier in a turn that shows the velocity of this moment is ahead of that by half a step
   * of its acceleration, and an agent that takes it at its word keeps beside its place.
   * @param last position of the centre `dt` (s) ago (m); NaN where it is not known.
   */
  compareStep(last: Vec3Like, dt: number): void {
    const { ahead, position, spin, velocity } = this
    if (!this.velocityTurns) return
    addScaled(ahead, velocity, sub(swing, position, last), -1 / dt)
    // more than that is no turn: the carrier was moved
    if (!(length(ahead) <= length(cross(swing, spin, velocity)) * dt)) set(ahead, 0, 0, 0)
  }

  /**
   * Learns the acceleration from the change of the velocity in the last step, over some time: a kick is none.
   * @param learnt acceleration that was known before (m/s²).
   * @param last velocity `dt` (s) ago (m/s); NaN where it is not known.
   * @param limit that the change of one step counts with (m/s²).
   */
  learn(learnt: Vec3Like, last: Vec3Like, dt: number, limit: number): this {
    const { acceleration, spin, velocity, velocityTurns } = this
    sub(swing, velocity, last)
    scale(swing, swing, 1 / dt)
    if (velocityTurns) sub(swing, swing, cross(path, spin, velocity))
    if (!(length(swing) < Infinity)) return this
    truncate(swing, swing, limit)
    addScaled(acceleration, learnt, sub(swing, swing, learnt), -Math.expm1(-dt / LEARN_TIME))
    if (length(acceleration) < STEADY_SHARE * limit) set(acceleration, 0, 0, 0)
    return this
  }

  /**
   * Writes the vector that turns with the carrier and is `now` at present, `time` (s) later (Rodrigues).
   * `out` may be `now`.
   */
  turned(out: Vec3, now: Vec3Like, time: number): Vec3 {
    const { rate, spin } = this
    return rate < MIN_TURN_RATE ? copy(out, now) : turnedBy(out, now, spin, rate, time)
  }

  /**
   * Writes the position (m) and velocity (m/s) of a point of the carrier after `time` (s).
   * @param offset of the point from the centre at present (m), world axes.
   */
  pointAt(position: Vec3, velocity: Vec3, offset: Vec3Like, time: number): void {
    this.turned(position, offset, time)
    cross(velocity, this.spin, position)
    add(position, position, this.centerAt(path, time))
    add(velocity, velocity, this.velocityTurns ? this.turned(path, this.velocity, time) : this.velocity)
  }

  /** Acceleration (m/s²) of the point at `offset` (m) from the centre. `out` may not be `offset`. */
  accelerationAt(out: Vec3, offset: Vec3Like): Vec3 {
    cross(swing, this.spin, offset)
    if (this.velocityTurns) add(swing, swing, this.velocity)
    return add(out, cross(out, this.spin, swing), this.acceleration)
  }

  /** Writes the position of the centre after `time` (s), in m. */
  centerAt(out: Vec3, time: number): Vec3 {
    const { position, rate, spin, velocity, velocityTurns } = this
    if (!velocityTurns || rate < MIN_TURN_RATE) return addScaled(out, position, velocity, time)
    return add(out, turningDisplacement(out, velocity, spin, rate, time), position)
  }
}
