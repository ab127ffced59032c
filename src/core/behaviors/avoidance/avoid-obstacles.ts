import { enclosed } from '#hints'
import type { Agent, SnapshotState, Step, Vec3, Vec3Like, Wrench } from '../../types.js'
import type { Constraint, VelocityConstraints, Scanner } from '../../solver/constraint.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { Arrival, Cone, ObstacleFilter } from '../../obstacles/obstacles.js'
import { sweptBall } from '../../obstacles/sweep.js'
import { servoTime } from '../../control/drive.js'
import { Memory } from '../../control/memory.js'
import { SolverMemory } from '../../solver/velocity-solver.js'
import { brakingSpeed, undampedStop } from '../../control/profile.js'
import { MANY_OBSTACLES } from '../../solver/direction-search.js'
import { exemptsObstacle } from '../../solver/exemption.js'
import { evadeTime } from '../../solver/let-pass.js'
import { type BallHit, meetTurning } from '../../solver/meet-turning.js'
import { Footing } from '../../solver/footing.js'
import {
  addScaled,
  dot,
  isZero,
  length,
  load,
  normalize,
  reject,
  save,
  scale,
  sub,
  vec3,
} from '../../math/vec3.js'
import { capEdges } from './edge-cap.js'
import { WallCap } from './wall-cap.js'
import { BEYOND, Escape } from './escape.js'
import { gather, requireObstacles, type AgentObstacleFilter } from './surroundings.js'
import { WithOptions } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'
import { requireFunction } from '../../math/require.js'

export interface AvoidObstaclesOptions extends Options, OptionsOf<typeof AvoidObstacles.options> {}
export interface AvoidObstacles extends FieldsOf<typeof AvoidObstacles.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** Obstacles beyond this share of the horizon cause no turn. Larger: the agent turns earlier. */
const TURN_SHARE = 0.9

/** The hull is enlarged by this share, for rounding and for the remaining error of the servo. */
const HULL_MARGIN = 0.05

/** Default clearance in radii of the agent. */
const DEFAULT_CLEARANCE = 0.1

/** An overlap deeper than this share of the radius is left before anything else is done. */
const SHALLOW_OVERLAP = 0.5

/** This number of obstacles is looked at first. */
const FIRST_LOOK = 2 * MANY_OBSTACLES

/** A way out is searched anew where the cosine between the way to the goal and the one then is less. */
const SAME_WAY = 0.7

// stored for each agent that is inside of an obstacle: the step, a place (m) beyond the end of its way out,
// the direction to its goal when that was chosen, and the least way (m) to the outside so far
const TICK = 0
const PLACE = 1
const TOWARDS = 4
const LEAST = 7
const WAY_OUT_WIDTH = 8

const ahead = vec3()
const towards = vec3()
const place = vec3()
const turnedPosition = vec3()
const aside = vec3()
const exit = vec3()
const goal = vec3()
const swept = sweptBall()
const ballHit: BallHit = { radius: 0.5, horizon: 0.5, time: 0.5 }
const arrival: Arrival = {
  beyond: 0.5,
  distance: 0.5,
  radius: 0.5,
  time: 0.5,
  velocities: new Float64Array(9),
}
const cone: Cone = { angle: 0.5, extra: 0.5, beyond: 0.5, distance: 0.5, enough: 0.5, isPartial: false }
const normal = vec3()

/**
 * Steers the agent past obstacles of any form and size, at rest, moving or turning, in any direction. All
 * obstacles ahead are projected as discs on the YZ plane of a local frame whose x axis is the wanted
 * direction, and the agent flies towards the free point nearest to that axis (Green, Obstacle Avoidance, in
 * 3D). Departures: - All obstacles count together, not only the closest. - Directions are projected, so
 * that the edge of a disc is tangent to its obstacle. - The answer is a direction to fly, not an
 * acceleration away from a centre. So a centre dead ahead is no   special case; ties go up in the course
 * frame. - The plane depends on the wanted direction, not on the course, so that the answer is known before
 * the   vehicle has turned. - A side once chosen is kept. - The speed is limited so that the agent can
 * still brake or evade. - An agent inside of an obstacle leaves it where the time to the outside plus the
 * time from there to its   goal is least.  Use it as a constraint of `within`, where it limits the
 * velocities that other behaviours want. Alone it returns a force, as in the papers.  A direction that is
 * free for a while may still be a dead end: along a wide wall, or deeper into a pocket. An agent with a
 * goal that has not come nearer to it for a second searches for a route past the obstacles of the set that
 * stand still, however far away they are. It flies from waypoint to waypoint until it sees the goal (see
 * `RouteFinder`). The search takes some milliseconds, once. A goal inside of an obstacle is approached as
 * near as the obstacle allows.
 */
