import type { Vec3, Vec3Like } from '../../types.js'
import { vectorToWorld } from '../../math/frame.js'
import { smoothstep } from '../../math/scalar.js'
import { add, addScaled, copy, cross, scale, sub, vec3 } from '../../math/vec3.js'
import type { Anchor } from './anchor.js'
import { makeSlotState, type SlotState } from './member.js'
import type { Trail } from './trail.js'

const arm = vec3()
const turn = vec3()
const drift = vec3()
const spot = vec3()
const early = vec3()
const late = vec3()
const onTrail = makeSlotState()

/** A point in the frame of an anchor, m, and how it moves there, m/s, m/s². */
export interface Local {
  readonly at: Vec3
  readonly velocity: Vec3
  readonly acceleration: Vec3
}

/** Writes where a point of a rigid formation is in the world. */
export function placeInFrame(out: SlotState, anchor: Anchor, local: Local): void {
  const { angularAcceleration, angularVelocity, frame } = anchor
  vectorToWorld(arm, frame, local.at)
  vectorToWorld(drift, frame, local.velocity)
  add(out.position, anchor.position, arm)
  cross(turn, angularVelocity, arm)
  // centripetal, of the change of spin, Coriolis
  cross(out.acceleration, angularVelocity, turn)
  addScaled(out.acceleration, out.acceleration, cross(spot, angularAcceleration, arm), 1)
  addScaled(out.acceleration, out.acceleration, cross(spot, angularVelocity, drift), 2)
  addScaled(out.acceleration, out.acceleration, vectorToWorld(spot, frame, local.acceleration), 1)
  add(out.acceleration, out.acceleration, anchor.acceleration)
  add(out.velocity, add(turn, turn, drift), anchor.velocity)
}

/**
 * Bends a place that `placeInFrame` has written to the trail by `bend` (0 … 1, growing by `rate` 1/s): there x counts along the way that the
 * anchor has come (Green, Steering Formations, figure 28: formation space warped round a corner). What is ahead of the anchor stays rigid; within
 * `soft` (m) behind it one becomes the other.
 */
export function bendToTrail(
  out: SlotState,
  trail: Trail,
  local: Local,
  speed: number,
  bend: number,
  rate: number,
  soft: number,
  dt: number,
): void {
  const share = smoothstep(-local.at.x, 0, soft)
  const b = bend * share
  if (!(b > 0)) return
  const { acceleration, position, velocity } = onTrail
  trail.place(position, local.at, trail.head)
  trail.place(early, step(local, -dt), trail.head - speed * dt)
  trail.place(late, step(local, dt), trail.head + speed * dt)
  scale(velocity, sub(velocity, late, early), 0.5 / dt)
  add(acceleration, early, late)
  scale(acceleration, addScaled(acceleration, acceleration, position, -2), 1 / (dt * dt))
  sub(drift, position, out.position)
  sub(turn, velocity, out.velocity)
  addScaled(out.position, out.position, drift, b)
  addScaled(out.velocity, out.velocity, turn, b)
  addScaled(out.velocity, out.velocity, drift, rate * share)
  sub(spot, acceleration, out.acceleration)
  addScaled(out.acceleration, out.acceleration, spot, b)
  addScaled(out.acceleration, out.acceleration, turn, 2 * rate * share)
}

function step({ acceleration, at, velocity }: Local, dt: number): Vec3Like {
  copy(spot, at)
  addScaled(spot, spot, velocity, dt)
  return addScaled(spot, spot, acceleration, (dt * dt) / 2)
}
