import type { Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { ObstacleFilter, Obstacles } from '../obstacles/obstacles.js'
import { sweptBall } from '../obstacles/sweep.js'
import type { Footing } from './footing.js'

/** A set of obstacles, and how one agent avoids it. */
interface Layer {
  obstacles: Obstacles
  /** As in `addObstacle`, m. */
  horizon: number
  hull: number
  clearance: number
  ignore: ObstacleFilter | undefined
  footing: Footing | undefined
  /** Index of the constraint that added it. */
  owner: number
}

/**
 * Sets of obstacles at rest that are too many to look at one by one. They are asked for the first obstacle
 * along a line, which takes about as long for thousands as for a hundred.
 */
export class ManyObstacles {
  /** What the last line met, its distance (m) from the start of that line, and the set that it is in. */
  readonly hit = sweptBall<Obstacle>()
  layer: Layer | null = null
  count = 0
  private readonly layers: Layer[] = []
  private readonly layerHit = sweptBall<Obstacle>()
  private searched: Layer | null = null
  private readonly isKnown: ObstacleFilter
  private readonly isSkipped: ObstacleFilter = (obstacle) =>
    obstacle.moves || this.isKnown(obstacle) || this.searched!.ignore?.(obstacle) === true

  /** @param isKnown true for obstacles that are looked at one by one. */
  constructor(isKnown: ObstacleFilter) {
    this.isKnown = isKnown
  }

  clear(): void {
    this.count = 0
  }

  add(
    obstacles: Obstacles,
    horizon: number,
    hull: number,
    clearance: number,
    ignore: ObstacleFilter | undefined,
    footing: Footing | undefined,
    owner: number,
  ): void {
    const { layers } = this
    if (this.count === layers.length)
      layers.push({ obstacles, horizon, hull, clearance, ignore, footing, owner })
    const layer = layers[this.count++]!
    layer.obstacles = obstacles
    layer.horizon = horizon
    layer.hull = hull
    layer.clearance = clearance
    layer.ignore = ignore
    layer.footing = footing
    layer.owner = owner
  }

  /**
   * Searches the first obstacle that the hull of the agent, with this share of the clearance, touches on its
   * path from `from` along the unit `direction`, within `limit` (m) and this share of the horizon.
   * @returns whether there is one; it is in `hit` then.
   */
  sweep(
    from: Vec3Like,
    direction: Vec3Like,
    clearanceShare: number,
    horizonShare: number,
    limit: number,
  ): boolean {
    const { hit, layerHit, layers } = this
    hit.obstacle = null
    hit.distance = limit
    for (let i = 0; i < this.count; i++) {
      const layer = (this.searched = layers[i]!)
      layerHit.radius = layer.hull + clearanceShare * layer.clearance
      layerHit.limit = Math.min(hit.distance, horizonShare * layer.horizon)
      if (layer.footing === undefined) layer.obstacles.sweepBall(from, direction, layerHit, this.isSkipped)
      else layer.footing.sweepSet(layer.obstacles, from, direction, layerHit, this.isSkipped)
      if (layerHit.obstacle === null) continue
      hit.obstacle = layerHit.obstacle
      hit.distance = layerHit.distance
      this.layer = layer
    }
    return hit.obstacle !== null
  }
}
