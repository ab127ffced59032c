import type { Archive, QuatLike, Vec3, Vec3Like } from '../../types.js'
import { quat } from '../../math/quat.js'
import { requireFinite, requireWhole } from '../../math/require.js'
import { set, vec3 } from '../../math/vec3.js'

/** A place in a formation. */
export interface FormationSlot {
  /** In the steering frame of the leader (or of the anchor), m: x ahead, y up, z to starboard. */
  readonly position: Vec3Like
  /** Attitude of who flies there, relative to that frame. Absent: as the leader. */
  readonly attitude?: QuatLike
  /** Only a member of this role may have it. Absent or '': anybody. */
  readonly role?: string
}

/** Makes `count` slots, none nearer than `spacing` (m) to another. The options of a pattern are bound by a closure. */
export type Pattern = (count: number, spacing: number) => FormationSlot[]

export interface PatternOptions {
  /**
   * Whether the leader is no member of the formation, so that its place, the origin, is left free with `spacing` about it. Default false:
   * where the pattern has a place for a leader, it is slot 0.
   */
  leaderApart?: boolean
  /** Role of slot 0, 1, … in turn; '' and what is beyond the list: anybody. Default none. */
  roles?: readonly string[]
}

/** Largest number of slots, and largest spacing (m): all places stay finite and apart. */
const MOST = 1e6
const WIDEST = 1e12

/** @throws TypeError / RangeError naming the pattern and the option. */
export function requirePattern(what: string, count: number, spacing: number, options: PatternOptions): void {
  requireWhole(`${what}.count`, count, 0, MOST)
  if (requireFinite(`${what}.spacing`, spacing, 0, true) > WIDEST)
    throw new RangeError(`${what}.spacing: got ${spacing}, must be > 0 and ≤ ${WIDEST}`)
  const { roles = [] } = options
  if (!Array.isArray(roles) || roles.some((role) => typeof role !== 'string'))
    throw new TypeError(`${what}.roles: got ${String(roles)}, must be an array of names`)
}

/** For snapshots. */
export function serializeSlots(archive: Archive, slots: readonly FormationSlot[]): readonly FormationSlot[] {
  const count = archive.number(slots.length)
  const kept = archive.restoring ? Array.from({ length: count }, () => ({ position: vec3() })) : slots
  const places = kept.map((slot) => keepSlot(archive, slot))
  return archive.restoring ? places : slots
}

function keepSlot(archive: Archive, { attitude, position, role }: FormationSlot): FormationSlot {
  const slot: { position: Vec3; attitude?: QuatLike; role?: string } = { position: { ...position } }
  archive.vector(slot.position)
  if (archive.boolean(attitude !== undefined)) {
    const turned = { ...(attitude ?? quat()) }
    archive.quaternion(turned)
    slot.attitude = turned
  }
  if (archive.boolean(role !== undefined)) slot.role = archive.string(role ?? '')
  return slot
}

/** Slots at the places that `placeAt` writes for 0, 1, … */
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
    // −0 is no place of its own, but is told apart by tests and texts
    set(position, position.x + 0, position.y + 0, position.z + 0)
    const role = roles[i] ?? ''
    const slot: { position: Vec3; attitude?: QuatLike; role?: string } = { position }
    if (attitudeAt !== undefined) slot.attitude = attitudeAt(i)
    if (role !== '') slot.role = role
    return slot
  })
}
