import type { MovingFrame, SnapshotState, Step, Vec3, Vec3Like } from '../../core/types.js'
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
} from '../../core/math/vec3.js'
import { Anchor } from './anchor.js'
import { FormationChange } from './formation-change.js'
import { FormationLimits } from './formation-limits.js'
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

/**
 * A point in the frame of an anchor (m), its velocity (m/s) and its acceleration (m/s²) relative to that
 * frame.
 */
export interface LocalState {
  readonly offset: Vec3
  readonly velocity: Vec3
  readonly acceleration: Vec3
}

const local: LocalState = { offset: vec3(), velocity: vec3(), acceleration: vec3() }

/**
 * The motion of a formation as a whole: its frame, its limits, its change from pattern to pattern, and its
 * trail.
 */
export class FormationMotion extends Saved {
  readonly anchor: Anchor = new Anchor()
  readonly guide: Guide = new Guide()
  readonly limits: FormationLimits = new FormationLimits(this.anchor)
  readonly change: FormationChange = new FormationChange()
  readonly trail: Trail = new Trail()
  /**
   * How far places behind the leader lie on its trail, 0 … 1: at the start and at the end of the change. 0:
   * in its frame; 1: on its trail.
   */
  private trailShareFrom = 0
  private trailShareTo = 0
  readonly state: SnapshotState = [this.anchor, this.guide, this.limits, this.change, this.trail]

  /** The present one. */
  get trailShare(): number {
    return this.trailShareFrom + (this.trailShareTo - this.trailShareFrom) * this.change.share
  }

  /** Starts at the leader; without one, at the mean position of the members. */
  start(leader: MovingFrame | null, members: readonly Member[], frame: FormationFrame, step: Step): void {
    const first = members.find((member) => member.canLead) ?? members[0]!
    if (leader === null || !this.guide.update(leader, frame, step))
      this.guide.startAtMean(members, first.attitude)
    this.anchor.start(this.guide)
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
    const { acceleration, offset, velocity } = local
    set(offset, 0, 0, 0)
    set(velocity, 0, 0, 0)
    let led = leader !== null && guide.update(leader, frame, step)
    // a captain that did not steer in the last step may be lost; it is not followed until that is known
    if (!led && leader === null && captain !== null && captain.seenTick >= step.tick - 1) {
      led = guide.followMember(captain, frame, step)
      change.place(captain, offset, velocity, acceleration)
    }
    if (!led) guide.coast(anchor, anchor.quaternion, step.dt)
    return this.moveAnchor(offset, velocity, spacing, step, led && leader === null ? CAPTAIN_SMOOTHING : 0)
  }

  /** Moves the frame for one step with its slot in another formation. Returns the same as `follow`. */
  followSlot({ slotState }: Member, parent: Anchor, spacing: number, step: Step): boolean {
    set(local.offset, 0, 0, 0)
    set(local.velocity, 0, 0, 0)
    this.guide.followSlot(slotState, parent.quaternion, parent.angularVelocity)
    return this.moveAnchor(local.offset, local.velocity, spacing, step, 0)
  }

  private moveAnchor(
    guideOffset: Vec3Like,
    offsetVelocity: Vec3Like,
    spacing: number,
    step: Step,
    smoothing: number,
  ): boolean {
    const { anchor, guide, limits } = this
    if (anchor.jumps(guide, step.dt, spacing + length(guideOffset))) {
      if (isFiniteVec(guide.position)) anchor.start(guide)
      return true
    }
    const maxAcceleration = Math.max(limits.maxAcceleration, limits.lateralAcceleration)
    anchor.follow(guide, guideOffset, offsetVelocity, step.dt, limits, maxAcceleration, smoothing)
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
    const { anchor, change, limits, trail, trailShare } = this
    change.place(member, local.offset, local.velocity, local.acceleration)
    copy(member.offset, local.offset)
    member.hasSlotState = true
    placeInFrame(member.slotState, anchor, local)
    if (!(trailShare > 0)) return
    const rate = (this.trailShareTo - this.trailShareFrom) * change.rate
    bendToTrail(member.slotState, trail, local, limits.speed, trailShare, rate, columnSpacing / 2, dt)
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
export function placeInFrame(out: SlotState, anchor: Anchor, point: LocalState): void {
  const { angularAcceleration, angularVelocity, frame } = anchor
  vectorToWorld(arm, frame, point.offset)
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

/**
 * Moves a place that `placeInFrame` has written towards a place on the trail, by `share` (0 … 1, which
 * changes by `rate`, 1/s, and that by `shareAcceleration`, 1/s²). On the trail the x of `point` counts along
 * the path.
 */
export function blendToTrail(
  out: SlotState,
  trail: Trail,
  point: LocalState,
  speed: number,
  share: number,
  rate: number,
  shareAcceleration: number,
  dt: number,
): void {
  const { acceleration, position, velocity } = onTrail
  trail.place(position, point.offset, trail.head)
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

/**
 * Moves a place that `placeInFrame` has written towards the trail, by `trailShare` (0 … 1, which changes by
 * `rate`, 1/s). On the trail x counts along the path that the anchor has flown (Green, Steering Formations,
 * figure 28: formation space warped round a corner). Places ahead of the anchor stay in its frame; the
 * transition extends over `soft` (m) behind it.
 */
function bendToTrail(
  out: SlotState,
  trail: Trail,
  point: LocalState,
  speed: number,
  trailShare: number,
  rate: number,
  soft: number,
  dt: number,
): void {
  const behind = smoothstep(-point.offset.x, 0, soft)
  const share = trailShare * behind
  if (share > 0) blendToTrail(out, trail, point, speed, share, rate * behind, 0, dt)
}

function offsetAfter(out: Vec3, { acceleration, offset, velocity }: LocalState, dt: number): Vec3 {
  copy(out, offset)
  addScaled(out, out, velocity, dt)
  return addScaled(out, out, acceleration, (dt * dt) / 2)
}
