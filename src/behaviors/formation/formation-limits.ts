import type { Archive, Serializable, Vec3Like } from '../../types.js'
import { addScaled, cross, dot, length, lengthSq, sub, vec3 } from '../../math/vec3.js'
import type { Anchor, Wheel } from './anchor.js'
import type { Means } from './formation-change.js'
import type { Ability, Member } from './member.js'

/** Shares of the members' acceleration that hold them on a circle, and that begin and end a wheel. */
const HOLD_SHARE = 0.8
const LEAST_HOLD = 0.2
const START_SHARE = 0.4

/** Members who fly as fast as they can still wheel by this share of it. */
const SPARE = 0.1

/** The leader keeps below these shares of what the slowest can do: on his course, and of the outermost in a turn. */
const PACE_SHARE = 0.9
const OUTER_SHARE = 0.97

const arm = vec3()
const swing = vec3()
const inwards = vec3()

/** How a formation can turn: no member, on its arm about the anchor, is asked for more than it can do. */
export class FormationLimits implements Wheel, Means, Ability, Serializable {
  /** The least of what members can do, see {@link Ability}. */
  topSpeed = Infinity
  push = Infinity
  lateral = Infinity
  nimble = Infinity
  /** m/s */
  speed = 0
  spare = 1
  waits = false
  /** Whether members keep up as they can, whatever the leader does. */
  free = false
  /** Live: of the formation. */
  members: readonly Member[] = []
  private readonly anchor: Anchor

  constructor(anchor: Anchor) {
    this.anchor = anchor
  }

  serialize(archive: Archive): void {
    for (const name of ['topSpeed', 'push', 'lateral', 'nimble', 'speed', 'spare'] as const)
      this[name] = archive.number(this[name])
    this.waits = archive.boolean(this.waits)
    this.free = archive.boolean(this.free)
  }

  measure(): void {
    const { anchor, members } = this
    this.speed = length(anchor.velocity)
    this.topSpeed = this.push = this.lateral = this.nimble = Infinity
    for (const member of members) {
      this.topSpeed = Math.min(this.topSpeed, member.topSpeed)
      this.push = Math.min(this.push, member.push)
      this.lateral = Math.min(this.lateral, member.lateral)
      this.nimble = Math.min(this.nimble, member.nimble)
    }
    this.spare = Math.max(LEAST_HOLD, 1 - length(anchor.acceleration) / this.lateral)
  }

  acceleration(axis: Vec3Like): number {
    const { anchor, members, nimble, push } = this
    if (this.free) return Infinity
    let most = 0
    for (const member of members) {
      if (!isIn(member)) continue
      cross(swing, axis, sub(arm, member.place.position, anchor.position))
      const along = Math.abs(dot(swing, anchor.frame.x))
      const across = Math.sqrt(Math.max(0, lengthSq(swing) - along * along))
      most = Math.max(most, along / push, across / nimble)
    }
    return START_SHARE / most
  }

  fastest(axis: Vec3Like): number {
    const { anchor, lateral, members, topSpeed } = this
    if (this.free) return Infinity
    const { acceleration, velocity } = anchor
    const hold = HOLD_SHARE * HOLD_SHARE * lateral * lateral - lengthSq(acceleration)
    const leastHold = LEAST_HOLD * lateral * LEAST_HOLD * lateral
    const spare = Math.max(topSpeed * topSpeed - lengthSq(velocity), SPARE * SPARE * topSpeed * topSpeed)
    let least = Infinity
    for (const member of members) {
      if (!isIn(member)) continue
      cross(swing, axis, sub(arm, member.place.position, anchor.position))
      const square = lengthSq(swing)
      if (!(square > 0)) continue
      // |velocity + rate · swing| = top speed
      const along = dot(velocity, swing)
      const bySpeed = (Math.sqrt(along * along + square * spare) - along) / square
      // |acceleration + rate² · towards the axis| = what holds it
      cross(inwards, axis, swing)
      const into = Math.max(dot(acceleration, inwards), 0)
      const room = Math.max(hold, leastHold)
      const rateSq = (Math.sqrt(into * into + square * room) - into) / square
      least = Math.min(least, bySpeed, Math.sqrt(rateSq))
    }
    return least
  }

  /** Speed (m/s) at which nobody is left behind while the leader turns as he does. */
  pace(): number {
    const { anchor, lateral, members, speed, topSpeed } = this
    const pace = PACE_SHARE * topSpeed
    if (!(speed > SPARE * topSpeed)) return pace
    let stretch = 1
    for (const member of members) {
      if (!isIn(member)) continue
      cross(swing, anchor.angularVelocity, sub(arm, member.place.position, anchor.position))
      stretch = Math.max(stretch, length(addScaled(swing, anchor.velocity, swing, 1)) / speed)
    }
    const bend = length(cross(swing, anchor.angularVelocity, anchor.velocity)) / (speed * speed)
    return Math.min(
      pace,
      (OUTER_SHARE * topSpeed) / stretch,
      Math.sqrt((HOLD_SHARE * lateral) / (bend * stretch)),
    )
  }
}

function isIn({ alone, placed }: Member): boolean {
  return placed && !alone
}
