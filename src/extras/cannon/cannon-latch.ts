import type { Body, LockConstraint, Vec3, World } from 'cannon-es'
import type { Vec3Like } from '../../core/types.js'
import { copy } from '../../core/math/vec3.js'
import { refuse } from '../../core/math/require.js'

/**
 * `CANNON.LockConstraint`. It is an argument, so that the package does not load its own copy of cannon-es.
 */
export type LockConstraintClass = new (a: Body, b: Body, options?: { maxForce?: number }) => LockConstraint

/** Default force (N) that it holds. Chosen by hand, far above the loads of a docked ship. */
const DEFAULT_MAX_FORCE = 1e9

export interface LatchOptions {
  /** Point where the bodies are joined (m, world): the port. Default the centre of `ship`. */
  at?: Vec3Like
  /**
   * Largest force that the latch can hold (N), > 0. A larger force pulls the bodies apart. Default 1e9, in
   * effect unlimited.
   */
  maxForce?: number
}

/**
 * Joins two bodies in their present relative pose, for a `latched` pair:
 * `const release = latch(world, ship, station, CANNON.LockConstraint)`. No pose changes. The small relative
 * velocity is shared between the bodies as momentum, as in any soft contact. Their hulls may touch and no
 * longer collide with each other. Both bodies are woken. Both `latch` and the function that it returns may be
 * called from a `stage` listener.
 * @returns a function that opens the latch. A second call does nothing. The bodies keep their velocities.
 * @throws TypeError when `world` is not a cannon world, `ship` or `carrier` is not a body, or no constraint
 * class is given.
 */
export function latch(
  world: World,
  ship: Body,
  carrier: Body,
  Lock: LockConstraintClass,
  { at = ship.position, maxForce = DEFAULT_MAX_FORCE }: LatchOptions = {},
): () => void {
  if (typeof world?.addConstraint !== 'function') refuse('latch: world', world, 'must be a CANNON.World')
  for (const body of [ship, carrier])
    if (typeof body?.pointToLocalFrame !== 'function') refuse('latch', body, 'must be a CANNON.Body')
  if (typeof Lock !== 'function') refuse('latch', Lock, 'must be the class CANNON.LockConstraint')
  const constraint = new Lock(ship, carrier, { maxForce })
  // the constraint's own pivot lies half-way between the centres, far from the contact: the long lever arm
  // makes the joint soft
  const point = ship.position.clone()
  copy(point, at)
  const { pivotA, pivotB } = constraint as unknown as { pivotA: Vec3; pivotB: Vec3 }
  ship.pointToLocalFrame(point, pivotA)
  carrier.pointToLocalFrame(point, pivotB)
  constraint.collideConnected = false
  world.addConstraint(constraint)
  ship.wakeUp()
  carrier.wakeUp()
  let closed = true
  return () => {
    if (!closed) return
    closed = false
    world.removeConstraint(constraint)
    ship.wakeUp()
    carrier.wakeUp()
  }
}
