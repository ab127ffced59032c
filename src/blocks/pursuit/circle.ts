import type { Agent, Step, Vec3, Vec3Like } from '../../core/types.js'
import { servoTime, topSpeed } from '../../core/control/drive.js'
import { BRAKE_SHARE, brakingSpeed } from '../../core/control/profile.js'
import { addScaled, copy, cross, dot, isZero, length, normalize } from '../../core/math/vec3.js'
import { perpendicular, scale, vec3 } from '../../core/math/vec3.js'
import type { VelocityField } from './fly-field.js'

/**
 * Share of the force that the turn takes where no speed is wanted. Larger: faster, with less force left for
 * corrections. Chosen by hand, as all constants of this file.
 */
const DEFAULT_TURN_SHARE = 0.7

/** Largest share of the force that the turn may take, whatever speed is wanted. */
const MAX_TURN_SHARE = 0.95

/** However fast the centre moves, this share of the top speed is left to approach it. */
const MIN_SPEED_SHARE = 0.02

/** Share of the acceleration with which it slows down from a higher speed. Larger: later and harder. */
const SLOWING_SHARE = 0.3

/** Share of the acceleration with which it slows down to the plane. Larger: later and harder. */
const LEVELLING_SHARE = 0.3

/** Share of the acceleration left by the turn that is counted on to come out from inside. */
const SPARE_SHARE = 0.5

/** Lower bound of that, as a share of the whole acceleration. */
const MIN_SPARE_SHARE = 0.05

/** Largest share of the speed towards the plane. */
const MAX_SINKING_SHARE = 0.8

const beside = vec3()
const outwards = vec3()
const around = vec3()

/** A circle about the origin of a frame that moves with its centre. SI units. */
export class Circle implements VelocityField {
  /** Unit axis; the direction of flight is right-handed about it. */
  readonly axis: Vec3 = vec3(0, 1, 0)
  /** Direction in which an agent on the axis leaves it: any. */
  private readonly ahead: Vec3 = vec3(1, 0, 0)
  radius = 1
  /** Speed on the circle, and highest speed while approaching it (m/s). */
  speed = 1
  private top = 1
  /** Acceleration available in any direction (m/s²), and time constant of corrections (s). */
  acceleration = 1
  correctionTime = 1

  /** Sets radius (m) and speeds, as the agent can fly them with a centre of `centerSpeed` (m/s). */
  fit(agent: Agent, step: Step, radius: number, speed: number | undefined, centerSpeed: number): void {
    const acceleration = agent.maxForce / agent.mass
    const top = topSpeed(agent)
    const available = Math.max(top - centerSpeed, MIN_SPEED_SHARE * top)
    const wanted = speed ?? Math.sqrt(DEFAULT_TURN_SHARE * acceleration * radius)
    this.radius = radius
    this.speed = Math.max(
      Math.min(wanted, available, Math.sqrt(MAX_TURN_SHARE * acceleration * radius)),
      Number.MIN_VALUE,
    )
    this.top = available
    this.acceleration = acceleration
    this.correctionTime = Math.max(servoTime(agent, step), 2 * agent.forceLag + agent.forceTurnTime)
    copy(this.ahead, agent.course.x)
  }

  /**
   * Writes the wanted velocity (m/s) at `place` (m, from the centre) to join the circle and fly it. From
   * outside it follows the tangent line to the circle; from inside an arc that leaves enough force for the
   * turn. Near the circle the approach slows with the time constant, so that the field has no kink that a
   * servo could not follow.
   */
  velocityAt(out: Vec3, place: Vec3Like): Vec3 {
    const { ahead, axis, acceleration, radius, speed, correctionTime, top } = this
    const height = dot(place, axis)
    addScaled(beside, place, axis, -height)
    const distance = length(beside)
    normalize(outwards, beside)
    if (isZero(outwards)) {
      addScaled(outwards, ahead, axis, -dot(ahead, axis))
      normalize(outwards, outwards)
      if (isZero(outwards)) perpendicular(outwards, axis)
    }
    cross(around, axis, outwards)
    const gap = distance - radius
    const distanceToCircle = Math.hypot(Math.max(0, gap), height)
    const speedNow = Math.min(
      Math.sqrt(speed * speed + 2 * SLOWING_SHARE * acceleration * distanceToCircle),
      Math.max(speed, top),
    )
    const level = brakingSpeed(Math.abs(height), LEVELLING_SHARE * acceleration, 0, correctionTime)
    const sinking = Math.min(level, MAX_SINKING_SHARE * speedNow)
    const along = Math.sqrt(speedNow * speedNow - sinking * sinking)
    const inPlane = gap > 0 ? along : Math.min(along, speed)
    const share = gap > 0 ? inwardShare(gap, this) : -outwardShare(-gap, this)
    scale(out, outwards, -inPlane * share)
    addScaled(out, out, around, inPlane * Math.sqrt(Math.max(0, 1 - share * share)))
    return addScaled(out, out, axis, height > 0 ? -sinking : sinking)
  }
}

/** Inward share of the speed, `gap` m outside of the circle: along the tangent line. */
function inwardShare(gap: number, { radius, speed, correctionTime }: Circle): number {
  const sine = radius / (radius + gap)
  const tangent = Math.sqrt(Math.max(0, 1 - sine * sine))
  return Math.min(tangent, brakingSpeed(gap, (speed * speed) / radius, 0, correctionTime) / speed)
}

/** Outward share of the speed, `gap` m inside the circle. */
function outwardShare(gap: number, { acceleration, radius, speed, correctionTime }: Circle): number {
  const spare = BRAKE_SHARE * acceleration - (speed * speed) / radius
  const brake = Math.max(SPARE_SHARE * spare, MIN_SPARE_SHARE * acceleration)
  return Math.min(1, brakingSpeed(gap, brake, 0, correctionTime) / speed)
}
