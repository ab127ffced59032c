import type { Archive, Serializable } from '../../core/types.js'
import { pointToLocal } from '../../core/math/frame.js'
import { copy, isFiniteVec, length, set, sub, vec3 } from '../../core/math/vec3.js'
import type { Anchor } from './anchor.js'
import { Assignment } from './assignment.js'
import { ROUNDING, serializeFormationSlots, type FormationSlot, type Pattern } from './formation-slot.js'
import { Member } from './member.js'

/** A member that has not steered for longer than this (s) has left. Chosen by hand. */
const LOST_AFTER = 0.25

/** A member with a path longer than this many times the median is not waited for. Chosen by hand. */
const STRAGGLER_FACTOR = 3

/** A slot within this share of the spacing from the origin is at the origin. */
const AT_ORIGIN = 1e-6

const difference = vec3()

/** The members of a formation, and the slots they have. */
export class Members implements Serializable {
  /** In the order of their keys. */
  readonly list: Member[] = []
  /** The member that leads; null: none. */
  captain: Member | null = null
  slots: readonly FormationSlot[] = []
  /** Whether a member has come, left or changed its role since the last assignment. */
  changed = false
  private readonly byKey = new Map<number, Member>()
  private readonly assignment = new Assignment({ hysteresis: 0 })

  serialize(archive: Archive): void {
    const { assignment, byKey, captain, list, slots } = this
    const restored = (this.slots = serializeFormationSlots(archive, slots))
    const before = list.slice()
    const count = archive.number(list.length)
    const known = new Map(byKey)
    byKey.clear()
    list.length = 0
    for (let i = 0; i < count; i++) {
      const key = archive.agentId(before[i]?.key ?? 0)
      if (!(key > (list[i - 1]?.key ?? -Infinity)))
        throw new RangeError(`restoreSnapshot: got member ${key} of a formation, must be in the order of ids`)
      const member = known.get(key) ?? new Member(key)
      const slot = archive.number(member.slot === null ? -1 : slots.indexOf(member.slot))
      member.serialize(archive)
      member.slot = restored[slot] ?? null
      byKey.set(key, member)
      list.push(member)
    }
    const lead = captain === null ? -1 : before.indexOf(captain)
    this.captain = list[archive.number(lead)] ?? null
    this.changed = archive.boolean(this.changed)
    assignment.serialize(archive)
  }

  find(key: number): Member | undefined {
    return this.byKey.get(key)
  }

  /** The member with that key, with its present role; it is added if it is new. */
  enlist(key: number, role: string, canLead: boolean): Member {
    const member = this.byKey.get(key) ?? this.add(key)
    if (member.role !== role || member.canLead !== canLead) this.changed = true
    member.role = role
    member.canLead = canLead
    return member
  }

  private add(key: number): Member {
    const member = new Member(key)
    this.changed = true
    this.byKey.set(key, member)
    let index = this.list.length
    while (index > 0 && this.list[index - 1]!.key > key) index--
    this.list.splice(index, 0, member)
    return member
  }

  /** Removes the members that have not steered for a while. */
  dropLost(time: number, dt: number): void {
    const { list } = this
    const oldest = time - Math.max(LOST_AFTER, 1.5 * dt)
    for (let i = list.length - 1; i >= 0; i--) if (list[i]!.seenTime < oldest) this.drop(list[i]!)
  }

  private drop(member: Member): void {
    this.changed = true
    this.list.splice(this.list.indexOf(member), 1)
    this.byKey.delete(member.key)
    if (this.captain === member) this.captain = null
  }

  /** Whether no member has reached its slot yet. */
  get isNew(): boolean {
    return this.list.every((member) => member.joining)
  }

  /**
   * Assigns the `slots` to the members, by their distances in the frame of `anchor`. `frameMoved`: that frame
   * is not where it was in the last step. `anew`: the slots that the members have had do not count; else
   * they count by `hysteresis`. `byMember`: a member leads, and gets the slot at the origin.
   */
  assignSlots(
    slots: readonly FormationSlot[],
    spacing: number,
    anchor: Anchor,
    byMember: boolean,
    hysteresis: number,
    anew: boolean,
    frameMoved: boolean,
  ): void {
    const { assignment, list } = this
    const assembling = this.isNew
    this.changed = false
    for (const member of list) setStart(member, anchor, frameMoved)
    this.slots = slots
    const middle = middleOf(slots)
    const captain = byMember ? this.chooseCaptain(slots, middle) : null
    if (captain !== this.captain) {
      anew = true
      // the frame is at the position of the captain, not at that of its slot
      if (captain !== null) pointToLocal(captain.from, anchor.frame, anchor.position, captain.nextPosition)
    }
    this.captain = captain
    const others = captain === null ? list : list.filter((member) => member !== captain)
    const rest = captain === null ? slots : slots.filter((_, i) => i !== middle)
    if (anew) assignment.forget()
    assignment.hysteresis = anew ? 0 : hysteresis
    assignment.solve(others, rest)
    assignment.hysteresis = 0
    if (captain !== null) setSlot(captain, slots[middle] ?? null)
    others.forEach((member, i) => setSlot(member, rest[assignment.slotOf(i)] ?? null))
    queueBehind(list, slots, spacing)
    if (assembling) this.startTogether()
  }

