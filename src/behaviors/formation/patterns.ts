import type { Vec3, Vec3Like } from '../../types.js'
import { requireNumber, requireVector, requireWhole } from '../../math/require.js'
import { copy, distance, scale, set, vec3 } from '../../math/vec3.js'
import {
  requirePattern,
  slotsAt,
  type FormationSlot,
  type Pattern,
  type PatternOptions,
} from './formation-slot.js'

/**
 * Formations of straight lines, in the steering frame of the leader: x ahead, y up, z to starboard. Laws of all patterns: exactly `count`
 * slots, no two nearer than `spacing` (but for rounding), the same for the same arguments. Where "growing keeps", a slot stays where it
 * is when `count` grows, so that a newcomer moves nobody. All throw TypeError or RangeError naming the option.
 */

export interface SweptOptions extends PatternOptions {
  /** Angle of the wing behind the line abeam, rad. Negative: ahead of it. */
  sweep?: number
  /** Angle by which the wing climbs from the leader outwards, rad: stepped up where positive. Default 0. */
  rise?: number
}

export interface EchelonOptions extends SweptOptions {
  /** On which side of the leader the others are. Default 'starboard'. */
  side?: 'port' | 'starboard'
}

export interface BlockOptions extends PatternOptions {
  /** Slots abreast, whole, ≥ 1. Default: nearest to a cube or a square. */
  width?: number
}

export interface BoxOptions extends BlockOptions {
  /** Slots above each other, whole, ≥ 1. Default: nearest to a cube. */
  height?: number
}

/** Sweep of wedges and echelons, rad: each sees the leader at 45° ahead. */
export const DEFAULT_SWEEP: number = Math.PI / 4

const direction = vec3()

/** Abreast: slot 0 the leader's, then to starboard and to port in turn. Growing keeps; symmetric for an odd number of places, the leader's included. */
export function linePattern(count: number, spacing: number, options: PatternOptions = {}): FormationSlot[] {
  return wings('linePattern', count, spacing, options, 0, 0)
}

/** One behind the other, slot 0 the leader's. Growing keeps. */
export function columnPattern(count: number, spacing: number, options: PatternOptions = {}): FormationSlot[] {
  requirePattern('columnPattern', count, spacing, options)
  const first = options.leaderApart === true ? 1 : 0
  return slotsAt(count, options, (out, i) => set(out, -(i + first) * spacing, 0, 0))
}

/**
 * A V with slot 0, the leader's, at its point; then to starboard and to port in turn. The point is ahead, or behind where `sweep` is
 * negative (the vee of the infantry). Sweep by default 45°; the wings must be 60° apart. Growing keeps; symmetric as {@link linePattern}.
 */
export function wedgePattern(count: number, spacing: number, options: SweptOptions = {}): FormationSlot[] {
  const { sweep = DEFAULT_SWEEP, rise = 0 } = options
  return wings('wedgePattern', count, spacing, options, sweep, rise)
}

/** A slanting line on one side of the leader, who has slot 0. Sweep by default 45°. Growing keeps. */
export function echelonPattern(
  count: number,
  spacing: number,
  options: EchelonOptions = {},
): FormationSlot[] {
  const { sweep = DEFAULT_SWEEP, rise = 0, side = 'starboard', leaderApart = false } = options
  requirePattern('echelonPattern', count, spacing, options)
  wing('echelonPattern', sweep, rise, 0)
  if (side !== 'port' && side !== 'starboard')
    throw new RangeError(`echelonPattern.side: got ${String(side)}, must be 'port' or 'starboard'`)
  if (side === 'port') direction.z = -direction.z
  const first = leaderApart ? 1 : 0
  return slotsAt(count, options, (out, i) => scale(out, direction, (i + first) * spacing))
}

/**
 * A block, filled rank by rank from the front, each rank row by row from the top. A row that is not full stands in the middle, so that
 * port mirrors starboard for every count. Its centre is the leader's place; with the leader apart it flies behind him. Growing moves slots.
 */
export function boxPattern(count: number, spacing: number, options: BoxOptions = {}): FormationSlot[] {
  requirePattern('boxPattern', count, spacing, options)
  const { width = boxWidth(count, options.height) } = options
  requireWhole('boxPattern.width', width, 1, Infinity)
  const { height = Math.max(1, root(count / width)) } = options
  requireWhole('boxPattern.height', height, 1, Infinity)
  return block(count, spacing, options, width, height)
}

