import type { Agent, Exemption, Step, Vec3, Vec3Like, Wish } from '../types.js'
import { isLocked, moveToLock, movablePart } from '../control/lock.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { ObstacleFilter, Obstacles } from '../obstacles/obstacles.js'
import { ObstacleLayers } from '../obstacles/obstacle-layers.js'
import { ObstacleMap } from '../obstacles/obstacle-map.js'
import { RouteMap } from './route-finder.js'
import { type Flight, ObstacleView } from './obstacle-view.js'
import type { Footing } from './footing.js'
import type { Constraint, VelocityConstraints, QueueOrder, Scanner } from './constraint.js'
import { VelocityProgram } from './velocity-program.js'
import { makeWish } from '../control/wish.js'
import { addScaled, copy, distance, length, normalize, vec3 } from '../math/vec3.js'

/**
 * A goal point whose distance differs from the reported goal distance by more than this share belongs to
 * another goal.
 */
const SAME_DISTANCE = 1e-9

const NO_WISH: Readonly<Wish> = makeWish()

/** Collects the demands of all constraints on one agent in one step. Subclasses decide how to meet them. */
export abstract class ConstraintSet implements VelocityConstraints {
  /** The velocity of the wish (m/s), and the velocity that leads to the same goal along a free path (m/s). */
  readonly wishVelocity: Vec3 = vec3()
  readonly wantedVelocity: Vec3 = vec3()
  /** The velocity (m/s) planned before half-spaces limit it: the result of choosing a direction. */
  readonly plannedVelocity: Vec3 = vec3()
  /** Distance (m) beyond which obstacles are ignored. */
  goalDistance = Infinity
  /** The point where the agent will stop (m, world axes), if there is one. */
  readonly goal: Vec3 = vec3()
  hasGoal = false
  /** Whether the goal is at rest, and the agent stays there. */
  protected rests = false
  /** Whether the wish names the goal as a point. */
  protected hasGoalPoint = false
  /** `aim` of the wish, see `Wish`. */
  pathAim = 0
  /** Whether the wish is the input of a player, see `Wish`. */
  isManual = false
  /** Share of its clearance from other agents that it gives up, since it was held up for long. */
  pressure = 0
  exemption: Exemption | undefined
  queueOrder: QueueOrder | undefined
  lookouts?: object
  round = 0
  isDrawn = false
  /**
   * Whether the agent must leave its position before anything else, the unit direction, and its greatest
   * speed (m/s).
   */
  isExiting = false
  /** Whether the ground ends ahead of the agent. */
  protected isAtEdge = false
  readonly exit: Vec3 = vec3()
  exitSpeed = Infinity
  /** Response time (s) of the agent. */
  time = 0.5
  /** Free distance (m) along the chosen direction, including walls. */
  clearDistance = 0.5
  /** The plane or axis of the agent, see `Agent`. */
  protected readonly lock: { readonly axis: Vec3; readonly plane: Vec3 } = { axis: vec3(), plane: vec3() }
  readonly program: VelocityProgram = new VelocityProgram()
  readonly views: ObstacleView[] = []
  viewCount = 0
  /** Number of views of which it is not known that the wanted direction is free of them. */
  protected unclear = 0
  /** Argument of methods of a view. */
  readonly flight: Flight = { speed: 0.5, lag: 0.5 }
  /** The obstacles that are too many to look at one by one. */
  protected readonly many = new ObstacleLayers<Footing>((obstacle) => {
    for (let i = 0; i < this.viewCount; i++) if (this.views[i]!.obstacle === obstacle) return true
    return false
  })
  protected readonly scanners: Scanner[] = []
  protected readonly scannerOwners: number[] = []
  protected scannerCount = 0
  /** Index of the constraint that demands the exit. */
  exitOwner = 0

  readonly map: RouteMap = new RouteMap()
  /** The bounds that contain the agent. No routes are planned around them. */
  readonly bounds: ObstacleMap = new ObstacleMap()

  /** Asks all constraints for the obstacles that they know, before the wish is collected. */
  survey(agent: Agent, step: Step, constraints: readonly Constraint[]): void {
    this.round++
    this.map.isTight = this.many.isTight = false
    this.map.clear()
    this.bounds.clear()
    this.exemption = undefined
    this.queueOrder = undefined
    for (let i = 0; i < constraints.length; i++) constraints[i]!.survey?.(agent, step, this)
  }

