import type { Step, Vec3, Vec3Like } from '../types.js'
import { isLocked, moveToLock, movablePart } from '../control/lock.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import { requireObstacleSet } from '../obstacles/obstacle-set.js'
import type { Obstacles } from '../obstacles/obstacles.js'
import { lookAs, type Owned, type Viewer } from '../math/own.js'
import { sweptBall } from '../obstacles/sweep.js'
import { show, typeName } from '../math/show.js'
import {
  addScaled,
  copy,
  dot,
  isFiniteVec,
  length,
  lengthSq,
  load,
  save,
  scale,
  set,
  vec3,
} from '../math/vec3.js'
import type { Agents } from './agents.js'
import type { ReportFault } from './faults.js'

/** Number of walls that one step may slide along: the three walls of a corner. */
const MAX_SLIDES = 3

/**
 * A stopped centre is kept off the surface by this share of the size of its coordinates, so that rounding
 * neither adds up nor hides the next wall.
 */
const SURFACE_GAP = 1e-8

/**
 * A wall whose normal has less than this share, squared, in the plane of an agent or along its axis does not
 * stop it.
 */
const LEAST_SHARE = 1e-12

const movable = vec3()
const lock = { axis: vec3(), plane: vec3() }
const center = vec3()
const displacement = vec3()
const direction = vec3()
const normal = vec3()
const velocity = vec3()
const obstacleVelocity = vec3()
const overlapping: Obstacle[] = []

const hit = sweptBall<Obstacle>(0)

/**
 * Solids that the centre of an agent without a body never enters, see `WorldOptions.guard`: the
 * non-penetration constraint of Green's integrator (Steering Behaviours, "Separation": "the centre point of a
 * vehicle must never cross a wall boundary"). A step ends where the centre would enter a solid, and continues
 * along the surface; the velocity loses its component into the surface. Departure: Green drops the whole step
 * ("just don't update their position"), so agents stick to walls. A moving wall pushes the agent out. An
 * agent that is inside already may leave, but not go deeper; it is not moved. Bodies have the contacts of
 * their engine.
 */
export class Guard implements Viewer {
  /** The set of solids. It may be changed at any time. */
  readonly obstacles: Obstacles
  /** Obstacles that are left out, because they throw or give values that are not finite. */
  private readonly broken = new Set<Obstacle>()
  /** Whether a step has failed: then only sweeps are used, which can leave obstacles out. */
  private damaged = false
  /** The agent that is held at present. */
  private readonly held = { agents: null as Agents | null, row: 0 }
  private readonly isBroken = (obstacle: Obstacle): boolean => this.broken.has(obstacle)

  /** @throws TypeError for a value that is not a set of obstacles. */
  constructor(obstacles: Obstacles) {
    this.obstacles = requireObstacleSet('Guard.obstacles', obstacles)
  }

  /** Before the agents of a step move. @internal */
  begin(step: Step, report: ReportFault): void {
    try {
      this.obstacles.refreshFor(step)
    } catch (error) {
      report(-1, 'guard', 'threw', `refresh threw ${show(error)}`)
    }
  }

  /** Corrects the step that the agent in `row` has just made from `from`. @internal */
  hold(agents: Agents, row: number, from: Vec3Like, step: Step, report: ReportFault): void {
    if (this.tryToHold(agents, row, from, step)) return
    this.damaged = true
    this.dropBroken(from, report)
    // again, without the broken obstacles; when that fails as well, the step stays as it was made
    if (!this.tryToHold(agents, row, from, step))
      report(-1, 'guard', 'threw', 'fails, also without its broken obstacles')
  }

  /** Whether an obstacle belongs to the agent that is held. @internal */
  owns(_obstacle: Owned, keeper: object | null): boolean {
    return this.held.agents!.isKeeper(this.held.row, keeper)
  }

