import { keyWritten, poseClamped } from '#hints'
import type { QuatLike, Vec3Like } from '../../core/types.js'
import type { Agents } from '../../core/engine/agents.js'
import { bodyState, readBody, unusable } from '../../core/engine/body-state.js'
import type { SteeringController } from '../../core/engine/controller.js'
import type { Flock } from '../../core/engine/flock.js'
import { grown } from '../../core/math/grown.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../../core/math/options.js'
import { copyQuat, loadQuat, normalizeQuat, quat, rotate } from '../../core/math/quat.js'
import {
  requireFinite,
  requireQuaternion,
  requireVector,
  requireWhole,
  refuse,
} from '../../core/math/require.js'
import { addScaled, copy, cross, load, vec3, ZERO } from '../../core/math/vec3.js'
import { BitWriter, type Bytes } from './bits.js'
import { HEADER_BYTES, PoseCodec, writeKey, type NetPose } from './pose-codec.js'
import { LEVELS, PoseMemory, writeFull } from './pose-memory.js'

export interface PacketOptions {
  /**
   * Whether the packet lists all agents that its receiver should see: one that is missing is then gone. False
   * for a part of them, such as one of several datagrams. Default true.
   */
  complete?: boolean
}

export interface PoseWriterOptions extends Options, OptionsOf<typeof PoseWriter.options> {}

/** A ball. Only agents whose origin is in it are sent. */
export interface Area {
  /** m */
  readonly center: Vec3Like
  /** m, ≥ 0. */
  readonly radius: number
}

/**
 * Writes packets of poses: `begin`, `add` for each controller and flock, `end`. It reads the agents from the
 * columns of their worlds and from their bodies, and keeps its bytes, so a packet makes no garbage but one
 * small object. One writer can serve all clients in turn.
 */
export class PoseWriter {
  static readonly type = 'PoseWriter'
  static readonly options = {
    /**
     * Whether packets say how far agents are from where they would be by the packet before: some 5 bytes an
     * agent in place of 15, for the same poses. Then all packets of this writer go to all its clients, each a
     * writer of its own for an area of interest, and each is complete. A `PoseBuffer` reads both kinds.
     * Default false.
     */
    differences: { kind: 'boolean', default: false },
    /**
     * With `differences`: after so many packets each agent was said in full once, so that a client that has
     * missed a packet, or has just come, knows it. Whole, 1 … 255. Default 10. More: smaller packets, and
     * later recovery. Where nothing is lost, and each new client gets `start()`, take 255.
     */
    refresh: { kind: 'number', whole: true, atLeast: 1, atMost: 255, default: 10 },
  } as const satisfies AnyTable

  readonly differences: boolean
  readonly refresh: number
  private readonly codec: PoseCodec
  private readonly memory = new PoseMemory()
  private readonly bits = new BitWriter()
  /** With `differences`: keys and levels of the agents so far. */
  private keys = new Float64Array(0)
  private levels = new Float64Array(LEVELS)
  private time = 0
  private hasEnded = false
  private readonly header = new Uint8Array(HEADER_BYTES)
  private readonly headerView = new DataView(this.header.buffer)
  private hasBegun = false
  private key = 0
  private count = 0
  private outside = 0

  /** @throws TypeError for another thing than a `PoseCodec`. TypeError / RangeError naming the option. */
  constructor(codec: PoseCodec, options: PoseWriterOptions = {}) {
    if (typeof codec?.levelsOf !== 'function') refuse('PoseWriter: codec', codec, 'must be a PoseCodec')
    const { differences, refresh } = readOptions('PoseWriter', PoseWriter.options, options)
    this.differences = differences
    this.refresh = refresh
    this.codec = codec
  }

  /** Number of agents in the packet so far. */
  get size(): number {
    return this.count
  }

  /** How many of them exceed the bounds of the codec, and are sent at the border, or slower than they are. */
  get clamped(): number {
    return this.outside
  }

  /**
   * Begins a packet. One that was not ended is dropped.
   * @param time Simulated time of the world, s, finite, ≥ 0. `PoseBuffer` draws by this clock.
   * @throws TypeError / RangeError naming the value.
   */
  begin(time: number, options: PacketOptions = {}): this {
    requireFinite('begin: time', time, 0, false)
    const { complete = true } =
      typeof options === 'object' && options !== null
        ? options
        : refuse('begin', options, 'must be an object with options')
    if (typeof complete !== 'boolean') refuse('begin: complete', complete, 'must be true or false')
    if (this.differences && !complete)
      throw new RangeError(
        'begin: complete: got false, must be true where the writer has the option differences',
      )
    this.codec.writeHeader(this.headerView, time, complete, this.differences ? 'differences' : 'full')
    this.bits.begin(HEADER_BYTES)
    this.hasBegun = true
    this.time = time
    this.key = this.count = this.outside = 0
    return this
  }

  /**
   * Adds an agent, or all members of a flock, by their keys (option `seed`). An agent whose body cannot be
   * read is left out.
   * @param area Leaves out the agents outside. Default none is left out.
   * @throws Error before `begin`. TypeError for a handle that is none, or in no world, and for an area that
   * is none. RangeError for an area that is not finite.
   */
  add(handle: SteeringController | Flock, area?: Area): this {
    this.requireBegun('add')
    if (typeof handle?.dispatch !== 'function')
      refuse('add: handle', handle, 'must be a SteeringController or a Flock')
    const { name, roster } = handle
    if (roster === null) throw new TypeError(`add: '${name}' is in no world; add it to one by world.add`)
    let center: Vec3Like | null = null
    if (area !== undefined) {
      center = requireVector('add: area.center', Object(area).center as Vec3Like)
      requireFinite('add: area.radius', area.radius, 0, false)
    }
    const { agents } = roster
    const radiusSq = area === undefined ? 0 : area.radius * area.radius
    if ('slotRef' in handle) this.addRow(agents, agents.row[handle.slotRef.slot]!, center, radiusSq)
    else
      for (let i = 0; i < handle.count; i++)
        this.addRow(agents, agents.row[handle.slots[i]!]!, center, radiusSq)
    return this
  }

