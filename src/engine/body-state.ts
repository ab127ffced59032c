import type { BodyState, SteeringBody } from '../types.js'
import { isFiniteQuat, quat, setQuat } from '../math/quat.js'
import { isFiniteVec, set, vec3 } from '../math/vec3.js'

const position = vec3()
const quaternion = quat()
const velocity = vec3()
const angularVelocity = vec3()
const inertia = vec3()
const inertiaFrame = quat()
const center = vec3()
const gravity = vec3()
const plane = vec3()

/**
 * Scratch for {@link SteeringBody.read}; valid until the next read. Its vectors are getters and not fields: a
 * body that assigned its own vector, instead of copying it, would see it overwritten by the next body.
 */
export const bodyState: BodyState = {
  get position() {
    return position
  },
  get quaternion() {
    return quaternion
  },
  get velocity() {
    return velocity
  },
  get angularVelocity() {
    return angularVelocity
  },
  get inertia() {
    return inertia
  },
  get inertiaFrame() {
    return inertiaFrame
  },
  get center() {
    return center
  },
  get gravity() {
    return gravity
  },
  get plane() {
    return plane
  },
  mass: 1,
  linearDamping: 0,
  angularDamping: 0,
}

/**
 * Reads a body into `bodyState`. Parts of the motion that the body does not write are NaN, and not those of
 * the body before.
 */
export function readBody(body: SteeringBody): void {
  set(position, NaN, NaN, NaN)
  setQuat(quaternion, NaN, NaN, NaN, NaN)
  set(velocity, NaN, NaN, NaN)
  set(angularVelocity, NaN, NaN, NaN)
  set(inertia, 0, 0, 0)
  setQuat(inertiaFrame, 0, 0, 0, 1)
  set(center, 0, 0, 0)
  set(gravity, 0, 0, 0)
  set(plane, 0, 0, 0)
  bodyState.mass = 1
  bodyState.linearDamping = bodyState.angularDamping = 0
  body.read(bodyState)
}

/** Name of the first field of `bodyState` that cannot be used; '' when all can. */
export function unusable(): string {
  const { angularDamping, linearDamping, mass } = bodyState
  if (!isFiniteVec(position)) return 'position'
  if (!isFiniteVec(velocity)) return 'velocity'
  if (!isFiniteQuat(quaternion)) return 'quaternion'
  if (!isFiniteVec(angularVelocity)) return 'angularVelocity'
  if (!(Number.isFinite(mass) && mass > 0)) return 'mass'
  if (!(inertia.x >= 0 && inertia.y >= 0 && inertia.z >= 0)) return 'inertia'
  if (!isFiniteQuat(inertiaFrame)) return 'inertiaFrame'
  if (!isFiniteVec(center)) return 'center'
  if (!isFiniteVec(gravity)) return 'gravity'
  if (!isFiniteVec(plane)) return 'plane'
  return Number.isFinite(linearDamping) && Number.isFinite(angularDamping) ? '' : 'damping'
}
