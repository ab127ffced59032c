import type { Vec3Like } from '../types.js'
import type { Obstacle } from './obstacle.js'
import type { ObstacleIndex } from './obstacle-index.js'
import { sweptBall } from './sweep.js'
import type { SweptBall } from './shape.js'

/** True for obstacles that are to be ignored, such as those of a target. */
export type ObstacleFilter = (obstacle: Obstacle) => boolean

/** What is asked of a set of obstacles, see `Obstacles`. */
export interface ObstacleSet {
  readonly size: number
  readonly index: ObstacleIndex
  near(point: Vec3Like, distance: number, out: Obstacle[]): number
  nearBall(point: Vec3Like, ball: SweptBall, out: Obstacle[]): number
  sweepBall(from: Vec3Like, direction: Vec3Like, ball: SweptBall<Obstacle>, ignore?: ObstacleFilter): void
}

/** Which obstacles carry an agent: those that it stands on or climbs are no walls. */
export interface Ground {
  /** Away from the ground (unit). */
  readonly up: Vec3Like
  cannotLeave(direction: Vec3Like): boolean
  isClimbed(obstacle: Obstacle, from: Vec3Like): boolean
  sweepSet(
    obstacles: ObstacleSet,
    origin: Vec3Like,
    direction: Vec3Like,
    ball: SweptBall<Obstacle>,
    ignore?: ObstacleFilter,
  ): void
}

/** A set of obstacles, and how one agent avoids it. */
export interface Layer<G extends Ground = Ground> {
  obstacles: ObstacleSet
  /** As in `addMany`, m. */
  hull: number
  clearance: number
  ignore: ObstacleFilter | undefined
  footing: G | undefined
  horizon: number
  /** Index of the constraint that added it. */
  owner: number
}

/**
 * Sets of obstacles of which those at rest count. They are asked for the first obstacle along a line, which
 * takes about as long for thousands as for a hundred.
 */
export class ObstacleLayers<G extends Ground = Ground> {
  /** What the last line met, its distance (m) from the start of that line, and the set that it is in. */
  readonly hit = sweptBall<Obstacle>()
  layerOfHit: Layer<G> | null = null
  count = 0
  /** Whether the agent gives up its clearance from all of them, see `Detours`. */
  isTight = false
  protected readonly layers: Layer<G>[] = []
  protected readonly layerHit = sweptBall<Obstacle>()
  /** The set that is searched. */
  protected layer: Layer<G> | null = null
  private readonly isKnown: ObstacleFilter | undefined
  protected readonly isSkipped: ObstacleFilter = (obstacle) =>
    obstacle.moves || this.isKnown?.(obstacle) === true || this.layer!.ignore?.(obstacle) === true

  /** @param isKnown true for obstacles that are looked at otherwise. */
  constructor(isKnown?: ObstacleFilter) {
    this.isKnown = isKnown
  }

  get isEmpty(): boolean {
    return this.count === 0
  }

  clear(): void {
    this.count = 0
  }

  /**
   * Adds a set of obstacles. The hull of the agent (radius, m) must not touch them; `clearance` (m) is kept
   * in addition where there is space. Obstacles beyond the `horizon` (m) do not count.
   */
  add(
    obstacles: ObstacleSet,
    hull: number,
    clearance: number,
    ignore?: ObstacleFilter,
    footing?: G,
    horizon = Infinity,
    owner = 0,
  ): void {
    if (obstacles.index.isEmpty) return
    const { layers } = this
    if (this.count === layers.length)
      layers.push({ obstacles, hull, clearance, ignore, footing, horizon, owner })
    const layer = layers[this.count++]!
    layer.obstacles = obstacles
    layer.hull = hull
    layer.clearance = clearance
    layer.ignore = ignore
    layer.footing = footing
    layer.horizon = horizon
    layer.owner = owner
  }

  /**
   * Finds the first obstacle on the path of the agent from `from` along the unit `direction`, as far as
   * `hit.distance` (m) was, with these shares of its hull, its clearance and the horizon.
   * @returns whether there is one; it is in `hit` then.
   */
  sweep(
    from: Vec3Like,
    direction: Vec3Like,
    hullShare: number,
    clearanceShare: number,
    horizonShare: number,
  ): boolean {
    const { hit, layerHit, layers } = this
    const kept = this.isTight ? 0 : clearanceShare
    hit.obstacle = null
    for (let i = 0; i < this.count; i++) {
      const layer = (this.layer = layers[i]!)
      layerHit.radius = hullShare * layer.hull + kept * layer.clearance
      layerHit.limit = Math.min(hit.distance, horizonShare * layer.horizon)
      if (layer.footing === undefined) layer.obstacles.sweepBall(from, direction, layerHit, this.isSkipped)
      else layer.footing.sweepSet(layer.obstacles, from, direction, layerHit, this.isSkipped)
      if (layerHit.obstacle === null) continue
      hit.obstacle = layerHit.obstacle
      hit.distance = layerHit.distance
      this.layerOfHit = layer
    }
    return hit.obstacle !== null
  }
}
