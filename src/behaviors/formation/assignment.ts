import type { Archive, Serializable, Vec3Like } from '../../types.js'
import { grown } from '../../math/grown.js'
import { requireNumber } from '../../math/require.js'
import { isFiniteVec } from '../../math/vec3.js'
import type { FormationSlot } from './formation-slot.js'
import { LeastCost } from './least-cost.js'

/** Who wants a slot. */
export interface FormationMember {
  /** A number of its own, such as the id of its agent: by it the member is known again, and ties are broken. */
  readonly key: number
  /** m, in the same frame as the places of the slots. */
  readonly position: Vec3Like
  /** Opens the slots of that role; those without a role are open to all. */
  readonly role?: string
}

export interface AssignmentOptions {
  /**
   * Share of the cost that members must save to leave the slots they have, in 0..1: 0 changes for any gain, 1 never. It counts
   * for each exchange by itself, that with a newcomer too: who comes from far may be given an outer slot, and others close up. Default 0.2.
   */
  hysteresis?: number
}

/** A change must shorten the ways by about a tenth (a fifth of their squares). */
export const DEFAULT_HYSTERESIS = 0.2

/** Beyond this, m, squares of distances are not taken in metres, that they stay finite. */
const HUGE = 1e100

/**
 * Which member has which slot: as many pairs as roles allow, and of these the ones with the least sum of squared distances.
 *
 * Why squares: they are least where Σ member · slot is greatest, so the answer is the same however far away the slots are as a whole (with
 * as many members as slots), and no exchange of two gains: (mᵢ − mₖ) · (sᵢ − sₖ) ≥ 0. So two who set out and arrive together on straight
 * ways never come nearer than ab / √(a² + b²), where a and b are their distances before and after, and with both at least 2 √2 radii they never
 * touch (M. Turpin, N. Michael, V. Kumar, "CAPT: Concurrent assignment and planning of trajectories for multiple robots", 2014). This
 * holds among members who may have each other's slots, and strictly with a hysteresis of 0.
 */
export class Assignment implements Serializable {
  /** See {@link AssignmentOptions}; may be changed at any time. */
  hysteresis: number
  private readonly problem = new LeastCost()
  private count = 0
  /** Members of this call in the order of their keys: their index, key and slot. */
  private order = new Int32Array(0)
  private keys = new Float64Array(0)
  private slots = new Int32Array(0)
  /** By index of member, and of slot. */
  private slotOfMember = new Int32Array(0)
  private memberOfSlot = new Int32Array(0)
  /** The same of the call before. */
  private known = 0
  private knownKeys = new Float64Array(0)
  private knownSlots = new Int32Array(0)
  private slotCount = 0

  /** @throws TypeError / RangeError naming the option. */
  constructor({ hysteresis = DEFAULT_HYSTERESIS }: AssignmentOptions = {}) {
    this.hysteresis = requireNumber('Assignment.hysteresis', hysteresis, 0, false, 1)
  }

  /**
   * Assigns anew, from what was assigned before (members by key, slots by number). Who is at no finite place, or finds no slot, gets none.
   * The order of the members does not matter. No allocation once it has met as many.
   *
   * @returns the number of pairs.
   */
  solve(members: readonly FormationMember[], slots: readonly FormationSlot[]): number {
    this.makeRoom(members.length, slots.length)
    this.sort(members)
    const { length: n } = members
    const { length: m } = slots
    const { problem } = this
    this.slots.fill(-1, 0, n)
    if (n > 0 && m > 0) {
      problem.prepare(Math.min(n, m), Math.max(n, m))
      const forbidden = this.price(members, slots)
      problem.solve(Math.min(n, m), Math.max(n, m))
      this.readBack(n, m, forbidden)
    }
    return this.note(n, m)
  }

  /** Number of the slot of member `i` of the last call; −1: none. */
  slotOf(i: number): number {
    return i < this.count ? (this.slotOfMember[i] ?? -1) : -1
  }

  /** Number, in the last call, of the member in slot `j`; −1: nobody. */
  memberOf(j: number): number {
    return j < this.slotCount ? (this.memberOfSlot[j] ?? -1) : -1
  }

  /** Forgets who had which slot, so that the next call is free: after a change of pattern, where the numbers of the slots mean other places. */
  forget(): void {
    this.known = 0
  }

  /** The last call, and what it has left for the next one. */
  serialize(archive: Archive): void {
    for (const name of ['count', 'known', 'slotCount'] as const) this[name] = archive.number(this[name])
    const { count, slotCount } = this
    this.makeRoom(count, slotCount)
    for (const name of ['order', 'slots', 'slotOfMember', 'knownSlots'] as const)
      archive.integers(this[name], 0, count)
    archive.integers(this.memberOfSlot, 0, slotCount)
    archive.numbers(this.keys, 0, count)
    archive.numbers(this.knownKeys, 0, count)
  }

