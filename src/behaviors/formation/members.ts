import type { Archive, Serializable } from '../../types.js'
import { pointToLocal } from '../../math/frame.js'
import { copy, isFiniteVec, length, set, sub, vec3 } from '../../math/vec3.js'
import type { Anchor } from './anchor.js'
import { Assignment } from './assignment.js'
import { serializeSlots, type FormationSlot, type Pattern } from './formation-slot.js'
import { Member } from './member.js'

/** Unseen for longer than this (s) a member is gone. */
const PATIENCE = 0.25

/** Who comes from so many times farther than most does not make them wait. */
const STRAGGLER = 3

/** A slot within this share of the spacing is at the origin. */
const MIDDLE = 1e-6

const way = vec3()

/** The members of a formation, and who has which slot. */
export class Members implements Serializable {
  /** In the order of their keys. */
  readonly members: Member[] = []
  /** Who leads, of the members; null: none. */
  captain: Member | null = null
  slots: readonly FormationSlot[] = []
  /** Whether somebody has come, gone or another role since the last muster. */
  changed = false
  private readonly byKey = new Map<number, Member>()
  private readonly assignment: Assignment

  constructor(hysteresis: number | undefined) {
    this.assignment = new Assignment(hysteresis === undefined ? {} : { hysteresis })
  }

  serialize(archive: Archive): void {
    const { assignment, byKey, captain, members, slots } = this
    const places = (this.slots = serializeSlots(archive, slots))
    const before = members.slice()
    const count = archive.number(members.length)
    const known = new Map(byKey)
    byKey.clear()
    members.length = 0
    for (let i = 0; i < count; i++) {
      const key = archive.number(before[i]?.key ?? 0)
      const member = known.get(key) ?? new Member(key)
      const slot = archive.number(member.slot === null ? -1 : slots.indexOf(member.slot))
      member.serialize(archive)
      member.slot = places[slot] ?? null
      byKey.set(key, member)
      members.push(member)
    }
    this.captain = byKey.get(archive.number(captain?.key ?? NaN)) ?? null
    this.changed = archive.boolean(this.changed)
    assignment.serialize(archive)
  }

  find(key: number): Member | undefined {
    return this.byKey.get(key)
  }

  /** The member of that key, as it is now; a new one for a stranger. */
  enlist(key: number, role: string, leads: boolean): Member {
    const member = this.byKey.get(key) ?? this.add(key)
    if (member.role !== role || member.leads !== leads) this.changed = true
    member.role = role
    member.leads = leads
    return member
  }

  private add(key: number): Member {
    const member = new Member(key)
    this.changed = true
    this.byKey.set(key, member)
    let at = this.members.length
    while (at > 0 && this.members[at - 1]!.key > key) at--
    this.members.splice(at, 0, member)
    return member
  }

  /** Strikes off who is gone. */
  dropLost(time: number, dt: number): void {
    const { members } = this
    const oldest = time - Math.max(PATIENCE, 1.5 * dt)
    for (let i = members.length - 1; i >= 0; i--) if (members[i]!.seen < oldest) this.drop(members[i]!)
  }

  private drop(member: Member): void {
    this.changed = true
    this.members.splice(this.members.indexOf(member), 1)
    this.byKey.delete(member.key)
    if (this.captain === member) this.captain = null
  }

  /** Whether all who are here have just come. */
  get isNew(): boolean {
    return this.members.every((member) => member.alone)
  }

