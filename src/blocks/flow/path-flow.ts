import type { Vec3, Vec3Like } from '../../core/types.js'
import { Path } from '../paths/path.js'
import { requireVector } from '../../core/math/require.js'
import { smoothstep } from '../../core/math/scalar.js'
import { addScaled, length, reject, scale, set, sub, vec3 } from '../../core/math/vec3.js'
import type { Flow } from './flow.js'
import { requirePath } from '../paths/follow-options.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface PathFlowOptions extends Options, OptionsOf<typeof PathFlow.options> {}
export interface PathFlow extends FieldsOf<typeof PathFlow.options> {}

const spot = vec3()
const away = vec3()
const lateral = vec3()

/**
 * A flow along a path, such as a river. Within the tube it is parallel to the path; outside it turns more and
 * more inwards. Its speed is the same everywhere.
 */
export class PathFlow implements Flow {
  static readonly options = {
    path: { kind: 'instance', required: true, check: requirePath },
    /** Speed of the flow, m/s; < 0: from the last point to the first. */
    speed: { kind: 'number', required: true, unit: 'm/s' },
    /** Radius (m, ≥ 0) within which the flow is parallel to the path. Default the tube of the path. */
    tube: { kind: 'number', unit: 'm', atLeast: 0 },
    /**
     * Distance outside of the tube at which the flow turns inwards most, m, > 0. Default the tube, or a tenth
     * of the path length if the tube is 0.
     */
    width: { kind: 'number', unit: 'm', above: 0 },
    /** Greatest inward component of the flow, as a share of its speed, 0 … 1. Default 0.7. */
    // Far from the path the flow meets it at about 45°.
    inwardShare: { kind: 'number', atLeast: 0, atMost: 1, default: 0.7 },
    /**
     * Distance from the path (m, > 0) beyond which there is no flow; it fades over the last `width` before.
     * Default Infinity.
     */
    maxDistance: { kind: 'number', unit: 'm', above: 0, infinite: true, default: Infinity },
  } as const satisfies AnyTable

  readonly path!: Path
  width!: number
  /** @throws TypeError / RangeError naming the option. */
  constructor(options: PathFlowOptions) {
    const read = readOptions('PathFlow', PathFlow.options, options)
    const { path, tube } = read
    Object.assign(this, read, { width: read.width ?? ((tube ?? path.tubeAt(0)) || path.length / 10) })
  }

  velocityAt(out: Vec3, point: Vec3Like): Vec3 {
    const { path, inwardShare, maxDistance, speed, width } = this
    const s = path.nearest(point)
    sub(away, point, path.pointAt(spot, s))
    path.tangentAt(spot, s)
    // only the distance across the path counts, also before its start and after its end
    reject(lateral, away, spot)
    const aside = length(lateral)
    const fade = maxDistance < Infinity ? 1 - smoothstep(length(away), maxDistance - width, maxDistance) : 1
    if (fade === 0) return set(out, 0, 0, 0)
    const outside = aside - (this.tube ?? path.tubeAt(s))
    const inwards = outside > 0 ? inwardShare * smoothstep(outside, 0, width) : 0
    scale(out, spot, speed * fade * Math.sqrt(1 - inwards * inwards))
    return inwards > 0 ? addScaled(out, out, lateral, (-Math.abs(speed) * fade * inwards) / aside) : out
  }
}

export interface TunnelFlowOptions extends Options, OptionsOf<typeof TUNNEL_FLOW> {}

const TUNNEL_FLOW = {
  /** Start of the tunnel, m. */
  from: { kind: 'vector', required: true, unit: 'm', check: requireVector },
  /** End of the tunnel, m. */
  to: { kind: 'vector', required: true, unit: 'm', check: requireVector },
  /** Radius of the tunnel, m, > 0. */
  radius: { kind: 'number', required: true, unit: 'm', above: 0 },
  /** Speed of the flow, m/s; < 0: from `to` to `from`. */
  speed: { kind: 'number', required: true, unit: 'm/s' },
  /**
   * Distance over which the flow fades outside of the radius and beyond both ends, m, > 0. Default the
   * radius.
   */
  width: { kind: 'number', unit: 'm', above: 0 },
} as const satisfies AnyTable

/** A straight flow within a radius, which fades outside: a wind tunnel, a jet, a corridor. */
export function tunnelFlow(options: TunnelFlowOptions): PathFlow {
  const { from, to, radius, speed, width = radius } = readOptions('tunnelFlow', TUNNEL_FLOW, options)
  const path = new Path({ points: [from, to], curve: 'polyline' })
  return new PathFlow({ path, speed, tube: radius, width, inwardShare: 0, maxDistance: radius + width })
}
