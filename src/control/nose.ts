import type { Agent, Frame, FrameLike, Oriented, Quat, Step, Vec3Like } from '../types.js'
import { carryFrame, copyFrame, frame, frameOf } from '../math/frame.js'
import { quatFromAxes } from '../math/quat.js'
import { smoothstep } from '../math/scalar.js'
import { addScaled, copy, cross, dot, length, normalize, reject, scale, vec3 } from '../math/vec3.js'
import { modelAttitude } from './turn.js'

/**
 * Which way the top of the model points while the nose points where it should.
 * - `bank`: towards the inside of the turn, as in a coordinated turn: up plus lateral acceleration.
 * - `level`: towards the world's up.
 * - `free`: where it is; the nose is moved by the least rotation.
 * - `match`: as the top of another thing.
 */
export type RollPolicy = 'bank' | 'level' | 'free' | 'match'

const carried = frame()
const other = frame()
const hint = vec3()
const steering = { x: 0, y: 0, z: 0, w: 1 }

/** Share of the vertical within which `level` and `bank` fade to `free`, so that nothing flips in vertical flight. */
const FADE_START = 0.05
const FADE_END = 0.3

/** Share of the top speed, or of the speed gained in a second, below which a direction of flight is not faced. */
const SLOW_SHARE = 0.01

/**
 * Slower than this (m/s) no vehicle turns its nose to where it flies: who creeps back to its place after a small push would turn round for
 * that, and at rest there is no direction at all.
 */
export function facingSpeed({ maxForce, maxSpeed, mass }: Agent): number {
  return SLOW_SHARE * Math.min(maxSpeed, maxForce / mass)
}

/**
 * Attitude of the model with its nose along the unit vector `nose` and its top by `roll`.
 * `lateral` is the acceleration to lean into (m/s²), against `weight` (m/s²) along up. For `rests` see `leanTowards`.
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
 * Turns `f` about its x axis until y is as near to `towards` as it gets. Fades out where that has no meaning: where `towards` lies
 * along x, or is small beside `least`. A vehicle that `rests` does not turn at all there: faded, a turn would take minutes.
 */
export function leanTowards(f: Frame, towards: Vec3Like, least = 0, rests = false): FrameLike {
  const whole = Math.max(length(towards), least)
  if (!(whole > 0)) return f
  reject(hint, towards, f.x)
  const share = smoothstep(length(hint) / whole, FADE_START, FADE_END)
  if (share === 0 || (rests && share < 1)) return f
  normalize(hint, hint)
  // half-way through a fade two opposite directions could cancel: then the side axis decides
  if (dot(hint, f.y) < -0.999 && share < 1) addScaled(hint, hint, f.z, 0.1)
  scale(f.y, f.y, 1 - share)
  addScaled(f.y, f.y, hint, share)
  reject(f.y, f.y, f.x)
  normalize(f.y, f.y)
  cross(f.z, f.x, f.y)
  return f
}
