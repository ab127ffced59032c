import type { Frame, MovingFrame, Vec3, Vec3Like } from '../../types.js'
import { frame, frameOf } from '../../math/frame.js'
import { turnedBy, turningDisplacement } from '../../math/turning.js'
import { add, addScaled, copy, cross, isZero, length, set, vec3 } from '../../math/vec3.js'

/** Slower than this (rad/s) a carrier does not turn: in an hour it would be less than a tenth of a degree. */
const STILL = 1e-7

const swing = vec3()
const path = vec3()
const still: Vec3Like = { x: 0, y: 0, z: 0 }

/**
 * A carrier as it will be: it keeps its spin, and its velocity in the world, so that a point fixed on it moves along a screw; or, when it `flies`, its
 * velocity as it sees it, so that it moves along a circle or a helix. One object is read anew for each agent and step.
 */
export class CarrierMotion {
  /** Centre, m, its velocity, m/s, and spin, rad/s, at the moment of `read`. World axes. */
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  readonly spin: Vec3 = vec3()
  /** Its steering frame at that moment: x ahead, y up, z to starboard. */
  readonly axes: Frame = frame()
  /** Its turn rate, rad/s. */
  rate = 0

  private flies = false

  /** Whether it neither moves nor turns. */
  get isStill(): boolean {
    return isZero(this.velocity) && isZero(this.spin)
  }

  /**
   * Takes the state of the carrier now. One without a quaternion has the axes of the world.
   * @param flies whether its velocity turns with it, as those of ships and aircraft do.
   */
  read(carrier: MovingFrame, flies = false): this {
    this.flies = flies
    copy(this.position, carrier.position)
    copy(this.velocity, carrier.velocity)
    copy(this.spin, carrier.angularVelocity ?? still)
    this.rate = length(this.spin)
    if (carrier.quaternion !== undefined) frameOf(this.axes, carrier as Required<MovingFrame>)
    else {
      set(this.axes.x, 1, 0, 0)
      set(this.axes.y, 0, 1, 0)
      set(this.axes.z, 0, 0, 1)
    }
    return this
  }

  /** Where a vector that turns with the carrier, and is `now` at present, points after `time` s (Rodrigues). `out` may be `now`. */
  turned(out: Vec3, now: Vec3Like, time: number): Vec3 {
    const { rate, spin } = this
    return rate < STILL ? copy(out, now) : turnedBy(out, now, spin, rate, time)
  }

  /** Writes where a point of the carrier, at `arm` (m, world axes, from the centre) now, will be after `time` s, and its velocity. */
  pointAt(position: Vec3, velocity: Vec3, arm: Vec3Like, time: number): void {
    this.turned(position, arm, time)
    cross(velocity, this.spin, position)
    add(position, position, this.centerAt(path, time))
    add(velocity, velocity, this.flies ? this.turned(path, this.velocity, time) : this.velocity)
  }

  /** Acceleration (m/s²) of the point at `arm` (m, world axes, from the centre). `out` may not be `arm`. */
  accelerationAt(out: Vec3, arm: Vec3Like): Vec3 {
    cross(swing, this.spin, arm)
    if (this.flies) add(swing, swing, this.velocity)
    return cross(out, this.spin, swing)
  }

  /** Writes where the centre will be after `time` s, m. */
  centerAt(out: Vec3, time: number): Vec3 {
    const { flies, position, rate, spin, velocity } = this
    if (!flies || rate < STILL) return addScaled(out, position, velocity, time)
    return add(out, turningDisplacement(out, velocity, spin, rate, time), position)
  }
}