  private makeRoom(n: number, m: number): void {
    if (this.order.length < n) {
      this.order = grown(this.order, n)
      this.keys = grown(this.keys, n)
      this.slots = grown(this.slots, n)
      this.slotOfMember = grown(this.slotOfMember, n)
      this.knownKeys = grown(this.knownKeys, n)
      this.knownSlots = grown(this.knownSlots, n)
    }
    if (this.memberOfSlot.length < m) this.memberOfSlot = grown(this.memberOfSlot, m)
  }

  /** Insertion sort by key: members mostly come in the order of their keys already. */
  private sort(members: readonly FormationMember[]): void {
    const { keys, order } = this
    for (let i = 0; i < members.length; i++) {
      const { key } = members[i]!
      let at = i
      for (; at > 0 && keys[at - 1]! > key; at--) {
        keys[at] = keys[at - 1]!
        order[at] = order[at - 1]!
      }
      keys[at] = key
      order[at] = i
    }
  }

  /** Fills in the costs, rows being the fewer. @returns the cost of pairs that must not be: more than all others together. */
  private price(members: readonly FormationMember[], slots: readonly FormationSlot[]): number {
    const { cost } = this.problem
    const { length: n } = members
    const { length: m } = slots
    const perMember = n <= m ? m : 1
    const perSlot = n <= m ? 1 : n
    const unit = unitOf(members, slots)
    const keep = 1 - this.hysteresis
    let most = 0
    let known = 0
    for (let i = 0; i < n; i++) {
      const member = members[this.order[i]!]!
      while (known < this.known && this.knownKeys[known]! < this.keys[i]!) known++
      const own = known < this.known && this.knownKeys[known] === this.keys[i] ? this.knownSlots[known]! : -1
      for (let j = 0; j < m; j++) {
        const value = costOf(member, slots[j]!, unit)
        cost[i * perMember + j * perSlot] = value < Infinity && j === own ? value * keep : value
        if (value < Infinity && value > most) most = value
      }
    }
    const forbidden = most > 0 ? 2 * Math.min(n, m) * most : 1
    for (let k = 0; k < n * m; k++) if (cost[k] === Infinity) cost[k] = forbidden
    return forbidden
  }

  private readBack(n: number, m: number, forbidden: number): void {
    const { columnOf, cost } = this.problem
    const columns = Math.max(n, m)
    for (let row = 0; row < Math.min(n, m); row++) {
      const column = columnOf[row]!
      if (cost[row * columns + column] === forbidden) continue
      if (n <= m) this.slots[row] = column
      else this.slots[column] = row
    }
  }

  private note(n: number, m: number): number {
    this.count = this.known = n
    this.slotCount = m
    this.memberOfSlot.fill(-1, 0, m)
    let pairs = 0
    for (let i = 0; i < n; i++) {
      const slot = this.slots[i]!
      const member = this.order[i]!
      this.knownKeys[i] = this.keys[i]!
      this.knownSlots[i] = this.slotOfMember[member] = slot
      if (slot < 0) continue
      this.memberOfSlot[slot] = member
      pairs++
    }
    return pairs
  }
}

/**
 * The assignment of {@link Assignment} once, for set-up code. @returns for each member the number of its slot, or −1.
 */
export function assign(members: readonly FormationMember[], slots: readonly FormationSlot[]): number[] {
  const assignment = new Assignment({ hysteresis: 0 })
  assignment.solve(members, slots)
  return members.map((_, i) => assignment.slotOf(i))
}

/** Unit of length in which all squares of distances are finite, m. */
function unitOf(members: readonly FormationMember[], slots: readonly FormationSlot[]): number {
  let widest = 0
  for (let i = 0; i < members.length; i++) widest = Math.max(widest, reach(members[i]!.position))
  for (let j = 0; j < slots.length; j++) widest = Math.max(widest, reach(slots[j]!.position))
  return widest > HUGE ? widest : 1
}

function reach(place: Vec3Like): number {
  return isFiniteVec(place) ? Math.max(Math.abs(place.x), Math.abs(place.y), Math.abs(place.z)) : 0
}

/** Infinity where the pair must not be. */
function costOf({ position: a, role }: FormationMember, slot: FormationSlot, unit: number): number {
  if (slot.role !== undefined && slot.role !== '' && slot.role !== role) return Infinity
  const { position: b } = slot
  const x = a.x / unit - b.x / unit
  const y = a.y / unit - b.y / unit
  const z = a.z / unit - b.z / unit
  const sq = x * x + y * y + z * z
  return sq < Infinity ? sq : Infinity
}
