import type { Vec3, Vec3Like } from '../../core/types.js'
import { Path } from '../paths/path.js'
import { requireVector } from '../../core/math/require.js'
import { smoothstep } from '../../core/math/scalar.js'
import { addScaled, length, reject, save, scale, set, sub, vec3 } from '../../core/math/vec3.js'
import type { Flow } from './flow.js'
import { requirePath } from '../paths/follow-options.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface PathFlowOptions extends Options, OptionsOf<typeof PathFlow.options> {}
export interface PathFlow extends FieldsOf<typeof PathFlow.options> {}

/**
 * Sample points for each piece of a path. More: the flow follows its bends more exactly, and takes longer to
 * make. Chosen by hand, like the number added.
 */
const SAMPLES_PER_PIECE = 3
/** Sample points in addition, for paths of few pieces. */
const MORE_SAMPLES = 16

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
  /** `[3 × samples]`: points of the path at equal distances from its start to its end, from its start, m. */
  private readonly samples: Float64Array

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: PathFlowOptions) {
    const read = readOptions('PathFlow', PathFlow.options, options)
    const { path, tube } = read
    Object.assign(this, read, { width: read.width ?? ((tube ?? path.tubeAt(0)) || path.length / 10) })
    this.samples = samplesOf(path)
  }

  velocityAt(out: Vec3, point: Vec3Like): Vec3 {
    const { path, inwardShare, maxDistance, speed, width } = this
    const s = this.nearest(point)
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

  /**
   * Station of the nearest point, m: the search starts at the nearest sample, because a grid calls this for a
   * hundred thousand nodes.
   */
  private nearest(point: Vec3Like): number {
    const { path, samples } = this
    const { x, y, z } = sub(spot, point, path.pointAt(spot, 0))
    let best = 0
    let least = Infinity
    for (let i = 0; i < samples.length; i += 3) {
      const square = (samples[i]! - x) ** 2 + (samples[i + 1]! - y) ** 2 + (samples[i + 2]! - z) ** 2
      if (square >= least) continue
      least = square
      best = i
    }
    const step = path.length / samples.length
    return path.nearest(point, step * (best - 3), step * (best + 3))
  }
}

/** Points of a path at equal distances from its start to its end. */
function samplesOf(path: Path): Float64Array {
  const count = SAMPLES_PER_PIECE * path.line.count + MORE_SAMPLES
  const samples = new Float64Array(3 * count)
  path.pointAt(away, 0)
  for (let i = 0; i < count; i++)
    save(sub(spot, path.pointAt(spot, (path.length * i) / count), away), samples, 3 * i)
  return samples
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
