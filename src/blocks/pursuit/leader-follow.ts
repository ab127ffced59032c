import type {
  Agent,
  Behavior,
  DebugDraw,
  SnapshotState,
  MovingFrame,
  Step,
  Vec3,
  Vec3Like,
  Wrench,
} from '../../core/types.js'
import { evasiveSide } from '../../core/control/evasive-side.js'
import { limitToSpeed, topSpeed } from '../../core/control/drive.js'
import { smoothstep } from '../../core/math/scalar.js'
import { addScaled, copy, dot, isFiniteVec, isZero, length, normalize } from '../../core/math/vec3.js'
import { perpendicular, reject, scale, set, sub, vec3 } from '../../core/math/vec3.js'
import { arriveAt } from '../../core/control/arrive-at.js'
import { closingIn, flyOn } from './run.js'
import { Slot } from './slot.js'
import { isGone, requireMoving } from '../../core/control/target.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface LeaderFollowOptions extends Options, OptionsOf<typeof LeaderFollow.options> {}
export interface LeaderFollow extends FieldsOf<typeof LeaderFollow.options> {}

/** Default clearance in radii of the agent: twice the sum of both radii for a leader of its own size. */
const DEFAULT_CLEARANCE = 4

// The numbers below are chosen by hand unless they say otherwise.

/** From this share of the clearance on, an agent that steps aside also falls back. */
const ALMOST_CLEAR = 0.8

/** The corridor ends at the latest at this share of the distance behind the leader. */
const MAX_TAIL = 0.9

const ahead = vec3()
const local = vec3()
const difference = vec3()
const beside = vec3()

/**
 * Follows a leader at a distance behind it, and stays out of its way (Reynolds, Steering Behaviors For
 * Autonomous Characters, 1999, Leader Following). The agent arrives at a place behind the leader. An agent
 * ahead of the leader first steps aside to the nearest side, then falls back beside the leader, and closes in
 * only behind it. Reynolds' region ahead is a rectangle. Here it is an endless tube around the leader's
 * course, and all changes at its border are gradual. The motion of the place in turns and when the leader
 * accelerates is fed forward.
 *
 * Followers do not keep apart by themselves. Several follow without contact by
 * `within([new ReciprocalAvoidance({ neighborDistance: 8 })], new LeaderFollow({ target, distance: 6 }))`.
 * Reynolds' own method is a `blend` of `new LeaderFollow({ target, distance: 6 })` and
 * `{ behavior: new Separation({ neighborDistance: 4 }), weight: 2 }`. It is looser and never comes to rest;
 * with a weight below 1.5 the common place pulls the followers together. For places side by side use
 * `OffsetPursue`.
 */
export class LeaderFollow extends WithOptions<LeaderFollowOptions> implements Behavior {
  static readonly type: string = 'LeaderFollow'
  static readonly options = {
    /**
     * The leader. Ahead and behind are measured along its course, or along its nose while it has not moved
     * yet. A slow leader that backs up by less than the distance, or corrects its place, keeps its course.
     */
    target: { kind: 'named', required: true, check: requireMoving<MovingFrame> },
    /** Distance behind the leader, centre to centre (m, > 0). */
    distance: { kind: 'number', required: true, unit: 'm', above: 0 },
    /** Additional distance per m/s of the leader's speed (s, ≥ 0), for braking. Default 0. */
    headway: { kind: 'number', unit: 's', atLeast: 0, default: 0 },
    /**
     * Half the width of the corridor ahead of the leader that is kept free, centre to centre (m, ≥ 0); 0
     * keeps none free. It should be more than both radii together. Default four times the agent's radius.
     */
    clearance: { kind: 'number', unit: 'm', atLeast: 0 },
    /** Speed to fly at (m/s, > 0), no more than the top speed. Default the top speed. */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
  } as const satisfies AnyTable
  private readonly slot = new Slot()
  readonly state: SnapshotState = [this.slot]

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    const { headway, slot, target } = this
    const { acceleration, leader, position, velocity } = slot
    const top = topSpeed(agent, this.speed)
    set(local, -this.distance - headway * length(target.velocity), 0, 0)
    if (!slot.update(agent, step, target, local, true)) return flyOn(agent, step, top, out.force)
    addScaled(velocity, velocity, slot.frame.x, -headway * dot(leader.acceleration, slot.frame.x))
    this.stayClear(agent)
    const closing = closingIn(sub(difference, position, agent.position), velocity, top)
    arriveAt(agent, step, position, velocity, acceleration, closing, out.force)
    limitToSpeed(agent, step, out.force, this.speed)
  }

  /** Draws the line to the leader, and the leader's corridor. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const { target } = this
    if (!this.slot.courseOf(ahead, agent) || !isFiniteVec(target.position)) return
    draw.line('leader', agent.position, target.position)
    const reach = this.distance + length(target.velocity)
    draw.line('way of the leader', target.position, addScaled(ahead, target.position, ahead, reach))
  }

  /** Moves the slot of an agent ahead beside the corridor. Inside, only the motion sideways counts. */
  private stayClear(agent: Agent): void {
    const { acceleration, frame, leader, position, velocity } = this.slot
    const { x: course } = frame
    const clearance = this.clearance ?? DEFAULT_CLEARANCE * agent.radius
    sub(difference, agent.position, leader.position)
    const along = dot(difference, course)
    addScaled(beside, difference, course, -along)
    const lateral = length(beside)
    // Beside the leader, and a little behind it, the place is beside the corridor as well.
    const tail = Math.min(clearance, MAX_TAIL * this.distance)
    const aheadShare = smoothstep(along, -tail, -tail / 2)
    if (!(aheadShare > 0 && clearance > 0)) return
    normalize(beside, beside)
    if (isZero(beside)) anySide(beside, agent, course)
    const clearShare = smoothstep(lateral, ALMOST_CLEAR * clearance, clearance)
    // A little more than the clearance, so that the agent does not stop at the border.
    addScaled(position, position, beside, aheadShare * Math.max(lateral, 1.05 * clearance))
    const holdShare = aheadShare * (1 - clearShare)
    const excess = dot(sub(difference, position, agent.position), course)
    addScaled(position, position, course, -holdShare * excess)
    const relativeSpeed = dot(sub(difference, velocity, agent.velocity), course)
    addScaled(velocity, velocity, course, -holdShare * relativeSpeed)
    scale(acceleration, acceleration, 1 - holdShare)
  }
}

/** Exactly ahead of the leader all sides are equal: it takes its own evasive side, or starboard. */
function anySide(out: Vec3, agent: Agent, course: Vec3Like): void {
  reject(out, evasiveSide(agent), course)
  if (length(out) < 0.1) copy(out, agent.course.z)
  reject(out, out, course)
  normalize(out, out)
  if (isZero(out)) perpendicular(out, course)
}
