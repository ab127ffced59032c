import type { ObstacleQuery, Vec3, Vec3Like } from '../types.js'
import type { Obstacle } from './obstacle.js'
import { type Layer, ObstacleLayers } from './obstacle-layers.js'
import { TAU } from '../math/scalar.js'
import { addScaled, copy, cross, distance, length, normalize } from '../math/vec3.js'
import { perpendicular, scale, set, sub, vec3 } from '../math/vec3.js'

// The numbers below are chosen by hand unless they say otherwise.

/**
 * Share of the clearance that legs of a route keep; waypoints keep all of it. Larger: fewer gaps are passed.
 */
const LEG_CLEARANCE = 0.5

/** Obstacles that contain a point are left one after the other, at most this number of times. */
const EXITS = 8

/** Waypoints are farther out than necessary by this share of the radius, because of rounding. */
const ROUNDING_SHARE = 1e-3

/** An agent on the ground leaves an obstacle in one of this number of directions. More: by a shorter way. */
const LEVEL_EXITS = 16

/** The same in space: the faces, edges and corners of a cube. */
const CUBE = 26

const exits = new Float64Array(CUBE)

const line = vec3()
const normal = vec3()
const freePoint = vec3()
const side = vec3()
const other = vec3()
const trial = vec3()

/** Writes a direction out of an obstacle: across `up`, or to a face, an edge or a corner of a cube. */
function exitDirection(k: number, up: Vec3Like | null): Vec3 {
  if (up === null) {
    // the middle of the cube is none of them
    const cell = k < CUBE / 2 ? k : k + 1
    return normalize(
      line,
      set(line, (cell % 3) - 1, (Math.floor(cell / 3) % 3) - 1, Math.floor(cell / 9) - 1),
    )
  }
  const angle = (TAU * k) / LEVEL_EXITS
  cross(other, perpendicular(side, up), up)
  return addScaled(line, scale(line, side, Math.cos(angle)), other, Math.sin(angle))
}

/**
 * The obstacles that the constraints of one agent avoid in one step. Answers where the agent fits, and
 * whether the path between two points is free.
 */
export class ObstacleMap extends ObstacleLayers implements ObstacleQuery {
  private readonly found: Obstacle[] = []

  get size(): number {
    let size = 0
    for (let i = 0; i < this.count; i++) size += this.layers[i]!.obstacles.size
    return size
  }

  atRest(mean: Vec3): number {
    let count = 0
    set(mean, 0, 0, 0)
    for (let i = 0; i < this.count; i++) count += this.layers[i]!.obstacles.index.addAtRest(mean)
    scale(mean, mean, 1 / Math.max(1, count))
    return count
  }

  /** Whether an obstacle is skipped for an agent at a place, which may stand on it. */
  private isSkippedAt(obstacle: Obstacle, place: Vec3Like): boolean {
    return this.isSkipped(obstacle) || this.layer!.footing?.isClimbed(obstacle, place) === true
  }

  /** Whether no obstacle at rest lies between two points (m) or contains the second one. */
  isVisible(from: Vec3Like, to: Vec3Like): boolean {
    return this.isClear(from, to, 0, 0)
  }

  /** Whether an obstacle at rest contains a point (m). */
  contains(place: Vec3Like): boolean {
    const { found } = this
    for (let i = 0; i < this.count; i++) {
      this.layer = this.layers[i]!
      const near = this.layer.obstacles.near(place, 0, found)
      for (let k = 0; k < near; k++) if (!this.isSkippedAt(found[k]!, place)) return true
    }
    return false
  }

  /** Distance (m) from a point to the nearest one where the agent fits: 0 if it fits there. */
  distanceToFree(place: Vec3Like): number {
    return this.freePlace(freePoint, place) ? distance(freePoint, place) : 0
  }

  /**
   * Free distance (m) between the hull of an agent at a point and the obstacles at rest, at most `most`;
   * negative where it overlaps one.
   */
  clearanceAt(place: Vec3Like, most: number): number {
    const { found, layerHit } = this
    let least = most
    for (let i = 0; i < this.count; i++) {
      const layer = (this.layer = this.layers[i]!)
      layerHit.radius = layer.hull + most
      const near = layer.obstacles.nearBall(place, layerHit, found)
      for (let k = 0; k < near; k++)
        if (!this.isSkipped(found[k]!))
          least = Math.min(least, found[k]!.distance(place, normal) - layer.hull)
    }
    return least
  }

  /**
   * Whether the agent can fly straight from one point to another (m), with this share of its clearance. If
   * not, see `hit`.
   */
  isPathFree(from: Vec3Like, to: Vec3Like, share: number = LEG_CLEARANCE): boolean {
    return this.isClear(from, to, 1, share)
  }

  private isClear(from: Vec3Like, to: Vec3Like, hull: number, share: number): boolean {
    const { hit } = this
    const range = (hit.distance = length(sub(line, to, from)))
    hit.obstacle = null
    return !(range > 0 && this.sweep(from, scale(line, line, 1 / range), hull, share, 1))
  }

