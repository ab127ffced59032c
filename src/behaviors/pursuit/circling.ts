import type { Vec3, Vec3Like } from '../../types.js'
import { BRAKE_SHARE, brakingSpeed } from '../../control/profile.js'
import {
  addScaled,
  cross,
  dot,
  isZero,
  length,
  normalize,
  perpendicular,
  scale,
  vec3,
} from '../../math/vec3.js'

/** A circle to be flown about the origin of what moves with its middle. SI units. */
export interface Circle {
  /** Unit: flown about it right-handed. */
  readonly axis: Vec3
  /** Where to leave the axis, for who is on it: any direction. */
  readonly ahead: Vec3
  radius: number
  /** Speed on it, and the highest on the way to it, m/s. */
  speed: number
  top: number
  /** Acceleration that can be had any way, m/s², and the time in which errors are taken out, s. */
  power: number
  time: number
}

/** Shares of the acceleration to come down from a higher speed with, and to come to the plane with. */
const SLOWING = 0.3
const LEVELLING = 0.3

/** Share of what the turn leaves that is counted on to come out of the inside. */
const SPARE = 0.5

/** … and this share of all there is, at least. */
const LEAST = 0.05

/** No more than this share of the speed goes towards the plane. */
const STEEPEST = 0.8

const beside = vec3()
const outwards = vec3()
const around = vec3()

export function makeCircle(): Circle {
  return { axis: vec3(0, 1, 0), ahead: vec3(1, 0, 0), radius: 1, speed: 1, top: 1, power: 1, time: 1 }
}

/**
 * Writes the velocity (m/s) to have at `place` (m, from the middle) to come to a circle and to fly it. It meets it on a tangent: from outside
 * along the straight line that touches it, from inside on an arc that the turn leaves force for; the nearer, the gentler, with the time of
 * the circle, so that the field has no kink that a servo could not follow.
 */
export function circlingVelocity(out: Vec3, place: Vec3Like, of: Circle): Vec3 {
  const { axis, power, radius, speed, time, top } = of
  const height = dot(place, axis)
  addScaled(beside, place, axis, -height)
  const distance = length(beside)
  normalize(outwards, beside)
  if (isZero(outwards)) {
    addScaled(outwards, of.ahead, axis, -dot(of.ahead, axis))
    normalize(outwards, outwards)
    if (isZero(outwards)) perpendicular(outwards, axis)
  }
  cross(around, axis, outwards)
  const off = distance - radius
  const far = Math.hypot(Math.max(0, off), height)
  const pace = Math.min(Math.sqrt(speed * speed + 2 * SLOWING * power * far), Math.max(speed, top))
  const level = brakingSpeed(Math.abs(height), LEVELLING * power, 0, time)
  const sinking = Math.min(level, STEEPEST * pace)
  const along = Math.sqrt(pace * pace - sinking * sinking)
  const inPlane = off > 0 ? along : Math.min(along, speed)
  const share = off > 0 ? inwards(off, of) : -fromInside(-off, of)
  scale(out, outwards, -inPlane * share)
  addScaled(out, out, around, inPlane * Math.sqrt(Math.max(0, 1 - share * share)))
  return addScaled(out, out, axis, height > 0 ? -sinking : sinking)
}

/** Share of the speed that goes inwards, `off` m outside of the circle: along the tangent. */
function inwards(off: number, { radius, speed, time }: Circle): number {
  const sine = radius / (radius + off)
  const tangent = Math.sqrt(Math.max(0, 1 - sine * sine))
  return Math.min(tangent, brakingSpeed(off, (speed * speed) / radius, 0, time) / speed)
}

/** Share of the speed that goes outwards, `off` m inside of it. */
function fromInside(off: number, { power, radius, speed, time }: Circle): number {
  const spare = BRAKE_SHARE * power - (speed * speed) / radius
  const brake = Math.max(SPARE * spare, LEAST * power)
  return Math.min(1, brakingSpeed(off, brake, 0, time) / speed)
}