export class AvoidObstacles extends WithOptions<AvoidObstaclesOptions> implements Constraint {
  static readonly type: string = 'AvoidObstacles'
  static readonly options = {
    /**
     * Obstacles to avoid: a set, which may be shared and may change at any time, or a list to make one of.
     */
    obstacles: { kind: 'instance', required: true, check: requireObstacles },
    /**
     * Obstacles for which this returns true are ignored. The agent itself, its formation, and in the corridor
     * of a port the carrier that it docks at are ignored anyway. Default none.
     */
    ignore: { kind: 'function', check: requireFunction<AgentObstacleFilter> },
    /**
     * Look-ahead in time of flight, s, > 0. It is never shorter than the distance that the agent needs to
     * stop and turn. Default 5. Larger values avoid pockets earlier and cost more time.
     */
    // A shorter horizon detects pockets too late, a longer one costs more time.
    horizon: { kind: 'number', unit: 's', above: 0, default: 5 },
    /**
     * Clearance (m) kept from obstacles that are passed, ≥ 0. Default a tenth of the agent's radius. Gaps
     * that are too narrow for it are passed with less.
     */
    clearance: { kind: 'number', unit: 'm', atLeast: 0 },
    /**
     * Deepest drop (m) that an agent on the ground goes down, ≥ 0: at an edge that is deeper it stops as
     * before a wall. Infinity: it sees no edges, as a character that jumps. Default the height of its centre
     * above the ground, at least its `stepHeight`.
     */
    maxDrop: { kind: 'number', unit: 'm', atLeast: 0, infinite: true },
  } as const satisfies AnyTable
  private readonly solverMemory = new SolverMemory()
  /** The ways out of obstacles that contain agents. @internal */
  readonly waysOut: Memory = new Memory(WAY_OUT_WIDTH, [PLACE])
  readonly state: SnapshotState = [this.solverMemory, this.waysOut]

  /** Whether it is used as a plain behaviour at present. @internal */
  get isAlone(): boolean {
    return this.solverMemory.isAlone
  }

  survey(agent: Agent, step: Step, limits: VelocityConstraints): void {
    lookoutOf(this, limits).survey(agent, step, limits)
  }

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    lookoutOf(this, limits).constrain(agent, step, limits)
  }

  /** As a plain behaviour: writes the force that leads the present course past obstacles ahead. */
  steer(agent: Agent, step: Step, out: Wrench): void {
    this.solverMemory.obey(agent, step, this, out.force)
  }
}

/** The lookouts of one set of demands: those in use are the first ones. */
interface Lookouts {
  readonly all: Lookout[]
  inUse: number
  round: number | undefined
}

/** The lookout that works for a behaviour while these demands of one agent are collected. */
function lookoutOf(behavior: AvoidObstacles, limits: VelocityConstraints): Lookout {
  const lookouts = (limits.lookouts ??= { all: [], inUse: 0, round: limits.round }) as Lookouts
  const { all } = lookouts
  if (lookouts.round !== limits.round) {
    lookouts.round = limits.round
    lookouts.inUse = 0
  }
  for (let i = 0; i < lookouts.inUse; i++) if (all[i]!.behavior === behavior) return all[i]!
  const lookout = (all[lookouts.inUse++] ??= new Lookout(behavior))
  lookout.behavior = behavior
  return lookout
}

