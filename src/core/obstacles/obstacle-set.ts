import { refuse } from '../math/require.js'
import type { Obstacles } from './obstacles.js'

// Apart from the class, so that a program which only checks for a set does not contain it.

/** Whether a value is a set of obstacles. Not by `instanceof`: two copies of the package may be loaded. */
export function isObstacleSet(value: unknown): value is Obstacles {
  return typeof (value as Partial<Obstacles> | null | undefined)?.refreshFor === 'function'
}

/** @throws TypeError for a value that is no set of obstacles. */
export function requireObstacleSet(what: string, value: Obstacles): Obstacles {
  return isObstacleSet(value) ? value : refuse(what, value, 'must be a set of Obstacles')
}
