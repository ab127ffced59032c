import type { Quat, Vec3 } from '../../core/types.js'
import { requireChoice, requireFinite } from '../../core/math/require.js'
import { GOLDEN_ANGLE, TAU } from '../../core/math/scalar.js'
import { distance, scale, set, vec3 } from '../../core/math/vec3.js'
import { requirePattern, slotsAt, type FormationSlot, type PatternOptions } from './formation-slot.js'

/**
 * Formations around the leader, in the frame of the formation: x ahead, y up, z to starboard. The leader is
 * in the middle and has no slot. They have the properties that patterns.ts lists.
 */

export interface RoundOptions extends PatternOptions {
  /**
   * Least radius, m, ≥ 0. The radius grows with the number of members and is never less than the spacing, so
   * the middle is free. Default 0.
   */
  radius?: number
}

export interface RingOptions extends RoundOptions {
  /**
   * 'across' the direction of flight, slot 0 on top, or 'level', slot 0 ahead; slot 1 is next to it to
   * starboard. Default 'across'.
   */
  plane?: 'across' | 'level'
  /** Whether the up axes point outwards in a ring 'across'. Default false: that of the leader. */
  topOutward?: boolean
}

/**
 * A circle about the leader, at equal distances. Symmetric between port and starboard. Not stable: slots move
 * when `count` grows.
 */
export function ringPattern(count: number, spacing: number, options: RingOptions = {}): FormationSlot[] {
  requireRound('ringPattern', count, spacing, options)
  const { plane = 'across', topOutward = false } = options
  requireChoice('ringPattern.plane', plane, ['across', 'level'])
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
 * A sphere about the leader, as small as the spacing allows, with slots distributed evenly from the top
 * downwards. Up to six are on the poles and a level circle (four: a tetrahedron, six: an octahedron). More
 * are on a golden spiral (R. Swinbank and R. J. Purser, Fibonacci grids, 2006) with its ends moved inwards,
 * after M. Roberts, "How to evenly distribute points on a sphere more effectively than the canonical
 * Fibonacci lattice" (2018). The nearest two are at least 0.83 of the greatest possible distance apart (bound
 * of L. Fejes Tóth, 1943). Not stable: slots move when `count` grows.
 */
export function spherePattern(count: number, spacing: number, options: RoundOptions = {}): FormationSlot[] {
  requireRound('spherePattern', count, spacing, options)
  const points = Array.from({ length: count }, (_, i) => unitPoint(vec3(), i, count))
  const radius = Math.max(options.radius ?? 0, spacing, spacing / leastDistance(points))
  return slotsAt(count, options, (out, i) => scale(out, points[i]!, radius))
}

/** Shift of the ends inwards, in steps of the spiral, for fewer than 24 points and for more (Roberts). */
const INSET_FEW = 0.33
const INSET_MANY = 1.33

/** Number of points at the poles, for up to six points; the others are on a level circle. */
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

/** Least distance of two points, sorted from the top down: pairs that differ more in height are skipped. */
function leastDistance(points: readonly Vec3[]): number {
  let least = 2
  for (let i = 0; i < points.length; i++) {
    const point = points[i]!
    for (let j = i + 1; j < points.length && point.y - points[j]!.y < least; j++)
      least = Math.min(least, distance(point, points[j]!))
  }
  return least
}

function requireRound(what: string, count: number, spacing: number, options: RoundOptions): void {
  requirePattern(what, count, spacing, options)
  requireFinite(`${what}.radius`, options.radius ?? 0, 0, false)
}
