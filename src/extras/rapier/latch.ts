import type { QuatLike, Vec3Like } from '../../core/types.js'
import { conjugate, multiply, quat, unrotate } from '../../core/math/quat.js'
import { copy, sub, vec3 } from '../../core/math/vec3.js'
import type { RapierBody, RapierWorld } from './types.js'
import { refuse } from '../../core/math/require.js'

/** `RAPIER.JointData`. It is an argument, so that the package does not load Rapier. */
export interface JointDataClass {
  fixed(anchor1: Vec3Like, frame1: QuatLike, anchor2: Vec3Like, frame2: QuatLike): object
}

export interface RapierLatchOptions {
  /** Point where the bodies are joined (m, world): the port. Default the centre of mass of `ship`. */
  at?: Vec3Like
}

/**
 * Joins two bodies in their present relative pose by a fixed joint, for a `latched` pair: `const release =
 * latch(world, ship, station, RAPIER.JointData)`. No pose changes. The small relative velocity is shared
 * between the bodies as momentum. Their colliders may touch and no longer collide with each other. Both
 * bodies are woken. Both `latch` and the function that it returns may be called from a `stage` listener.
 * @returns a function that opens the latch. A second call does nothing, nor does one after a body was
 * removed. The bodies keep their velocities.
 * @throws TypeError when `world` is not a Rapier world, `ship` or `carrier` is not a body of it, or no class
 * is given.
 */
export function latch(
  world: RapierWorld,
  ship: RapierBody,
  carrier: RapierBody,
  JointData: JointDataClass,
  { at }: RapierLatchOptions = {},
): () => void {
  if (typeof world?.createImpulseJoint !== 'function') refuse('latch: world', world, 'must be a RAPIER.World')
  for (const body of [ship, carrier])
    if (typeof body?.handle !== 'number' || world.getRigidBody(body.handle) !== body)
      refuse('latch', body, 'must be a body of this RAPIER.World')
  if (typeof JointData?.fixed !== 'function') refuse('latch', JointData, 'must be the class RAPIER.JointData')
  const point = at ?? copy(vec3(), ship.worldCom())
  const anchorOn = (body: RapierBody): Vec3Like =>
    unrotate(vec3(), body.rotation(), sub(vec3(), point, body.translation()))
  const turn = multiply(quat(), conjugate(quat(), ship.rotation()), carrier.rotation())
  const joint = world.createImpulseJoint(
    JointData.fixed(anchorOn(ship), turn, anchorOn(carrier), quat()),
    ship,
    carrier,
    true,
  )
  joint.setContactsEnabled(false)
  const { handle } = joint
  let closed = true
  return () => {
    if (!closed) return
    closed = false
    // the joint goes with its bodies
    if (world.getImpulseJoint(handle) === joint) world.removeImpulseJoint(joint, true)
  }
}
