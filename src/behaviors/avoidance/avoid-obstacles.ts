import type { Agent, SnapshotState, Step, Vec3, Vec3Like, Wrench } from '../../types.js'
import type { Constraint, VelocityConstraints, Scanner } from '../../solver/constraint.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { ObstacleFilter, Obstacles } from '../../obstacles/obstacles.js'
import { servoTime } from '../../control/drive.js'
import { VelocitySolver } from '../../solver/velocity-solver.js'
import { brakingSpeed, stoppingDistance } from '../../control/profile.js'
import { exemptsObstacle } from '../../solver/exemption.js'
import { requireFinite } from '../../math/require.js'
import { addScaled, dot, isZero, length, normalize, set, vec3 } from '../../math/vec3.js'
import { demandForce } from './demand.js'
import { escapeDirection } from './escape.js'
import { gather, requireObstacles, type ObstacleSource, type Spared } from './surroundings.js'
import { DEFAULT_BRAKING_WEIGHT, textbookAvoidance } from './textbook.js'

export interface AvoidObstaclesOptions {
  /** What to avoid: a set, which may be shared and may change at any time, or a list to make one of. */
  obstacles: ObstacleSource
  /** Obstacles for which this returns true are not seen: the dock it flies to, its carrier, its own formation. Default none. */
  ignore?: Spared
  /**
   * `silhouette` (default): the free direction nearest to the wanted one, past all obstacles at once. `textbook`: the closest threat
   * in a cylinder ahead, as published, with its weaknesses; the yardstick.
   */
  method?: 'silhouette' | 'textbook'
  /** Looks so many seconds of flight ahead, never less far than it needs to stop and turn, s, > 0. Default 5. */
  horizon?: number
  /** Clearance (m) at which it passes, ≥ 0. Default a tenth of the agent's radius. Narrower gaps are flown through with less. */
  clearance?: number
  /** Textbook only: share of `maxForce` that brakes for a threat one cylinder away, ≥ 0. Default 2. */
  brakingWeight?: number
}

/** Shorter sees a pocket too late, longer costs more. */
const DEFAULT_HORIZON = 5

/** What is farther than this share of the horizon is worth no turn. */
const NEAR = 0.9

/** The hull is taken as larger by this share of the radius: room for rounding and for the last moments of a servo. */
const SKIN = 0.05

const DEFAULT_CLEARANCE = 0.1

/** Overlaps deeper than this share of the radius are left before anything else is done. */
const SHALLOW = 0.5

const force = vec3()
const ahead = vec3()
const soon = vec3()
const exit = vec3()
const aim = vec3()
const normal = vec3()
const first: { distance: number; obstacle: Obstacle | null } = { distance: 0, obstacle: null }

/**
 * Flies past obstacles of any form and size, at rest or moving, in any direction: all that is in the way is projected as discs on the
 * YZ plane of a local frame whose x axis is the wanted direction, and the free point nearest to the axis is flown to (Green, Obstacle
 * Avoidance, in 3D). Departures: all obstacles count at once, not the closest; directions are projected, so that the edge of a disc is
 * the tangent to what it shows; the answer is a direction to fly, not a push away from a centre, so dead centre is no special case, and
 * ties go up in the course frame; the plane hangs on the wanted direction, not on the course, so that the answer is known before the
 * vehicle has turned; a side once chosen is kept; speed is capped by what can still be braked or evaded, and what contains the
 * agent is left where the time to the outside and the time from there to where it wants to go are least together.
 *
 * Within `within` it limits what others want, and that is how it should be used. Alone it returns a force, as the papers have it.
 *
 * A direction that is free for a while may still lead nowhere: along a wide wall, or deeper into a pocket. An agent that has a goal and does not come
 * nearer to it for a second searches a route past the obstacles of the set that stand still, however far they are, and flies to one waypoint
 * after the other until it sees the goal (see `RouteFinder`). The search takes some milliseconds, once. A goal inside of an obstacle is flown to
 * as near as the obstacle allows.
 */
