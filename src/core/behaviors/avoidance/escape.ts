import type { Agent, Vec3, Vec3Like } from '../../types.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import { vectorToWorld } from '../../math/frame.js'
import { topSpeed } from '../../control/drive.js'
import { isLocked, movablePart } from '../../control/lock.js'
import {
  add,
  addScaled,
  copy,
  cross,
  distance,
  dot,
  isZero,
  length,
  normalize,
  scale,
  set,
  sub,
  vec3,
} from '../../math/vec3.js'

/** A direction must be better by this share to replace one tried before, so that rounding does not decide. */
const MIN_GAIN = 1e-6

// The numbers below are chosen by hand unless they say otherwise.

/**
 * Cost of a metre flown inside an obstacle, in metres flown outside (dimensionless). So the whole path is at
 * most this factor longer than the shortest one. An agent whose goal lies along the inside of a surface rises
 * to it at an angle whose cosine is the inverse of this factor.
 */
const INSIDE_COST = 1.1

/**
 * An agent whose ball lies only partly inside leaves by a path at most this factor longer than the shortest
 * one: back to the side from which it came, at a slant towards the goal.
 */
const SLANT_LIMIT = 2

/**
 * The remaining distance to the goal is multiplied by this factor where it leads back through the obstacle:
 * half the circumference of a ball over its diameter.
 */
const DETOUR_FACTOR = Math.PI / 2

/** Overlaps shorter than this share of the path are rounding. */
const TOUCH = 1e-9

/** The way out is followed to a place this number of radii farther, so that its end has a direction, too. */
export const BEYOND = 2

/** It is searched anew where it ends by this number of radii nearer or farther than before. */
const OTHER_END = 0.5

/** Angles (rad) by which the best direction is bent in search of a better one. */
const BENDS: readonly number[] = [0.35, 0.18, 0.09, 0.045]

/** The 26 directions to the neighbours of a cell, in a course frame: the axes first, ahead of all. */
const FAN: readonly Vec3Like[] = fan()

const direction = vec3()
const normal = vec3()
const sum = vec3()
const best = vec3()
const exitPoint = vec3()
const side = vec3()
const other = vec3()

const towardsGoal = vec3()

/** Finds the ways out of obstacles. */
export class Escape {
  private agent!: Agent
  private obstacles: readonly Obstacle[] = []
  private count = 0
  private radius = 0.5
  /** The goal (m), if there is one. */
  private goal: Vec3Like | null = null
  /** Time (s) and length (m) of the best path out, and the longest path allowed (m). */
  private bestTime = Infinity
  private bestDistance = Infinity
  private maxDistance = Infinity

  /**
   * Writes the unit direction in which the agent leaves the obstacles that a ball of `radius` (m) around it
   * overlaps. Each direction is followed until no obstacle overlaps the ball, so overlapping obstacles count
   * as one body.
   * - Without a `goal` (m) the direction with the shortest time to the outside is chosen.
   * - With a goal, the time to the outside and the time from there to the goal are added. Long paths are
   *   considered only when the whole ball is inside.
   * - Times are counted from the present velocity with the available force, so that a direction once taken is
   *   kept without being stored.
   * - The candidates are 26 directions of the course frame, the surface normals and their sum, the direction
   *   to the goal, and the neighbourhood of the best.
   * - At the exact centre of a ball, where a direction away from the centre is undefined (Green leaves this
   *   case out), the agent flies ahead.
   *
   * @returns the distance to the outside, m; 0, and `out` unchanged, when nothing overlaps; Infinity when no
   * direction leads out.
   */
  direction(
    agent: Agent,
    obstacles: readonly Obstacle[],
    count: number,
    radius: number,
    out: Vec3,
    goal: Vec3Like | null = null,
  ): number {
    let overlaps = 0
    let deepest = Infinity
    set(sum, 0, 0, 0)
    for (let i = 0; i < count; i++) {
      const clearance = obstacles[i]!.distance(agent.position, normal)
      if (clearance >= radius) continue
      overlaps++
      deepest = Math.min(deepest, clearance)
      add(sum, sum, normal)
    }
    if (overlaps === 0) return 0
    this.agent = agent
    this.obstacles = obstacles
    this.count = count
    this.radius = radius
    this.goal = goal
    this.maxDistance = goal === null || deepest < -radius ? Infinity : SLANT_LIMIT * (radius - deepest)
    this.search(overlaps)
    if (this.bestTime === Infinity && this.maxDistance < Infinity) {
      this.goal = null
      this.maxDistance = Infinity
      this.search(overlaps)
    }
    copy(out, best)
    return this.bestDistance
  }

  /**
   * Writes the unit direction to the place `beyond` (m) of a way out that was chosen before. Returns the
   * distance to the outside, m; Infinity where that is no more where it was.
   */
  follow(
    { position, radius: hull }: Agent,
    obstacles: readonly Obstacle[],
    count: number,
    radius: number,
    beyond: Vec3Like,
    out: Vec3,
  ): number {
    sub(direction, beyond, position)
    const remaining = length(direction)
    if (!(remaining > 0)) return Infinity
    scale(direction, direction, 1 / remaining)
    const end = distanceToClear(position, obstacles, count, radius, direction)
    if (!(Math.abs(end + BEYOND * hull - remaining) < OTHER_END * hull)) return Infinity
    copy(out, direction)
    return end
  }