  /** False, and nothing is changed, when an obstacle throws or gives values that are not finite. */
  private tryToHold(agents: Agents, row: number, from: Vec3Like, step: Step): boolean {
    this.held.agents = agents
    this.held.row = row
    const before = lookAs(this)
    try {
      this.slide(agents, row, from, step)
    } catch {
      return false
    } finally {
      lookAs(before)
    }
    if (!isFiniteVec(center) || !isFiniteVec(velocity)) return false
    const offset = 3 * row
    save(moveToLock(center, from, lock), agents.position, offset)
    save(movablePart(velocity, velocity, lock), agents.velocity, offset)
    return true
  }

  /** Finds the obstacles that fail at `from`, reports them, and leaves them out from then on. */
  private dropBroken(from: Vec3Like, report: ReportFault): void {
    for (const obstacle of this.obstacles) {
      if (this.isBroken(obstacle)) continue
      try {
        const distance = obstacle.distance(from, normal)
        hit.limit = 1
        this.obstacles.sweepBall(from, { x: 1, y: 0, z: 0 }, hit, (each) => each !== obstacle)
        if (!Number.isNaN(distance + hit.distance) && isFiniteVec(normal)) continue
        report(
          -1,
          typeName(obstacle.shape),
          'not finite',
          'in the guard: gave a distance that is not a number; left out',
        )
      } catch (error) {
        report(-1, typeName(obstacle.shape), 'threw', `in the guard: threw ${show(error)}; left out`)
      }
      this.broken.add(obstacle)
    }
  }

  /** Writes the end of the step into `center`, and the velocity there into `velocity`. */
  private slide(agents: Agents, row: number, from: Vec3Like, step: Step): void {
    const { obstacles } = this
    const { position } = agents
    const offset = 3 * row
    load(lock.axis, agents.axis, offset)
    load(lock.plane, agents.plane, offset)
    copy(center, from)
    set(
      displacement,
      position[offset]! - center.x,
      position[offset + 1]! - center.y,
      position[offset + 2]! - center.z,
    )
    load(velocity, agents.velocity, offset)
    // `near` would call the broken obstacles as well
    if (obstacles.fastest > 0 && !this.damaged) this.escapeMoving(step)
    for (let i = 0; i <= MAX_SLIDES; i++) {
      const remaining = length(displacement)
      if (!(remaining > 0)) break
      scale(direction, displacement, 1 / remaining)
      hit.limit = remaining
      obstacles.sweepBall(center, direction, hit, this.isBroken)
      const { obstacle } = hit
      if (obstacle === null) {
        addScaled(center, center, displacement, 1)
        break
      }
      addScaled(center, center, direction, hit.distance)
      obstacle.distance(center, normal)
      addScaled(center, center, normal, SURFACE_GAP * magnitude(center))
      // where the last wall leads into yet another one, the step ends
      if (i === MAX_SLIDES) break
      addScaled(displacement, displacement, direction, -hit.distance)
      raiseComponent(displacement, normal, 0)
      raiseComponent(velocity, normal, dot(obstacle.velocityAt(obstacleVelocity, center), normal))
    }
  }

  /** Moves `center` out of moving obstacles that cover it, at most as far as they moved in this step. */
  private escapeMoving({ dt }: Step): void {
    const count = this.obstacles.near(center, 0, overlapping)
    for (let i = 0; i < count; i++) {
      const obstacle = overlapping[i]!
      const depth = -obstacle.distance(center, normal)
      const speed = dot(obstacle.velocityAt(obstacleVelocity, center), normal)
      if (!(speed > 0 && depth > 0)) continue
      addScaled(center, center, normal, Math.min(depth, speed * dt))
      raiseComponent(velocity, normal, speed)
    }
  }
}

function magnitude({ x, y, z }: Vec3Like): number {
  return 1 + Math.abs(x) + Math.abs(y) + Math.abs(z)
}

/** Raises `v` along the unit normal `n` to at least `least`, in a direction in which the agent can move. */
function raiseComponent(v: Vec3, n: Vec3Like, least: number): void {
  const missing = least - dot(v, n)
  if (!(missing > 0)) return
  if (!isLocked(lock)) addScaled(v, v, n, missing)
  else {
    const share = lengthSq(movablePart(movable, n, lock))
    if (share > LEAST_SHARE) addScaled(v, v, movable, missing / share)
  }
}
