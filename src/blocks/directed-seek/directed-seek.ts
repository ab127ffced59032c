import type { Agent, Behavior, DebugDraw, SnapshotState, Step, Wrench } from '../../core/types.js'
import { drawCurve } from '../../core/control/draw.js'
import { isGone } from '../../core/control/target.js'
import { moveToLock } from '../../core/control/lock.js'
import type { ArcPath } from '../curves/arc-path.js'
import { DEFAULT_EFFORT, EFFORTS } from '../curves/dubins3d.js'
import { quat } from '../../core/math/quat.js'
import { requireVector } from '../../core/math/require.js'
import { copy, distance, dot, isZero, normalize, reject, scale, set, vec3 } from '../../core/math/vec3.js'
import { makeVehicleLimits, vehicleLimitsOf, turnRadius } from '../curves/vehicle-limits.js'
import { arriveAt } from '../../core/control/arrive-at.js'
import { drive } from '../../core/control/drive.js'
import { noseAttitude } from '../../core/control/nose.js'
import { turnTo } from '../../core/control/turn.js'
import { clearUnlessFinite } from '../../core/control/finite.js'
import { isStill, makeGoal, readGoal, requireGoal } from './goal.js'
import { Barred } from '../../core/solver/barred.js'
import { RouteFollower, type RouteProgress } from './route-follower.js'
import { costOf, DEFAULT_BUDGET, LEAST_BUDGET } from './route-planner.js'
import { steerStateless } from './stateless.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

/**
 * How the path is found.
 * - `planned`: the shortest path of bounded curvature is planned once and followed. It is planned again when
 *   the goal or the agent is not where the plan expects it.
 * - `stateless`: in every step the shortest path of arc, straight and arc is found, and the agent turns to
 *   its first direction. In 2D the four words of both circles at the waypoint.
 * - `jakob`: as published, for comparison: one circle, total angle, in 3D on the steering plane Ω.
 */
export type DirectedSeekMethod = 'planned' | 'stateless' | 'jakob'

export interface DirectedSeekOptions extends Options, OptionsOf<typeof DirectedSeek.options> {}
export interface DirectedSeek extends FieldsOf<typeof DirectedSeek.options> {}

/** Default of `tolerance`, in radii: that of the measurements that the method was chosen by. */
const DEFAULT_TOLERANCE_RADII = 0.05

/** Default of `angleTolerance`: 2°. Chosen by hand. */
const DEFAULT_ANGLE_TOLERANCE: number = Math.PI / 90

/** Microseconds in a second. */
const MICRO = 1e6

const now = makeGoal()
const limits = makeVehicleLimits()
const normal = vec3()
const top = vec3()
const attitude = quat()
const goalPlane = { axis: vec3(), plane: normal }
const STILL = vec3()

// The numbers below are chosen by hand.

/** A vehicle that rolls does not come back when it stops within this many tolerances. */
const RESTING_TOLERANCES = 2

/** One that cannot turn at once may turn on the spot for this many times the time of a right angle. */
const TURNS = 4

/** Number of lines by which a plan is drawn. */
const LINES = 64

/**
 * Reaches a position in a given direction, with bounded turn radius (Jakob, Directional Extensions of Seek
 * Steering Behavior, 2004): to have a target ahead on arrival, to match another agent's heading, to enter a
 * slot of a formation, to line up with a runway. In true 3D, with the lateral force that the curvature needs.
 * Works alone, or as a wish within constraints, which may push the agent off its path.
 *
 * A vehicle that rolls plans its path past the obstacles at rest of a `within` around it (`WaySearch`), and
 * plans anew where it stands before one. Emits `cannot` when it then finds no way, and stands. Any other
 * agent that comes no nearer to a goal at rest, because obstacles or bounds are in its way on all sides, goes
 * all around, emits `cannot`, and rests; it goes on when the straight line there is free, or the goal moves.
 *
 * Emits `arrive` when the agent passes within the tolerances; then it flies straight on. With an arrival
 * speed of 0 it stops there, turns its nose to the direction, and stays. At the end of its path, wherever
 * that is, and where it is near and slow, it then flies straight to the position. Emits the stage `missed`
 * when it passes outside the tolerances, is a car that has stopped outside them, or has not come to rest long
 * after the end of its path, as an aircraft with a least speed; then it comes back. Emits the stage
 * `unreachable` when a waypoint moves away faster than the agent can follow; then it flies after it.
 *
 * The default departs from the paper in the points that the paper leaves open (section 6), see
 * {@link DirectedSeekMethod}: both circles and three arcs, different radii at both ends, backward motion,
 * true 3D, and a plan instead of reactions, which tolerates a lag of the force.
 */
