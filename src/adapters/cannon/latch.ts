import type { Body, LockConstraint, Vec3, World } from 'cannon-es'
import type { Vec3Like } from '../../types.js'
import { copy } from '../../math/vec3.js'

/** `CANNON.LockConstraint`, handed in, so that the package does not load a copy of cannon-es of its own. */
export type LockConstraintClass = new (a: Body, b: Body, options?: { maxForce?: number }) => LockConstraint

export interface LatchOptions {
  /** Where the two hold each other: the port, m, world. Default the centre of `ship`. */
  at?: Vec3Like
  /** The latch holds up to this force, N, > 0. Default none: it holds any. */
  maxForce?: number
}

/**
 * Ties two bodies to each other as they are now, for a `latched` pair: `const release = latch(world, ship, station, CANNON.LockConstraint)`. There is no kick:
 * no pose changes, only the little speed between them is shared out as momentum, as in any soft touch; their hulls, which may touch, no
 * longer push each other. Both are woken. May be called from a `stage` listener, as may what it returns.
 * @returns a function that opens the latch; more than once does nothing. The bodies go on with the velocities they have.
 * @throws TypeError when `world` or a body is none, or no constraint class is given.
 */
export function latch(
  world: World,
  ship: Body,
  carrier: Body,
  Lock: LockConstraintClass,
  { at = ship.position, maxForce = 1e9 }: LatchOptions = {},
): () => void {
  if (typeof world?.addConstraint !== 'function')
    throw new TypeError(`latch: world: got ${String(world)}, must be a CANNON.World`)
  for (const body of [ship, carrier])
    if (typeof body?.pointToLocalFrame !== 'function')
      throw new TypeError(`latch: got ${String(body)}, must be a CANNON.Body`)
  if (typeof Lock !== 'function')
    throw new TypeError(`latch: got ${String(Lock)}, must be the class CANNON.LockConstraint`)
  const constraint = new Lock(ship, carrier, { maxForce })
  // its own pivot lies half-way between the centres, far from where they touch: a long lever, and a soft one
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