  /**
   * The present captain, if it can still lead. Else the member that gets the middle slot in the cheapest
   * assignment, if it can lead; else the nearest to that slot of those that can.
   */
  private chooseCaptain(slots: readonly FormationSlot[], middle: number): Member | null {
    const { assignment, list } = this
    if (this.captain !== null && this.captain.canLead) return this.captain
    assignment.forget()
    assignment.solve(list, slots)
    const cheapest = list[assignment.memberOf(middle)]
    if (cheapest?.canLead === true) return cheapest
    let best: Member | null = null
    let least = Infinity
    for (const member of list) {
      if (!member.canLead || slots.length === 0) continue
      const distance = length(sub(difference, member.from, slots[middle]!.position))
      if (distance >= least) continue
      least = distance
      best = member
    }
    return best
  }

  /** All members start together, except those that come from much farther away than most. */
  private startTogether(): void {
    const lengths = this.list.map(({ from, to }) => length(sub(difference, to, from))).sort((a, b) => a - b)
    const median = lengths[lengths.length >> 1] ?? 0
    for (const member of this.list)
      member.joining =
        length(sub(difference, member.to, member.from)) > STRAGGLER_FACTOR * median + 2 * member.radius
    if (this.captain !== null) this.captain.joining = false
  }
}

/** Sets the start of a member's path: its place in the formation, or its position without one. */
function setStart(member: Member, anchor: Anchor, frameMoved: boolean): void {
  const { from, nextPosition, offset, slotState } = member
  const inFormation = member.hasSlotState && !member.joining
  if (inFormation && !frameMoved) copy(from, offset)
  else pointToLocal(from, anchor.frame, anchor.position, inFormation ? slotState.position : nextPosition)
}

function setSlot(member: Member, slot: FormationSlot | null): void {
  member.slot = slot
  if (slot !== null) copy(member.to, slot.position)
}

/** Members without a slot follow in a column behind the last slot. */
function queueBehind(members: readonly Member[], slots: readonly FormationSlot[], spacing: number): void {
  let x = 0
  for (const { position } of slots) x = Math.min(x, position.x)
  for (const member of members) if (member.slot === null) set(member.to, (x -= spacing), 0, 0)
}

/**
 * Slots for `count` members, or as many as the pattern has. `leaderApart`: a leader that is no member flies
 * at the origin, and no slot is nearer to it than the spacing.
 */
export function slotsFor(
  pattern: Pattern,
  count: number,
  spacing: number,
  leaderApart: boolean,
  failed: (error: unknown) => void,
): readonly FormationSlot[] {
  const slots = mostSlots(pattern, count, spacing, failed)
  if (!leaderApart) return slots
  const withLeader = hasPlaceForLeader(slots, spacing)
    ? mostSlots(pattern, slots.length + 1, spacing, failed)
    : slots
  return behindLeader(hasPlaceForLeader(withLeader, spacing) ? withLeader.slice(1) : slots, spacing)
}

/** The slots of the pattern for `count` members, or for as many as it can. */
function mostSlots(
  pattern: Pattern,
  count: number,
  spacing: number,
  failed: (error: unknown) => void,
): readonly FormationSlot[] {
  for (let n = count; n > 0; n--) {
    try {
      const slots = pattern(n, spacing)
      if (slots.every(({ position }) => isFiniteVec(position))) return slots
      failed('a slot with a position that is not finite')
    } catch (error) {
      // a pattern with a fixed number of slots throws a RangeError for more members; fewer may work
      if (!(error instanceof RangeError) || n === 1) failed(error)
    }
  }
  return []
}

/** Whether slot 0 is at the origin. */
function hasPlaceForLeader([first]: readonly FormationSlot[], spacing: number): boolean {
  return first !== undefined && length(first.position) < AT_ORIGIN * spacing
}

/** The slots, moved back together until none is nearer to the origin than the spacing. */
function behindLeader(slots: readonly FormationSlot[], spacing: number): readonly FormationSlot[] {
  let back = 0
  const isNear = ({ position: { x, y, z } }: FormationSlot): boolean =>
    Math.hypot(x - back, y, z) < spacing * (1 - ROUNDING)
  // each turn leaves one slot beside or ahead of the leader for good, so there are no more turns than slots
  for (let near = slots.find(isNear); near !== undefined; near = slots.find(isNear)) {
    const { x, y, z } = near.position
    back = x + Math.sqrt(Math.max(0, spacing * spacing - y * y - z * z))
  }
  if (back === 0) return slots
  return slots.map((slot) => ({
    ...slot,
    position: { ...slot.position, x: slot.position.x - back },
  }))
}

/** Number of the slot that is nearest to the origin. */
function middleOf(slots: readonly FormationSlot[]): number {
  let middle = 0
  for (let i = 1; i < slots.length; i++)
    if (length(slots[i]!.position) < length(slots[middle]!.position) * (1 - 1e-9)) middle = i
  return middle
}
