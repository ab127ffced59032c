import type { Agent, Frame, FrameLike, Oriented, Quat, Step, Vec3Like } from '../types.js'
import { carryFrame, copyFrame, frame, frameOf } from '../math/frame.js'
import { quatFromAxes } from '../math/quat.js'
import { smoothstep } from '../math/scalar.js'
import { addScaled, copy, cross, dot, length, lerp, normalize, reject, scale, vec3 } from '../math/vec3.js'
import { modelAttitude } from './turn.js'

/**
 * How the top of the model is oriented while the nose points in its direction.
 * - `bank`: towards the inside of the turn, as in a coordinated turn: up plus lateral acceleration.
 * - `level`: towards the world's up.
 * - `free`: unchanged; the nose is moved by the smallest rotation.
 * - `match`: like the top of another object.
 */
export type RollPolicy = 'bank' | 'level' | 'free' | 'match'

const carried = frame()
const other = frame()
const hint = vec3()
const steering = { x: 0, y: 0, z: 0, w: 1 }

// The numbers below are chosen by hand unless they say otherwise.

/** Below this sine of the angle to the vertical `level` and `bank` are `free`: the model does not flip. */
export const FADE_START = 0.05
/** Above this sine they count fully. Larger: they fade over a wider range, and more gently. */
export const FADE_END = 0.3

/**
 * Share of the top speed, or of the speed gained in a second, below which the nose is not turned to the
 * direction of flight.
 */
export const SLOW_SHARE = 0.01

/**
 * Speed (m/s) below which no vehicle turns its nose to the direction of flight: a vehicle that creeps back to
 * its position after a small push would turn around for that, and at rest there is no direction.
 */
export function facingSpeed({ maxForce, maxSpeed, mass }: Agent): number {
  return SLOW_SHARE * Math.min(maxSpeed, maxForce / mass)
}

/**
 * Writes the attitude of the model with its nose along the unit vector `nose` and its top by `roll`.
 * `lateral` is the acceleration to lean into (m/s²), against `weight` (m/s²) along up. For `rests` see
 * `leanTowards`.
 */
export function noseAttitude(
  out: Quat,
  agent: Agent,
  nose: Vec3Like,
  roll: RollPolicy,
  step: Step,
  lateral: Vec3Like,
  weight: number,
  match?: Oriented,
  rests = false,
): Quat {
  carryFrame(copyFrame(carried, agent.attitude), nose)
  if (roll === 'bank') addScaled(hint, lateral, step.up, weight)
  else if (roll === 'level') copy(hint, step.up)
  else if (roll === 'match' && match !== undefined) copy(hint, frameOf(other, match).y)
  else scale(hint, step.up, 0)
  leanTowards(carried, hint, 0, rests)
  return modelAttitude(out, quatFromAxes(steering, carried.x, carried.y), agent.axes)
}

/**
 * Turns `f` about its x axis until y is as near to `towards` as possible. Fades out where that is undefined:
 * where `towards` lies along x, or is small compared with `least`. A vehicle that `rests` does not turn at
 * all there, since a faded turn would take minutes.
 */
export function leanTowards(f: Frame, towards: Vec3Like, least = 0, rests = false): FrameLike {
  const { x, y, z } = f
  const whole = Math.max(length(towards), least)
  reject(hint, towards, x)
  const size = length(hint)
  const share = smoothstep(size / whole, FADE_START, FADE_END)
  if (!(share > 0) || (rests && share < 1)) return f
  scale(hint, hint, 1 / size)
  // during a fade two opposite directions could cancel: then the side axis decides
  if (dot(hint, y) < -0.999 && share < 1) addScaled(hint, hint, z, 0.1)
  lerp(y, y, hint, share)
  cross(z, x, normalize(y, y))
  return f
}