  /**
   * Adds something else that moves.
   * @param key Whole number, 32 bits. Other agents of the receiver must not have it.
   * @throws Error before `begin`. TypeError / RangeError for a key that is none, and for vectors that are not
   * finite.
   */
  addPose(key: number, position: Vec3Like, velocity: Vec3Like = ZERO, quaternion: QuatLike = NO_TURN): this {
    this.requireBegun('addPose')
    requireWhole('addPose: key', key, -(2 ** 31), 2 ** 32 - 1)
    copy(pose.position, requireVector('addPose: position', position))
    copy(pose.velocity, requireVector('addPose: velocity', velocity))
    copyQuat(pose.quaternion, requireQuaternion('addPose: quaternion', quaternion))
    this.write(key)
    return this
  }

  /**
   * Ends the packet. The bytes are valid until the next `begin`: send them at once, or copy them by `slice`.
   * @throws Error before `begin`.
   */
  end(): Bytes {
    this.requireBegun('end')
    const { bits, codec, count } = this
    this.hasBegun = false
    this.hasEnded = true
    return this.packet(
      this.differences
        ? this.memory.write(bits, codec, this.time, this.keys, this.levels, count, this.refresh)
        : count,
    )
  }

  /**
   * With `differences`: what the last packet has said, in full, for a client that has just come or has missed
   * a packet. It can read all packets from then on. The bytes are valid until the next call of `end` or
   * `start`.
   * @throws Error before the first packet was ended, within one, and without the option `differences`.
   */
  start(): Bytes {
    const { bits, codec, differences, hasEnded } = this
    if (!differences || !hasEnded || this.hasBegun)
      throw new Error('start: called without the option differences, or not after end()')
    bits.begin(HEADER_BYTES)
    const { count, time } = this.memory.writeStart(bits, codec)
    codec.writeHeader(this.headerView, time, true, 'start')
    return this.packet(count)
  }

  /** What was written, behind the header. */
  private packet(count: number): Bytes {
    const { bits } = this
    this.codec.writeCount(this.headerView, count)
    bits.bytes.set(this.header)
    return bits.bytes.subarray(0, bits.end())
  }

  private addRow(agents: Agents, row: number, center: Vec3Like | null, radiusSq: number): void {
    if (row < 0 || !loadPose(agents, row)) return
    if (center !== null) {
      const x = pose.position.x - center.x
      const y = pose.position.y - center.y
      const z = pose.position.z - center.z
      if (x * x + y * y + z * z > radiusSq) return
    }
    this.write(agents.seed[row]!)
  }

  private write(key: number): void {
    const { codec, count } = this
    normalizeQuat(pose.quaternion, pose.quaternion)
    if (isOutside(codec)) {
      this.outside++
      poseClamped(this, pose.position, codec)
    }
    keyWritten(this, key >>> 0, count)
    this.count++
    if (this.differences) {
      if (count >= this.keys.length) {
        this.keys = grown(this.keys, 2 * this.count)
        this.levels = grown(this.levels, 2 * this.count * LEVELS)
      }
      this.keys[count] = key >>> 0
      codec.levelsOf(this.levels, LEVELS * count, pose)
      return
    }
    const { bits } = this
    codec.levelsOf(this.levels, 0, pose)
    writeKey(bits, key, this.key)
    writeFull(bits, codec, this.levels, 0)
    bits.align()
    this.key = key
  }

  private requireBegun(caller: string): void {
    if (!this.hasBegun) throw new Error(`${caller}: called before begin(time)`)
  }
}

const NO_TURN = quat()
const pose: NetPose = { position: vec3(), velocity: vec3(), quaternion: quat() }
const arm = vec3()
const swing = vec3()

/** Loads the pose of an agent as its view shows it. False when its body cannot be read. */
function loadPose(agents: Agents, row: number): boolean {
  const { position, velocity, quaternion } = pose
  const body = agents.body[row]
  if (body === null || body === undefined) {
    load(position, agents.position, 3 * row)
    load(velocity, agents.velocity, 3 * row)
    loadQuat(quaternion, agents.orientation, 4 * row)
    return true
  }
  try {
    if (body.isThere?.() === false) return false
    readBody(body)
  } catch {
    return false
  }
  if (unusable() !== '') return false
  copyQuat(quaternion, bodyState.quaternion)
  // from the centre of mass to the origin of the model
  rotate(arm, quaternion, bodyState.center)
  addScaled(position, bodyState.position, arm, -1)
  addScaled(velocity, bodyState.velocity, cross(swing, bodyState.angularVelocity, arm), -1)
  return true
}

function isOutside({ max, maxSpeed, min, velocityBits }: PoseCodec): boolean {
  const { x, y, z } = pose.position
  const { velocity } = pose
  const speed =
    velocityBits === 0 ? 0 : Math.max(Math.abs(velocity.x), Math.abs(velocity.y), Math.abs(velocity.z))
  return !(
    x >= min.x &&
    x <= max.x &&
    y >= min.y &&
    y <= max.y &&
    z >= min.z &&
    z <= max.z &&
    speed <= maxSpeed
  )
}
