import type { Agent, Behavior, DebugDraw, SnapshotState, Step, Vec3Like, Wrench } from '../../types.js'
import type { ArcPath } from '../../curves/arc-path.js'
import { requireNumber, requireVector, requireWhole } from '../../math/require.js'
import { addScaled, copy, dot, isZero, normalize, reject, set, sub, vec3 } from '../../math/vec3.js'
import { makeVehicleLimits, vehicleLimitsOf, turnRadius } from './vehicle-limits.js'
import { arriveAt } from '../../control/arrive-at.js'
import { withdraw } from '../../control/finite.js'
import { goal, goalAt, requireGoal, type GoalSource } from './goal.js'
import { RouteFollower, type RouteProgress } from './route-follower.js'
import { steerStateless } from './stateless.js'

/**
 * How the way is found.
 * - `planned`: the shortest way of bounded curvature is planned once, kept to, and planned anew when the goal or the agent is not where it was
 *   thought to be.
 * - `stateless`: in every step the shortest of arc, straight and arc, and its first direction is turned to. In 2D the four words of both
 *   circles at the waypoint.
 * - `jakob`: as published, the yardstick: one circle, total angle, in 3D on the steering plane Ω.
 */
export type DirectedSeekMethod = 'planned' | 'stateless' | 'jakob'

const METHODS: readonly DirectedSeekMethod[] = ['planned', 'stateless', 'jakob']

export interface DirectedSeekOptions {
  /** Where to, and in which direction to pass there. One that moves, or turns, is met where it will be. */
  target: GoalSource
  /** See {@link DirectedSeekMethod}. Default `planned`. */
  method?: DirectedSeekMethod
  /**
   * Least turn radius, m, ≥ 0. Default: what the force across makes of the speeds at both ends, m·v² / F. One that is tighter than that at the
   * cruising speed is flown more slowly.
   */
  radius?: number
  /** Speed on the way, m/s, > 0. Default the agent's top speed. */
  speed?: number
  /** Speed at the waypoint, m/s, ≥ 0; 0 is coming to rest there. Default the speed on the way. */
  arrivalSpeed?: number
  /** Normal of a plane in which the way shall lie, for what moves on a ground: then height is not its business. Default none. */
  plane?: Vec3Like
  /** Whether it may fly astern, in turns of three points too. Only `planned`. Default false. */
  reverse?: boolean
  /** It has arrived when it passes nearer than this, m, > 0, … Default 5 % of the turn radius at the waypoint. */
  tolerance?: number
  /** … and no more than this off the direction, rad, > 0. Default 2°. */
  angleTolerance?: number
  /**
   * Plans made in one step for all agents that share this behaviour, a whole number ≥ 1: each takes from microseconds to, near or to a moving
   * waypoint, milliseconds. Whoever must wait flies as published. Default 16.
   */
  plansPerStep?: number
}

/** Radii off the goal that count as there. */
const TOLERANCE = 0.05

const now = goal()
const terms = makeVehicleLimits()
const normal = vec3()
const here = vec3()
const there = vec3()

/** Points by which `trace` draws a plan. */
const POINTS = 64

/**
 * Reaches a place in a direction, with a turn radius that is no smaller than it may be (Jakob, Directional Extensions of Seek Steering Behavior,
 * 2004): to have a target ahead on arrival, to meet another's heading, to fall in at a slot, to line up with a runway. In true 3D, with the lateral
 * force that the curvature needs; alone, or as a wish within constraints, which may push it off its way.
 *
 * Tells `arrive` when it passes within the tolerances; then it flies straight on, or stays, with an arrival speed of 0. A stage `missed` when it passes
 * outside them: it goes round. `unreachable` when a waypoint moves away faster than it can follow: it flies after it.
 *
 * The default departs from the paper where that says what is open (section 6), see {@link DirectedSeekMethod}: both circles and three arcs, different
 * radii at both ends, backward motion, truly 3D, and a plan instead of reactions, which a lag of the force does not upset.
 */
