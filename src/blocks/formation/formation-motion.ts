import type { MovingFrame, SnapshotState, Step, Vec3 } from '../../core/types.js'
import { vectorToWorld } from '../../core/math/frame.js'
import { smoothstep } from '../../core/math/scalar.js'
import {
  add,
  addScaled,
  copy,
  cross,
  isFiniteVec,
  length,
  scale,
  set,
  sub,
  vec3,
  ZERO,
} from '../../core/math/vec3.js'
import { Anchor } from './anchor.js'
import { FormationChange } from './formation-change.js'
import { FormationLimits } from './formation-limits.js'
import type { FormationSettings } from './formation-settings.js'
import { Guide, type FormationFrame } from './guide.js'
import { makeSlotState, type Member, type SlotState } from './member.js'
import { Trail } from './trail.js'
import { Saved } from '../../core/control/serialize-fields.js'

/** Points of the trail per distance of two members in a column. Chosen by hand. */
const POINTS_PER_GAP = 4

/**
 * Time (s) over which the acceleration of a member that leads is averaged before the others follow it, so
 * that its jitter does not pass to them. Chosen by hand: behind a member that wanders gently it halves the
 * jitter of the others and adds 0.05 m to their greatest error.
 */
const CAPTAIN_SMOOTHING = 0.2

/** A place in the frame of the anchor, and its motion relative to that. */
const local = makeSlotState()
const ORIGIN = makeSlotState()

/** The motion of a formation as a whole: frame, limits, change from pattern to pattern, and trail. */
export class FormationMotion extends Saved {
  readonly anchor: Anchor = new Anchor()
  readonly guide: Guide = new Guide()
  readonly limits: FormationLimits
  readonly change: FormationChange = new FormationChange()
  readonly trail: Trail = new Trail()
  /** How far places behind the leader lie on its trail, 0 (in its frame) … 1, before and after a change. */
  private trailShareFrom = 0
  private trailShareTo = 0
  readonly state: SnapshotState

  constructor(options: FormationSettings, members: readonly Member[]) {
    super()
    this.limits = new FormationLimits(this.anchor, options, members)
    this.state = [this.anchor, this.guide, this.limits, this.change, this.trail]
  }

  /** The present one. */
  get trailShare(): number {
    return this.trailShareFrom + (this.trailShareTo - this.trailShareFrom) * this.change.share
  }

  /** Starts at the leader; without one, at the mean position of the members. */
  start(leader: MovingFrame | null, members: readonly Member[], frame: FormationFrame, step: Step): void {
    const { anchor, guide } = this
    if (leader === null || !guide.update(leader, frame, step)) {
      const { position, velocity } = local
      set(position, 0, 0, 0)
      set(velocity, 0, 0, 0)
      for (const member of members) {
        addScaled(position, position, member.nextPosition, 1 / members.length)
        addScaled(velocity, velocity, member.velocity, 1 / members.length)
      }
      const first = members.find((member) => member.canLead) ?? members[0]!
      guide.take(local, first.attitude, ZERO)
    }
    anchor.start(guide)
  }

  /**
   * Moves the frame for one step: with the leader, with the member that leads, or straight on. Returns
   * whether the frame was moved at once to a place that cannot be reached by flying in one step.
   */
  follow(
    leader: MovingFrame | null,
    captain: Member | null,
    frame: FormationFrame,
    spacing: number,
    step: Step,
  ): boolean {
    const { anchor, change, guide } = this
    if (leader !== null && guide.update(leader, frame, step)) return this.moveAnchor(null, spacing, step)
    // a captain that did not steer in the last step may be lost; it is not followed until that is known
    const isThere = leader === null && captain !== null && captain.seenTick >= step.tick - 1
    if (isThere && guide.followMember(captain, frame, step)) {
      change.place(captain, local)
      return this.moveAnchor(local, spacing, step)
    }
    guide.take(anchor, anchor.quaternion, ZERO)
    addScaled(guide.position, guide.position, guide.velocity, step.dt)
    return this.moveAnchor(null, spacing, step)
  }

  /** Moves the frame for one step with its slot in another formation. Returns the same as `follow`. */
  followSlot({ slotState }: Member, parent: Anchor, spacing: number, step: Step): boolean {
    this.guide.take(slotState, parent.quaternion, parent.angularVelocity)
    return this.moveAnchor(null, spacing, step)
  }