/**
 * What `AvoidObstacles` needs while it collects the demands of one agent. It remembers nothing, so that all
 * agents use the same few, which stay in the cache of the processor: a behaviour for each of a thousand
 * agents costs no more than one for all.
 */
class Lookout implements Scanner {
  behavior: AvoidObstacles
  private readonly found: Obstacle[] = []
  /**
   * Of the present agent: distance within which every obstacle is added, that within which its way must be
   * clear, search distance, and horizon of the obstacles, m.
   */
  private nearRange = 0
  /** Time (s) in which the largest moving obstacle is let pass. */
  private passingTime = 0.5
  private range = 0
  private farRange = 0
  private horizonDistance = 0
  /** Number of near obstacles that `countAngular` counts. */
  private nearAngular = 0
  /** Radius of the enlarged hull, and clearance to keep, m. */
  private hull = 0
  private passingClearance = 0
  /** See `servoTime`, s. */
  private responseTime = 0
  private currentAgent: Agent | null = null
  private currentLimits: VelocityConstraints | null = null
  private readonly footing = new Footing()
  private readonly wallCap = new WallCap(this.footing)
  private readonly escape = new Escape()
  private readonly currentFilter: ObstacleFilter = (obstacle) => this.isIgnored(obstacle, this.currentAgent!)
  private readonly isIgnored: AgentObstacleFilter = (obstacle, agent) =>
    this.footing.ignores(obstacle, agent) ||
    exemptsObstacle(this.currentLimits, obstacle, this.hull + this.passingClearance)

  constructor(behavior: AvoidObstacles) {
    this.behavior = behavior
  }

