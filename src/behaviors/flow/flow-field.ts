import type { Vec3, Vec3Like } from '../../types.js'
import { requireFinite, requireVector, requireWhole } from '../../math/require.js'
import { clamp, smoothstep } from '../../math/scalar.js'
import { isFiniteVec, set, vec3 } from '../../math/vec3.js'
import { flowOf, type Flow, type FlowSource } from './flow.js'

/**
 * What flows outside of the box.
 * - `clamp`: what flows at the nearest place of its border.
 * - `zero`: nothing.
 * - `fade`: as at the border, less and less.
 */
export type FlowOutside = 'clamp' | 'zero' | 'fade'

export interface FlowFieldOptions {
  /** Corners of the box, m: the first node and the last lie there. */
  min: Vec3Like
  max: Vec3Like
  /** Nodes along x, y and z, whole, ≥ 1. More show finer detail. With one it is the same all along that axis, without end: a flat map. */
  size: Vec3Like
  /** Default `clamp`. */
  outside?: FlowOutside
  /** Width over which it fades, m, > 0. Default a quarter of the longest edge, or 1. */
  fade?: number
  /** Velocities to begin with, `[3 × nodes]`, m/s, x of the node fastest, then y. They are copied. Default all zero. */
  data?: ArrayLike<number>
}

/** A part of a field: corners of a box, m. */
export interface FlowPart {
  readonly min: Vec3Like
  readonly max: Vec3Like
}

/** More nodes than this is a mistake. */
const MOST_NODES = 2 ** 26

/** Share of a cell by which a node may be off a border that it lies on. */
const NODE = 1e-6

const OUTSIDE: readonly unknown[] = ['clamp', 'zero', 'fade'] satisfies FlowOutside[]

/**
 * A flow as a grid of velocities in a box, read between its nodes by trilinear interpolation (Green, Flow Field Following, as a map that
 * artists paint). Any flow is painted into it by `paint` and `add`, and by hand with `brushFlow`.
 */