export class DirectedSeek extends WithOptions<DirectedSeekOptions> implements Behavior {
  static readonly type: string = 'DirectedSeek'
  static readonly options = {
    /** Position to reach, and direction in which to pass it. A moving target is met where it will be. */
    target: { kind: 'waypoint', required: true, check: requireGoal },
    /** See {@link DirectedSeekMethod}. Default `planned`. */
    method: { kind: 'text', oneOf: ['planned', 'stateless', 'jakob'], default: 'planned' },
    /**
     * Least turn radius (m), ≥ 0. Default: the radius m·v² / F that the force across allows, for the speeds
     * at both ends. A radius that is tighter than that at the cruising speed is flown more slowly.
     */
    radius: { kind: 'number', unit: 'm', atLeast: 0, infinite: true },
    /** Speed on the path (m/s), > 0. Default the agent's top speed. */
    speed: { kind: 'number', unit: 'm/s', above: 0, infinite: true },
    /** Speed at the waypoint (m/s), ≥ 0; with 0 the agent stops there. Default the speed on the path. */
    arrivalSpeed: { kind: 'number', unit: 'm/s', atLeast: 0, infinite: true },
    /**
     * Normal of a plane that holds the path, for agents that move on the ground: forces across it are left to
     * others. Default the plane of the agent, if it has one.
     */
    plane: { kind: 'vector', check: requireVector },
    /** Whether the agent may fly astern, also in three-point turns. Only with `planned`. Default false. */
    reverse: { kind: 'boolean', default: false },
    /**
     * How hard to search for the shortest path to a near goal in space: see `dubins3d`. Default `good`: 0.5
     * ms.
     */
    effort: { kind: 'text', oneOf: EFFORTS, default: DEFAULT_EFFORT },
    /**
     * With `jakob`: an agent that is nearer to the waypoint than this (m, ≥ 0), and heads across the steering
     * plane, keeps its heading until it is as far away: its heading might not come into the plane in time
     * (Jakob, section 4). Default 0.
     */
    leastDistance: { kind: 'number', unit: 'm', atLeast: 0, default: 0 },
    /**
     * The agent has arrived when it passes within this distance (m, > 0), default 5 % of the turn radius at
     * the waypoint, …
     */
    tolerance: { kind: 'number', unit: 'm', above: 0, infinite: true },
    /**
     * … and within this angle of the direction (rad, > 0), default 2°. With an arrival speed of 0 it has
     * arrived when it is at rest within that distance, with its nose within that angle; the angle does not
     * count for one that cannot turn its nose at rest: a point mass, or an agent without torque or inertia.
     */
    angleTolerance: {
      kind: 'number',
      unit: 'rad',
      above: 0,
      infinite: true,
      default: DEFAULT_ANGLE_TOLERANCE,
    },
    /**
     * Time (s, ≥ 0.001) that plans may take in one step for all agents that share this behaviour. No clock is
     * read: each search counts as long as it took at most when measured. A search that does not fit into the
     * rest of the time waits for the next step; an agent without a plan flies by the published method
     * meanwhile. `effort` is lowered where the whole time would not suffice. Default 0.004, or as much as the
     * `effort` may take.
     */
    planningTime: { kind: 'number', unit: 's', atLeast: LEAST_BUDGET / MICRO, infinite: true },
  } as const satisfies AnyTable
  private readonly follower = new RouteFollower()
  private readonly noWay = new Barred()
  readonly state: SnapshotState = [this.follower, this.noWay]