  /** Tries all directions. `sum` holds the sum of the normals, see `direction`. */
  private search(overlaps: number): void {
    const { agent, count, goal, obstacles, radius } = this
    const { course, position } = agent
    this.bestTime = this.bestDistance = Infinity
    if (isZero(normalize(best, sum))) copy(best, course.x)
    for (let i = 0; i < FAN.length; i++) this.attempt(vectorToWorld(direction, course, FAN[i]!))
    for (let i = 0; i < count; i++)
      if (obstacles[i]!.distance(position, normal) < radius) this.attempt(copy(direction, normal))
    if (overlaps > 1 && !isZero(normalize(direction, sum))) this.attempt(direction)
    if (goal !== null && !isZero(normalize(direction, sub(direction, goal, position))))
      this.attempt(direction)
    if (this.bestTime < Infinity) for (let i = 0; i < BENDS.length; i++) this.refine(BENDS[i]!)
  }

  /** Bends the best direction to four sides. */
  private refine(bend: number): void {
    const { y, z } = this.agent.course
    cross(side, best, Math.abs(dot(best, y)) < 0.9 ? y : z)
    normalize(side, side)
    cross(other, best, side)
    const unbent = copy(sum, best)
    for (let i = 0; i < 4; i++) {
      const sideways = i < 2 ? side : other
      addScaled(direction, unbent, sideways, i % 2 === 0 ? bend : -bend)
      this.attempt(normalize(direction, direction))
    }
  }

  /** Stores `along` as the best direction when it leads out sooner than the best so far. */
  private attempt(along: Vec3): void {
    const { agent, count, obstacles, radius } = this
    if (isLocked(agent) && isZero(normalize(along, movablePart(along, along, agent)))) return
    const end = distanceToClear(agent.position, obstacles, count, radius, along)
    if (!(end < Infinity && end <= this.maxDistance)) return
    const time = flightTime(agent, this.countedDistance(end, along), along)
    if (!(time < this.bestTime * (1 - MIN_GAIN)) && this.bestTime < Infinity) return
    this.bestTime = time
    this.bestDistance = end
    copy(best, along)
  }

  /** Distance (m) that counts for a path out along a direction after `end` (m): that, or all to the goal. */
  private countedDistance(end: number, along: Vec3Like): number {
    const { count, goal, obstacles } = this
    if (goal === null) return end
    addScaled(exitPoint, this.agent.position, along, end)
    const remaining = distance(goal, exitPoint)
    if (!(remaining > 0)) return INSIDE_COST * end
    scale(towardsGoal, sub(towardsGoal, goal, exitPoint), 1 / remaining)
    let factor = 1
    for (let i = 0; i < count && factor === 1; i++)
      if (obstacles[i]!.sweep(exitPoint, towardsGoal, 0, remaining) < remaining) factor = DETOUR_FACTOR
    return INSIDE_COST * end + factor * remaining
  }
}

/** Distance (m) along a unit direction until no obstacle overlaps the ball; Infinity for no way out. */
export function distanceToClear(
  from: Vec3Like,
  obstacles: readonly Obstacle[],
  count: number,
  radius: number,
  along: Vec3Like,
): number {
  let total = 0
  // each round leaves at least one obstacle; an obstacle is entered again only when it is not convex
  for (let round = 0; round < 2 * count + 2; round++) {
    const before = total
    for (let i = 0; i < count; i++) {
      addScaled(exitPoint, from, along, total)
      const distanceOut = obstacles[i]!.leave(exitPoint, along, radius)
      if (!(distanceOut < Infinity)) return Infinity
      total += distanceOut
    }
    if (total - before <= TOUCH * total) return total
  }
  return Infinity
}

/** Time (s) to fly a distance from the present velocity with all force; without any, the distance. */
function flightTime(agent: Agent, way: number, along: Vec3Like): number {
  const power = agent.forceAlong(along.x, along.y, along.z) / agent.mass
  if (!(power > 0)) return way
  const speed = dot(agent.velocity, along)
  const finalSpeed = Math.sqrt(speed * speed + 2 * power * way)
  const maxSpeed = Math.max(speed, topSpeed(agent))
  let time = speed > 0 ? (2 * way) / (speed + finalSpeed) : (finalSpeed - speed) / power
  // plus the rest at full speed
  if (finalSpeed > maxSpeed)
    time =
      (maxSpeed - speed) / power + (way - ((maxSpeed - speed) * (maxSpeed + speed)) / (2 * power)) / maxSpeed
  return Number.isNaN(time) ? way : time
}

function fan(): Vec3Like[] {
  const found: Vec3Like[] = []
  for (let size = 1; size <= 3; size++)
    for (let x = 1; x >= -1; x--)
      for (let y = 1; y >= -1; y--)
        for (let z = 1; z >= -1; z--)
          if (Math.abs(x) + Math.abs(y) + Math.abs(z) === size) {
            const unit = vec3(x, y, z)
            found.push(scale(unit, unit, 1 / Math.sqrt(size)))
          }
  return found
}
