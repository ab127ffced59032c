import type { Archive, Serializable } from '../../types.js'
import { smoothstep } from '../../math/scalar.js'
import type { Member } from './member.js'

/** The formation waits for who is this share of the spacing behind, and goes slowest from the second on. */
const WAITS = 0.3
const WAITS_MOST = 1.2

/** How the members keep their places, as they were when they last steered. */
export class SlotError implements Serializable {
  /** How far (m) somebody is off his place, and how far behind it. */
  worst = 0
  latest = 0
  /** Of the largest member, m. */
  radius = 0
  /** Whether somebody is on his way to it. */
  joining = false

  measure(members: readonly Member[]): void {
    this.worst = this.latest = 0
    this.joining = false
    this.radius = 0
    for (const { alone, error, late, radius } of members) {
      this.radius = Math.max(this.radius, radius)
      if (alone) this.joining = true
      else {
        this.worst = Math.max(this.worst, error)
        this.latest = Math.max(this.latest, late)
      }
    }
  }

  /** How much who is late must be waited for, 0 … 1. */
  lateness(spacing: number): number {
    return smoothstep(this.latest, WAITS * spacing, WAITS_MOST * spacing)
  }

  serialize(archive: Archive): void {
    for (const name of ['worst', 'latest', 'radius'] as const) this[name] = archive.number(this[name])
    this.joining = archive.boolean(this.joining)
  }
}