/** A block of one rank, across the flight, filled row by row from the top. Otherwise as {@link boxPattern}; as square as can be by default. */
export function wallPattern(count: number, spacing: number, options: BlockOptions = {}): FormationSlot[] {
  requirePattern('wallPattern', count, spacing, options)
  const { width = Math.max(1, root(count)) } = options
  requireWhole('wallPattern.width', width, 1, Infinity)
  return block(count, spacing, options, width, Infinity)
}

/**
 * A pattern of given slots: of fewer members, the first. They are copied. Growing keeps.
 *
 * @throws TypeError / RangeError, at once for what is no slot, and when it is used for more members than slots or where two of the slots
 * used, or one of them and the place of a leader apart, are nearer than the spacing.
 */
export function customPattern(
  slots: readonly FormationSlot[],
  options: { leaderApart?: boolean } = {},
): Pattern {
  if (!Array.isArray(slots))
    throw new TypeError(`customPattern: got ${String(slots)}, must be an array of slots`)
  const own = (slots as readonly FormationSlot[]).map(copyOf)
  const origin = options.leaderApart === true ? [vec3()] : []
  return (count, spacing) => {
    requirePattern('customPattern', count, spacing, {})
    if (count > own.length)
      throw new RangeError(`customPattern.count: got ${count}, must be ≤ ${own.length}, the number of slots`)
    const places: readonly Vec3Like[] = [...own.map(({ position }) => position).slice(0, count), ...origin]
    for (let i = 0; i < places.length; i++)
      for (let j = 0; j < i; j++)
        if (distance(places[i]!, places[j]!) < spacing * (1 - 1e-9))
          throw new RangeError(
            `customPattern: slots ${j} and ${i === count ? 'the leader' : i} are ${distance(places[i]!, places[j]!)} m apart, must be ≥ ${spacing}`,
          )
    return own.slice(0, count).map(copyOf)
  }
}

function copyOf(slot: FormationSlot, i: number): FormationSlot {
  const position = copy(vec3(), requireVector(`customPattern.slots[${i}].position`, slot?.position))
  return { ...slot, position }
}

/** Two wings: slots 1, 3, … on the starboard one, 2, 4, … on the other. */
function wings(
  what: string,
  count: number,
  spacing: number,
  options: PatternOptions,
  sweep: number,
  rise: number,
): FormationSlot[] {
  requirePattern(what, count, spacing, options)
  // the first two of the wings are 2 cos(sweep) cos(rise) spacings apart
  wing(what, sweep, rise, 0.5)
  const first = options.leaderApart === true ? 1 : 0
  return slotsAt(count, options, (out, i) => {
    const n = i + first
    scale(out, direction, Math.ceil(n / 2) * spacing)
    if (n % 2 === 0) out.z = -out.z
  })
}

/** Sets `direction` to that of the starboard wing. */
function wing(what: string, sweep: number, rise: number, leastAside: number): void {
  requireNumber(`${what}.sweep`, sweep, -Math.PI / 2, false, Math.PI / 2)
  requireNumber(`${what}.rise`, rise, -Math.PI / 2, false, Math.PI / 2)
  const level = Math.cos(rise)
  set(direction, -Math.sin(sweep) * level, Math.sin(rise), Math.cos(sweep) * level)
  if (direction.z < leastAside - 1e-12)
    throw new RangeError(`${what}: got sweep ${sweep} and rise ${rise}, must leave the wings 60° apart`)
}

/** Smallest whole number whose square is not less. */
function root(square: number): number {
  return Math.ceil(Math.sqrt(square))
}

function boxWidth(count: number, height: number | undefined): number {
  if (height !== undefined)
    return Math.max(1, root(count / requireWhole('boxPattern.height', height, 1, Infinity)))
  let edge = 1
  while (edge ** 3 < count) edge++
  return edge
}

function block(
  count: number,
  spacing: number,
  options: PatternOptions,
  mostAbreast: number,
  mostHigh: number,
): FormationSlot[] {
  const width = Math.min(mostAbreast, count)
  const height = Math.min(mostHigh, Math.ceil(count / width))
  const inRank = width * height
  const ranks = Math.ceil(count / inRank)
  const front = options.leaderApart === true ? -1 : (ranks - 1) / 2
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
