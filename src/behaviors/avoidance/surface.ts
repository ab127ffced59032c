import type { Agent, Step, Vec3, Vec3Like } from '../../types.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { addScaled, copy, isZero, length, lengthSq, normalize, reject, sub, vec3 } from '../../math/vec3.js'
import { gather } from './surroundings.js'

/** The way out of a corner is looked for in so many rounds; what is nearer than this, as a share, is there. */
const ROUNDS = 10
const THERE = 1e-4

/** Normals nearer to each other than this, as the square of a sine, are those of one curved wall. */
const SAME = 0.03

const normal = vec3()
const spot = vec3()
const way = vec3()
const slide = vec3()
const first = vec3()
const second = vec3()

/**
 * The surfaces near an agent, as a ball that rolls along them meets them: at a `distance` from them, round convex edges on the arc of that
 * radius, and through concave ones on an arc of radius `round`: where the nearest wall changes, no direction jumps.
 */
export class Surface {
  /** m: kept, and the radius of concave arcs. */
  distance = 1
  round = 1
  /** Place (m) of what is nearest, and velocity (m/s) of its surface there. */
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  private readonly found: Obstacle[] = []
  private count = 0
  /** What `nearest` found: m. */
  private least = Infinity
  /** How many walls `stepOut` has left so far. */
  private walls = 0

  /** Looks around, once per step. Returns the distance (m) to the nearest surface: Infinity where there is none. */
  look(agent: Agent, step: Step, obstacles: Obstacles): number {
    const { position } = agent
    obstacles.refreshFor(step)
    const least = obstacles.distance(position, normal)
    if (!(least < Infinity)) return Infinity
    const room = Math.max(0, least) + 4 * (this.distance + this.round)
    this.count = gather(obstacles, agent, room, undefined, this.found)
    const nearest = this.nearest(position, normal)
    if (nearest === null) return Infinity
    copy(this.position, nearest.position)
    nearest.velocityAt(this.velocity, addScaled(spot, position, normal, -least))
    return least
  }

  /** Writes the unit direction away from the surface at `place`, and returns how far (m) it is outside of the distance to keep. */
  at(out: Vec3, place: Vec3Like): number {
    const { distance, round } = this
    const wide = distance + round
    copy(spot, place)
    let nearest = Infinity
    for (let i = 0; i < ROUNDS; i++) {
      this.nearest(spot, normal)
      const away = this.least
      if (i === 0) {
        nearest = away
        copy(out, normal)
      }
      const missing = wide - away
      if (missing > THERE * wide) {
        this.stepOut(missing, i === 0)
        continue
      }
      if (i < 2) break
      const reach = length(sub(way, spot, place))
      normalize(way, way)
      if (isZero(way)) break
      copy(out, way)
      return round - reach
    }
    return nearest - distance
  }

  /**
   * Moves `spot` out of the wall of `normal` by `missing` (m), and along those it was moved out of before: into the corner of up to three
   * walls, however acute, which leaving each in turn would only creep towards.
   */
  private stepOut(missing: number, anew: boolean): void {
    let count = anew ? 0 : this.walls
    copy(slide, normal)
    if (count > 0) reject(slide, slide, first)
    if (count > 1) reject(slide, slide, second)
    if (lengthSq(slide) < SAME) {
      copy(slide, normal)
      count = 0
    }
    addScaled(spot, spot, slide, missing / lengthSq(slide))
    normalize(count === 0 ? first : second, slide)
    this.walls = count < 2 ? count + 1 : 0
  }

  private nearest(place: Vec3Like, out: Vec3): Obstacle | null {
    let nearest: Obstacle | null = null
    this.least = Infinity
    for (let i = 0; i < this.count; i++) {
      const obstacle = this.found[i]!
      const away = obstacle.distance(place, way)
      if (!(away < this.least)) continue
      this.least = away
      nearest = obstacle
      copy(out, way)
    }
    return nearest
  }
}
