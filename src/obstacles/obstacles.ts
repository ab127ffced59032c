import type { Vec3, Vec3Like } from '../types.js'
import { Obstacle, type ObstacleOptions } from './obstacle.js'
import { vec3 } from '../math/vec3.js'

const normal = vec3()

/** A set of obstacles, found by the distance to their surfaces. May be shared by any number of behaviours and worlds. */
export class Obstacles implements Iterable<Obstacle> {
  private readonly members = new Set<Obstacle>()
  private moment: object | null = null
  private tick = -1

  /** @throws TypeError / RangeError naming the option of the first that cannot be taken. */
  constructor(obstacles: Iterable<Obstacle | ObstacleOptions> = []) {
    for (const each of obstacles) this.add(each)
  }

  get size(): number {
    return this.members.size
  }

  [Symbol.iterator](): Iterator<Obstacle> {
    return this.members[Symbol.iterator]()
  }

  has(obstacle: Obstacle): boolean {
    return this.members.has(obstacle)
  }

  /** Adds an obstacle, or makes one. @returns the obstacle. @throws TypeError when it is in the set already. */
  add(obstacle: Obstacle | ObstacleOptions): Obstacle {
    const one = obstacle instanceof Obstacle ? obstacle : new Obstacle(obstacle)
    if (this.members.has(one)) throw new TypeError('Obstacles.add: this obstacle is in the set already')
    this.members.add(one)
    return one
  }

  /** Removes an obstacle, at any time. @throws TypeError for a stranger. */
  remove(obstacle: Obstacle): this {
    if (!this.members.delete(obstacle))
      throw new TypeError(`Obstacles.remove: got ${String(obstacle)}, which is not in this set`)
    return this
  }

  clear(): void {
    this.members.clear()
  }

  /** Reads again what the obstacles follow. Behaviours do this in the first call of each step; call it before queries of your own. */
  refresh(): void {
    for (const each of this.members) each.refresh()
  }

  /** @internal Refreshes once per step, however many agents ask. */
  refreshFor(step: { readonly tick: number }): void {
    if (this.moment === step && this.tick === step.tick) return
    this.moment = step
    this.tick = step.tick
    this.refresh()
  }

  /** Fills `out` with the obstacles whose surface is nearer to `point` than `distance` (m), or that contain it. @returns their number. */
  near(point: Vec3Like, distance: number, out: Obstacle[]): number {
    let count = 0
    for (const each of this.members) if (each.distance(point, normal) < distance) out[count++] = each
    return count
  }

  /** Distance (m) from a world point to the nearest surface, negative inside; Infinity in an empty set. Writes the outward normal. */
  distance(point: Vec3Like, out: Vec3): number {
    let least = Infinity
    for (const each of this.members) {
      const d = each.distance(point, normal)
      if (d >= least) continue
      least = d
      out.x = normal.x
      out.y = normal.y
      out.z = normal.z
    }
    return least
  }
}
