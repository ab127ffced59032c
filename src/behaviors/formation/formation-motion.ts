import type { Archive, SnapshotState, Serializable, MovingFrame, Step } from '../../types.js'
import { copy, isFiniteVec, length, set, vec3 } from '../../math/vec3.js'
import { Anchor } from './anchor.js'
import { FormationChange } from './formation-change.js'
import { Guide, type FormationFrame } from './guide.js'
import type { Member } from './member.js'
import { bendToTrail, placeInFrame, type Local } from './place.js'
import { Trail } from './trail.js'
import { FormationLimits } from './formation-limits.js'

/** Marks of the trail per distance of two members in a column. */
const MARKS = 4

const local: Local = { at: vec3(), velocity: vec3(), acceleration: vec3() }

/** How a formation moves as a whole: its frame, its change from pattern to pattern, and its trail. */
export class FormationMotion implements Serializable {
  readonly anchor: Anchor = new Anchor()
  readonly guide: Guide = new Guide()
  readonly limits: FormationLimits = new FormationLimits(this.anchor)
  readonly change: FormationChange = new FormationChange()
  readonly trail: Trail = new Trail()
  /** How far places behind the leader follow his trail, 0 … 1: at the beginning and at the end of the change. */
  private bendFrom = 0
  private bendTo = 0
  readonly state: SnapshotState = [this.anchor, this.guide, this.limits, this.change, this.trail]

  serialize(archive: Archive): void {
    this.bendFrom = archive.number(this.bendFrom)
    this.bendTo = archive.number(this.bendTo)
  }

  /** The present one. */
  get bend(): number {
    return this.bendFrom + (this.bendTo - this.bendFrom) * this.change.share
  }

  /** Begins where the leader is; without one, in the middle of the members. */
  start(leader: MovingFrame | null, members: readonly Member[], frame: FormationFrame, step: Step): void {
    const who = members.find((member) => member.leads) ?? members[0]!
    if (leader === null || !this.guide.update(leader, frame, step)) this.guide.gather(members, who.attitude)
    this.anchor.start(this.guide)
  }

  /**
   * Moves the frame on: after the leader, the member who leads, or straight on. Returns whether it is elsewhere now, with no way from there
   * to here.
   */
  follow(
    leader: MovingFrame | null,
    captain: Member | null,
    frame: FormationFrame,
    spacing: number,
    step: Step,
  ): boolean {
    const { anchor, change, guide } = this
    set(local.at, 0, 0, 0)
    set(local.velocity, 0, 0, 0)
    let led = leader !== null && guide.update(leader, frame, step)
    // who was not seen in the last step may be lost: that is soon known
    if (!led && leader === null && captain !== null && captain.tick >= step.tick - 1) {
      led = guide.lookAtMember(captain, frame, step)
      change.place(captain, local.at, local.velocity, local.acceleration)
    }
    if (!led) guide.coast(anchor, anchor.quaternion, step.dt)
    return this.go(spacing, step)
  }

  /** Moves the frame to a place in another formation. */
  followPlace({ place }: Member, of: Anchor, spacing: number, step: Step): boolean {
    set(local.at, 0, 0, 0)
    set(local.velocity, 0, 0, 0)
    this.guide.lookAtPlace(place, of.quaternion, of.angularVelocity)
    return this.go(spacing, step)
  }

  /** Sets out to the places the members have got. */
  begin(members: readonly Member[], captain: Member | null, onTrail: boolean, moved: boolean): void {
    this.bendFrom = moved ? 0 : this.bend
    this.bendTo = onTrail ? 1 : 0
    this.change.begin(members, captain, this.limits)
  }

  /** Sees to a trail that is long enough. */
  blaze(way: number, columnSpacing: number): void {
    if (!this.trail.reaches(way)) this.trail.start(this.anchor, 2 * way, columnSpacing / MARKS)
  }

  /** Says where a member should be now. */
  show(member: Member, columnSpacing: number, dt: number): void {
    const { anchor, change, limits, trail } = this
    change.place(member, local.at, local.velocity, local.acceleration)
    copy(member.at, local.at)
    member.placed = true
    placeInFrame(member.place, anchor, local)
    const { bend } = this
    if (!(bend > 0)) return
    const rate = (this.bendTo - this.bendFrom) * change.rate
    bendToTrail(member.place, trail, local, limits.speed, bend, rate, columnSpacing / 2, dt)
  }

  private go(spacing: number, step: Step): boolean {
    const { anchor, guide, limits } = this
    if (anchor.jumps(guide, step.dt, spacing + length(local.at))) {
      if (isFiniteVec(guide.position)) anchor.start(guide)
      return true
    }
    anchor.follow(guide, local.at, local.velocity, step.dt, limits, Math.max(limits.push, limits.lateral))
    return false
  }
}
