import type { BodyState } from '../types.js'
import { quat } from '../math/quat.js'
import { vec3 } from '../math/vec3.js'

/** Scratch for {@link SteeringBody.read}; valid until the next read. */
export const bodyState: BodyState = {
  position: vec3(),
  quaternion: quat(),
  velocity: vec3(),
  angularVelocity: vec3(),
  mass: 1,
  inertia: vec3(),
  linearDamping: 0,
  angularDamping: 0,
  gravity: vec3(),
}
