import type { Vec3, Vec3Like } from '../../types.js'
import { requireDirection, requireFinite, requireVector } from '../../math/require.js'
import { addScaled, copy, cross, dot, lengthSq, normalize, sub, vec3 } from '../../math/vec3.js'
import type { Flow } from './flow.js'

export interface VortexFlowOptions {
  /** A point of its axis, m. */
  center: Vec3Like
  /** Direction of its axis, of any length but 0; it turns right-handed about it. Default up, +Y. */
  axis?: Vec3Like
  /** Distance from the axis at which it is fastest, m, > 0: a narrow one is a whirl, a wide one a gyre. */
  radius: number
  /** Speed there, m/s; < 0 turns the other way. */
  speed: number
  /** Speed along the axis in the middle, m/s: an updraft. It falls off with the square of the turn rate. Default 0. */
  climb?: number
}

const off = vec3()

/**
 * A vortex about an endless axis: turns like a solid in the middle and as 1 / distance far out, without a kink between (Vatistas, Kozel
 * and Mih, A simpler model for concentrated vortices, 1991, with n = 1). Nothing is heaped up anywhere: its divergence is zero.
 */
export class VortexFlow implements Flow {
  /** m, and unit. May be changed. */
  readonly center: Vec3
  readonly axis: Vec3
  radius: number
  speed: number
  climb: number

  /** @throws TypeError / RangeError naming the option. */
  constructor({ center, axis = { x: 0, y: 1, z: 0 }, radius, speed, climb = 0 }: VortexFlowOptions) {
    this.center = copy(vec3(), requireVector('VortexFlow.center', center))
    this.axis = normalize(vec3(), requireDirection('VortexFlow.axis', axis))
    this.radius = requireFinite('VortexFlow.radius', radius, 0, true)
    this.speed = requireFinite('VortexFlow.speed', speed, -Infinity, true)
    this.climb = requireFinite('VortexFlow.climb', climb, -Infinity, true)
  }

  velocityAt(out: Vec3, point: Vec3Like): Vec3 {
    const { axis, center, climb, radius, speed } = this
    sub(off, point, center)
    const along = dot(off, axis)
    const outSq = Math.max(0, lengthSq(off) - along * along) / (radius * radius)
    const fall = 1 / (1 + outSq)
    cross(out, axis, off)
    const turn = (2 * speed * fall) / radius
    out.x *= turn
    out.y *= turn
    out.z *= turn
    return addScaled(out, out, axis, climb * fall * fall)
  }
}