export class DirectedSeek implements Behavior {
  static readonly type: string = 'DirectedSeek'
  target: GoalSource
  method: DirectedSeekMethod
  radius: number | undefined
  speed: number | undefined
  arrivalSpeed: number | undefined
  plane: Vec3Like | undefined
  reverse: boolean
  tolerance: number | undefined
  angleTolerance: number
  private readonly follower = new RouteFollower()
  readonly state: SnapshotState = [this.follower]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: DirectedSeekOptions) {
    const { target, method = 'planned', radius, speed, arrivalSpeed, plane, reverse = false } = options
    const { tolerance, angleTolerance = Math.PI / 90, plansPerStep = 16 } = options
    if (!METHODS.includes(method))
      throw new RangeError(`DirectedSeek.method: got '${method}', allowed are '${METHODS.join("', '")}'`)
    if (radius !== undefined) requireNumber('DirectedSeek.radius', radius, 0, false)
    if (speed !== undefined) requireNumber('DirectedSeek.speed', speed, 0, true)
    if (arrivalSpeed !== undefined) requireNumber('DirectedSeek.arrivalSpeed', arrivalSpeed, 0, false)
    if (plane !== undefined) requireVector('DirectedSeek.plane', plane)
    if (tolerance !== undefined) requireNumber('DirectedSeek.tolerance', tolerance, 0, true)
    this.target = requireGoal('DirectedSeek.target', target)
    this.method = method
    this.radius = radius
    this.speed = speed
    this.arrivalSpeed = arrivalSpeed
    this.plane = plane
    this.reverse = reverse
    this.tolerance = tolerance
    this.plansPerStep = requireWhole('DirectedSeek.plansPerStep', plansPerStep, 1, Infinity)
    this.angleTolerance = requireNumber('DirectedSeek.angleTolerance', angleTolerance, 0, true)
  }

  get plansPerStep(): number {
    return this.follower.plansPerStep
  }
  set plansPerStep(value: number) {
    this.follower.plansPerStep = value
  }

  /** The way an agent has planned: live, to look at or to draw. Null where it has none. */
  planOf(agent: { readonly id: number }): ArcPath | null {
    return this.follower.planOf(agent)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { angleTolerance, follower } = this
    if (!goalAt(now, this.target, agent) || !this.lieInPlane(agent)) return
    vehicleLimitsOf(terms, agent, step, this.radius, this.speed, this.arrivalSpeed)
    terms.plane = this.plane === undefined ? null : normal
    terms.reverse = this.reverse
    const tolerance = this.tolerance ?? TOLERANCE * turnRadius(terms, terms.final)
    const planned = this.method === 'planned'
    const progress = planned
      ? follower.fly(agent, step, now, terms, tolerance, angleTolerance, out)
      : this.react(agent, step, tolerance, out)
    // others plan in this step: the cheapest way there is
    if (progress === 'waiting') steerStateless(agent, step, now, terms, 'jakob', out)
    const { off } = follower.passing
    const rests = terms.final === 0 && (progress === 'arrived' || progress === 'beyond')
    if (rests)
      arriveAt(
        agent,
        step,
        now.position,
        now.velocity,
        now.acceleration,
        terms.cruise,
        set(out.force, 0, 0, 0),
      )
    if (terms.plane !== null) reject(out.force, out.force, normal)
    withdraw(out)
    if (progress === 'arrived') step.emit(agent, 'arrive', this)
    else if (progress === 'missed')
      step.emit(agent, 'stage', this, 'missed', `passed ${off.toPrecision(2)} m beside it`)
    else if (progress === 'unreachable')
      step.emit(agent, 'stage', this, 'unreachable', 'it moves away too fast')
  }

  /** Brings the goal into the plane of the agent. @returns false where nothing is left of its heading. */
  private lieInPlane(agent: Agent): boolean {
    if (this.plane === undefined) return true
    normalize(normal, this.plane)
    sub(here, agent.position, now.position)
    addScaled(now.position, now.position, normal, dot(here, normal))
    reject(now.velocity, now.velocity, normal)
    reject(now.acceleration, now.acceleration, normal)
    normalize(now.heading, reject(now.heading, now.heading, normal))
    return !isZero(now.heading)
  }

  /** Without a plan. Beyond the goal it flies straight on. */
  private react(agent: Agent, step: Step, tolerance: number, out: Wrench): RouteProgress {
    const pass = this.follower.passing.look(agent, step, now, terms, tolerance, this.angleTolerance)
    if (pass === 'beyond' || pass === 'within') copy(now.position, agent.position)
    steerStateless(agent, step, now, terms, this.method as 'stateless' | 'jakob', out)
    return pass === 'within' ? 'arrived' : 'under way'
  }

  /** Draws the planned way. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const plan = this.planOf(agent)
    if (plan === null) return
    plan.pointAt(here, 0)
    for (let i = 1; i <= POINTS; i++) {
      plan.pointAt(there, (i / POINTS) * plan.length)
      draw.line('plan', here, there)
      copy(here, there)
    }
  }
}