  /**
   * Moves a point (m) out of all obstacles along the unit `direction`, to where the agent has its clearance,
   * or only half of it. False if that direction does not lead out.
   */
  leaveAlong(place: Vec3, direction: Vec3Like, hasFullClearance = true): boolean {
    for (let k = 0; k < EXITS; k++) {
      const obstacle = this.obstacleAt(place, hasFullClearance)
      if (obstacle === null) return true
      const out = obstacle.leave(place, direction, this.layerRadius(hasFullClearance))
      if (!(out > 0 && out < Infinity)) return false
      addScaled(place, place, direction, out)
    }
    return false
  }

  /**
   * Distance (m) from a point along the unit `direction` until the agent has its clearance from `obstacle`.
   */
  leave(obstacle: Obstacle, place: Vec3Like, direction: Vec3Like): number {
    return obstacle.leave(place, direction, this.clearanceRadius)
  }

  /**
   * Writes the point (m) nearest to `goal` where the hull of the agent touches no obstacle. True if that is
   * not the goal itself. Where obstacles overlap, it is the nearest point found by leaving the obstacle with
   * the most overlap first; where that leads nowhere, and for an agent on the ground, the nearest one in a
   * number of directions.
   */
  freePlace(out: Vec3, goal: Vec3Like): boolean {
    copy(out, goal)
    let moved = false
    for (let k = 0; k < EXITS; k++) {
      const obstacle = this.obstacleAt(out, false)
      if (obstacle === null) return moved
      const { footing } = this.layer!
      const radius = this.layer!.hull + LEG_CLEARANCE * this.layer!.clearance
      const overlap = radius - obstacle.distance(out, normal)
      if (footing?.cannotLeave(normal) === true) return this.nearestExit(out, goal, footing.up)
      addScaled(out, out, normal, overlap + ROUNDING_SHARE * Math.min(overlap, radius))
      moved = true
    }
    return this.nearestExit(out, goal, null)
  }

  /**
   * As `freePlace`, in one of a number of directions: across the unit vector `up`, or in space. Where none
   * leads out, the goal itself is approached as far as possible.
   */
  private nearestExit(out: Vec3, goal: Vec3Like, up: Vec3Like | null): boolean {
    copy(out, goal)
    const obstacle = this.obstacleAt(goal, false)!
    const radius = this.layerRadius(false)
    const count = up === null ? CUBE : LEVEL_EXITS
    for (let k = 0; k < count; k++) exits[k] = obstacle.leave(goal, exitDirection(k, up), radius)
    let least = Infinity
    for (;;) {
      // the rest is farther away
      let best = -1
      for (let k = 0; k < count; k++) if (exits[k]! < (best < 0 ? least : exits[best]!)) best = k
      if (best < 0) return least < Infinity
      exits[best] = Infinity
      if (!this.leaveAlong(copy(trial, goal), exitDirection(best, up), false)) continue
      const away = distance(trial, goal)
      if (!(away < least)) continue
      least = away
      copy(out, trial)
    }
  }

  /**
   * The obstacle at rest that overlaps the agent most at a point, with its clearance or only with half of it;
   * null if the point is free. Stores its layer in `layer`.
   */
  obstacleAt(place: Vec3Like, hasFullClearance = true): Obstacle | null {
    const { found } = this
    let most = 0
    let worst: Obstacle | null = null
    let worstLayer: Layer | null = null
    const share = hasFullClearance ? (this.isTight ? 0 : 1) : LEG_CLEARANCE
    for (let i = 0; i < this.count; i++) {
      const layer = (this.layer = this.layers[i]!)
      const radius = layer.hull + share * layer.clearance
      this.layerHit.radius = radius
      const near = layer.obstacles.nearBall(place, this.layerHit, found)
      for (let k = 0; k < near; k++) {
        const obstacle = found[k]!
        if (this.isSkippedAt(obstacle, place)) continue
        const overlap = radius - obstacle.distance(place, normal)
        if (!(overlap > ROUNDING_SHARE * radius && overlap > most)) continue
        most = overlap
        worst = obstacle
        worstLayer = layer
      }
    }
    this.layer = worstLayer
    return worst
  }

  private layerRadius(hasFullClearance: boolean): number {
    const { clearance, hull } = this.layer!
    const share = hasFullClearance ? (this.isTight ? 0 : 1) : LEG_CLEARANCE
    return (hull + share * clearance) * (1 + ROUNDING_SHARE)
  }

  /** Radius (m) of the agent with its clearance; the largest one if sets differ. */
  get clearanceRadius(): number {
    let radius = 0
    for (let i = 0; i < this.count; i++) {
      const { clearance, hull } = this.layers[i]!
      radius = Math.max(radius, hull + (this.isTight ? 0 : clearance))
    }
    return radius * (1 + ROUNDING_SHARE)
  }
}
