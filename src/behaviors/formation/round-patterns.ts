import type { Quat, Vec3 } from '../../types.js'
import { requireFinite } from '../../math/require.js'
import { GOLDEN_ANGLE, TAU } from '../../math/scalar.js'
import { distance, scale, set, vec3 } from '../../math/vec3.js'
import { requirePattern, slotsAt, type FormationSlot, type PatternOptions } from './formation-slot.js'

/** Formations round the leader, in his steering frame: x ahead, y up, z to starboard. He is in the middle and has no slot; laws as in patterns.ts. */

export interface RoundOptions {
  /** Least radius, m, ≥ 0; it grows with the members. Default 0: never less than the spacing, so that the middle is free. */
  radius?: number
  /** Role of slot 0, 1, … in turn; '' and what is beyond the list: anybody. Default none. */
  roles?: readonly string[]
}

export interface RingOptions extends RoundOptions {
  /** 'across' the flight, slot 0 on top, or 'level', slot 0 ahead; both go on to starboard. Default 'across'. */
  plane?: 'across' | 'level'
  /** Whether, across the flight, the tops of the members point outwards. Default false: all as the leader. */
  topOutward?: boolean
}

/** At equal distances on a circle about the leader. Port mirrors starboard. Growing moves slots. */
export function ringPattern(count: number, spacing: number, options: RingOptions = {}): FormationSlot[] {
  requireRound('ringPattern', count, spacing, options)
  const { plane = 'across', topOutward = false } = options
  if (plane !== 'across' && plane !== 'level')
    throw new RangeError(`ringPattern.plane: got ${String(plane)}, must be 'across' or 'level'`)
  const chord = count > 1 ? 2 * Math.sin(Math.PI / count) : 1
  const radius = Math.max(options.radius ?? 0, spacing, spacing / chord)
  const placeAt = (out: Vec3, i: number): void => {
    const angle = (TAU * i) / count
    const along = radius * Math.cos(angle)
    set(out, plane === 'level' ? along : 0, plane === 'across' ? along : 0, radius * Math.sin(angle))
  }
  return slotsAt(count, options, placeAt, topOutward && plane === 'across' ? attitudeAt : undefined)

  function attitudeAt(i: number): Quat {
    const half = (Math.PI * i) / count
    return { x: Math.sin(half), y: 0, z: 0, w: Math.cos(half) }
  }
}

/**
 * Evenly on a sphere about the leader, as small as the spacing allows, from the top downwards. Up to six on poles and a
 * level circle (four: the tetrahedron, six: the octahedron); more on a golden spiral (R. Swinbank and R. J. Purser, Fibonacci grids, 2006), its ends moved inwards
 * as by M. Roberts, "How to evenly distribute points on a sphere more effectively than the canonical Fibonacci lattice" (2018): the
 * nearest two are at least 0.83 of the greatest possible distance (bound of L. Fejes Tóth, 1943) apart. Growing moves slots.
 */
export function spherePattern(count: number, spacing: number, options: RoundOptions = {}): FormationSlot[] {
  requireRound('spherePattern', count, spacing, options)
  const points = Array.from({ length: count }, (_, i) => unitPoint(vec3(), i, count))
  const radius = Math.max(options.radius ?? 0, spacing, spacing / leastDistance(points))
  return slotsAt(count, options, (out, i) => scale(out, points[i]!, radius))
}

/** By how much of a step the ends are moved inwards, for few points and for many. */
const INSET_FEW = 0.33
const INSET_MANY = 1.33

/** Of up to six points, how many are poles; the others are a level circle. */
const POLES = [0, 1, 2, 0, 1, 2, 2]

/** Point `i` of `count` on the unit sphere. */
function unitPoint(out: Vec3, i: number, count: number): Vec3 {
  const poles = POLES[count]
  if (poles === undefined) {
    const inset = count < 24 ? INSET_FEW : INSET_MANY
    return onLevel(out, 1 - (2 * (i + inset)) / (count - 1 + 2 * inset), GOLDEN_ANGLE * i)
  }
  if (poles > 0 && i === 0) return set(out, 0, 1, 0)
  if (poles === 2 && i === count - 1) return set(out, 0, -1, 0)
  return onLevel(out, count === 4 ? -1 / 3 : 0, (TAU * i) / (count - poles))
}

function onLevel(out: Vec3, y: number, turn: number): Vec3 {
  const level = Math.sqrt(Math.max(0, 1 - y * y))
  return set(out, level * Math.cos(turn), y, level * Math.sin(turn))
}

/** Of points from the top downwards: those that differ more in height than the nearest two found need no look. */
function leastDistance(points: readonly Vec3[]): number {
  let least = 2
  for (let i = 0; i < points.length; i++) {
    const point = points[i]!
    for (let j = i + 1; j < points.length && point.y - points[j]!.y < least; j++)
      least = Math.min(least, distance(point, points[j]!))
  }
  return least
}

function requireRound(
  what: string,
  count: number,
  spacing: number,
  options: RoundOptions & PatternOptions,
): void {
  requirePattern(what, count, spacing, options)
  requireFinite(`${what}.radius`, options.radius ?? 0, 0, false)
}
