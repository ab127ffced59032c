import type { Quat, Vec3, Vec3Like } from '../../core/types.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../../core/math/options.js'
import { quat, setQuat } from '../../core/math/quat.js'
import { clamp } from '../../core/math/scalar.js'
import { outOfRange, refuse, requireVector } from '../../core/math/require.js'
import { show } from '../../core/math/show.js'
import { vec3 } from '../../core/math/vec3.js'
import { BitReader, type BitWriter } from './bits.js'
import { canHold, LEVELS, readFull, type PoseMemory } from './pose-memory.js'
import { quatLevels, quatOfLevels, SMALLEST_THREE_ERROR } from './smallest-three.js'

export interface PoseCodecOptions extends Options, OptionsOf<typeof PoseCodec.options> {}

/** What a packet says of an agent. */
export interface NetPose {
  /** m: origin of the model. */
  readonly position: Vec3
  /** m/s: of the origin of the model. Zero where velocities are not sent. */
  readonly velocity: Vec3
  /** Unit attitude of the model. The identity where attitudes are not sent. */
  readonly quaternion: Quat
}

export interface PacketInfo {
  /** Simulated time of the world, s. */
  readonly time: number
  /**
   * Whether the packet lists all agents of its source, see `PacketOptions.complete`. False where it says of
   * some only how they differ from a packet that was not received.
   */
  readonly complete: boolean
  /** Number of agents. */
  readonly count: number
}

/*
 * A packet: 'P', version, flags (1: complete, 2: differences, 4: a start for these), settings (32 bits), time
 * (Float64), number of agents (32 bits), these little-endian; then the agents as bits, the highest first. For
 * each the difference of its key to that of the agent before (1 to 5 bytes: 7 bits each, lowest first, the
 * bit before them says that more follow; the lowest bit is the sign), the position, the velocity, the
 * attitude (32 bits), up to a whole byte. With differences see `PoseMemory`.
 */
const MAGIC = 0x50
const VERSION = 2
const COMPLETE = 1
const DIFFERENCES = 2
const START = 4
export const HEADER_BYTES = 19
/** Largest size of a key. */
const KEY_BYTES = 5

/**
 * Poses of agents as bytes, for any transport: 15 bytes an agent in a flock with the defaults, 10 of them for
 * position and attitude, 4 for the velocity and 1 for the key. Servers and clients need the same options;
 * a packet of other options is refused.
 *
 * Inside the bounds each component of a position is off by at most `positionError`, of a velocity by at most
 * `velocityError`, and an attitude by at most `angleError`. An agent at rest is sent at rest, exactly.
 */
export class PoseCodec {
  static readonly type = 'PoseCodec'
  static readonly options = {
    /**
     * Corners of the box that holds all positions, m, required. A position outside is sent as the nearest one
     * inside.
     */
    min: { kind: 'vector', required: true, unit: 'm', check: requireVector },
    max: { kind: 'vector', required: true, unit: 'm', check: requireVector },
    /** Largest component of a velocity, m/s, > 0, required. A larger one is sent as this. */
    maxSpeed: { kind: 'number', required: true, unit: 'm/s', above: 0 },
    /** Bits of a component of the position: 16, 24 or 32. Default 16. */
    // 1.5 mm in a box of 200 m.
    positionBits: { kind: 'number', oneOf: [16, 24, 32], default: 16 },
    /**
     * Bits of a component of the velocity: 10, 16, or 0, which sends no velocities; a `PoseBuffer` then
     * derives them from the positions. Default 10.
     */
    // 1 cm/s at 10 m/s. Between two updates 0.1 s apart that moves the interpolated position by 0.25 mm.
    velocityBits: { kind: 'number', oneOf: [0, 10, 16], default: 10 },
    /** Whether attitudes are sent, in 32 bits. Default true. */
    attitude: { kind: 'boolean', default: true },
  } as const satisfies AnyTable

  readonly min: Vec3Like
  readonly max: Vec3Like
  readonly maxSpeed: number
  readonly positionBits: 16 | 24 | 32
  readonly velocityBits: 0 | 10 | 16
  readonly attitude: boolean
  /** Bound of the error of each component of a position inside the box, m: (max − min) / (2^bits − 1) / 2. */
  readonly positionError: Vec3Like
  /**
   * Bound of the error of each component of a velocity up to `maxSpeed`, m/s: maxSpeed / (2^bits − 2).
   * Infinity where velocities are not sent.
   */
  readonly velocityError: number
  /** Bound of the error of an attitude, rad: 0.005. Infinity where attitudes are not sent. */
  readonly angleError: number
  /** Bytes of an agent without its key, which takes 1 to 5. */
  readonly bytesPerAgent: number
  /** Levels of a component of the velocity on each side of zero. @internal */
  readonly speedLevels: number
  /** Levels by which the position along each axis changes in a second at one level of velocity. @internal */
  readonly rate: readonly number[]
  private readonly positionStep: Vec3Like
  private readonly settings: number

