import type { Vec3Like } from '../../core/types.js'
import { addScaled, cross, dot, length, lengthSq, sub, vec3 } from '../../core/math/vec3.js'
import type { Anchor } from './anchor.js'
import { Saved } from '../../core/control/serialize-fields.js'
import type { FormationSettings } from './formation-settings.js'
import type { Member, MemberLimits } from './member.js'

/** Share of the members' lateral acceleration that a turn may take. Chosen by hand. */
const HOLD_SHARE = 0.8

/** Share of the lateral acceleration that remains however much the leader accelerates. Chosen by hand. */
const LEAST_HOLD = 0.2

/** Share of the members' acceleration with which a wheel begins and ends. Chosen by hand. */
const START_SHARE = 0.4

/** Share of the top speed that remains for a wheel however fast the leader flies. Chosen by hand. */
const SPARE_SPEED = 0.1

/** Greatest speed of the outermost member in a turn, as a share of the top speed of the slowest. By hand. */
const OUTER_SHARE = 0.97

const arm = vec3()
const swing = vec3()
const inwards = vec3()

/**
 * Limits of a formation as a whole: no member, at its distance from the anchor, must fly faster or turn
 * harder than it can. And how well the members keep their slots, as they were when they last steered.
 */
export class FormationLimits extends Saved implements MemberLimits {
  /** The least of the limits of all members, see {@link MemberLimits}. */
  topSpeed = Infinity
  maxAcceleration = Infinity
  lateralAcceleration = Infinity
  promptAcceleration = Infinity
  /** Speed of the anchor, m/s. */
  speed = 0
  /** Share of the acceleration that the leader's own motion leaves, 0 … 1. */
  spareShare = 1
  /** Greatest distance (m) of a member from its slot, and greatest distance (m) by which one is late. */
  maxError = 0
  maxLag = 0
  /** Radius of the largest member, m. */
  radius = 0
  /** Whether a member is on its way to join. */
  someJoining = false
  private readonly anchor: Anchor
  private readonly options: FormationSettings
  /** Live: the members of the formation. */
  private readonly members: readonly Member[]

  constructor(anchor: Anchor, options: FormationSettings, members: readonly Member[]) {
    super()
    this.anchor = anchor
    this.options = options
    this.members = members
  }

  /** Whether the leader slows down for the others. */
  get leaderWaits(): boolean {
    return this.options.pace === 'slowest'
  }

  measure(dt: number): void {
    const { anchor, members } = this
    this.speed = length(anchor.velocity)
    this.topSpeed = this.maxAcceleration = this.lateralAcceleration = this.promptAcceleration = Infinity
    this.maxError = this.maxLag = this.radius = 0
    this.someJoining = false
    for (const member of members) {
      this.radius = Math.max(this.radius, member.radius)
      if (!member.joining) this.maxError = Math.max(this.maxError, member.slotError)
      if (member.comes(dt)) {
        if (member.joining) this.someJoining = true
        else this.maxLag = Math.max(this.maxLag, member.lag)
      }
      this.topSpeed = Math.min(this.topSpeed, member.topSpeed)
      this.maxAcceleration = Math.min(this.maxAcceleration, member.maxAcceleration)
      this.lateralAcceleration = Math.min(this.lateralAcceleration, member.lateralAcceleration)
      this.promptAcceleration = Math.min(this.promptAcceleration, member.promptAcceleration)
    }
    this.spareShare = Math.max(LEAST_HOLD, 1 - length(anchor.acceleration) / this.lateralAcceleration)
  }

  /** Greatest angular acceleration (rad/s²) about a unit axis; Infinity if members need not follow. */
  maxTurnAcceleration(axis: Vec3Like): number {
    const { anchor, maxAcceleration, members, options, promptAcceleration } = this
    if (options.pace === 'free') return Infinity
    let most = 0
    for (const member of members) {
      if (!isInSlot(member)) continue
      cross(swing, axis, sub(arm, member.slotState.position, anchor.position))
      const along = Math.abs(dot(swing, anchor.frame.x))
      const across = Math.sqrt(Math.max(0, lengthSq(swing) - along * along))
      most = Math.max(most, along / maxAcceleration, across / promptAcceleration)
    }
    return START_SHARE / most
  }

  /** Greatest angular speed (rad/s) about a unit axis. */
  maxTurnRate(axis: Vec3Like): number {
    const { anchor, lateralAcceleration, members, options, topSpeed } = this
    if (options.pace === 'free') return Infinity
    const { acceleration, velocity } = anchor
    const holdSq =
      HOLD_SHARE * HOLD_SHARE * lateralAcceleration * lateralAcceleration - lengthSq(acceleration)
    const leastHoldSq = LEAST_HOLD * lateralAcceleration * LEAST_HOLD * lateralAcceleration
    const spareSq = Math.max(
      topSpeed * topSpeed - lengthSq(velocity),
      SPARE_SPEED * SPARE_SPEED * topSpeed * topSpeed,
    )
    let least = Infinity
    for (const member of members) {
      if (!isInSlot(member)) continue
      cross(swing, axis, sub(arm, member.slotState.position, anchor.position))
      const square = lengthSq(swing)
      if (!(square > 0)) continue
      // |velocity + rate · swing| = top speed
      const along = dot(velocity, swing)
      const bySpeed = (Math.sqrt(along * along + square * spareSq) - along) / square
      // |acceleration + rate² · (vector towards the axis)| = share of the lateral acceleration
      cross(inwards, axis, swing)
      const towardsAxis = Math.max(dot(acceleration, inwards), 0)
      const availableSq = Math.max(holdSq, leastHoldSq)
      const rateSq = (Math.sqrt(towardsAxis * towardsAxis + square * availableSq) - towardsAxis) / square
      least = Math.min(least, bySpeed, Math.sqrt(rateSq))
    }
    return least
  }

  /** Greatest speed (m/s) of the leader, at its present rate of turn, at which all members can follow. */
  maxLeaderSpeed(): number {
    const { anchor, lateralAcceleration, members, speed, topSpeed } = this
    const { leaderShare } = this.options
    const onCourse = leaderShare * topSpeed
    if (!(speed > SPARE_SPEED * topSpeed)) return onCourse
    let stretch = 1
    for (const member of members) {
      if (!isInSlot(member)) continue
      cross(swing, anchor.angularVelocity, sub(arm, member.slotState.position, anchor.position))
      stretch = Math.max(stretch, length(addScaled(swing, anchor.velocity, swing, 1)) / speed)
    }
    const curvature = length(cross(swing, anchor.angularVelocity, anchor.velocity)) / (speed * speed)
    return Math.min(
      onCourse,
      (Math.max(OUTER_SHARE, leaderShare) * topSpeed) / stretch,
      Math.sqrt((HOLD_SHARE * lateralAcceleration) / (curvature * stretch)),
    )
  }
}

function isInSlot({ hasSlotState, joining }: Member): boolean {
  return hasSlotState && !joining
}
