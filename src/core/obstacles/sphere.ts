import type { Vec3, Vec3Like } from '../types.js'
import type { OutlineSink, Shape, SweptBall } from './shape.js'
import { length } from '../math/vec3.js'
import { ballCone } from './outline.js'
import { CENTER, SLIDE, sweepByBall, TOUCH } from './sweep.js'
import { type OptionTable, readOptions } from '../math/options.js'

/** A ball around the origin. */
export class SphereShape implements Shape {
  static readonly options = {
    radius: { kind: 'number', required: true, unit: 'm', above: 0 },
  } satisfies OptionTable<{ radius: number }>

  readonly kind = 'sphere'
  readonly convex = true
  /** m, > 0. */
  readonly radius: number
  readonly ballRadius: number

  /** @throws TypeError / RangeError naming the value. */
  constructor(radius: number) {
    readOptions('SphereShape', SphereShape.options, { radius })
    this.radius = this.ballRadius = radius
  }

  distance(point: Vec3Like, normal: Vec3): number {
    const d = length(point)
    const out = d > CENTER
    normal.x = out ? point.x / d : 0
    normal.y = out ? point.y / d : 1
    normal.z = out ? point.z / d : 0
    return d - this.radius
  }

  sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number {
    return sweepByBall(this, origin, direction, radius, limit)
  }

  /** As `sweep`, with its numbers in `ball`. @internal */
  sweepBall(origin: Vec3Like, direction: Vec3Like, ball: SweptBall): void {
    const { limit, radius } = ball
    ball.distance = Infinity
    const sum = this.radius + radius
    const along = origin.x * direction.x + origin.y * direction.y + origin.z * direction.z
    const d = length(origin)
    if (along >= 0 || (d - sum <= TOUCH * (d + sum) && along >= -SLIDE * (d + sum))) return
    const cx = origin.x - along * direction.x
    const cy = origin.y - along * direction.y
    const cz = origin.z - along * direction.z
    const halfChordSq = sum * sum - (cx * cx + cy * cy + cz * cz)
    if (halfChordSq <= 0) return
    const hit = Math.max(0, -along - Math.sqrt(halfChordSq))
    if (hit <= limit) ball.distance = hit
  }

  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    const sum = this.radius + radius
    const along = origin.x * direction.x + origin.y * direction.y + origin.z * direction.z
    const depthSq = sum * sum - (origin.x * origin.x + origin.y * origin.y + origin.z * origin.z)
    if (!(depthSq > 0)) return 0
    const halfChord = Math.sqrt(along * along + depthSq)
    // of the two forms of the root the one without cancellation
    return along > 0 ? depthSq / (halfChord + along) : halfChord - along
  }

  support(): number {
    return this.radius
  }

  outline(from: Vec3Like, radius: number, rim: OutlineSink): void {
    ballCone(0, 0, 0, from, this.radius + radius, rim)
  }
}
