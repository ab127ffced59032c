import type { Agent, Exemption, Step, Vec3, Vec3Like, Wish } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { ObstacleFilter, Obstacles } from '../obstacles/obstacles.js'
import { ObstacleMap } from './obstacle-map.js'
import { ObstacleView } from './obstacle-view.js'
import type { Constraint, VelocityConstraints, QueueOrder, Scanner } from './constraint.js'
import { VelocityProgram } from './velocity-program.js'
import { addScaled, copy, distance, length, scale, vec3 } from '../math/vec3.js'

/** A goal that is at another distance than was told, by more than this share, was told by another one. */
const SAME_DISTANCE = 1e-9

const ahead = vec3()

/** What constraints have said of one agent in one step. How it is answered is up to who collects it. */
export abstract class ConstraintSet implements VelocityConstraints {
  /** The velocity that the wish wants, m/s, and that which leads to the same goal by a way that is free. */
  readonly wishVelocity: Vec3 = vec3()
  readonly wantedVelocity: Vec3 = vec3()
  /** Where it would go if no half-space held it, m/s: the answer of those who choose a direction. */
  readonly plannedVelocity: Vec3 = vec3()
  /** Distance (m) beyond which nothing is in the way. */
  goalDistance = Infinity
  /** Where it will stop (m, world axes), if there is such a place. */
  readonly goal: Vec3 = vec3()
  hasGoal = false
  exemption: Exemption | undefined
  queueOrder: QueueOrder | undefined
  /** Whether to get out of here first of all, the unit direction, and how fast at most, m/s. */
  isExiting = false
  readonly exit: Vec3 = vec3()
  exitSpeed = Infinity
  protected readonly program: VelocityProgram = new VelocityProgram()
  protected readonly views: ObstacleView[] = []
  protected viewCount = 0
  protected readonly scanners: Scanner[] = []
  protected readonly scannerOwners: number[] = []
  protected scannerCount = 0
  /** Who wants to get out of here. */
  private exitOwner = 0

  readonly map: ObstacleMap = new ObstacleMap()

  /** Asks all constraints for the obstacles that they know, before the wish is heard. */
  survey(agent: Agent, step: Step, constraints: readonly Constraint[]): void {
    this.map.clear()
    this.exemption = undefined
    this.queueOrder = undefined
    for (let i = 0; i < constraints.length; i++) constraints[i]!.survey?.(agent, step, this)
  }

  addToMap(obstacles: Obstacles, hull: number, clearance: number, ignore?: ObstacleFilter): void {
    this.map.add(obstacles, hull, clearance, ignore)
  }

  abstract addHalfSpace(towards: Vec3Like, least: number, yields?: boolean): void

  abstract addWall(obstacle: Obstacle, horizon: number, hull: number): void

  /** Asks all of them. What each demands goes by his place in the list, see `blame`. */
  constrain(agent: Agent, step: Step, constraints: readonly Constraint[]): void {
    for (let i = 0; i < constraints.length; i++) {
      this.program.owner = i
      constraints[i]!.constrain(agent, step, this)
    }
  }

  setExit(direction: Vec3Like, maxSpeed = Infinity): void {
    if (this.isExiting) return
    this.isExiting = true
    this.exitOwner = this.program.owner
    copy(this.exit, direction)
    this.exitSpeed = maxSpeed
  }

  addObstacle(obstacle: Obstacle, horizon: number, hull: number, clearance: number): void {
    const { views, viewCount: count } = this
    if (count === views.length) views.push(new ObstacleView(obstacle))
    views[count]!.set(obstacle, horizon, hull, clearance)
    views[count]!.owner = this.program.owner
    this.viewCount++
  }

  addScanner(scanner: Scanner): void {
    this.scannerOwners[this.scannerCount] = this.program.owner
    this.scanners[this.scannerCount++] = scanner
  }

  /** Lets all who look around tell of the bars within `angle` (rad) of the unit `axis`. */
  protected scan(agent: Agent, axis: Vec3Like, angle: number): void {
    for (let i = 0; i < this.scannerCount; i++) {
      this.program.owner = this.scannerOwners[i]!
      this.scanners[i]!.scan(agent, axis, angle, this)
    }
  }

  /**
   * Who is to blame that `wanted` became `solved` (m/s): adds the change that each asker made, `[3 × askers]`, by the direction and pace that
   * were planned first, and by the half-spaces then. To be called after the answer.
   */
  attributeChange(changes: Float64Array, wanted: Vec3Like, solved: Vec3Like): void {
    const { plannedVelocity: planned } = this
    const offset = 3 * (this.isExiting ? this.exitOwner : this.blockingOwner())
    changes[offset]! += planned.x - wanted.x
    changes[offset + 1]! += planned.y - wanted.y
    changes[offset + 2]! += planned.z - wanted.z
    this.program.attributeChange(changes, planned, solved)
  }

  /** By how much (m/s) each asker's demands are violated by the velocity `solved`: raises `lacks`, `[askers]`. To be called after the answer. */
  addViolations(violations: Float64Array, solved: Vec3Like): void {
    this.program.addViolations(violations, solved)
  }

  /** Whose bar the wanted velocity would hit first; else whose is nearest. */
  private blockingOwner(): number {
    const speed = length(this.wantedVelocity)
    let owner = 0
    let first = Infinity
    let nearest = Infinity
    scale(ahead, this.wantedVelocity, speed > 0 ? 1 / speed : 0)
    for (let i = 0; i < this.viewCount; i++) {
      const view = this.views[i]!
      const outlineDistance = speed > 0 ? view.distanceToOutline(ahead.x, ahead.y, ahead.z, speed) : Infinity
      if (!(outlineDistance < first || (first === Infinity && view.clearance < nearest))) continue
      first = outlineDistance
      nearest = view.clearance
      owner = view.owner
    }
    return owner
  }

  /** Nothing has been said yet of the velocity `wanted`, of which that was heard. */
  protected reset({ position }: Agent, wanted: Vec3Like, wish: Readonly<Wish> | null): void {
    const off = wish?.goalDistance ?? Infinity
    copy(this.wishVelocity, wanted)
    copy(this.wantedVelocity, wanted)
    this.goalDistance = wish === null ? Infinity : Math.min(off, wish.straightDistance)
    this.exemption = wish?.exemption
    this.hasGoal = off < Infinity
    if (wish !== null && this.hasGoal) {
      const isPlaced =
        wish.hasGoalPoint && Math.abs(distance(wish.goal, position) - off) <= SAME_DISTANCE * off
      const speed = isPlaced ? 0 : length(wanted)
      if (isPlaced) copy(this.goal, wish.goal)
      else addScaled(this.goal, position, wanted, speed > 0 ? off / speed : 0)
    }
    this.viewCount = this.scannerCount = 0
    this.isExiting = false
    this.program.clear()
  }
}