  /** @throws TypeError / RangeError naming the option, the value received and what is allowed. */
  constructor(options: PoseCodecOptions) {
    const read = readOptions('PoseCodec', PoseCodec.options, options)
    const { attitude, max, maxSpeed, min, positionBits, velocityBits } = read
    this.min = vec3(min.x, min.y, min.z)
    this.max = vec3(max.x, max.y, max.z)
    this.maxSpeed = maxSpeed
    this.positionBits = positionBits
    this.velocityBits = velocityBits
    this.attitude = attitude
    const levels = 2 ** positionBits - 1
    const step = vec3((max.x - min.x) / levels, (max.y - min.y) / levels, (max.z - min.z) / levels)
    if (!(step.x > 0 && step.y > 0 && step.z > 0 && step.x + step.y + step.z < Infinity))
      outOfRange('PoseCodec.max', max, `must be above min ${show(min)} in each component, by a finite number`)
    this.positionStep = step
    this.positionError = vec3(step.x / 2, step.y / 2, step.z / 2)
    this.speedLevels = velocityBits === 0 ? 0 : 2 ** (velocityBits - 1) - 1
    const speedStep = velocityBits === 0 ? 0 : maxSpeed / this.speedLevels
    this.rate = [speedStep / step.x, speedStep / step.y, speedStep / step.z]
    this.velocityError = velocityBits === 0 ? Infinity : maxSpeed / this.speedLevels / 2
    this.angleError = attitude ? SMALLEST_THREE_ERROR : Infinity
    this.bytesPerAgent = Math.ceil((3 * positionBits + 3 * velocityBits) / 8) + (attitude ? 4 : 0)
    this.settings = hash([
      min.x,
      min.y,
      min.z,
      max.x,
      max.y,
      max.z,
      maxSpeed,
      positionBits,
      velocityBits,
      attitude,
    ])
  }

  /**
   * Reads a packet, which may come from a stranger: it is checked as a whole first, and takes time and memory
   * by its length alone. The vectors given to `visit` are overwritten by the next agent.
   * @param memory What the packets of this source have said before, for a writer with the option
   * `differences`.
   * @throws TypeError for other things than bytes and a function; RangeError for bytes of another version or
   * with other options, for damaged ones, and for differences without a memory. Then `visit` has not been
   * called.
   */
  read(
    bytes: ArrayBuffer | ArrayBufferView,
    visit: (key: number, pose: NetPose, packet: PacketInfo) => void,
    memory?: PoseMemory,
  ): PacketInfo {
    const view = viewOf(bytes)
    if (typeof visit !== 'function') refuse('read: visit', visit, 'must be a function (key, pose) => …')
    const info = this.check(view, memory)
    this.readAgents(view, memory, info, (key, levels, at) => {
      this.poseOf(pose, levels, at)
      visit(key, pose, info)
    })
    return info
  }

  /** @internal */
  writeHeader(view: DataView, time: number, complete: boolean, kind: 'full' | 'differences' | 'start'): void {
    view.setUint8(0, MAGIC)
    view.setUint8(1, VERSION)
    const bits = kind === 'full' ? 0 : kind === 'start' ? START : DIFFERENCES
    view.setUint8(2, (complete ? COMPLETE : 0) + bits)
    view.setUint32(3, this.settings, true)
    view.setFloat64(7, time, true)
  }

  /** @internal */
  writeCount(view: DataView, count: number): void {
    view.setUint32(15, count, true)
  }

  /** Writes a pose as `LEVELS` whole numbers to `out`, from `at` on. @internal */
  levelsOf(out: Float64Array, at: number, { position, velocity, quaternion }: NetPose): void {
    const { maxSpeed, min, positionBits, positionStep, speedLevels } = this
    const most = 2 ** positionBits - 1
    for (let k = 0; k < 3; k++) {
      const axis = AXES[k]!
      out[at + k] = clamp(Math.round((position[axis] - min[axis]) / positionStep[axis]), 0, most)
      const level = Math.round((velocity[axis] / maxSpeed) * speedLevels)
      out[at + 3 + k] = clamp(level, -speedLevels, speedLevels) + speedLevels
    }
    quatLevels(out, at + 6, quaternion)
  }

  private poseOf({ position, velocity, quaternion }: NetPose, levels: Float64Array, at: number): void {
    const { min, positionStep, speedLevels } = this
    const speedStep = speedLevels === 0 ? 0 : this.maxSpeed / speedLevels
    for (let k = 0; k < 3; k++) {
      const axis = AXES[k]!
      position[axis] = min[axis] + levels[at + k]! * positionStep[axis]
      velocity[axis] = (levels[at + 3 + k]! - speedLevels) * speedStep
    }
    if (this.attitude) quatOfLevels(quaternion, levels, at + 6)
    else setQuat(quaternion, 0, 0, 0, 1)
  }