  survey(agent: Agent, step: Step, limits: VelocityConstraints): void {
    if (!this.prepare(agent, step, limits)) return
    limits.addToMap(
      this.behavior.obstacles,
      this.hull,
      this.passingClearance,
      this.currentFilter,
      this.footing,
    )
  }

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    if (!this.prepare(agent, step, limits)) return
    // a player is stopped as before walls
    if (limits.isManual === true)
      this.wallCap.capAll(
        agent,
        step,
        this.behavior.obstacles,
        this.behavior.ignore,
        this.hull - agent.radius,
        limits,
      )
    else this.addObstacles(agent, step, limits)
    const { footing } = this
    const { maxDrop } = this.behavior
    // stored on each of two ways, as the clearance
    if (maxDrop === undefined) footing.useUsualDrop()
    else footing.maxDrop = maxDrop
    capEdges(agent, step, footing, limits)
  }

  /** False if there is no obstacle. */
  private prepare(agent: Agent, step: Step, limits: VelocityConstraints): boolean {
    const { clearance, obstacles } = this.behavior
    obstacles.refreshFor(step)
    if (obstacles.size === 0) return false
    this.currentAgent = agent
    this.currentLimits = limits
    this.hull = agent.radius * (1 + HULL_MARGIN)
    // stored on each of two ways: a number that may be undefined is boxed
    if (clearance === undefined) this.passingClearance = DEFAULT_CLEARANCE * agent.radius
    else this.passingClearance = clearance
    this.stand(agent, step)
    return true
  }

  private addObstacles(agent: Agent, step: Step, limits: VelocityConstraints): void {
    const { found } = this
    this.measureRanges(agent, step, limits)
    if (this.footing.isHeavy) limits.stayOn?.(this.footing.ground)
    const count = this.gatherNear(agent, limits)
    this.addFound(limits, count)
    this.nearAngular = countAngular(found, count)
    // what follows writes into the list
    const around = this.overlapped(count, agent)
    // while the path is clear, only obstacles that the agent cannot stop or turn before matter
    if (!this.isClear(agent, limits)) limits.addScanner(this)
    // what stands on the ground meets an obstacle with its feet and its head, too
    else if (!this.footing.isBound) limits.noteClear?.(count)
    if (around === null) return
    enclosed(this.behavior, agent.id, step.time, around.shape.kind)
    this.addExit(agent, step, limits)
  }

  /** Finds what the present agent stands on. */
  private stand(agent: Agent, step: Step): void {
    this.footing.begin(
      agent,
      step,
      this.behavior.obstacles,
      this.hull + this.passingClearance,
      this.behavior.ignore,
    )
  }

  private measureRanges(agent: Agent, step: Step, limits: VelocityConstraints): void {
    const { fastest } = this.behavior.obstacles
    const speed = Math.max(length(limits.wantedVelocity), agent.speed)
    const time = (this.responseTime = servoTime(agent, step))
    const power = agent.maxForce / agent.mass
    const braking = 2 * undampedStop(speed, power, time)
    this.horizonDistance = Math.max(braking, speed * this.behavior.horizon) + agent.radius
    this.range = Math.max(braking, Math.min(TURN_SHARE * this.horizonDistance, limits.goalDistance))
    // moving obstacles may approach fast, whatever the agent does
    this.nearRange =
      Math.max(2 * undampedStop(agent.speed + fastest, power, time), fastest) +
      this.hull +
      this.passingClearance
    this.farRange = this.range + this.hull + this.passingClearance
    const size = this.behavior.obstacles.widest + this.hull + this.passingClearance
    this.passingTime = fastest > 0 ? evadeTime(size, power, agent.maxSpeed, time) : 0
  }

  /**
   * Writes the near obstacles into `found`, and those farther away that come so near within `passingTime`
   * that the agent may have to let them pass. Returns their number.
   */
  private gatherNear(agent: Agent, { goalDistance, wantedVelocity }: VelocityConstraints): number {
    const { found, hull, nearRange, passingClearance, passingTime } = this
    const { obstacles } = this.behavior
    const wanted = length(wantedVelocity)
    const speed = Math.max(agent.speed, wanted)
    const range = (obstacles.fastest + speed) * passingTime + hull + passingClearance
    const near = this.gatherWithin(agent, nearRange)
    // one that soon stops waits for what comes, however fast it steps aside
    const pace = Math.min(wanted, goalDistance / passingTime)
    if (!(pace < obstacles.fastest && range > nearRange && range < Infinity)) return near
    arrival.beyond = nearRange
    arrival.distance = range
    arrival.radius = hull + passingClearance
    save(agent.velocity, arrival.velocities, 0)
    save(wantedVelocity, arrival.velocities, 3)
    arrival.time = passingTime
    const all = obstacles.coming(agent.position, arrival, found, near)
    const { filter } = this
    let kept = near
    for (let i = near; i < all; i++) if (filter?.(found[i]!, agent) !== true) found[kept++] = found[i]!
    return kept
  }

  /** Adds the first `count` obstacles in `found`. A short method, so that V8 inlines the call in it. */
  private addFound(limits: VelocityConstraints, count: number): void {
    const { footing, found, horizonDistance, hull, passingClearance } = this
    for (let i = 0; i < count; i++)
      limits.addObstacle(found[i]!, horizonDistance, hull, passingClearance, footing)
  }

  /** Of the first `count` in `found`, one that the agent overlaps so deeply that it must leave it first. */
  private overlapped(count: number, agent: Agent): Obstacle | null {
    const { footing, found } = this
    const distance = (1 - SHALLOW_OVERLAP) * agent.radius
    for (let i = 0; i < count; i++) {
      const each = found[i]!
      if (each.isNearer(agent.position, distance, normal) && !footing.carries(each)) return each
    }
    return null
  }

  /** Adds the way out of the obstacles that contain the agent. */
  private addExit(agent: Agent, step: Step, limits: VelocityConstraints): void {
    const { footing, found } = this
    const { radius } = agent
    const near = this.gatherWithin(agent, this.range)
    let inRange = 0
    for (let i = 0; i < near; i++) if (!footing.carries(found[i]!)) found[inRange++] = found[i]!
    // without a goal the end of the horizon counts as the goal
    const wanted = length(limits.wantedVelocity)
    const flightTime = wanted > 0 ? Math.min(limits.goalDistance, this.horizonDistance) / wanted : 0
    addScaled(goal, agent.position, limits.wantedVelocity, flightTime)
    const exitDistance = this.chooseExit(agent, step, inRange, limits.isDrawn === true)
    if (!(exitDistance > 0)) return
    // a faster agent would overshoot its goal or hit the next obstacle; an agent without brakes leaves at
    // full speed
    const brake = agent.forceAlong(-exit.x, -exit.y, -exit.z) / agent.mass
    const exitSpeed = brakingSpeed(exitDistance + radius, brake, agent.damping, this.responseTime)
    limits.setExit(exit, brake > 0 ? Math.max(exitSpeed, dot(limits.wantedVelocity, exit)) : Infinity)
  }

  /**
   * Writes the direction of the way out into `exit`, and returns its length (m). A way that was chosen is
   * kept while the agent comes nearer to its end: to choose takes some fifty sweeps.
   */
  private chooseExit(agent: Agent, { tick }: Step, count: number, isDrawn: boolean): number {
    const { escape, found } = this
    const { waysOut } = this.behavior
    const { position, radius } = agent
    const ball = (1 - SHALLOW_OVERLAP) * radius
    const offset = waysOut.at(agent)
    const { data } = waysOut
    normalize(towards, sub(towards, goal, position))
    const age = tick - data[offset + TICK]!
    let way = Infinity
    if (
      data[offset + LEAST]! > 0 &&
      age >= 0 &&
      age <= 1 &&
      dot(towards, load(place, data, offset + TOWARDS)) >= SAME_WAY
    )
      way = escape.follow(agent, found, count, ball, load(place, data, offset + PLACE), exit)
    const isKept = way < data[offset + LEAST]! + SHALLOW_OVERLAP * radius
    if (!isKept) way = escape.direction(agent, found, count, ball, exit, goal)
    if (isDrawn) return way
    data[offset + TICK] = tick
    data[offset + LEAST] = isKept ? Math.min(way, data[offset + LEAST]!) : way < Infinity ? way : 0
    if (!(way > 0 && way < Infinity)) return way
    save(addScaled(place, position, exit, way + BEYOND * radius), data, offset + PLACE)
    if (!isKept) save(towards, data, offset + TOWARDS)
    return way
  }

  /** Adds the obstacles that reach into a cone, except those added before because they are near. */
  scan(agent: Agent, axis: Vec3Like, angle: number, limits: VelocityConstraints): void {
    const { found, nearAngular, nearRange } = this
    const { obstacles } = this.behavior
    const speed = length(limits.wantedVelocity)
    const canAddMany = limits.addMany !== undefined
    let isCrowded = canAddMany && (nearAngular > MANY_OBSTACLES || (angle === 0 && obstacles.fastest === 0))
    let count = 0
    // the first few often show that there are too many
    for (let enough = canAddMany ? FIRST_LOOK : Infinity; !isCrowded; enough = Infinity) {
      count = this.keep(agent, this.gatherAhead(agent, axis, angle, speed, nearRange, enough), false)
      isCrowded = canAddMany && nearAngular + countAngular(found, count) > MANY_OBSTACLES
      if (!cone.isPartial) break
    }
    if (isCrowded) {
      limits.addMany!(
        obstacles,
        this.horizonDistance,
        this.hull,
        this.passingClearance,
        this.currentFilter,
        this.footing,
      )
      // the directions past many obstacles are searched all around: those that move must be known there
      count =
        obstacles.fastest > 0
          ? this.keep(agent, this.gatherAhead(agent, axis, Math.PI, speed, nearRange), true)
          : 0
    }
    this.addFound(limits, count)
  }

  /**
   * Of the first `count` obstacles in `found`, keeps those that are not ignored; with `moving` only those
   * that move. Returns their number.
   */
  private keep(agent: Agent, count: number, moving: boolean): number {
    const { filter, found } = this
    if (filter === undefined && !moving) return count
    let kept = 0
    for (let i = 0; i < count; i++) {
      const each = found[i]!
      if ((moving && !each.moves) || filter?.(each, agent) === true) continue
      found[kept++] = each
    }
    return kept
  }

  /**
   * Whether no obstacle lies within the range along the wanted velocity, seen from here and from the position
   * at which the agent will have turned.
   */
  private isClear(agent: Agent, limits: VelocityConstraints): boolean {
    const { obstacles } = this.behavior
    normalize(ahead, limits.wantedVelocity)
    if (isZero(ahead)) return true
    // as a plain behaviour it reads the present velocity, which other behaviours change: all ahead counts
    if (obstacles.fastest > 0) return !this.behavior.isAlone && this.isClearOfMoving(agent, limits, ahead)
    // one wide ball midway between both
    this.turn(agent)
    reject(aside, sub(aside, turnedPosition, agent.position), ahead)
    swept.radius = this.hull + this.passingClearance + length(aside) / 2
    swept.limit = this.range + agent.speed * this.responseTime
    addScaled(aside, agent.position, aside, 0.5)
    return obstacles.isFree(aside, ahead, swept, this.filter === undefined ? undefined : this.currentFilter)
  }

  /** Writes the position at which the agent will have turned. Apart, so that V8 inlines the call. */
  private turn(agent: Agent): void {
    addScaled(turnedPosition, agent.position, agent.velocity, this.responseTime)
  }

  /** The same with obstacles that move on as they do now. Overwrites `axis`, the wanted direction. */
  private isClearOfMoving(agent: Agent, { wantedVelocity }: VelocityConstraints, axis: Vec3): boolean {
    const { filter, found, range } = this
    const radius = this.hull + this.passingClearance
    const speed = length(wantedVelocity)
    const count = this.gatherAhead(agent, axis, 0, speed, -Infinity)
    this.turn(agent)
    for (let i = 0; i < count; i++) {
      const each = found[i]!
      if (each.turns) {
        if (filter?.(each, agent) === true) continue
        ballHit.radius = radius
        ballHit.horizon = range / speed
        meetTurning(each, agent.position, wantedVelocity, ballHit)
        if (ballHit.time < Infinity) return false
        meetTurning(each, turnedPosition, wantedVelocity, ballHit)
        if (ballHit.time < Infinity) return false
        continue
      }
      const closing = length(sub(axis, wantedVelocity, each.velocity))
      if (!(closing > 0) || filter?.(each, agent) === true) continue
      scale(axis, axis, 1 / closing)
      swept.radius = radius
      swept.limit = (range * closing) / speed
      each.sweepBall(agent.position, axis, swept)
      if (swept.distance < Infinity) return false
      each.sweepBall(turnedPosition, axis, swept)
      if (swept.distance < Infinity) return false
    }
    return true
  }

  /** Finds obstacles that may enter the cone, not nearer than `beyond` (m). Returns how many. */
  private gatherAhead(
    agent: Agent,
    axis: Vec3Like,
    angle: number,
    speed: number,
    beyond: number,
    enough = Infinity,
  ): number {
    const { hull, passingClearance } = this
    const { obstacles } = this.behavior
    // a moving obstacle may enter the cone from outside
    const drift = obstacles.fastest / speed
    cone.angle = drift < 1 ? angle + 2 * Math.asin(drift) : Math.PI
    cone.extra = hull + passingClearance + agent.speed * this.responseTime
    cone.beyond = beyond
    cone.distance = this.farRange
    cone.enough = enough
    return obstacles.ahead(agent.position, axis, cone, this.found)
  }

  /** Filter for ignored obstacles; undefined when none is ignored. */
  private get filter(): AgentObstacleFilter | undefined {
    return this.behavior.ignore === undefined &&
      !this.footing.isBound &&
      this.currentLimits?.exemption === undefined
      ? undefined
      : this.isIgnored
  }

  /** Writes the obstacles nearer than `range` (m) that are not ignored into `found`. Returns their number. */
  private gatherWithin(agent: Agent, range: number): number {
    return gather(this.behavior.obstacles, agent, range, this.filter, this.found)
  }
}

/** Number of obstacles that are no balls. */
function countAngular(obstacles: readonly Obstacle[], count: number): number {
  let angular = 0
  for (let i = 0; i < count; i++) if (obstacles[i]!.ballRadius < 0) angular++
  return angular
}
