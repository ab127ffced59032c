import { requireChoice, requireFinite, refuse, outOfRange, requireObject } from '../../core/math/require.js'
import { FlowField, type FlowOutside } from './flow-field.js'

/**
 * The file format of a flow field: a JSON object, which a level editor may write as well. Points are arrays
 * [x, y, z], m, in world axes. Unknown keys are ignored, so an editor may add its own.
 */
export interface FlowFile {
  readonly type: 'flow-field'
  /** Version of this format. */
  readonly version: 1
  /** Corners of the box, m: the positions of the first and the last node. */
  readonly min: readonly [number, number, number]
  readonly max: readonly [number, number, number]
  /** Number of nodes along each axis. */
  readonly size: readonly [number, number, number]
  /** Default `clamp`. */
  readonly outside?: FlowOutside
  /** Width of `fade`, m. Default a quarter of the longest edge. */
  readonly fade?: number
  /**
   * Velocities, m/s: x, y, z of the first node, then of the next node along x, and so on; rows follow each
   * other along y, layers along z. An array of numbers, or 32-bit floats, little-endian, in base64.
   */
  readonly velocities: readonly number[] | string
}

const VERSION = 1

/** Makes an object for `JSON.stringify`, exact in both forms: shorter `base64`, readable `numbers`. */
export function saveFlowField(field: FlowField, encoding: 'base64' | 'numbers' = 'base64'): FlowFile {
  requireChoice('saveFlowField: encoding', encoding, ['base64', 'numbers'])
  const { data, fade, max, min, outside, size } = field?.data
    ? field
    : refuse('saveFlowField', field, 'must be a FlowField')
  return {
    type: 'flow-field',
    version: VERSION,
    min: [min.x, min.y, min.z],
    max: [max.x, max.y, max.z],
    size: [size.x, size.y, size.z],
    outside,
    fade,
    velocities: encoding === 'base64' ? toBase64(data) : Array.from(data),
  }
}

/**
 * Makes a field from a file that `saveFlowField` or an editor wrote: `loadFlowField(JSON.parse(text))`.
 * @throws TypeError / RangeError naming the key, its value and what is allowed.
 */
export function loadFlowField(file: unknown): FlowField {
  requireObject('flow file', file)
  const { type, version, min, max, size, outside, fade, velocities } = file as Record<string, unknown>
  if (type !== 'flow-field') refuse('flow file: type', type, `must be 'flow-field'`)
  if (version !== VERSION) outOfRange('flow file: version', version, `must be ${VERSION}`)
  return new FlowField({
    min: point('min', min),
    max: point('max', max),
    size: point('size', size),
    ...(outside !== undefined && { outside: outside as FlowOutside }),
    ...(fade !== undefined && { fade: fade as number }),
    data: numbers(velocities),
  })
}

function point(key: string, value: unknown): { x: number; y: number; z: number } {
  if (!Array.isArray(value) || value.length !== 3)
    throw new TypeError(`flow file: ${key}: got ${JSON.stringify(value)}, must be [x, y, z]`)
  const [x, y, z] = value as number[]
  for (const each of value) requireFinite(`flow file: ${key}`, each, -Infinity, true)
  return { x: x!, y: y!, z: z! }
}

function numbers(value: unknown): ArrayLike<number> {
  if (typeof value === 'string') return fromBase64(value)
  if (!Array.isArray(value))
    refuse('flow file: velocities', value, 'must be an array of numbers, or floats in base64')
  for (const each of value) requireFinite('flow file: velocities', each, -Infinity, true)
  return value as number[]
}

/** The byte order is explicit, because files are little-endian on every machine. */
function toBase64(data: Float32Array): string {
  const view = new DataView(new ArrayBuffer(4 * data.length))
  for (let i = 0; i < data.length; i++) view.setFloat32(4 * i, data[i]!, true)
  let text = ''
  for (let i = 0; i < view.byteLength; i++) text += String.fromCharCode(view.getUint8(i))
  return btoa(text)
}

function fromBase64(text: string): Float32Array {
  let bytes: string
  try {
    bytes = atob(text)
  } catch {
    throw new TypeError(`flow file: velocities: got '${text.slice(0, 20)}', must be base64`)
  }
  if (bytes.length % 4 !== 0)
    throw new RangeError(`flow file: velocities: got ${bytes.length} bytes, must be four per number`)
  const view = new DataView(new ArrayBuffer(bytes.length))
  for (let i = 0; i < bytes.length; i++) view.setUint8(i, bytes.charCodeAt(i))
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true))
}
