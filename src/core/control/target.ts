import type {
  Agent,
  Behavior,
  Moving,
  Oriented,
  Placed,
  PointSource,
  Step,
  Vec3,
  Vec3Like,
} from '../types.js'
import { DEFAULT_FORWARD } from '../math/frame.js'
import { rotate } from '../math/quat.js'
import { isUsable } from './usable.js'
import { copy, isFiniteVec, normalize, set } from '../math/vec3.js'
import { refuse, outOfRange } from '../math/require.js'
import { moveToLock } from './lock.js'

/** Checks of targets for constructors, and functions that read targets. */

/**
 * @throws TypeError if `source` is no point, object with a position, or function; RangeError if it is a point
 * that is not finite.
 */
export function requirePoint<T extends PointSource>(what: string, source: T): T {
  if (typeof source === 'function') return source
  const at = source !== null && typeof source === 'object' ? pointOf(source) : undefined
  if (typeof at?.x !== 'number' || typeof at.y !== 'number' || typeof at.z !== 'number')
    refuse(what, source, 'must be a point {x, y, z}, an object with a position, or a function')
  if (!isFiniteVec(at)) outOfRange(what, at, 'must be finite')
  return source
}

/** @throws TypeError if `thing` has no position or velocity. */
export function requireMoving<T extends Moving>(what: string, thing: T): T {
  if (typeof thing?.position?.x !== 'number' || typeof thing.velocity?.x !== 'number')
    refuse(what, thing, 'must have a position and a velocity')
  return thing
}

/** @throws TypeError if `thing` has no position, or a velocity that is none. */
export function requirePlaced<T extends Placed>(what: string, thing: T): T {
  if (thing?.velocity !== undefined) return requireMoving(what, thing as T & Moving)
  if (typeof thing?.position?.x !== 'number') refuse(what, thing, 'must have a position')
  return thing
}

/** @throws TypeError if `thing` has no quaternion. */
export function requireOriented<T extends Oriented>(what: string, thing: T): T {
  if (typeof thing?.quaternion?.w !== 'number') refuse(what, thing, 'must have a quaternion')
  return thing
}

/**
 * Whether a target is there: the one rule for all behaviours. Gone is what says so (`isThere`): a controller
 * that was removed from its world or disposed, or whose body has left the world of its engine; a member of a
 * flock that has fewer; a frame of a body that was removed. So is a body of cannon-es in no world.
 */
export function isThere(target: object | null | undefined): boolean {
  if (target === null || target === undefined) return true
  const { isThere: says, world } = target as { isThere?: unknown; world?: unknown }
  return typeof says === 'function' ? (target as { isThere(): boolean }).isThere() : world !== null
}

/**
 * Whether a target of `behavior` is gone. Then the behaviour does nothing, so that the next part of the tree
 * gets its turn; `cannot` is emitted once for each time that it goes.
 */
export function isGone(
  agent: Agent,
  step: Step,
  behavior: Behavior,
  target: object | null | undefined,
  what = 'target',
): boolean {
  const gone = !isThere(target)
  if (agent.noteGone?.(behavior, gone) === true)
    step.emit(agent, 'cannot', behavior, '', `the ${what} is gone`)
  return gone
}

/**
 * Writes the present position of the target (m). A position that is not finite, or has no numbers at all, is
 * reported and written as NaN.
 */
export function pointAt(out: Vec3, source: PointSource, agent: Agent): Vec3 {
  if (typeof source === 'function') source(agent, out)
  else copy(out, pointOf(source))
  if (!isUsable(agent, 'target', out)) return set(out, NaN, NaN, NaN)
  // how far it lies off the agent's plane or axis does not matter
  return moveToLock(out, agent.position, agent)
}

/**
 * Writes the velocity of the target (m/s); 0 for points and functions. A velocity that is not finite is
 * reported and written as NaN.
 */
export function velocityOf(out: Vec3, source: PointSource, agent: Agent): Vec3 {
  const velocity = typeof source === 'function' ? undefined : (source as Placed).velocity
  if (velocity === undefined) return set(out, 0, 0, 0)
  return isUsable(agent, 'velocity of the target', velocity) ? copy(out, velocity) : set(out, NaN, NaN, NaN)
}

/** Writes the unit direction of the nose of a target (world axes); zero for one without an attitude. */
export function noseOf(out: Vec3, target: PointSource | Moving): Vec3 {
  const { quaternion, forward = DEFAULT_FORWARD } = target as Partial<Oriented>
  return quaternion === undefined ? set(out, 0, 0, 0) : normalize(out, rotate(out, quaternion, forward))
}

/**
 * Writes the present position of a target that is the same for all agents (m). False for any other, and for
 * one that is gone.
 */
export function steadyPoint(out: Vec3, source: PointSource): boolean {
  if (typeof source === 'function' || !isThere(source)) return false
  copy(out, pointOf(source))
  return true
}

function pointOf(source: Vec3Like | Placed): Vec3Like {
  const { position } = source as Placed
  return position === undefined ? (source as Vec3Like) : position
}
