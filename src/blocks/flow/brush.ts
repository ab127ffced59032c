import type { Vec3Like } from '../../core/types.js'
import { requireVector } from '../../core/math/require.js'
import { clamp, smoothstep } from '../../core/math/scalar.js'
import { vec3 } from '../../core/math/vec3.js'
import type { FlowField } from './flow-field.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../../core/math/options.js'

/** A stroke of the brush along a line. */
export interface FlowStroke extends Options, OptionsOf<typeof FLOW_STROKE> {}

const FLOW_STROKE = {
  /** Start of the stroke, m. */
  from: { kind: 'vector', required: true, unit: 'm', check: requireVector },
  /** End of the stroke, m. */
  to: { kind: 'vector', required: true, unit: 'm', check: requireVector },
  /**
   * Radius of the brush, m, > 0. The effect is full on the line and falls to 0 at the radius. A brush
   * narrower than a cell may paint nothing.
   */
  radius: { kind: 'number', required: true, unit: 'm', above: 0 },
  /** Velocity that is painted, m/s. */
  velocity: { kind: 'vector', required: true, unit: 'm/s', check: requireVector },
  /** Share by which the velocity of the field changes to the painted one, 0 … 1. Default 1. */
  share: { kind: 'number', atLeast: 0, atMost: 1, default: 1 },
} as const satisfies AnyTable

/** Paints a velocity into a field with a round brush along a line. */
export function brushFlow(field: FlowField, stroke: FlowStroke): void {
  const { from, to, radius, velocity, share } = readOptions('brushFlow', FLOW_STROKE, stroke)
  const { data, size } = field
  const low = vec3()
  const high = vec3()
  for (const axis of ['x', 'y', 'z'] as const) {
    low[axis] = Math.min(from[axis], to[axis]) - radius
    high[axis] = Math.max(from[axis], to[axis]) + radius
  }
  field.eachNode(low, high, (node, index) => {
    const weight = share * (1 - smoothstep(distanceToLine(node, from, to, size), 0, radius))
    data[index]! += weight * (velocity.x - data[index]!)
    data[index + 1]! += weight * (velocity.y - data[index + 1]!)
    data[index + 2]! += weight * (velocity.z - data[index + 2]!)
  })
}

/** Distance (m) of a node from a line segment. An axis with one node does not count: the field is even. */
function distanceToLine(node: Vec3Like, from: Vec3Like, to: Vec3Like, size: Vec3Like): number {
  const kx = size.x > 1 ? 1 : 0
  const ky = size.y > 1 ? 1 : 0
  const kz = size.z > 1 ? 1 : 0
  const wx = kx * (to.x - from.x)
  const wy = ky * (to.y - from.y)
  const wz = kz * (to.z - from.z)
  const dx = kx * (node.x - from.x)
  const dy = ky * (node.y - from.y)
  const dz = kz * (node.z - from.z)
  const square = wx * wx + wy * wy + wz * wz
  const t = square > 0 ? clamp((dx * wx + dy * wy + dz * wz) / square, 0, 1) : 0
  return Math.hypot(dx - t * wx, dy - t * wy, dz - t * wz)
}