export class FlowField implements Flow {
  /** m. Live: not to be written. */
  readonly min: Vec3Like
  readonly max: Vec3Like
  readonly size: Vec3Like
  outside: FlowOutside
  fade: number
  /** `[3 × nodes]`, m/s, x fastest, then y. Live: painters of your own may write it. */
  readonly data: Float32Array
  /** From node to node, m; 0 where there is but one. */
  readonly cell: Vec3Like

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: FlowFieldOptions) {
    const { min, max, size, outside = 'clamp', data } = options
    requireVector('FlowField.min', min)
    requireVector('FlowField.max', max)
    requireVector('FlowField.size', size)
    const cell = vec3()
    for (const axis of ['x', 'y', 'z'] as const) {
      requireWhole(`FlowField.size.${axis}`, size[axis], 1, MOST_NODES)
      const edge = max[axis] - min[axis]
      if (!(size[axis] > 1 ? edge > 0 : edge >= 0) || edge === Infinity)
        throw new RangeError(
          `FlowField.max.${axis}: got ${max[axis]}, must be > min.${axis}, which is ${min[axis]}`,
        )
      cell[axis] = size[axis] > 1 ? edge / (size[axis] - 1) : 0
    }
    const count = size.x * size.y * size.z
    if (count > MOST_NODES)
      throw new RangeError(`FlowField.size: got ${count} nodes in all, must be ≤ ${MOST_NODES}`)
    if (!OUTSIDE.includes(outside))
      throw new RangeError(`FlowField.outside: got '${outside}', allowed are '${OUTSIDE.join("', '")}'`)
    const { fade = Math.max(max.x - min.x, max.y - min.y, max.z - min.z) / 4 || 1 } = options
    this.min = { x: min.x, y: min.y, z: min.z }
    this.max = { x: max.x, y: max.y, z: max.z }
    this.size = { x: size.x, y: size.y, z: size.z }
    this.cell = cell
    this.outside = outside
    this.fade = requireFinite('FlowField.fade', fade, 0, true)
    this.data = new Float32Array(3 * count)
    if (data !== undefined) this.take(data)
  }

  /** Number of nodes. */
  get count(): number {
    return this.data.length / 3
  }

  velocityAt(out: Vec3, point: Vec3Like): Vec3 {
    const { data, size } = this
    const share = this.outside === 'clamp' ? 1 : this.shareAt(point)
    if (share === 0) return set(out, 0, 0, 0)
    const gx = along(point.x, this.min.x, this.cell.x, size.x)
    const gy = along(point.y, this.min.y, this.cell.y, size.y)
    const gz = along(point.z, this.min.z, this.cell.z, size.z)
    // of the last node the cell before it
    const i = Math.min(Math.floor(gx), Math.max(0, size.x - 2))
    const j = Math.min(Math.floor(gy), Math.max(0, size.y - 2))
    const k = Math.min(Math.floor(gz), Math.max(0, size.z - 2))
    const onY = 3 * size.x
    const onZ = onY * size.y
    const first = 3 * i + onY * j + onZ * k
    let x = 0
    let y = 0
    let z = 0
    for (let corner = 0; corner < 8; corner++) {
      const a = (corner & 1) === 0 ? 1 - (gx - i) : gx - i
      const b = (corner & 2) === 0 ? 1 - (gy - j) : gy - j
      const c = (corner & 4) === 0 ? 1 - (gz - k) : gz - k
      const weight = a * b * c
      if (weight === 0) continue
      const at = first + ((corner & 1) * 3 + ((corner >> 1) & 1) * onY + (corner >> 2) * onZ)
      x += weight * data[at]!
      y += weight * data[at + 1]!
      z += weight * data[at + 2]!
    }
    return set(out, x * share, y * share, z * share)
  }

  /** Writes where a node is, m. */
  nodeAt(out: Vec3, i: number, j: number, k: number): Vec3 {
    const { cell, min } = this
    return set(out, min.x + i * cell.x, min.y + j * cell.y, min.z + k * cell.z)
  }

  /** Paints a flow over what is there, as it is at `time` (s); only at the nodes in `part`, if there is one: after a stroke of the brush. */
  paint(flow: FlowSource, time = 0, part: FlowPart = this): this {
    return this.mix('FlowField.paint', flow, 0, 1, time, part)
  }

  /** Adds a flow to what is there, times `weight`. */
  add(flow: FlowSource, weight = 1, time = 0): this {
    requireFinite('FlowField.add: weight', weight, -Infinity, true)
    return this.mix('FlowField.add', flow, 1, weight, time, this)
  }

  /** Makes it all still. */
  clear(): this {
    this.data.fill(0)
    return this
  }

  private take(data: ArrayLike<number>): void {
    if (typeof data !== 'object' || data === null || data.length !== this.data.length)
      throw new RangeError(
        `FlowField.data: got ${String((data as ArrayLike<number> | null)?.length)} numbers, must be ${this.data.length}, three per node`,
      )
    this.data.set(data)
    const bad = this.data.findIndex((value) => !Number.isFinite(value))
    if (bad >= 0) throw new RangeError(`FlowField.data: got ${data[bad]} at ${bad}, must be finite`)
  }

  /** First and last node along an axis that lie between two places, m; of a flat axis its only one. */
  nodesBetween(axis: 'x' | 'y' | 'z', from: number, to: number): [number, number] {
    const cell = this.cell[axis]
    if (cell === 0) return [0, 0]
    // a node on the border belongs to it, for all the rounding
    const first = Math.ceil((from - this.min[axis]) / cell - NODE)
    const last = Math.floor((to - this.min[axis]) / cell + NODE)
    return [Math.max(0, first), Math.min(this.size[axis] - 1, last)]
  }

  private mix(
    what: string,
    source: FlowSource,
    keep: number,
    weight: number,
    time: number,
    { min, max }: FlowPart,
  ): this {
    const flow = flowOf(what, source)
    const { data, size } = this
    const spot = vec3()
    const sample = vec3()
    const [x0, x1] = this.nodesBetween('x', min.x, max.x)
    const [y0, y1] = this.nodesBetween('y', min.y, max.y)
    const [z0, z1] = this.nodesBetween('z', min.z, max.z)
    for (let k = z0; k <= z1; k++)
      for (let j = y0; j <= y1; j++)
        for (let i = x0; i <= x1; i++) {
          flow.velocityAt(sample, this.nodeAt(spot, i, j, k), time)
          if (!isFiniteVec(sample))
            throw new RangeError(
              `${what}: got (${sample.x}, ${sample.y}, ${sample.z}) from the flow at node ${i}, ${j}, ${k}, must be finite`,
            )
          const at = 3 * (i + size.x * (j + size.y * k))
          data[at] = keep * data[at]! + weight * sample.x
          data[at + 1] = keep * data[at + 1]! + weight * sample.y
          data[at + 2] = keep * data[at + 2]! + weight * sample.z
        }
    return this
  }

  /** Share of the border's velocity that flows at a point: 1 inside. */
  private shareAt({ x, y, z }: Vec3Like): number {
    const { max, min, size } = this
    const dx = size.x > 1 ? x - clamp(x, min.x, max.x) : 0
    const dy = size.y > 1 ? y - clamp(y, min.y, max.y) : 0
    const dz = size.z > 1 ? z - clamp(z, min.z, max.z) : 0
    const off = Math.hypot(dx, dy, dz)
    if (this.outside === 'zero') return off > 0 ? 0 : 1
    const share = 1 - smoothstep(off, 0, this.fade)
    return share > 0 ? share : 0
  }
}

/** Place on an axis in cells, within the box. What is no number is at its start. */
function along(value: number, min: number, cell: number, nodes: number): number {
  const at = (value - min) / cell
  return nodes > 1 && at > 0 ? Math.min(at, nodes - 1) : 0
}