  /** The planned path of an agent: live, read only. Null if it has none. */
  planOf(agent: { readonly id: number }): ArcPath | null {
    return this.follower.planOf(agent)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    const { angleTolerance, follower } = this
    normalize(normal, this.plane ?? agent.plane)
    const isPlanar = !isZero(normal)
    if (!readGoal(now, this.target, agent) || (isPlanar && !projectGoal(agent))) return
    vehicleLimitsOf(limits, agent, step, this.radius, this.speed, this.arrivalSpeed)
    limits.plane = isPlanar ? normal : null
    limits.reverse = this.reverse
    if (this.isBarred(agent, step)) {
      drive(agent, step, STILL, out.force)
      clearUnlessFinite(out)
      return
    }
    limits.effort = this.effort
    limits.leastDistance = this.method === 'jakob' ? this.leastDistance : 0
    const most = costOf(this.effort, this.reverse && !isPlanar)
    follower.budget.whole =
      this.planningTime === undefined ? Math.max(DEFAULT_BUDGET, most) : this.planningTime * MICRO
    const tolerance = this.tolerance ?? DEFAULT_TOLERANCE_RADII * turnRadius(limits, limits.final)
    const planned = this.method === 'planned'
    const progress = planned
      ? follower.fly(agent, step, now, limits, tolerance, angleTolerance, out)
      : this.steerWithoutPlan(agent, step, tolerance, out)
    // the plans of this step are used up: the cheapest method meanwhile
    if (progress === 'waiting') steerStateless(agent, step, now, limits, 'jakob', out)
    const rests = progress === 'arrived' || progress === 'beyond' || progress === 'stopping'
    if (limits.final === 0 && rests) this.rest(agent, step, tolerance, out)
    if (isPlanar) reject(out.force, out.force, normal)
    clearUnlessFinite(out)
    if (progress === 'arrived') step.emit(agent, 'arrive', this)
    else if (progress === 'missed') step.emit(agent, 'stage', this, 'missed', missOf(follower.passing))
    else if (progress === 'blocked')
      step.emit(agent, 'cannot', this, '', 'finds no way of its own curves past the obstacles')
    else if (progress === 'unreachable')
      step.emit(agent, 'stage', this, 'unreachable', 'it moves away too fast')
  }

  /** Whether no way past the obstacles leads to a goal at rest, and it was told. */
  private isBarred(agent: Agent, step: Step): boolean {
    const { follower, noWay } = this
    const map = agent.wish?.map ?? null
    if (!isStill(now) || follower.isAtRest(agent)) {
      noWay.forget(agent)
      return false
    }
    if (noWay.holds(agent, step, map, now.position)) return true
    const left = distance(agent.position, now.position)
    return noWay.bars(agent, step, this, map, now.position, left, TURNS * limits.turnTime)
  }

  /** Replaces the force by that which rests at the goal, and turns the nose to its heading there. */
  private rest(agent: Agent, step: Step, tolerance: number, out: Wrench): void {
    const force = set(out.force, 0, 0, 0)
    if (agent.wish !== null) agent.wish.aim = 0
    const away = distance(agent.position, now.position)
    // a vehicle that rolls stays where it stopped
    if (limits.leastRadius > 0 && away < RESTING_TOLERANCES * tolerance)
      drive(agent, step, now.velocity, force)
    else arriveAt(agent, step, now.position, now.velocity, now.acceleration, limits.cruise, force)
    if (!limits.turnsOnSpot || !(away <= tolerance)) return
    const { plane } = agent
    scale(top, plane, dot(plane, agent.attitude.y) < 0 ? -1 : 1)
    noseAttitude(
      attitude,
      agent,
      now.heading,
      isZero(plane) ? 'level' : 'bank',
      step,
      top,
      0,
      undefined,
      true,
    )
    set(out.torque, 0, 0, 0)
    turnTo(agent, attitude, step, out, now.spin)
  }

  /** Steers without a plan. Beyond the goal the agent flies straight on. */
  private steerWithoutPlan(agent: Agent, step: Step, tolerance: number, out: Wrench): RouteProgress {
    const pass = this.follower.passing.update(agent, step, now, limits, tolerance, this.angleTolerance)
    if (limits.final > 0 && (pass === 'beyond' || pass === 'within')) copy(now.position, agent.position)
    steerStateless(agent, step, now, limits, this.method as 'stateless' | 'jakob', out)
    return pass === 'within' ? 'arrived' : pass === 'stopping' || pass === 'beyond' ? pass : 'under way'
  }

  /** Draws the planned path. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const plan = this.planOf(agent)
    if (plan === null) return
    drawCurve(draw, 'plan', LINES, (out, share) => plan.pointAt(out, share * plan.length))
  }
}

/** How the agent missed its goal, in words. */
function missOf({ missAngle, missDistance }: { missAngle: number; missDistance: number }): string {
  const stopped = limits.leastRadius > 0 ? 'stopped' : 'did not come to rest:'
  return `${limits.final > 0 ? 'passed' : stopped} ${missDistance.toPrecision(2)} m beside it, ${((missAngle * 180) / Math.PI).toFixed(1)}° off its heading`
}

/** Projects the goal onto the plane with unit `normal`. @returns false when no heading is left. */
function projectGoal(agent: Agent): boolean {
  moveToLock(now.position, agent.position, goalPlane)
  reject(now.velocity, now.velocity, normal)
  reject(now.acceleration, now.acceleration, normal)
  normalize(now.heading, reject(now.heading, now.heading, normal))
  return !isZero(now.heading)
}
