import type { Vec3 } from '../../core/types.js'
import {
  requireChoice,
  requireNumber,
  requireVector,
  requireWhole,
  outOfRange,
  requireList,
} from '../../core/math/require.js'
import { copy, distance, scale, set, vec3 } from '../../core/math/vec3.js'
import {
  requirePattern,
  ROUNDING,
  slotsAt,
  type FormationSlot,
  type Pattern,
  type PatternOptions,
} from './formation-slot.js'

/**
 * Formations of straight lines, in the frame of the formation: x ahead, y up, z to starboard. All patterns
 * give exactly `count` slots, no two nearer to each other than `spacing` (except for rounding), and the same
 * slots for the same arguments. If the docstring of a pattern says "Stable", its slots stay where they are
 * when `count` grows, so that no member must move for a newcomer. All throw TypeError or RangeError naming
 * the option.
 */

export interface SweptOptions extends PatternOptions {
  /** Angle by which the wing is swept back from the line abeam, rad. Negative: swept forward. Default π/4. */
  sweep?: number
  /** Angle by which the wing rises from the leader outwards, rad. Negative: it falls. Default 0. */
  rise?: number
}

export interface EchelonOptions extends SweptOptions {
  /** Side of the leader on which the others are. Default 'starboard'. */
  side?: 'port' | 'starboard'
}

export interface BlockOptions extends PatternOptions {
  /** Number of slots abreast, whole, ≥ 1. Default: as near to a cube or a square as possible. */
  width?: number
}

export interface BoxOptions extends BlockOptions {
  /** Number of slots above each other, whole, ≥ 1. Default: as near to a cube as possible. */
  height?: number
}

/** Sweep of wedges and echelons, rad: each member has the leader at 45° ahead. */
const DEFAULT_SWEEP: number = Math.PI / 4

/**
 * A line abreast: slot 0 is that of the leader, the others are to starboard and to port in turn. Stable.
 * Symmetric for an odd number of places, including that of the leader.
 */
export function linePattern(count: number, spacing: number, options: PatternOptions = {}): FormationSlot[] {
  return wings('linePattern', count, spacing, options, 0, 0)
}

/** A column, one behind the other; slot 0 is that of the leader. Stable. */
export function columnPattern(count: number, spacing: number, options: PatternOptions = {}): FormationSlot[] {
  requirePattern('columnPattern', count, spacing, options)
  return slotsAt(count, options, (out, i) => set(out, -i * spacing, 0, 0))
}

/**
 * A V with slot 0, that of the leader, at its point; the others are to starboard and to port in turn. The
 * point is ahead, or behind if `sweep` is negative (the vee of the infantry). The default sweep is 45°. The
 * angle between the wings must be at least 60°. Stable. Symmetric as {@link linePattern}.
 */
export function wedgePattern(count: number, spacing: number, options: SweptOptions = {}): FormationSlot[] {
  const { sweep = DEFAULT_SWEEP, rise = 0 } = options
  return wings('wedgePattern', count, spacing, options, sweep, rise)
}

/** A slanting line on one side of the leader, which has slot 0. The default sweep is 45°. Stable. */
export function echelonPattern(
  count: number,
  spacing: number,
  options: EchelonOptions = {},
): FormationSlot[] {
  const { sweep = DEFAULT_SWEEP, rise = 0, side = 'starboard' } = options
  requirePattern('echelonPattern', count, spacing, options)
  const direction = wingDirection('echelonPattern', sweep, rise, 0)
  requireChoice('echelonPattern.side', side, ['port', 'starboard'])
  if (side === 'port') direction.z = -direction.z
  return slotsAt(count, options, (out, i) => scale(out, direction, i * spacing))
}

/**
 * A block, filled rank by rank from the front, and each rank row by row from the top. A row that is not full
 * is centred, so the pattern is symmetric between port and starboard for every count. Its centre is at the
 * origin, or behind a leader that is no member. Not stable: slots move when `count` grows.
 */
export function boxPattern(count: number, spacing: number, options: BoxOptions = {}): FormationSlot[] {
  requirePattern('boxPattern', count, spacing, options)
  const { width = boxWidth(count, options.height) } = options
  requireWhole('boxPattern.width', width, 1, Infinity)
  const { height = Math.max(1, ceilRoot(count / width)) } = options
  requireWhole('boxPattern.height', height, 1, Infinity)
  return block(count, spacing, options, width, height)
}

