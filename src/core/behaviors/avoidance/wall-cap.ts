import type { Agent, Step, Vec3, Vec3Like } from '../../types.js'
import type { VelocityConstraints } from '../../solver/constraint.js'
import type { Footing } from '../../solver/footing.js'
import { servoTime } from '../../control/drive.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import type { Shape } from '../../obstacles/shape.js'
import { AXES } from '../../math/directions.js'
import { rotate, unrotate } from '../../math/quat.js'
import {
  addScaled,
  dot,
  isZero,
  length,
  normalize,
  scale,
  set,
  sub,
  truncate,
  vec3,
} from '../../math/vec3.js'
import { brakingRange, capPlane, measureAgility } from './plane-cap.js'
import { gather, type AgentObstacleFilter } from './surroundings.js'

type Cavity = NonNullable<Shape['cavity']>

// The numbers below are chosen by hand unless they say otherwise.

/** Default clearance between the agent's ball and walls, as a share of its radius. */
const DEFAULT_CLEARANCE = 0.02

/** Number of walls along which the agent is followed as it slides: the three of a corner. */
const SLIDES = 3

/** Slides slower than this share of the speed hit nothing in time. */
const SLIDE_SHARE = 1e-6

/** The surface at a hit is measured this share of the radius beyond: of two walls the one ahead counts. */
const NUDGE = 0.02

/** Number of tangent planes of a room between the nearest one and the one across the path. */
const BENDS = 4

/** Number of halvings of the path to the point of closest approach. */
const HALVINGS = 10

const nearestNormal = vec3()
const pathDirection = vec3()
const normal = vec3()
const wallVelocity = vec3()
const point = vec3()
const surfacePoint = vec3()
const bent = vec3()

/** Distance (m) that is kept between an agent's ball and walls: as given, else a share of its radius. */
export function wallClearance({ radius }: Agent, given: number | undefined): number {
  return given ?? DEFAULT_CLEARANCE * radius
}

/**
 * Writes the unit direction in which the agent flies, relative to what moves with `wall` (m/s), when
 * this step has brought its velocity nearer to `wanted`. Returns its relative speed, m/s.
 */
export function nextPath(agent: Agent, step: Step, wall: Vec3Like, wanted: Vec3Like, out: Vec3): number {
  const time = servoTime(agent, step)
  truncate(out, sub(out, wanted, agent.velocity), (agent.maxForce / agent.mass) * time)
  addScaled(out, agent.velocity, out, step.dt / time)
  const speed = length(sub(out, out, wall))
  if (!(speed < Infinity)) return 0
  normalize(out, out)
  return speed
}

/** Limits the speed of an agent towards walls: as demands on its velocity, added to `limits`. */
export class WallCap {
  /** What the present agent stands on. */
  readonly footing: Footing
  private readonly found: Obstacle[] = []
  private agent!: Agent
  private step!: Step
  private limits!: VelocityConstraints
  /** The wall at hand, and the distance (m) that the agent's centre keeps from it. */
  private wall!: Obstacle
  private margin = 0.5

  constructor(footing: Footing) {
    this.footing = footing
  }

  /**
   * Limits the speed towards all walls nearby for which `filter` is not true; adds those at rest as walls.
   * `clearance` (m) is kept between them and the agent's ball, by default 2 % of its radius. What the agent
   * walks on is no wall.
   */
  capAll(
    agent: Agent,
    step: Step,
    walls: Obstacles,
    filter: AgentObstacleFilter | undefined,
    clearance: number | undefined,
    limits: VelocityConstraints,
  ): void {
    const { footing, found } = this
    walls.refreshFor(step)
    const kept = wallClearance(agent, clearance)
    footing.begin(agent, step, walls, agent.radius + kept, filter)
    const speed = Math.max(agent.speed, length(limits.wantedVelocity)) + walls.fastest
    const range = brakingRange(agent, step, speed) + agent.radius + kept
    const count = gather(walls, agent, range, footing.ignores, found)
    for (let i = 0; i < count; i++) {
      const wall = found[i]!
      if (wall.shape.convex === true && footing.isClimbed(wall, agent.position)) continue
      this.cap(agent, step, wall, kept, limits)
      // a moving wall will be elsewhere when an obstacle is passed
      if (isZero(wall.velocity)) limits.addWall(wall, range, agent.radius + kept, footing)
    }
  }

