import type { Vec3, Vec3Like } from '../../core/types.js'
import { requireDirection, requireVector } from '../../core/math/require.js'
import { addScaled, copy, cross, dot, lengthSq, normalize, sub, vec3 } from '../../core/math/vec3.js'
import type { Flow } from './flow.js'
import { DEFAULT_UP } from '../../core/math/frame.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface VortexFlowOptions extends Options, OptionsOf<typeof VortexFlow.options> {}
export interface VortexFlow extends FieldsOf<typeof VortexFlow.options> {}

const offset = vec3()

/**
 * A vortex about an infinite axis. Near the axis it turns like a rigid body; far out its speed falls as 1 /
 * distance, with a smooth transition (Vatistas, Kozel and Mih, A simpler model for concentrated vortices,
 * 1991, with n = 1). Its divergence is zero.
 */
export class VortexFlow implements Flow {
  static readonly options = {
    /** A point of the axis, m. */
    center: { kind: 'vector', required: true, unit: 'm', check: requireVector },
    /** Direction of the axis, of any length > 0; the vortex turns right-handed about it. Default up, +Y. */
    axis: { kind: 'vector', default: DEFAULT_UP, check: requireDirection },
    /** Distance from the axis at which the vortex is fastest, m, > 0. */
    radius: { kind: 'number', required: true, unit: 'm', above: 0 },
    /** Speed at that distance, m/s; < 0 turns the other way. */
    speed: { kind: 'number', required: true, unit: 'm/s' },
    /**
     * Speed along the axis at its centre, m/s: an updraft. It falls off outwards as the square of the angular
     * velocity does. Default 0.
     */
    climb: { kind: 'number', unit: 'm/s', default: 0 },
  } as const satisfies AnyTable

  /** m. May be changed. */
  readonly center: Vec3
  /** Unit vector. May be changed. */
  readonly axis: Vec3

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: VortexFlowOptions) {
    const { center, axis, ...read } = readOptions('VortexFlow', VortexFlow.options, options)
    this.center = copy(vec3(), center)
    this.axis = normalize(vec3(), axis)
    Object.assign(this, read)
  }

  velocityAt(out: Vec3, point: Vec3Like): Vec3 {
    const { axis, center, climb, radius, speed } = this
    sub(offset, point, center)
    const along = dot(offset, axis)
    const outSq = Math.max(0, lengthSq(offset) - along * along) / (radius * radius)
    const falloff = 1 / (1 + outSq)
    cross(out, axis, offset)
    const turn = (2 * speed * falloff) / radius
    out.x *= turn
    out.y *= turn
    out.z *= turn
    return addScaled(out, out, axis, climb * falloff * falloff)
  }
}