  addToMap(
    obstacles: Obstacles,
    hull: number,
    clearance: number,
    ignore?: ObstacleFilter,
    footing?: Footing,
  ): void {
    this.map.add(obstacles, hull, clearance, ignore, footing)
  }

  addBounds(bounds: Obstacles, hull: number, footing?: Footing): void {
    this.bounds.add(bounds, hull, 0, undefined, footing)
  }

  abstract addHalfSpace(towards: Vec3Like, least: number, yields?: boolean): void

  abstract addWall(obstacle: Obstacle, horizon: number, hull: number, footing?: Footing): void

  /**
   * Collects the demands of all constraints. Each demand is stored with the index of its constraint, for
   * explanations.
   */
  constrain(agent: Agent, step: Step, constraints: readonly Constraint[]): void {
    for (let i = 0; i < constraints.length; i++) {
      this.program.owner = i
      constraints[i]!.constrain(agent, step, this)
    }
  }

  noteEdge(): void {
    this.isAtEdge = true
  }

  stayOn(ground: Vec3Like): void {
    const { lock, wantedVelocity, wishVelocity } = this
    copy(lock.plane, ground)
    movablePart(wishVelocity, wishVelocity, lock)
    movablePart(wantedVelocity, wantedVelocity, lock)
  }

  setExit(direction: Vec3Like, maxSpeed = Infinity): void {
    if (this.isExiting || this.isManual) return
    this.isExiting = true
    this.exitOwner = this.program.owner
    copy(this.exit, direction)
    if (isLocked(this.lock)) normalize(this.exit, movablePart(this.exit, direction, this.lock))
    this.exitSpeed = maxSpeed
  }

  addObstacle(obstacle: Obstacle, horizon: number, hull: number, clearance: number, footing?: Footing): void {
    const { views, viewCount: count } = this
    if (count === views.length) views.push(new ObstacleView(obstacle))
    views[count]!.set(obstacle, horizon, hull, this.map.isTight ? 0 : clearance, footing)
    views[count]!.owner = this.program.owner
    this.viewCount++
    this.unclear++
  }

  noteClear(count: number): void {
    this.unclear -= count
  }

  addMany(
    obstacles: Obstacles,
    horizon: number,
    hull: number,
    clearance: number,
    ignore?: ObstacleFilter,
    footing?: Footing,
  ): void {
    this.many.add(obstacles, hull, clearance, ignore, footing, horizon, this.program.owner)
  }

  addScanner(scanner: Scanner): void {
    this.scannerOwners[this.scannerCount] = this.program.owner
    this.scanners[this.scannerCount++] = scanner
  }

  /** Asks all scanners for obstacles within `angle` (rad) of the unit `axis`. */
  protected scan(agent: Agent, axis: Vec3Like, angle: number): void {
    this.many.clear()
    for (let i = 0; i < this.scannerCount; i++) {
      this.program.owner = this.scannerOwners[i]!
      this.scanners[i]!.scan(agent, axis, angle, this)
    }
  }

  /** Starts with the wanted velocity `wanted` (m/s) and the wish that it comes from, without any demands. */
  protected reset(agent: Agent, wanted: Vec3Like, wish: Readonly<Wish> | null): void {
    const { position } = agent
    const { lock } = this
    const { aim, exemption, goalDistance, rests, straightDistance } = wish ?? NO_WISH
    copy(lock.axis, agent.axis)
    copy(lock.plane, agent.plane)
    if (isLocked(lock)) movablePart(this.wishVelocity, wanted, lock)
    else copy(this.wishVelocity, wanted)
    copy(this.wantedVelocity, this.wishVelocity)
    this.goalDistance = Math.min(goalDistance, straightDistance)
    this.exemption = exemption
    this.pathAim = aim
    this.hasGoal = goalDistance < Infinity
    this.rests = rests
    this.hasGoalPoint =
      wish?.hasGoalPoint === true &&
      this.hasGoal &&
      Math.abs(distance(wish.goal, position) - goalDistance) <= SAME_DISTANCE * goalDistance
    if (wish !== null && this.hasGoal) {
      const speed = this.hasGoalPoint ? 0 : length(wanted)
      if (this.hasGoalPoint) copy(this.goal, wish.goal)
      else addScaled(this.goal, position, wanted, speed > 0 ? goalDistance / speed : 0)
      moveToLock(this.goal, position, lock)
    }
    this.viewCount = this.scannerCount = this.unclear = 0
    this.many.clear()
    this.isExiting = this.isAtEdge = false
    this.pressure = 0
    this.program.clear()
  }
}
