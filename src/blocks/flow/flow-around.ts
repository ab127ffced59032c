import type { Vec3, Vec3Like } from '../../core/types.js'
import type { Obstacle } from '../../core/obstacles/obstacle.js'
import type { Obstacles } from '../../core/obstacles/obstacles.js'
import { requireSet } from '../../core/obstacles/require-set.js'
import { AXES } from '../../core/math/directions.js'
import { smoothstep } from '../../core/math/scalar.js'
import { addScaled, copy, dot, set, sub, vec3 } from '../../core/math/vec3.js'
import { flowOf, type Flow } from './flow.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface FlowAroundOptions extends Options, OptionsOf<typeof FlowAround.options> {}
export interface FlowAround extends FieldsOf<typeof FlowAround.options> {}

/** Least distance (m) from a surface in the weights: nearer, practically only that obstacle counts. */
const LEAST_DISTANCE = 1e-6

/**
 * Bends a flow around obstacles: at a surface the component of the velocity along the normal is removed, so
 * the flow slides along the surface. Around a ball it is the ideal flow, which is free of divergence: the
 * normal component is reduced by the share (r / distance)³, and the tangential component is increased by half
 * of that (Lamb, Hydrodynamics, § 96; exact for a uniform flow). For other shapes only the normal component
 * is reduced, with the mean extent of the shape as r. Several obstacles are weighted by 1 / distance². The
 * velocity is taken relative to the obstacle, so a moving obstacle carries the flow beside it along.
 */
export class FlowAround implements Flow {
  static readonly options = {
    /** The flow without the obstacles. */
    flow: { kind: 'instance', required: true, check: flowOf },
    obstacles: { kind: 'instance', required: true, check: requireSet },
    /**
     * Distance from the surface of an obstacle (m, > 0) beyond which it has no effect. Infinite obstacles
     * such as half-spaces need a finite range. Default Infinity.
     */
    range: { kind: 'number', unit: 'm', above: 0, infinite: true, default: Infinity },
    /** The flow goes around the obstacles as if they were larger by this, m, ≥ 0. Default 0. */
    clearance: { kind: 'number', unit: 'm', atLeast: 0, default: 0 },
  } as const satisfies AnyTable

  readonly flow!: Flow
  readonly obstacles!: Obstacles
  private readonly found: Obstacle[] = []
  private readonly free: Vec3 = vec3()
  private readonly bend: Vec3 = vec3()
  private readonly normal: Vec3 = vec3()
  private readonly relative: Vec3 = vec3()
  private readonly obstacleVelocity: Vec3 = vec3()
  private readonly spot: Vec3 = vec3()

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: FlowAroundOptions) {
    Object.assign(this, readOptions('FlowAround', FlowAround.options, options))
  }

  velocityAt(out: Vec3, point: Vec3Like, time: number): Vec3 {
    const { bend, found, free, clearance, normal, obstacles, range } = this
    copy(this.spot, point)
    this.flow.velocityAt(free, point, time)
    const count = obstacles.near(this.spot, range + clearance, found)
    set(bend, 0, 0, 0)
    let weights = 0
    for (let i = 0; i < count; i++) {
      const obstacle = found[i]!
      const gap = Math.max(0, obstacle.distance(this.spot, normal) - clearance)
      const strength = range < Infinity ? 1 - smoothstep(gap, range / 2, range) : 1
      // the weight of an obstacle that comes into range grows from 0
      const weight = strength / Math.max(gap, LEAST_DISTANCE) ** 2
      if (!(weight > 0)) continue
      weights += weight
      this.addBend(obstacle, normal, gap, strength, weight)
    }
    return weights > 0 ? addScaled(out, free, bend, 1 / weights) : copy(out, free)
  }

  /**
   * Adds to `bend` the change of the flow by one obstacle, times `weight`. `normal`: that of its surface;
   * `gap` (m): the distance from it.
   */
  private addBend(obstacle: Obstacle, normal: Vec3Like, gap: number, strength: number, weight: number): void {
    const { bend, free, clearance, obstacleVelocity, relative } = this
    const radius = sizeOf(obstacle) + clearance
    const normalShare = radius < Infinity ? strength * (radius / (radius + gap)) ** 3 : strength
    sub(relative, free, obstacle.velocityAt(obstacleVelocity, this.spot))
    const normalSpeed = dot(relative, normal)
    const tangentialShare = obstacle.ballRadius >= 0 ? normalShare / 2 : 0
    addScaled(bend, bend, relative, weight * tangentialShare)
    addScaled(bend, bend, normal, -weight * normalSpeed * (normalShare + tangentialShare))
  }
}

/** Radius of a ball; else the mean extent in the six axis directions, m; Infinity for an infinite shape. */
function sizeOf({ ballRadius: ball, shape }: Obstacle): number {
  if (ball >= 0) return ball
  let sum = 0
  for (let i = 0; i < AXES.length; i++) sum += shape.support(AXES[i]!)
  return sum / AXES.length
}
