import type { Path } from '../../path/path.js'
import { requireFinite, requireNumber } from '../../math/require.js'

/**
 * How it is followed (Green, Follow Path).
 * - `reprojection`: keeps to the point of the path nearest to it.
 * - `dog-on-a-string`: seeks a point that runs ahead, waits where it pulls hard and runs where it does not.
 * - `grappling-hooks`: seeks waypoint after waypoint, straight on.
 */
export type PathTechnique = 'reprojection' | 'dog-on-a-string' | 'grappling-hooks'

export interface FollowPathOptions {
  path: Path
  /** Default `reprojection`. */
  technique?: PathTechnique
  /** Speed on the way, m/s, > 0; less where the path bends, as the agent's force across and its brakes make it. Default its top speed. */
  speed?: number
  /** Of `dog-on-a-string`: how far ahead the dog is, m, > 0: the farther, the more corners are cut. Default the way of half a second. */
  lookAhead?: number
  /** What it does at the end of an open path: come to rest, or pass at full speed and fly straight on. Default `stop`. */
  end?: 'stop' | 'pass'
  /** 1 from the first point to the last, −1 the other way. Default 1. */
  direction?: 1 | -1
  /** Radius (m, ≥ 0) of the tube in which there is no pull to the middle. Default that of the path. */
  tube?: number
}

const TECHNIQUES: readonly unknown[] = [
  'reprojection',
  'dog-on-a-string',
  'grappling-hooks',
] satisfies PathTechnique[]

/** @throws TypeError / RangeError naming the option. */
export function checkFollowPath(options: FollowPathOptions): void {
  const { path, technique, speed, lookAhead, end, direction, tube } = options
  if (typeof (path as Partial<Path> | undefined)?.curvatureAt !== 'function')
    throw new TypeError(`FollowPath.path: got ${String(path)}, must be a Path`)
  if (technique !== undefined && !TECHNIQUES.includes(technique))
    throw new RangeError(`FollowPath.technique: got '${technique}', allowed are '${TECHNIQUES.join("', '")}'`)
  if (end !== undefined && end !== 'stop' && end !== 'pass')
    throw new RangeError(`FollowPath.end: got '${String(end)}', allowed are 'stop', 'pass'`)
  if (direction !== undefined && direction !== 1 && direction !== -1)
    throw new RangeError(`FollowPath.direction: got ${String(direction)}, must be 1 or -1`)
  if (speed !== undefined) requireNumber('FollowPath.speed', speed, 0, true)
  if (lookAhead !== undefined) requireFinite('FollowPath.lookAhead', lookAhead, 0, true)
  if (tube !== undefined) requireFinite('FollowPath.tube', tube, 0, false)
}
