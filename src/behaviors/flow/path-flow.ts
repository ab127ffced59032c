import type { Vec3, Vec3Like } from '../../types.js'
import { Path } from '../paths/path.js'
import { requireFinite, requireNumber, requireVector } from '../../math/require.js'
import { smoothstep } from '../../math/scalar.js'
import { addScaled, length, reject, save, scale, set, sub, vec3 } from '../../math/vec3.js'
import type { Flow } from './flow.js'

export interface PathFlowOptions {
  path: Path
  /** m/s; < 0 flows from the last point to the first. */
  speed: number
  /** Radius (m, ≥ 0) within which it flows along the path only. Default the tube of the path. */
  tube?: number
  /** Outside of the tube it turns inwards, to its steepest so much farther out, m, > 0. Default the tube, or a tenth of the path. */
  width?: number
  /** Share of the speed that goes inwards where it is steepest, 0 … 1. Default 0.7. */
  inwardShare?: number
  /** Farther from the path than this (m) nothing flows; over the last `width` it fades. Default Infinity. */
  maxDistance?: number
}

/** A path is first looked at in so many places for each of its pieces, and some more. */
const SAMPLES = 3
const MORE = 16

const spot = vec3()
const away = vec3()
const off = vec3()

/** A river along a path: within its tube it flows as the path leads, outside of it ever more inwards, everywhere equally fast. */
export class PathFlow implements Flow {
  readonly path: Path
  speed: number
  tube: number | undefined
  width: number
  inwardShare: number
  maxDistance: number
  /** `[3 × samples]`: places of the path, evenly from its start to its end. */
  private readonly samples: Float64Array

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: PathFlowOptions) {
    const { path, speed, tube, inwardShare = 0.7, maxDistance = Infinity } = options
    if (typeof (path as Partial<Path> | undefined)?.curvatureAt !== 'function')
      throw new TypeError(`PathFlow.path: got ${String(path)}, must be a Path`)
    const { width = (tube ?? path.tubeAt(0)) || path.length / 10 } = options
    this.path = path
    this.speed = requireFinite('PathFlow.speed', speed, -Infinity, true)
    this.tube = tube === undefined ? undefined : requireFinite('PathFlow.tube', tube, 0, false)
    this.width = requireFinite('PathFlow.width', width, 0, true)
    this.inwardShare = requireNumber('PathFlow.inwardShare', inwardShare, 0, false, 1)
    this.maxDistance = requireNumber('PathFlow.maxDistance', maxDistance, 0, true)
    this.samples = samplesOf(path)
  }

  velocityAt(out: Vec3, point: Vec3Like): Vec3 {
    const { path, inwardShare, maxDistance, speed, width } = this
    const s = this.nearest(point)
    sub(away, point, path.pointAt(spot, s))
    path.tangentAt(spot, s)
    // beside the path, also where it begins and ends
    reject(off, away, spot)
    const aside = length(off)
    const fade = maxDistance < Infinity ? 1 - smoothstep(length(away), maxDistance - width, maxDistance) : 1
    if (fade === 0) return set(out, 0, 0, 0)
    const outside = aside - (this.tube ?? path.tubeAt(s))
    const inwards = outside > 0 ? inwardShare * smoothstep(outside, 0, width) : 0
    scale(out, spot, speed * fade * Math.sqrt(1 - inwards * inwards))
    return inwards > 0 ? addScaled(out, out, off, (-Math.abs(speed) * fade * inwards) / aside) : out
  }

  /** Way of the nearest point, m: that of the nearest sample, and then between its neighbours. A grid has a hundred thousand nodes. */
  private nearest({ x, y, z }: Vec3Like): number {
    const { path, samples } = this
    let best = 0
    let least = Infinity
    for (let at = 0; at < samples.length; at += 3) {
      const square = (samples[at]! - x) ** 2 + (samples[at + 1]! - y) ** 2 + (samples[at + 2]! - z) ** 2
      if (square >= least) continue
      least = square
      best = at
    }
    const step = path.length / samples.length
    set(spot, x, y, z)
    return path.nearest(spot, step * (best - 3), step * (best + 3))
  }
}

/** Places of a path, evenly from its start to its end. */
function samplesOf(path: Path): Float64Array {
  const count = SAMPLES * path.line.count + MORE
  const samples = new Float64Array(3 * count)
  for (let i = 0; i < count; i++) save(path.pointAt(spot, (path.length * i) / count), samples, 3 * i)
  return samples
}

export interface TunnelFlowOptions {
  /** Where it blows from, and where to, m. */
  from: Vec3Like
  to: Vec3Like
  /** m, > 0. */
  radius: number
  /** m/s */
  speed: number
  /** Beyond the radius, and before and behind the ends, it fades over this width, m, > 0. Default the radius. */
  width?: number
}

/** A wind tunnel, a jet, a corridor: blows straight within a radius, and fades around. */
export function tunnelFlow({ from, to, radius, speed, width = radius }: TunnelFlowOptions): PathFlow {
  requireVector('tunnelFlow.from', from)
  requireVector('tunnelFlow.to', to)
  requireFinite('tunnelFlow.radius', radius, 0, true)
  requireFinite('tunnelFlow.width', width, 0, true)
  const path = new Path({ points: [from, to], curve: 'polyline' })
  return new PathFlow({ path, speed, tube: radius, width, inwardShare: 0, maxDistance: radius + width })
}