export class AvoidObstacles implements Constraint, Scanner {
  static readonly type: string = 'AvoidObstacles'
  obstacles: Obstacles
  ignore: Spared | undefined
  method: 'silhouette' | 'textbook'
  horizon: number
  clearance: number | undefined
  brakingWeight: number
  private readonly found: Obstacle[] = []
  private readonly limits = new VelocitySolver()
  readonly state: SnapshotState = [this.limits]
  /** Ranges of the present agent, m: barred in any case, at all, and the horizon of its bars. */
  private near = 0
  private far = 0
  private barred = 0
  /** Its radius with the skin, the clearance, and the way it flies until it has turned, m. */
  private hull = 0
  private room = 0
  private lag = 0
  private asking: Agent | null = null
  private asked: VelocityConstraints | null = null
  private readonly ignored: ObstacleFilter = (obstacle) => this.isSpared(obstacle, this.asking!)
  private readonly isSpared: Spared = (obstacle, agent) =>
    this.ignore?.(obstacle, agent) === true || exemptsObstacle(this.asked, obstacle, this.hull + this.room)

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: AvoidObstaclesOptions) {
    const { obstacles, ignore, method = 'silhouette', horizon = DEFAULT_HORIZON } = options
    const { clearance, brakingWeight = DEFAULT_BRAKING_WEIGHT } = options
    if (ignore !== undefined && typeof ignore !== 'function')
      throw new TypeError(`AvoidObstacles.ignore: got ${String(ignore)}, must be a function`)
    if (method !== 'silhouette' && method !== 'textbook')
      throw new RangeError(`AvoidObstacles.method: got ${String(method)}, must be 'silhouette' or 'textbook'`)
    this.obstacles = requireObstacles('AvoidObstacles.obstacles', obstacles)
    this.ignore = ignore
    this.method = method
    this.horizon = requireFinite('AvoidObstacles.horizon', horizon, 0, true)
    this.clearance =
      clearance === undefined ? undefined : requireFinite('AvoidObstacles.clearance', clearance, 0, false)
    this.brakingWeight = requireFinite('AvoidObstacles.brakingWeight', brakingWeight, 0, false)
  }

  survey(agent: Agent, step: Step, limits: VelocityConstraints): void {
    this.look(agent, step, limits)
    if (this.method === 'silhouette') limits.addToMap(this.obstacles, this.hull, this.room, this.ignored)
  }

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    this.look(agent, step, limits)
    if (this.method === 'textbook') this.demand(agent, step, limits)
    else this.bar(agent, step, limits)
  }

  private look(agent: Agent, step: Step, limits: VelocityConstraints): void {
    this.obstacles.refreshFor(step)
    this.asking = agent
    this.asked = limits
    this.hull = agent.radius * (1 + SKIN)
    this.room = this.clearance ?? DEFAULT_CLEARANCE * agent.radius
  }

  /** As a plain behaviour: the force that leads the present course past what is in its way. */
  steer(agent: Agent, step: Step, out: Wrench): void {
    if (this.method === 'textbook') {
      this.obstacles.refreshFor(step)
      this.asking = agent
      this.asked = null
      this.textbook(agent, step, out.force)
    } else this.limits.obey(agent, step, this, out.force)
  }

  /** Tells `limits` of all that may matter. */
  private bar(agent: Agent, step: Step, limits: VelocityConstraints): void {
    const { found, obstacles } = this
    const { fastest } = obstacles
    const { radius } = agent
    const wanted = length(limits.wantedVelocity)
    const { hull, room } = this
    const braking = 2 * stopping(agent, Math.max(wanted, agent.speed), step)
    const horizon = (this.barred = Math.max(braking, Math.max(wanted, agent.speed) * this.horizon) + radius)
    const range = Math.max(braking, Math.min(NEAR * horizon, limits.goalDistance))
    // what comes may be fast, whatever the agent does
    this.near = Math.max(2 * stopping(agent, agent.speed + fastest, step), fastest) + hull + room
    this.far = range + hull + room
    this.lag = agent.speed * servoTime(agent, step)
    const count = this.find(agent, this.near)
    for (let i = 0; i < count; i++) limits.addObstacle(found[i]!, horizon, hull, room)
    // where nothing is in the way, only what can still be run into matters
    if (fastest > 0 || !this.isClear(agent, step, limits, hull + room, range)) limits.addScanner(this)
    if (count === 0 || this.find(agent, (1 - SHALLOW) * radius) === 0) return
    const all = this.find(agent, range)
    // without a goal it is at the end of what is looked at
    const off = wanted > 0 ? Math.min(limits.goalDistance, horizon) / wanted : 0
    addScaled(aim, agent.position, limits.wantedVelocity, off)
    const way = escapeDirection(agent, found, all, (1 - SHALLOW) * radius, exit, aim)
    if (!(way > 0)) return
    // a faster agent would overshoot its goal or hit the next obstacle; an agent without brakes leaves at full speed
    const brake = agent.forceAlong(-exit.x, -exit.y, -exit.z) / agent.mass
    const pace = brakingSpeed(way + radius, brake, agent.damping, servoTime(agent, step))
    limits.setExit(exit, brake > 0 ? Math.max(pace, dot(limits.wantedVelocity, exit)) : Infinity)
  }

  /** Bars what reaches into a cone, but for what is barred already because it is near. */
  scan(agent: Agent, axis: Vec3Like, angle: number, limits: VelocityConstraints): void {
    const { found, hull, near, obstacles, room, spared } = this
    // what drifts may come from aside
    const drift = obstacles.fastest / length(limits.wantedVelocity)
    const wide = drift < 1 ? angle + 2 * Math.asin(drift) : Math.PI
    const count = obstacles.ahead(agent.position, axis, wide, hull + room + this.lag, this.far, found)
    for (let i = 0; i < count; i++) {
      const each = found[i]!
      if (each.distance(agent.position, normal) < near || spared?.(each, agent) === true) continue
      limits.addObstacle(each, this.barred, hull, room)
    }
  }

  /** Whether nothing stands within `range` (m) along the wanted velocity, from here and from where the agent will be when it has turned. */
  private isClear(
    agent: Agent,
    step: Step,
    limits: VelocityConstraints,
    radius: number,
    range: number,
  ): boolean {
    const { obstacles } = this
    normalize(ahead, limits.wantedVelocity)
    if (isZero(ahead)) return true
    const ignored = this.spared === undefined ? undefined : this.ignored
    obstacles.sweepInto(agent.position, ahead, radius, range, ignored, first)
    if (first.obstacle !== null) return false
    addScaled(soon, agent.position, agent.velocity, servoTime(agent, step))
    obstacles.sweepInto(soon, ahead, radius, range, ignored, first)
    return first.obstacle === null
  }

  /** Who is not seen; undefined where all are. */
  private get spared(): Spared | undefined {
    return this.ignore === undefined && this.asked?.exemption?.obstacles !== true ? undefined : this.isSpared
  }

  /** Finds what is nearer than `range` (m) and not spared. */
  private find(agent: Agent, range: number): number {
    return gather(this.obstacles, agent, range, this.spared, this.found)
  }

  private textbook(agent: Agent, step: Step, out: Vec3): boolean {
    const count = this.find(agent, 2 * stopping(agent, agent.speed, step) + 2 * agent.radius)
    return textbookAvoidance(agent, step, this.found, count, out, this.brakingWeight)
  }

  /** The textbook as a constraint: at least as much of its own way as it asks for. */
  private demand(agent: Agent, step: Step, limits: VelocityConstraints): void {
    set(force, 0, 0, 0)
    if (this.textbook(agent, step, force)) demandForce(agent, step, force, limits)
  }
}

/** Distance (m) in which the agent can stop, reaction included. */
function stopping(agent: Agent, speed: number, step: Step): number {
  return stoppingDistance(speed, agent.maxForce / agent.mass, 0, servoTime(agent, step))
}