  /**
   * Gives everybody one of the `slots`, from where they are in the frame of `anchor`; `moved`: that is not where it was. `anew`: what slots
   * they had does not matter. With `led` the middle slot is for who leads.
   */
  muster(
    slots: readonly FormationSlot[],
    spacing: number,
    anchor: Anchor,
    led: boolean,
    anew: boolean,
    moved: boolean,
  ): void {
    const { assignment, members } = this
    const assembling = this.isNew
    this.changed = false
    for (const member of members) setOut(member, anchor, moved)
    this.slots = slots
    const middle = middleOf(slots)
    const captain = led ? this.chooseCaptain(slots, middle) : null
    if (captain !== this.captain) {
      anew = true
      // the frame is where who leads is, not where he should be
      if (captain !== null) pointToLocal(captain.from, anchor.frame, anchor.position, captain.next)
    }
    this.captain = captain
    const others = captain === null ? members : members.filter((member) => member !== captain)
    const rest = captain === null ? slots : slots.filter((_, i) => i !== middle)
    const { hysteresis } = assignment
    if (anew) {
      assignment.forget()
      assignment.hysteresis = 0
    }
    assignment.solve(others, rest)
    assignment.hysteresis = hysteresis
    if (captain !== null) take(captain, slots[middle] ?? null)
    others.forEach((member, i) => take(member, rest[assignment.slotOf(i)] ?? null))
    queueUp(members, slots, spacing)
    if (assembling) this.gather()
  }

  /** Of those who can lead the one who leads already; else who gets the middle slot cheapest, or is nearest to it. */
  private chooseCaptain(slots: readonly FormationSlot[], middle: number): Member | null {
    const { assignment, members } = this
    if (this.captain !== null && this.captain.leads) return this.captain
    assignment.forget()
    assignment.solve(members, slots)
    const cheapest = members[assignment.memberOf(middle)]
    if (cheapest?.leads === true) return cheapest
    let best: Member | null = null
    let least = Infinity
    for (const member of members) {
      if (!member.leads || slots.length === 0) continue
      const off = length(sub(way, member.from, slots[middle]!.position))
      if (off >= least) continue
      least = off
      best = member
    }
    return best
  }

  /** All set out together, but for those who come from much farther than most. */
  private gather(): void {
    const ways = this.members.map(({ from, to }) => length(sub(way, to, from))).sort((a, b) => a - b)
    const usual = ways[ways.length >> 1] ?? 0
    for (const member of this.members)
      member.alone = length(sub(way, member.to, member.from)) > STRAGGLER * usual + 2 * member.radius
    if (this.captain !== null) this.captain.alone = false
  }
}

/** Where a member sets out from: its place; who has none yet, where it is. */
function setOut(member: Member, anchor: Anchor, moved: boolean): void {
  const { at, from, next, place } = member
  const placed = member.placed && !member.alone
  if (placed && !moved) copy(from, at)
  else pointToLocal(from, anchor.frame, anchor.position, placed ? place.position : next)
}

function take(member: Member, slot: FormationSlot | null): void {
  member.slot = slot
  if (slot !== null) copy(member.to, slot.position)
}

/** Those for whom no slot is left follow in a column. */
function queueUp(members: readonly Member[], slots: readonly FormationSlot[], spacing: number): void {
  let x = 0
  for (const { position } of slots) x = Math.min(x, position.x)
  for (const member of members) if (member.slot === null) set(member.to, (x -= spacing), 0, 0)
}

/** Slots for `count`, or as many as the pattern has. */
export function slotsFor(
  pattern: Pattern,
  count: number,
  spacing: number,
  failed: (error: unknown) => void,
): readonly FormationSlot[] {
  for (let n = count; n > 0; n--) {
    try {
      const slots = pattern(n, spacing)
      if (slots.every(({ position }) => isFiniteVec(position))) return slots
      failed('a slot whose position is not finite')
    } catch (error) {
      // a pattern of a number of given slots has none for the others, and says so by a RangeError
      if (!(error instanceof RangeError) || n === 1) failed(error)
    }
  }
  return []
}

/** Whether the leader has a slot himself. */
export function hasMiddle(slots: readonly FormationSlot[], spacing: number): boolean {
  return slots.some(({ position }) => length(position) < MIDDLE * spacing)
}

/** Number of the slot that is nearest to the origin. */
function middleOf(slots: readonly FormationSlot[]): number {
  let middle = 0
  for (let i = 1; i < slots.length; i++)
    if (length(slots[i]!.position) < length(slots[middle]!.position) * (1 - 1e-9)) middle = i
  return middle
}
