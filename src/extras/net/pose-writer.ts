import { keyWritten, poseClamped } from '#hints'
import type { QuatLike, Vec3Like } from '../../core/types.js'
import type { Agents } from '../../core/engine/agents.js'
import { bodyState, readBody, unusable } from '../../core/engine/body-state.js'
import type { SteeringController } from '../../core/engine/controller.js'
import type { Flock } from '../../core/engine/flock.js'
import { grown } from '../../core/math/grown.js'
import { copyQuat, loadQuat, normalizeQuat, quat, rotate } from '../../core/math/quat.js'
import {
  requireFinite,
  requireQuaternion,
  requireVector,
  requireWhole,
  refuse,
} from '../../core/math/require.js'
import { addScaled, copy, cross, load, vec3 } from '../../core/math/vec3.js'
import { HEADER_BYTES, KEY_BYTES, PoseCodec, writeKey, type NetPose } from './pose-codec.js'

export interface PacketOptions {
  /**
   * Whether the packet lists all agents that its receiver should see: one that is missing is then gone. False
   * for a part of them, such as one of several datagrams. Default true.
   */
  complete?: boolean
}

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
  private readonly codec: PoseCodec
  private bytes = new Uint8Array(1024)
  private view = new DataView(this.bytes.buffer)
  private at = 0
  private key = 0
  private count = 0
  private outside = 0

  /** @throws TypeError for another thing than a `PoseCodec`. */
  constructor(codec: PoseCodec) {
    if (typeof codec?.writePose !== 'function') refuse('PoseWriter: codec', codec, 'must be a PoseCodec')
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
    this.codec.writeHeader(this.view, time, complete)
    this.at = HEADER_BYTES
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
  end(): Uint8Array<ArrayBuffer> {
    this.requireBegun('end')
    this.codec.writeCount(this.view, this.count)
    const { at } = this
    this.at = 0
    return this.bytes.subarray(0, at)
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
    const { codec } = this
    const needed = this.at + KEY_BYTES + codec.bytesPerAgent
    if (needed > this.bytes.length) {
      this.bytes = grown(this.bytes, 2 * needed)
      this.view = new DataView(this.bytes.buffer)
    }
    normalizeQuat(pose.quaternion, pose.quaternion)
    if (isOutside(codec)) {
      this.outside++
      poseClamped(this, pose.position, codec)
    }
    keyWritten(this, key >>> 0, this.count)
    const at = writeKey(this.view, this.at, key, this.key)
    this.at = codec.writePose(this.view, at, pose)
    this.key = key
    this.count++
  }

  private requireBegun(caller: string): void {
    if (this.at === 0) throw new Error(`${caller}: called before begin(time)`)
  }
}

const ZERO = vec3()
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
