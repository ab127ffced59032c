import type { Archive, Serializable, Vec3Like } from '../../core/types.js'
import { grown } from '../../core/math/grown.js'
import { isFiniteVec } from '../../core/math/vec3.js'
import { MAX_COUNT, type FormationSlot } from './formation-slot.js'
import { LeastCost } from './least-cost.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'
import { refuse, requireList, requireWhole } from '../../core/math/require.js'

/** A member that is to be given a slot. */
export interface FormationMember {
  /** A number of its own, such as the id of its agent: identifies the member later, and breaks ties. */
  readonly key: number
  /** m, in the same frame as the positions of the slots. */
  readonly position: Vec3Like
  /** Role of the member: it may have the slots of that role, and those without a role. Default none. */
  readonly role?: string
}

export interface AssignmentOptions extends Options, OptionsOf<typeof Assignment.options> {}
export interface Assignment extends FieldsOf<typeof Assignment.options> {}

/** A change must shorten the distances by about a tenth (their squares by a fifth). Chosen by hand. */
export const DEFAULT_HYSTERESIS = 0.2

/** If coordinates are larger than this (m), a larger unit keeps the squares of distances finite. */
const HUGE = 1e100

/**
 * Assigns slots to members: as many pairs as the roles allow, and of these assignments the one with the least
 * sum of squared distances.
 *
 * Why squares: their sum is least where Σ member · slot is greatest. So the answer does not depend on the
 * distance of the slots as a whole (if there are as many members as slots), and no exchange of two slots is a
 * gain: (mᵢ − mₖ) · (sᵢ − sₖ) ≥ 0. Therefore two members that start and arrive together on straight paths
 * never come nearer to each other than ab / √(a² + b²), where a and b are their distances before and after.
 * If both are at least 2 √2 radii, the members never touch (M. Turpin, N. Michael, V. Kumar, "CAPT:
 * Concurrent assignment and planning of trajectories for multiple robots", 2014). This holds for members that
 * may have each other's slots, and strictly with a hysteresis of 0.
 */
export class Assignment implements Serializable {
  static readonly options = {
    /**
     * Share of the cost that members must save to change their slots, 0 … 1: with 0 they change for any gain,
     * with 1 never. It applies to each exchange by itself, also to one with a newcomer: one that comes from
     * far away may be given an outer slot while others close up. Default 0.2.
     */
    hysteresis: { kind: 'number', atLeast: 0, atMost: 1, default: DEFAULT_HYSTERESIS },
  } as const satisfies AnyTable