  /** `captain`: the place of a member that leads, in the frame; null: the guide is at the origin. */
  private moveAnchor(captain: SlotState | null, spacing: number, step: Step): boolean {
    const { anchor, guide, limits } = this
    const place = captain ?? ORIGIN
    if (anchor.jumps(guide, step.dt, spacing + length(place.position))) {
      if (isFiniteVec(guide.position)) anchor.start(guide)
      return true
    }
    anchor.follow(guide, place, step.dt, limits, captain === null ? 0 : CAPTAIN_SMOOTHING)
    return false
  }

  /** Starts a change to the slots that the members have been given. `leader`: see `FormationChange.begin`. */
  beginChange(
    members: readonly Member[],
    leader: Member | null,
    onTrail: boolean,
    frameMoved: boolean,
  ): void {
    this.trailShareFrom = frameMoved ? 0 : this.trailShare
    this.trailShareTo = onTrail ? 1 : 0
    this.change.begin(members, leader, this.limits)
  }

  /** Ensures a trail that is at least `distance` (m) long. */
  ensureTrail(distance: number, columnSpacing: number): void {
    if (!this.trail.reaches(distance))
      this.trail.start(this.anchor, 2 * distance, columnSpacing / POINTS_PER_GAP)
  }

  /** Computes the state that the slot of a member has in this step. */
  updateSlotState(member: Member, columnSpacing: number, dt: number): void {
    const { change } = this
    change.place(member, local)
    copy(member.offset, local.position)
    member.hasSlotState = true
    placeInFrame(member.slotState, this.anchor, local)
    // places ahead of the anchor stay in its frame
    const behind = smoothstep(-local.position.x, 0, columnSpacing / 2)
    const rate = (this.trailShareTo - this.trailShareFrom) * change.rate
    this.blendToTrail(member.slotState, local, this.trailShare * behind, rate * behind, 0, dt)
  }

  /**
   * Moves a place that `placeInFrame` has written towards a place on the trail, by `share` (0 … 1, which
   * changes by `rate`, 1/s, and that by `shareAcceleration`, 1/s²). On the trail the x of `point` counts
   * along the path that the anchor has flown (Green, Steering Formations, figure 28: formation space warped
   * round a corner).
   */
  blendToTrail(
    out: SlotState,
    point: SlotState,
    share: number,
    rate: number,
    shareAcceleration: number,
    dt: number,
  ): void {
    if (!(share > 0)) return
    const { trail } = this
    const { acceleration, position, velocity } = onTrail
    const { speed } = this.limits
    trail.place(position, point.position, trail.head)
    trail.place(early, offsetAfter(spot, point, -dt), trail.head - speed * dt)
    trail.place(late, offsetAfter(spot, point, dt), trail.head + speed * dt)
    scale(velocity, sub(velocity, late, early), 0.5 / dt)
    add(acceleration, early, late)
    scale(acceleration, addScaled(acceleration, acceleration, position, -2), 1 / (dt * dt))
    sub(drift, position, out.position)
    sub(turn, velocity, out.velocity)
    addScaled(out.position, out.position, drift, share)
    addScaled(out.velocity, out.velocity, turn, share)
    addScaled(out.velocity, out.velocity, drift, rate)
    sub(spot, acceleration, out.acceleration)
    addScaled(out.acceleration, out.acceleration, spot, share)
    addScaled(out.acceleration, out.acceleration, turn, 2 * rate)
    addScaled(out.acceleration, out.acceleration, drift, shareAcceleration)
  }
}

const arm = vec3()
const turn = vec3()
const drift = vec3()
const spot = vec3()
const early = vec3()
const late = vec3()
const onTrail = makeSlotState()

/** Writes the state in world axes of a point that is given in the frame of an anchor. */
export function placeInFrame(out: SlotState, anchor: Anchor, point: SlotState): void {
  const { angularAcceleration, angularVelocity, frame } = anchor
  vectorToWorld(arm, frame, point.position)
  vectorToWorld(drift, frame, point.velocity)
  add(out.position, anchor.position, arm)
  cross(turn, angularVelocity, arm)
  // centripetal, Euler and Coriolis acceleration
  cross(out.acceleration, angularVelocity, turn)
  addScaled(out.acceleration, out.acceleration, cross(spot, angularAcceleration, arm), 1)
  addScaled(out.acceleration, out.acceleration, cross(spot, angularVelocity, drift), 2)
  addScaled(out.acceleration, out.acceleration, vectorToWorld(spot, frame, point.acceleration), 1)
  add(out.acceleration, out.acceleration, anchor.acceleration)
  add(out.velocity, add(turn, turn, drift), anchor.velocity)
}

function offsetAfter(out: Vec3, { acceleration, position, velocity }: SlotState, dt: number): Vec3 {
  copy(out, position)
  addScaled(out, out, velocity, dt)
  return addScaled(out, out, acceleration, (dt * dt) / 2)
}
