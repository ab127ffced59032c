import type { Agent, Archive, Serializable } from '../../types.js'
import { SlotOwners } from '../../control/slot-owners.js'
import type { Path } from './path.js'
import { keepPath } from './keep-path.js'

/** Who flies which path: all the common one, but for those that were given one of their own, until the common one is changed. */
export class Routes implements Serializable {
  private common: Path | null = null
  private direction = 0
  /** Paths are counted as they are given; see `numberOf`. */
  private count = 0
  private shared = 0
  /** Per slot: a path of one's own, or undefined; its number; and the piece that follows. */
  private readonly own: (Path | null | undefined)[] = []
  private readonly numbers: number[] = []
  private readonly following: (Path | null)[] = []
  private readonly owners = new SlotOwners()

  /** What is flown by whom. The common path is an option of the behaviour, so what is kept of it is that it has been seen. */
  serialize(archive: Archive): void {
    this.count = archive.number(this.count)
    this.shared = archive.number(this.shared)
    this.owners.serialize(archive, (slot) => {
      this.numbers[slot] = archive.number(this.numbers[slot]!)
      const own = archive.boolean(this.isOwn(slot))
      this.own[slot] = own ? keepPath(archive, this.own[slot] ?? null) : undefined
      this.following[slot] = keepPath(archive, this.following[slot] ?? null)
    })
  }

  /** As `keep`, of whether all know of the common path. */
  keepCommon(archive: Archive, path: Path | null, direction: 1 | -1): void {
    const known = archive.boolean(path === this.common && direction === this.direction)
    if (!archive.restoring) return
    this.common = known ? path : null
    this.direction = known ? direction : 0
  }

  /** Takes note of a new owner of a slot. */
  adopt(agent: Agent): void {
    this.owners.claim(agent)
    this.give(agent.slot, undefined)
  }

  /** Tells of the common path: when it is another one, or flown the other way, all fly it. */
  share(path: Path | null, direction: 1 | -1): void {
    if (path === this.common && direction === this.direction) return
    this.shared = ++this.count
    this.common = path
    this.direction = direction
    this.own.fill(undefined)
    this.following.fill(null)
  }

  /** Gives one agent a path of its own, or none by null; undefined: the common one again. */
  give(slot: number, path: Path | null | undefined): void {
    this.own[slot] = path
    this.numbers[slot] = ++this.count
    this.following[slot] = null
  }

  /** Says which piece follows. */
  append(slot: number, piece: Path): void {
    this.following[slot] = piece
  }

  /** Number of the path of an agent: another one is a path to begin with. */
  numberOf(slot: number): number {
    return this.isOwn(slot) ? this.numbers[slot]! : this.shared
  }

  pathOf(slot: number): Path | null {
    return this.isOwn(slot) ? this.own[slot]! : this.common
  }

  nextOf(slot: number): Path | null {
    return this.following[slot] ?? null
  }

  isOwn(slot: number): boolean {
    return this.own[slot] !== undefined
  }

  /** Slot of an agent, or −1 for a stranger. */
  slotOf(agent: { readonly id: number }): number {
    return this.owners.slotOf(agent)
  }
}