  private readonly problem = new LeastCost()
  private count = 0
  /** Index, key and slot of the members of this call, in the order of their keys. */
  private order = new Int32Array(0)
  private keys = new Float64Array(0)
  private slots = new Int32Array(0)
  /** The results, by the index of the member and by that of the slot. */
  private slotOfMember = new Int32Array(0)
  private memberOfSlot = new Int32Array(0)
  /** Number, keys and slots of the members of the last call. */
  private knownCount = 0
  private knownKeys = new Float64Array(0)
  private knownSlots = new Int32Array(0)
  private slotCount = 0

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: AssignmentOptions = {}) {
    Object.assign(this, readOptions('Assignment', Assignment.options, options))
  }

  /**
   * Assigns the slots. The last assignment counts for the hysteresis (members by key, slots by number). A
   * member without a finite position, or for which no slot is left, gets none. The order of the members
   * does not matter. Does not allocate unless there are more members or slots than before.
   *
   * @returns the number of pairs.
   */
  solve(members: readonly FormationMember[], slots: readonly FormationSlot[]): number {
    this.ensureCapacity(members.length, slots.length)
    this.sort(members)
    const { length: n } = members
    const { length: m } = slots
    const { problem } = this
    this.slots.fill(-1, 0, n)
    if (n > 0 && m > 0) {
      problem.prepare(Math.min(n, m), Math.max(n, m))
      const forbidden = this.fillCosts(members, slots)
      problem.solve(Math.min(n, m), Math.max(n, m))
      this.readSolution(n, m, forbidden)
    }
    return this.record(n, m)
  }

  /** Number of the slot of member `i` of the last call; −1: none. */
  slotOf(i: number): number {
    return i < this.count ? (this.slotOfMember[i] ?? -1) : -1
  }

  /** Number, in the last call, of the member in slot `j`; −1: none. */
  memberOf(j: number): number {
    return j < this.slotCount ? (this.memberOfSlot[j] ?? -1) : -1
  }

  /** Forgets the last assignment: in another pattern the numbers of slots mean other positions. */
  forget(): void {
    this.knownCount = 0
  }

  /** Saves or restores the result of the last call, on which the next call depends. */
  serialize(archive: Archive): void {
    for (const name of ['count', 'knownCount', 'slotCount'] as const)
      this[name] = requireWhole(`restoreSnapshot: ${name}`, archive.number(this[name]), 0, MAX_COUNT)
    const { count, knownCount, slotCount } = this
    if (knownCount > count)
      throw new RangeError('restoreSnapshot: got an assignment of more members than it has')
    this.ensureCapacity(count, slotCount)
    for (const name of ['order', 'slots', 'slotOfMember', 'knownSlots'] as const)
      archive.integers(this[name], 0, count)
    archive.integers(this.memberOfSlot, 0, slotCount)
    for (let i = 0; i < knownCount; i++) this.knownKeys[i] = archive.agentId(this.knownKeys[i]!)
  }

  private ensureCapacity(n: number, m: number): void {
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

  /** Insertion sort by key, which is fast because members are mostly in the order of their keys already. */
  private sort(members: readonly FormationMember[]): void {
    const { keys, order } = this
    for (let i = 0; i < members.length; i++) {
      const { key } = members[i]!
      let k = i
      for (; k > 0 && keys[k - 1]! > key; k--) {
        keys[k] = keys[k - 1]!
        order[k] = order[k - 1]!
      }
      keys[k] = key
      order[k] = i
    }
  }

  /**
   * Fills in the costs; the rows are the members or the slots, whichever are fewer.
   * @returns the cost of forbidden pairs: more than that of all others together.
   */
  private fillCosts(members: readonly FormationMember[], slots: readonly FormationSlot[]): number {
    const { cost } = this.problem
    const { length: n } = members
    const { length: m } = slots
    const perMember = n <= m ? m : 1
    const perSlot = n <= m ? 1 : n
    const unit = unitOf(members, slots)
    const costToStay = 1 - this.hysteresis
    let most = 0
    let k = 0
    for (let i = 0; i < n; i++) {
      const member = members[this.order[i]!]!
      while (k < this.knownCount && this.knownKeys[k]! < this.keys[i]!) k++
      const ownSlot = k < this.knownCount && this.knownKeys[k] === this.keys[i] ? this.knownSlots[k]! : -1
      for (let j = 0; j < m; j++) {
        const value = costOf(member, slots[j]!, unit)
        cost[i * perMember + j * perSlot] = value < Infinity && j === ownSlot ? value * costToStay : value
        if (value < Infinity && value > most) most = value
      }
    }
    const forbidden = most > 0 ? 2 * Math.min(n, m) * most : 1
    for (let c = 0; c < n * m; c++) if (cost[c] === Infinity) cost[c] = forbidden
    return forbidden
  }

  private readSolution(n: number, m: number, forbidden: number): void {
    const { columnOf, cost } = this.problem
    const columns = Math.max(n, m)
    for (let row = 0; row < Math.min(n, m); row++) {
      const column = columnOf[row]!
      if (cost[row * columns + column] === forbidden) continue
      if (n <= m) this.slots[row] = column
      else this.slots[column] = row
    }
  }

  private record(n: number, m: number): number {
    this.count = this.knownCount = n
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
 * Assigns slots once, as {@link Assignment} does, for set-up code.
 * @returns for each member the number of its slot, or −1.
 */
export function assign(members: readonly FormationMember[], slots: readonly FormationSlot[]): number[] {
  requireList('assign: members', members, 'members')
  requireList('assign: slots', slots, 'slots')
  for (const [i, each] of [...members, ...slots].entries())
    if (typeof each?.position?.x !== 'number') refuse(`assign: number ${i}`, each, 'must have a position')
  const assignment = new Assignment({ hysteresis: 0 })
  assignment.solve(members, slots)
  return members.map((_, i) => assignment.slotOf(i))
}

/** Unit of length (m) in which all squares of distances are finite. */
function unitOf(members: readonly FormationMember[], slots: readonly FormationSlot[]): number {
  let widest = 0
  for (let i = 0; i < members.length; i++) widest = Math.max(widest, greatestCoordinate(members[i]!.position))
  for (let j = 0; j < slots.length; j++) widest = Math.max(widest, greatestCoordinate(slots[j]!.position))
  return widest > HUGE ? widest : 1
}

function greatestCoordinate(v: Vec3Like): number {
  return isFiniteVec(v) ? Math.max(Math.abs(v.x), Math.abs(v.y), Math.abs(v.z)) : 0
}

/** Squared distance of the pair, in units of `unit`; Infinity if the pair is forbidden. */
function costOf({ position: a, role }: FormationMember, slot: FormationSlot, unit: number): number {
  if (slot.role !== undefined && slot.role !== '' && slot.role !== role) return Infinity
  const { position: b } = slot
  const x = a.x / unit - b.x / unit
  const y = a.y / unit - b.y / unit
  const z = a.z / unit - b.z / unit
  const sq = x * x + y * y + z * z
  return sq < Infinity ? sq : Infinity
}