  /**
   * Limits the speed of the agent towards a wall, relative to the velocity of the wall, so that the agent can
   * still brake before its ball, grown by `clearance` (m), touches; see `capPlane`. It adds these tangent
   * planes of the wall:
   * - The plane of the nearest point. Where the path of the agent passes a convex corner there, the plane of
   *   closest approach on the path instead, so that no agent brakes for a wall that is only beside its path.
   * - The planes where the velocity of the agent after this step hits, and where the agent would slide to
   *   from there, so that edges and corners of rooms are met with all their walls.
   * - Of a hollow shape, which lies inside of all its tangent planes: those of all its faces when they are
   *   flat. Otherwise the six across its axes, and some between the nearest wall and the path ahead: along a
   *   curved wall no agent is faster than the curve allows.
   *
   * Source: the walls of Green, Steering Behaviours, "Avoid Walls and Containment", with this limit in place
   * of the published force on a predicted point, whose look-ahead shrinks with the speed.
   */
  cap(agent: Agent, step: Step, wall: Obstacle, clearance: number, limits: VelocityConstraints): void {
    const { position } = agent
    this.agent = agent
    this.step = step
    this.limits = limits
    this.wall = wall
    const margin = (this.margin = agent.radius + clearance)
    measureAgility(agent)
    const { cavity } = wall.shape
    if (cavity !== undefined && this.capFaces(cavity)) return
    const distance = wall.distance(position, nearestNormal)
    wall.velocityAt(wallVelocity, addScaled(surfacePoint, position, nearestNormal, -distance))
    const speed = nextPath(agent, step, wallVelocity, limits.wantedVelocity, pathDirection)
    // at rest, and inside, only the nearest point counts
    if (!(speed > 0 && distance > 0)) return this.capSurface(nearestNormal, distance - margin)
    // a ball that touches is swept as one that is just clear, so that the wall it slides along does not hide
    // others
    const ball = Math.min(margin, 0.999 * distance)
    const range = brakingRange(agent, step, speed)
    const steepness = -dot(pathDirection, nearestNormal)
    const flat = steepness > 1e-9 ? (distance - ball) / steepness : Infinity
    const hit = range > 0 ? wall.sweep(position, pathDirection, ball, range) : Infinity
    if (flat < range && hit > 1.001 * flat) this.capClosest(pathDirection, Math.min(hit, range))
    else this.capSurface(nearestNormal, distance - margin)
    if (cavity !== undefined) this.capAhead(cavity, pathDirection, nearestNormal)
    if (hit < Infinity) this.slideOn(pathDirection, ball, hit, range)
  }

  /**
   * Limits the velocity by the faces of a room, when all are flat, and returns true, since there are no other
   * walls. Otherwise by the tangent planes across its axes.
   */
  private capFaces(cavity: Cavity): boolean {
    const { faceNormals } = cavity
    if (faceNormals === undefined) {
      for (let i = 0; i < 6; i++) this.capAcross(cavity, AXES[i]!)
      return false
    }
    for (let i = 0; i < faceNormals.length; i += 3)
      this.capAcross(cavity, set(bent, faceNormals[i]!, faceNormals[i + 1]!, faceNormals[i + 2]!))
    return true
  }

  /**
   * Limits the velocity by tangent planes of a room between that of the nearest wall (`nearest`) and that
   * across the path (`direction`): a curved wall comes nearer ahead.
   */
  private capAhead(cavity: Cavity, direction: Vec3Like, nearest: Vec3Like): void {
    for (let i = 1; i <= BENDS; i++) {
      const k = i / BENDS
      scale(bent, nearest, k - 1)
      addScaled(bent, bent, direction, k)
      unrotate(bent, this.wall.quaternion, bent)
      if (!isZero(normalize(bent, bent))) this.capAcross(cavity, bent)
    }
  }

  /** Limits the velocity by the tangent plane of a room across a unit direction in the axes of the room. */
  private capAcross(cavity: Cavity, direction: Vec3Like): void {
    const { agent, margin, wall } = this
    const planeDistance = cavity.support(direction)
    rotate(normal, wall.quaternion, direction)
    scale(normal, normal, -1)
    const distance = planeDistance + dot(sub(point, agent.position, wall.position), normal)
    wall.velocityAt(wallVelocity, addScaled(surfacePoint, agent.position, normal, -distance))
    this.capSurface(normal, distance - margin)
  }

  /** `capPlane` for a surface that moves with `wallVelocity`, unless the agent walks on it. */
  private capSurface(outward: Vec3Like, distance: number): void {
    if (!this.footing.isFloor(outward))
      capPlane(this.agent, this.step, outward, distance, wallVelocity, this.limits)
  }

  /**
   * Limits the velocity by the tangent plane at the end of the path, which is `first` (m) long, then at the
   * ends of the slides along the walls that were hit. Overwrites `direction` by the last slide.
   */
  private slideOn(direction: Vec3, ball: number, first: number, range: number): void {
    const { position } = this.agent
    let hit = first
    for (let i = 0; ;) {
      this.capAt(addScaled(point, position, direction, hit + NUDGE * ball))
      if (++i === SLIDES) return
      // on along the wall, starting from the agent: it stands in the same room
      addScaled(direction, direction, normal, -dot(direction, normal))
      if (!(length(direction) > SLIDE_SHARE)) return
      normalize(direction, direction)
      hit = this.wall.sweep(position, direction, ball, range)
      if (hit === Infinity) return
    }
  }

  /**
   * Limits the velocity by the tangent plane at the point of closest approach within `end` (m) of the path,
   * found by halving. For a convex body every plane on the path is as safe, only less parallel to the path.
   */
  private capClosest(direction: Vec3Like, end: number): void {
    const { position } = this.agent
    let low = 0
    let high = end
    for (let i = 0; i < HALVINGS; i++) {
      const middle = (low + high) / 2
      this.wall.distance(addScaled(point, position, direction, middle), normal)
      if (dot(direction, normal) < 0) low = middle
      else high = middle
    }
    this.capAt(addScaled(point, position, direction, low))
  }

  /** Limits the velocity by the tangent plane of the surface nearest to `from`; writes `normal`. */
  private capAt(from: Vec3Like): void {
    const { agent, margin, wall } = this
    const distance = wall.distance(from, normal)
    wall.velocityAt(wallVelocity, addScaled(surfacePoint, from, normal, -distance))
    const clearance = dot(sub(surfacePoint, agent.position, surfacePoint), normal) - margin
    this.capSurface(normal, clearance)
  }
}
