import type { Waypoint } from '../../core/types.js'
import { refuse, outOfRange } from '../../core/math/require.js'

/** Checks of what the solvers are given. Numbers that are not finite pass: for them there is no path. */

/** @throws TypeError where a pose has no position or heading of three numbers. */
export function requirePoses(solver: string, from: Waypoint, to: Waypoint): void {
  requireNumbers(solver, 'from.position', from?.position)
  requireNumbers(solver, 'from.heading', from?.heading)
  requireNumbers(solver, 'to.position', to?.position)
  requireNumbers(solver, 'to.heading', to?.heading)
}

/** @throws TypeError if it has no numbers x, y and z. */
export function requireNumbers(solver: string, name: string, value: unknown): void {
  const { x, y, z } = (value ?? NOTHING) as Record<string, unknown>
  if (typeof x === 'number' && typeof y === 'number' && typeof z === 'number') return
  refuse(`${solver}.${name}`, value, 'must have numbers x, y, z')
}

/** @throws TypeError if it is not a number; RangeError if it is negative. */
export function requireRadius(solver: string, name: string, value: unknown): void {
  if (typeof value !== 'number') refuse(`${solver}.${name}`, value, 'must be a number (m)')
  if (value < 0) outOfRange(`${solver}.${name}`, value, 'must be ≥ 0 (m)')
}

/** @throws TypeError if it is not an object, or has a key that is not in `names`. */
export function requireOptions(solver: string, options: object, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null)
    refuse(`${solver}.options`, options, 'must be an object')
  for (const name in options)
    if (!names.includes(name))
      throw new TypeError(`${solver}: got an option '${name}', allowed are '${names.join("', '")}'`)
}

const NOTHING = {}
