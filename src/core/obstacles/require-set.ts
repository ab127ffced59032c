import { refuse } from '../math/require.js'
import type { Obstacles } from './obstacles.js'

/**
 * A set of obstacles as it is given. Where a list is taken, too, `requireObstacles` makes a set of it, and so
 * loads the index of obstacles.
 * @throws TypeError for anything else.
 */
export function requireSet(what: string, obstacles: Obstacles): Obstacles {
  if (typeof (obstacles as Partial<Obstacles> | undefined)?.near !== 'function')
    refuse(what, obstacles, 'must be Obstacles')
  return obstacles
}
