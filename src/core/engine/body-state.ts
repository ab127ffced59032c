import type { BodyState, SteeringBody } from '../types.js'
import { isFiniteQuat, quat, setQuat } from '../math/quat.js'
import { isFiniteVec, set, vec3 } from '../math/vec3.js'

/** The vectors of a state. Without the first three, which are its motion, a body cannot be used. */
const vectors = Object.freeze({
  position: vec3(),
  velocity: vec3(),
  angularVelocity: vec3(),
  inertia: vec3(),
  center: vec3(),
  gravity: vec3(),
  plane: vec3(),
  axis: vec3(),
})
const names = Object.keys(vectors)
const list = Object.values(vectors)
const quaternion = quat()
const inertiaFrame = quat()

/**
 * Scratch for {@link SteeringBody.read}; valid until the next read. Its vectors cannot be replaced: a body
 * that assigned its own vector, instead of copying it, would see it overwritten by the next body.
 */
export const bodyState: BodyState = Object.assign(
  Object.create(Object.freeze({ ...vectors, quaternion, inertiaFrame })) as BodyState,
  { mass: 1, linearDamping: 0, angularDamping: 0 },
)

/**
 * Reads a body into `bodyState`. Parts of the motion that the body does not write are NaN, and not those of
 * the body before.
 */
export function readBody(body: SteeringBody): void {
  for (let i = 0; i < list.length; i++) {
    const preset = i < 3 ? NaN : 0
    set(list[i]!, preset, preset, preset)
  }
  setQuat(quaternion, NaN, NaN, NaN, NaN)
  setQuat(inertiaFrame, 0, 0, 0, 1)
  bodyState.mass = 1
  bodyState.linearDamping = bodyState.angularDamping = 0
  body.read(bodyState)
}

/** Name of the first field of `bodyState` that cannot be used; '' when all can. */
export function unusable(): string {
  const { angularDamping, inertia, linearDamping, mass } = bodyState
  for (let i = 0; i < list.length; i++) if (i !== 3 && !isFiniteVec(list[i]!)) return names[i]!
  if (!isFiniteQuat(quaternion)) return 'quaternion'
  if (!(Number.isFinite(mass) && mass > 0)) return 'mass'
  if (!(inertia.x >= 0 && inertia.y >= 0 && inertia.z >= 0)) return 'inertia'
  if (!isFiniteQuat(inertiaFrame)) return 'inertiaFrame'
  return Number.isFinite(linearDamping) && Number.isFinite(angularDamping) ? '' : 'damping'
}
