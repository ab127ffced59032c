import type { Vec3, Vec3Like } from '../../types.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { requireNumber } from '../../math/require.js'
import { smoothstep } from '../../math/scalar.js'
import { addScaled, copy, dot, set, sub, vec3 } from '../../math/vec3.js'
import { flowOf, type Flow, type FlowSource } from './flow.js'

export interface FlowAroundOptions {
  /** What would flow if nothing stood in it. */
  flow: FlowSource
  obstacles: Obstacles
  /** Farther from their surfaces than this (m, > 0) nothing is felt of them. Needed for walls without end. Default Infinity. */
  range?: number
  /** They are felt as if they were so much larger, m, ≥ 0. Default 0. */
  clearance?: number
}

/** So near (m) to a surface, and within, only that one counts. */
const TOUCH = 1e-6

const AXES: readonly Vec3Like[] = [-1, 1].flatMap((k) => [vec3(k), vec3(0, k), vec3(0, 0, k)])

/**
 * Bends a flow round obstacles: at a surface what flows towards or from it is taken out, so that it slides along. Round a ball it is the
 * ideal flow, which is nowhere heaped up: the part across the surface is less by (r / distance)³, and the part along it more by half
 * of that (Lamb, Hydrodynamics, § 96; exact where the flow is uniform). Of other shapes the first half holds, with their mean
 * reach as r. Of several the nearest counts most, by the square of the distance. What moves takes along what flows beside it.
 */
export class FlowAround implements Flow {
  readonly flow: Flow
  readonly obstacles: Obstacles
  range: number
  clearance: number
  private readonly found: Obstacle[] = []
  private readonly free: Vec3 = vec3()
  private readonly bend: Vec3 = vec3()
  private readonly normal: Vec3 = vec3()
  private readonly relative: Vec3 = vec3()
  private readonly matter: Vec3 = vec3()
  private readonly spot: Vec3 = vec3()

  /** @throws TypeError / RangeError naming the option. */
  constructor({ flow, obstacles, range = Infinity, clearance = 0 }: FlowAroundOptions) {
    this.flow = flowOf('FlowAround.flow', flow)
    if (typeof (obstacles as Partial<Obstacles> | undefined)?.near !== 'function')
      throw new TypeError(`FlowAround.obstacles: got ${String(obstacles)}, must be Obstacles`)
    this.obstacles = obstacles
    this.range = requireNumber('FlowAround.range', range, 0, true)
    this.clearance = requireNumber('FlowAround.clearance', clearance, 0, false, Number.MAX_VALUE)
  }

  velocityAt(out: Vec3, point: Vec3Like, time: number): Vec3 {
    const { bend, found, free, clearance, normal, obstacles, range } = this
    copy(this.spot, point)
    this.flow.velocityAt(free, point, time)
    const count = obstacles.near(this.spot, range + clearance, found)
    set(bend, 0, 0, 0)
    let shares = 0
    for (let i = 0; i < count; i++) {
      const obstacle = found[i]!
      const gap = Math.max(0, obstacle.distance(this.spot, normal) - clearance)
      const felt = range < Infinity ? 1 - smoothstep(gap, range / 2, range) : 1
      // what comes into range begins to count from nothing
      const share = felt / Math.max(gap, TOUCH) ** 2
      if (!(share > 0)) continue
      shares += share
      this.bendAt(obstacle, gap, felt, share)
    }
    return shares > 0 ? addScaled(out, free, bend, 1 / shares) : copy(out, free)
  }

  /** Adds to `bend` what one obstacle does to the flow, times `share`. Needs `normal`. */
  private bendAt(obstacle: Obstacle, gap: number, felt: number, share: number): void {
    const { bend, free, clearance, matter, normal, relative } = this
    const radius = sizeOf(obstacle) + clearance
    const near = radius < Infinity ? felt * (radius / (radius + gap)) ** 3 : felt
    sub(relative, free, obstacle.velocityAt(matter, this.spot))
    const across = dot(relative, normal)
    const along = obstacle.ballRadius >= 0 ? near / 2 : 0
    addScaled(bend, bend, relative, share * along)
    addScaled(bend, bend, normal, -share * across * (near + along))
  }
}

/** Radius of a ball, mean reach of anything else, m; Infinity for what has no end. */
function sizeOf({ ballRadius: ball, shape }: Obstacle): number {
  if (ball >= 0) return ball
  let sum = 0
  for (let i = 0; i < AXES.length; i++) sum += shape.support(AXES[i]!)
  return sum / AXES.length
}
