import type { Archive, QuatLike, Vec3, Vec3Like } from '../../core/types.js'
import { quat } from '../../core/math/quat.js'
import { requireFinite, requireWhole, refuse, outOfRange } from '../../core/math/require.js'
import { set, vec3 } from '../../core/math/vec3.js'

/** A slot: a place in a formation for one member. */
export interface FormationSlot {
  /** Position in the frame of the formation, m: x ahead, y up, z to starboard. */
  readonly position: Vec3Like
  /** Attitude of the member in this slot, relative to that frame. Absent: the same as that of the frame. */
  readonly attitude?: QuatLike
  /** Only a member of this role may have it. Absent or '': any member. */
  readonly role?: string
}

/**
 * Makes `count` slots, no two nearer to each other than `spacing` (m). If it has a place for a leader, that
 * is slot 0, at the origin; a leader that is no member has this place, and the members have the slots after
 * it. To give options to a pattern, wrap it:
 * `(count, spacing) => wedgePattern(count, spacing, { sweep: 1 })`.
 */
export type Pattern = (count: number, spacing: number) => FormationSlot[]

export interface PatternOptions {
  /** Roles of the slots 0, 1, …; '' and slots beyond the list: any member. Default none. */
  roles?: readonly string[]
}

/** Largest number of slots, and largest spacing (m), for which all positions are finite and differ. */
export const MAX_COUNT = 1e6
const MAX_SPACING = 1e12

/** Two places keep the spacing even if they are nearer to each other by this share of it. */
export const ROUNDING = 1e-9

/** @throws TypeError / RangeError naming the pattern and the option. */
export function requirePattern(what: string, count: number, spacing: number, options: PatternOptions): void {
  requireWhole(`${what}.count`, count, 0, MAX_COUNT)
  if (requireFinite(`${what}.spacing`, spacing, 0, true) > MAX_SPACING)
    outOfRange(`${what}.spacing`, spacing, `must be > 0 and ≤ ${MAX_SPACING}`)
  const { roles = [] } = options
  if (!Array.isArray(roles) || roles.some((role) => typeof role !== 'string'))
    refuse(`${what}.roles`, roles, 'must be an array of strings')
}

/** Saves slots to a snapshot, or restores them from it. Returns the restored ones. */
export function serializeFormationSlots(
  archive: Archive,
  slots: readonly FormationSlot[],
): readonly FormationSlot[] {
  const count = archive.number(slots.length)
  const restored: FormationSlot[] = []
  for (let i = 0; i < count; i++) restored.push(serializeSlot(archive, slots[i] ?? { position: vec3() }))
  return archive.restoring ? restored : slots
}

function serializeSlot(archive: Archive, { attitude, position, role }: FormationSlot): FormationSlot {
  const slot: { position: Vec3; attitude?: QuatLike; role?: string } = { position: { ...position } }
  archive.vector(slot.position)
  if (archive.boolean(attitude !== undefined)) {
    const ownAttitude = { ...(attitude ?? quat()) }
    archive.quaternion(ownAttitude)
    slot.attitude = ownAttitude
  }
  if (archive.boolean(role !== undefined)) slot.role = archive.string(role ?? '')
  return slot
}

/** Slots at the positions that `placeAt` writes for 0, 1, … */
export function slotsAt(
  count: number,
  options: PatternOptions,
  placeAt: (out: Vec3, i: number) => void,
  attitudeAt?: (i: number) => QuatLike,
): FormationSlot[] {
  const { roles = [] } = options
  return Array.from({ length: count }, (_, i) => {
    const position = vec3()
    placeAt(position, i)
    // −0 is the same position as 0, but tests and printed numbers distinguish them
    set(position, position.x + 0, position.y + 0, position.z + 0)
    const role = roles[i] ?? ''
    const slot: { position: Vec3; attitude?: QuatLike; role?: string } = { position }
    if (attitudeAt !== undefined) slot.attitude = attitudeAt(i)
    if (role !== '') slot.role = role
    return slot
  })
}
