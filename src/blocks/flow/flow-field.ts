import type { Vec3, Vec3Like } from '../../core/types.js'
import { requireFinite, requireVector, requireWhole, outOfRange, unchecked } from '../../core/math/require.js'
import { clamp, smoothstep } from '../../core/math/scalar.js'
import { add, isFiniteVec, set, vec3 } from '../../core/math/vec3.js'
import { flowOf, type Flow, type FlowSource } from './flow.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

/**
 * The flow outside of the box.
 * - `clamp`: the velocity at the nearest point of the border.
 * - `zero`: none.
 * - `fade`: as `clamp`, and falling to 0 over the width `fade`.
 */
export type FlowOutside = 'clamp' | 'zero' | 'fade'

export interface FlowFieldOptions extends Options, OptionsOf<typeof FlowField.options> {}
export interface FlowField extends FieldsOf<typeof FlowField.options> {}

/** A part of a field: corners of a box, m. */
export interface FlowPart {
  readonly min: Vec3Like
  readonly max: Vec3Like
}

/** Greatest number of nodes; a larger one is probably a mistake. */
const MAX_NODES = 2 ** 26

/** Tolerance, in cells, for nodes on the border of a part; it covers rounding. */
const TOLERANCE = 1e-6

/**
 * A flow given by a grid of velocities in a box, with trilinear interpolation between the nodes (Green, Flow
 * Field Following, as a map that artists paint). `paint` and `add` write other flows into it, and `brushFlow`
 * strokes of a brush.
 */
export class FlowField implements Flow {
  static readonly options = {
    /** Least coordinates of the box, m: those of the first node. */
    min: { kind: 'vector', required: true, unit: 'm', check: requireVector },
    /** Greatest coordinates of the box, m: those of the last node. */
    max: { kind: 'vector', required: true, unit: 'm', check: requireVector },
    /**
     * Number of nodes along x, y and z, whole, ≥ 1. More nodes hold finer detail. With one node the flow is
     * constant along that axis, also outside of the box: a flat map.
     */
    size: { kind: 'vector', required: true, check: requireVector },
    /** The flow outside of the box. Default `clamp`. */
    outside: { kind: 'text', oneOf: ['clamp', 'zero', 'fade'], default: 'clamp' },
    /**
     * Width over which `outside: 'fade'` falls to 0, m, > 0. Default a quarter of the longest edge, or 1 if
     * that is 0.
     */
    fade: { kind: 'number', unit: 'm', above: 0 },
    /**
     * Initial velocities, `[3 × nodes]`, m/s; the node index runs along x first, then y, then z. They are
     * copied. Default all zero.
     */
    data: { kind: 'data', unit: 'm/s', check: unchecked<ArrayLike<number>> },
  } as const satisfies AnyTable

