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
import { isUsableTurn } from '../../core/control/usable.js'
import { Memory } from '../../core/control/memory.js'
import { DEFAULT_FORWARD } from '../../core/math/frame.js'
import { rotate } from '../../core/math/quat.js'
import { smoothstep } from '../../core/math/scalar.js'
import {
  add,
  addScaled,
  copy,
  cross,
  dot,
  isFiniteVec,
  isZero,
  length,
  load,
  normalize,
} from '../../core/math/vec3.js'
import { perpendicular, reject, save, scale, set, sub, vec3 } from '../../core/math/vec3.js'
import { arriveAt } from '../../core/control/arrive-at.js'
import { TrackedTarget, SLOW_SHARE } from './tracked-target.js'
import { closingIn, flyOn } from './run.js'
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
const turn = vec3()
const spin = vec3()
const spinUp = vec3()
const arm = vec3()
const place = vec3()
const velocity = vec3()
const acceleration = vec3()
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
     * yet.
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
  private readonly leader = new TrackedTarget()
  /** Unit course of the leader. */
  private readonly memory = new Memory(3)
  readonly state: SnapshotState = [this.leader, this.memory]

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    const { leader } = this
    const top = topSpeed(agent, this.speed)
    if (!leader.update(agent, step, this.target)) return flyOn(agent, step, top, out.force)
    this.courseInto(ahead, agent, step)
    this.placeBehind(agent, step, ahead)
    this.stayClear(agent, ahead)
    if (!isFiniteVec(velocity)) set(velocity, 0, 0, 0)
    if (!isFiniteVec(acceleration)) set(acceleration, 0, 0, 0)
    const closing = closingIn(sub(difference, place, agent.position), velocity, top)
    arriveAt(agent, step, place, velocity, acceleration, closing, out.force)
    limitToSpeed(agent, step, out.force, this.speed)
  }

  /** Draws the line to the leader, and the leader's corridor. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const { target, memory } = this
    const offset = memory.find(agent)
    if (offset < 0 || !isFiniteVec(target.position)) return
    load(ahead, memory.data, offset)
    draw.line('leader', agent.position, target.position)
    const reach = this.distance + length(target.velocity)
    draw.line('way of the leader', target.position, addScaled(place, target.position, ahead, reach))
  }

  /** Writes the unit course of the leader. */
  private courseInto(out: Vec3, agent: Agent, step: Step): void {
    const { target, leader, memory } = this
    const offset = memory.at(agent)
    const { data, fresh } = memory
    const leaderSpeed = length(leader.velocity)
    if (
      leaderSpeed > SLOW_SHARE * topSpeed(agent) ||
      (fresh && target.quaternion === undefined && leaderSpeed > 0)
    )
      normalize(out, leader.velocity)
    else if (!fresh) load(out, data, offset)
    else if (
      target.quaternion !== undefined &&
      isUsableTurn(agent, 'quaternion of the leader', target.quaternion)
    )
      rotate(out, target.quaternion, target.forward ?? DEFAULT_FORWARD)
    else perpendicular(out, step.up)
    save(out, data, offset)
  }

  /** Writes the place behind the leader, whose course is `course`, and its motion. */
  private placeBehind(agent: Agent, step: Step, course: Vec3Like): void {
    const { leader } = this
    const distance = this.distance + this.headway * length(leader.velocity)
    leader.turnInto(spin, spinUp, distance, topSpeed(agent), step.dt)
    addScaled(place, leader.position, course, -distance)
    scale(arm, course, -distance)
    cross(velocity, spin, arm)
    cross(acceleration, spin, velocity)
    add(acceleration, acceleration, cross(turn, spinUp, arm))
    // Half a step ago, as the leader's velocity.
    addScaled(velocity, velocity, acceleration, -step.dt / 2)
    add(velocity, velocity, leader.flown)
    addScaled(velocity, velocity, course, -this.headway * dot(leader.acceleration, course))
    add(acceleration, acceleration, leader.acceleration)
  }

  /**
   * For an agent ahead of the leader, moves the place beside the corridor. Inside the corridor, only the
   * motion sideways counts. Changes `place`, `velocity` and `acceleration`.
   */
  private stayClear(agent: Agent, course: Vec3Like): void {
    const { leader } = this
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
    addScaled(place, place, beside, aheadShare * Math.max(lateral, 1.05 * clearance))
    const holdShare = aheadShare * (1 - clearShare)
    const excess = dot(sub(difference, place, agent.position), course)
    addScaled(place, place, course, -holdShare * excess)
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