  /** Reads the agents. @returns as `PoseMemory.read`. */
  private readAgents(
    view: DataView,
    memory: PoseMemory | undefined,
    { count, time }: Pick<PacketInfo, 'count' | 'time'>,
    visit: Parameters<PoseMemory['read']>[4],
  ): number {
    const flags = view.getUint8(2)
    bitReader.begin(view, HEADER_BYTES)
    if (flags === COMPLETE + START) return memory!.readStart(bitReader, this, time, count, visit)
    if (flags > COMPLETE) return memory!.read(bitReader, this, time, count, visit)
    let key = 0
    for (let i = 0; i < count; i++) {
      if (!readKey()) return -1
      key = (key + keyStep) | 0
      if (visit === null) bitReader.skip(this.bytesPerAgent)
      else {
        readFull(bitReader, this, one, 0)
        bitReader.align()
        visit(key >>> 0, one, 0)
      }
    }
    return 0
  }

  private check(view: DataView, memory: PoseMemory | undefined): PacketInfo {
    const { byteLength } = view
    if (byteLength < HEADER_BYTES || view.getUint8(0) !== MAGIC) throw damaged('it is no packet of poses')
    if (view.getUint8(1) !== VERSION)
      throw new RangeError(`read: got a packet of version ${view.getUint8(1)}, must be ${VERSION}`)
    if (view.getUint32(3, true) !== this.settings)
      throw new RangeError(
        'read: got a packet of a PoseCodec with other options, must be the same on both sides',
      )
    const flags = view.getUint8(2)
    const time = view.getFloat64(7, true)
    const count = view.getUint32(15, true)
    if (flags > COMPLETE && flags !== COMPLETE + DIFFERENCES && flags !== COMPLETE + START)
      throw damaged(`its flags are ${flags}`)
    if (!(Number.isFinite(time) && time >= 0)) throw damaged(`its time is ${time}`)
    if (flags > COMPLETE && memory === undefined)
      throw new RangeError(
        'read: got a packet of differences, needs the memory of its source (third argument)',
      )
    // before the loop, so that a number alone does not make it long
    const room = byteLength - HEADER_BYTES
    if (flags > COMPLETE ? !canHold(room, count) : count * (this.bytesPerAgent + 1) > room)
      throw damaged('it is too short')
    const unknown = this.readAgents(view, memory, { time, count }, null)
    if (unknown < 0) throw damaged('a key is too large')
    if (bitReader.end() !== byteLength) throw damaged('its length does not fit its number of agents')
    return { time, complete: (flags & COMPLETE) !== 0 && unknown === 0, count }
  }
}

/** Writes the difference of a key to that of the agent before. */
export function writeKey(bits: BitWriter, key: number, before: number): void {
  const step = (key - before) | 0
  let rest = ((step << 1) ^ (step >> 31)) >>> 0
  while (rest > 127) {
    bits.write((rest & 127) | 128, 8)
    rest >>>= 7
  }
  bits.write(rest, 8)
}

const AXES = ['x', 'y', 'z'] as const

/** The levels of one agent. */
const one = new Float64Array(LEVELS)
const bitReader = new BitReader()
const pose: NetPose = { position: vec3(), velocity: vec3(), quaternion: quat() }

/** Difference to the key before, from the last `readKey`. */
let keyStep = 0

/** Reads `keyStep`. False for bits that are no key. */
function readKey(): boolean {
  let rest = 0
  for (let i = 0; i < KEY_BYTES; i++) {
    const byte = bitReader.read(8)
    // the fifth byte has the last 4 of 32 bits
    if (i === KEY_BYTES - 1 && byte > 15) return false
    rest |= (byte & 127) << (7 * i)
    if (byte < 128) {
      keyStep = (rest >>> 1) ^ -(rest & 1)
      return true
    }
  }
  return false
}

/** FNV-1a of 32 bits over the text of the options. */
function hash(values: readonly unknown[]): number {
  let sum = 0x811c9dc5
  for (const char of values.join()) sum = Math.imul(sum ^ char.charCodeAt(0), 0x01000193)
  return sum >>> 0
}

function viewOf(bytes: ArrayBuffer | ArrayBufferView): DataView {
  if (ArrayBuffer.isView(bytes)) return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // not by `instanceof`: the buffer may come from another window
  if (/^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(bytes)))
    return new DataView(bytes)
  return refuse('read: bytes', bytes, 'must be an ArrayBuffer or a view of one, such as a Uint8Array')
}

function damaged(how: string): RangeError {
  return new RangeError(`read: got a damaged packet (${how}), must be as it was written`)
}