  /** m. Live: do not write it. */
  readonly min: Readonly<Vec3>
  readonly max: Readonly<Vec3>
  readonly size: Vec3Like
  fade: number
  /** `[3 × nodes]`, m/s; the node index runs along x first, then y, then z. Live: you may write it. */
  readonly data: Float32Array
  /** Distance of two nodes along each axis, m; 0 along an axis with one node. */
  readonly cell: Vec3Like

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: FlowFieldOptions) {
    const { min, max, size, outside, fade, data } = readOptions('FlowField', FlowField.options, options)
    const cell = vec3()
    for (const axis of ['x', 'y', 'z'] as const) {
      requireWhole(`FlowField.size.${axis}`, size[axis], 1, MAX_NODES)
      const edge = max[axis] - min[axis]
      if (!(size[axis] > 1 ? edge > 0 : edge >= 0) || edge === Infinity)
        outOfRange(`FlowField.max.${axis}`, max[axis], `must be > min.${axis}, which is ${min[axis]}`)
      cell[axis] = size[axis] > 1 ? edge / (size[axis] - 1) : 0
    }
    const count = size.x * size.y * size.z
    if (count > MAX_NODES)
      throw new RangeError(`FlowField.size: got ${count} nodes in all, must be ≤ ${MAX_NODES}`)
    this.min = { x: min.x, y: min.y, z: min.z }
    this.max = { x: max.x, y: max.y, z: max.z }
    this.size = { x: size.x, y: size.y, z: size.z }
    this.cell = cell
    this.outside = outside
    this.fade = fade ?? (Math.max(max.x - min.x, max.y - min.y, max.z - min.z) / 4 || 1)
    this.data = new Float32Array(3 * count)
    if (data !== undefined) this.setData(data)
  }

  /** Number of nodes. */
  get count(): number {
    return this.data.length / 3
  }

  velocityAt(out: Vec3, point: Vec3Like): Vec3 {
    const { data, size } = this
    const share = this.outside === 'clamp' ? 1 : this.shareAt(point)
    if (share === 0) return set(out, 0, 0, 0)
    const gx = cellCoordinate(point.x, this.min.x, this.cell.x, size.x)
    const gy = cellCoordinate(point.y, this.min.y, this.cell.y, size.y)
    const gz = cellCoordinate(point.z, this.min.z, this.cell.z, size.z)
    // a point at the last node belongs to the cell before it
    const i = Math.min(Math.floor(gx), Math.max(0, size.x - 2))
    const j = Math.min(Math.floor(gy), Math.max(0, size.y - 2))
    const k = Math.min(Math.floor(gz), Math.max(0, size.z - 2))
    const strideY = 3 * size.x
    const strideZ = strideY * size.y
    const first = 3 * i + strideY * j + strideZ * k
    let x = 0
    let y = 0
    let z = 0
    for (let corner = 0; corner < 8; corner++) {
      const a = (corner & 1) === 0 ? 1 - (gx - i) : gx - i
      const b = (corner & 2) === 0 ? 1 - (gy - j) : gy - j
      const c = (corner & 4) === 0 ? 1 - (gz - k) : gz - k
      const weight = a * b * c
      if (weight === 0) continue
      const index = first + ((corner & 1) * 3 + ((corner >> 1) & 1) * strideY + (corner >> 2) * strideZ)
      x += weight * data[index]!
      y += weight * data[index + 1]!
      z += weight * data[index + 2]!
    }
    return set(out, x * share, y * share, z * share)
  }

  /** Moves the box by a vector (m), for a floating origin, see `SteeringWorld.shift`. */
  shift(by: Vec3Like): void {
    requireVector('FlowField.shift: by', by)
    for (const corner of [this.min, this.max]) add(corner, corner, by)
  }

  /** Writes the position of a node, m. */
  nodeAt(out: Vec3, i: number, j: number, k: number): Vec3 {
    const { cell, min } = this
    return set(out, min.x + i * cell.x, min.y + j * cell.y, min.z + k * cell.z)
  }

  /** Replaces the velocities by those of a flow at `time` (s), at the nodes in `part` or at all nodes. */
  paint(flow: FlowSource, time = 0, part: FlowPart = this): this {
    return this.mix('FlowField.paint', flow, 0, 1, time, part)
  }

  /** Adds `weight` (dimensionless) times the velocities of a flow at `time` (s). */
  add(flow: FlowSource, weight = 1, time = 0): this {
    requireFinite('FlowField.add: weight', weight, -Infinity, true)
    return this.mix('FlowField.add', flow, 1, weight, time, this)
  }

  /** Sets all velocities to 0. */
  clear(): this {
    this.data.fill(0)
    return this
  }

  private setData(data: ArrayLike<number>): void {
    if (typeof data !== 'object' || data === null || data.length !== this.data.length)
      throw new RangeError(
        `FlowField.data: got ${String((data as ArrayLike<number> | null)?.length)} numbers, must be ${this.data.length}, three per node`,
      )
    this.data.set(data)
    const bad = this.data.findIndex((value) => !Number.isFinite(value))
    if (bad >= 0) throw new RangeError(`FlowField.data: got ${data[bad]} at ${bad}, must be finite`)
  }

  /** First and last node along an axis between two coordinates, m; the only one of an axis with one. */
  private nodesBetween(axis: 'x' | 'y' | 'z', from: number, to: number): [number, number] {
    const cell = this.cell[axis]
    if (cell === 0) return [0, 0]
    // a node on the border belongs to the part, in spite of rounding
    const first = Math.ceil((from - this.min[axis]) / cell - TOLERANCE)
    const last = Math.floor((to - this.min[axis]) / cell + TOLERANCE)
    return [Math.max(0, first), Math.min(this.size[axis] - 1, last)]
  }

  /** Sets velocities in a part of the box to `oldWeight` times the present plus `weight` times a flow's. */
  private mix(
    what: string,
    source: FlowSource,
    oldWeight: number,
    weight: number,
    time: number,
    { min, max }: FlowPart,
  ): this {
    const flow = flowOf(what, source)
    const { data } = this
    const sample = vec3()
    this.eachNode(min, max, (spot, index, at) => {
      flow.velocityAt(sample, spot, time)
      if (!isFiniteVec(sample))
        throw new RangeError(
          `${what}: got (${sample.x}, ${sample.y}, ${sample.z}) from the flow at node ${at.join(', ')}, must be finite`,
        )
      data[index] = oldWeight * data[index]! + weight * sample.x
      data[index + 1] = oldWeight * data[index + 1]! + weight * sample.y
      data[index + 2] = oldWeight * data[index + 2]! + weight * sample.z
    })
    return this
  }

  /** Calls `visit` with place (m), first index in `data` and numbers of each node of a box. @internal */
  eachNode(
    min: Vec3Like,
    max: Vec3Like,
    visit: (spot: Vec3Like, index: number, at: readonly number[]) => void,
  ): void {
    const { size } = this
    const spot = vec3()
    const [x0, x1] = this.nodesBetween('x', min.x, max.x)
    const [y0, y1] = this.nodesBetween('y', min.y, max.y)
    const [z0, z1] = this.nodesBetween('z', min.z, max.z)
    for (let k = z0; k <= z1; k++)
      for (let j = y0; j <= y1; j++)
        for (let i = x0; i <= x1; i++)
          visit(this.nodeAt(spot, i, j, k), 3 * (i + size.x * (j + size.y * k)), [i, j, k])
  }

  /** Share of the velocity at the nearest point of the border that a point has: 1 inside the box. */
  private shareAt({ x, y, z }: Vec3Like): number {
    const { max, min, size } = this
    const dx = size.x > 1 ? x - clamp(x, min.x, max.x) : 0
    const dy = size.y > 1 ? y - clamp(y, min.y, max.y) : 0
    const dz = size.z > 1 ? z - clamp(z, min.z, max.z) : 0
    const distance = Math.hypot(dx, dy, dz)
    if (this.outside === 'zero') return distance > 0 ? 0 : 1
    const share = 1 - smoothstep(distance, 0, this.fade)
    return share > 0 ? share : 0
  }
}

/** Coordinate on an axis in cells, clamped to the box; NaN becomes 0. */
function cellCoordinate(value: number, min: number, cell: number, nodes: number): number {
  const cells = (value - min) / cell
  return nodes > 1 && cells > 0 ? Math.min(cells, nodes - 1) : 0
}