/**
 * A block of one rank across the direction of flight, filled row by row from the top. By default as near to a
 * square as possible. Otherwise as {@link boxPattern}.
 */
export function wallPattern(count: number, spacing: number, options: BlockOptions = {}): FormationSlot[] {
  requirePattern('wallPattern', count, spacing, options)
  const { width = Math.max(1, ceilRoot(count)) } = options
  requireWhole('wallPattern.width', width, 1, Infinity)
  return block(count, spacing, options, width, Infinity)
}

/**
 * A pattern of given slots; fewer members have the first of them. The slots are copied. Stable.
 *
 * @throws TypeError / RangeError, at once, if a slot is not valid. The pattern throws, when it is used, if
 * there are more members than slots, or if two of the slots used are nearer to each other than the spacing.
 */
export function customPattern(slots: readonly FormationSlot[]): Pattern {
  requireList('customPattern', slots, 'slots')
  const own = slots.map(copyOf)
  return (count, spacing) => {
    requirePattern('customPattern', count, spacing, {})
    if (count > own.length)
      outOfRange('customPattern.count', count, `must be ≤ ${own.length}, the number of slots`)
    const used = own.slice(0, count)
    for (let i = 0; i < count; i++)
      for (let j = 0; j < i; j++) {
        const apart = distance(used[i]!.position, used[j]!.position)
        if (apart < spacing * (1 - ROUNDING))
          throw new RangeError(
            `customPattern: slots ${j} and ${i} are ${apart} m apart, must be ≥ ${spacing}`,
          )
      }
    return used.map(copyOf)
  }
}

function copyOf(slot: FormationSlot, i: number): FormationSlot {
  const position = copy(vec3(), requireVector(`customPattern.slots[${i}].position`, slot?.position))
  return { ...slot, position }
}

/** Two wings: slots 1, 3, … on the starboard wing, 2, 4, … on the port wing. */
function wings(
  what: string,
  count: number,
  spacing: number,
  options: PatternOptions,
  sweep: number,
  rise: number,
): FormationSlot[] {
  requirePattern(what, count, spacing, options)
  // the first slots of the two wings are 2 cos(sweep) cos(rise) spacings apart
  const direction = wingDirection(what, sweep, rise, 0.5)
  return slotsAt(count, options, (out, i) => {
    scale(out, direction, Math.ceil(i / 2) * spacing)
    if (i % 2 === 0) out.z = -out.z
  })
}

/** Direction of the starboard wing, a unit vector. */
function wingDirection(what: string, sweep: number, rise: number, leastAside: number): Vec3 {
  requireNumber(`${what}.sweep`, sweep, -Math.PI / 2, false, Math.PI / 2)
  requireNumber(`${what}.rise`, rise, -Math.PI / 2, false, Math.PI / 2)
  const level = Math.cos(rise)
  const direction = vec3(-Math.sin(sweep) * level, Math.sin(rise), Math.cos(sweep) * level)
  if (direction.z < leastAside - 1e-12)
    throw new RangeError(`${what}: got sweep ${sweep} and rise ${rise}, must leave the wings 60° apart`)
  return direction
}

/** Smallest whole number n with n² ≥ `square`. */
function ceilRoot(square: number): number {
  return Math.ceil(Math.sqrt(square))
}

function boxWidth(count: number, height: number | undefined): number {
  if (height !== undefined)
    return Math.max(1, ceilRoot(count / requireWhole('boxPattern.height', height, 1, Infinity)))
  let edge = 1
  while (edge ** 3 < count) edge++
  return edge
}

function block(
  count: number,
  spacing: number,
  options: PatternOptions,
  maxWidth: number,
  maxHeight: number,
): FormationSlot[] {
  const width = Math.min(maxWidth, count)
  const height = Math.min(maxHeight, Math.ceil(count / width))
  const inRank = width * height
  const ranks = Math.ceil(count / inRank)
  const front = (ranks - 1) / 2
  const placeAt = (out: Vec3, i: number): void => {
    const rank = Math.floor(i / inRank)
    const row = Math.floor((i % inRank) / width)
    const rowStart = rank * inRank + row * width
    const inRow = Math.min(width, count - rowStart)
    const y = (height - 1) / 2 - row
    set(out, (front - rank) * spacing, y * spacing, (i - rowStart - (inRow - 1) / 2) * spacing)
  }
  return slotsAt(count, options, placeAt)
}
