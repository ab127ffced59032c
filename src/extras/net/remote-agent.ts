import type { Quat, QuatLike, Vec3, Vec3Like } from '../../core/types.js'
import {
  conjugate,
  copyQuat,
  loadQuat,
  multiply,
  nlerp,
  quat,
  saveQuat,
  setQuat,
} from '../../core/math/quat.js'
import { addScaled, copy, load, save, set, sub, vec3 } from '../../core/math/vec3.js'
import { AHEAD } from './playback-clock.js'
import type { NetPose } from './pose-codec.js'
import type { PoseMemory } from './pose-memory.js'
import { slerp } from './slerp.js'

/** An agent as a client draws it. Its vectors are live and read-only, so it can be a target. */
export interface NetAgent {
  /** Its key, unsigned. */
  readonly key: number
  /** m: origin of the model. */
  readonly position: Vec3Like
  /** m/s */
  readonly velocity: Vec3Like
  /** Attitude of the model. */
  readonly quaternion: QuatLike
}

/** Number of samples that are kept. A buffer of 0.2 s at 60 packets a second needs 13. */
const KEPT = 16
/** Numbers of a sample: time (s), position, velocity, attitude. */
const NUMBERS = 11

// The numbers below are chosen by hand unless they say otherwise.

/** Time constant in which a correction of the course is drawn, s. Longer: less visible, and later right. */
const CORRECTION_TIME = 0.1
/** A correction of more than the way of this time is drawn at once, s. */
const LONGEST_CORRECTION = 0.5

/** What a source has told. */
export interface Source {
  /** Time of its newest packet that listed all its agents, s. */
  newest: number
  /** What its packets have said. */
  readonly memory: PoseMemory
}

/** The samples of an agent, and its motion between them. */
export class RemoteAgent implements NetAgent {
  readonly key: number
  readonly position = vec3()
  readonly velocity = vec3()
  readonly quaternion = quat()
  isShown = false
  /** Time of its newest sample, s. */
  newest = -Infinity
  /** Time of the first packet without it, s; Infinity while it is listed. */
  gone = Infinity
  source: Source
  /** Where it is among all that are drawn, and among those that are shown as the same thing. */
  place = 0
  index = 0
  private readonly samples = new Float64Array(KEPT * NUMBERS)
  private first = 0
  private count = 0
  /** Whether the course has changed where it is drawn. */
  private isCorrected = false
  /** What is still drawn of the last correction. */
  private readonly offset = vec3()
  private readonly turn = quat()
  /** Speed above which a motion between two samples is a leap, m/s. */
  private readonly leapSpeed: number
  private readonly derivesVelocity: boolean

  constructor(key: number, source: Source, leapSpeed: number, derivesVelocity: boolean) {
    this.key = key
    this.source = source
    this.leapSpeed = leapSpeed
    this.derivesVelocity = derivesVelocity
  }

  /** Time of the oldest sample, s; Infinity without one. */
  get oldest(): number {
    return this.count === 0 ? Infinity : this.timeOf(0)
  }

  /** Takes a sample in. False for one that is there already, or older than all. */
  insert(time: number, { position, velocity, quaternion }: NetPose, drawn: number): boolean {
    let k = this.count
    while (k > 0 && this.timeOf(k - 1) > time) k--
    if (k > 0 && this.timeOf(k - 1) === time) return false
    if (this.count === KEPT) {
      if (k === 0) return false
      this.first = (this.first + 1) % KEPT
      this.count--
      k--
    }
    // its course where it is drawn was a guess, or one of longer intervals
    const isDrawnBefore = k > 0 && drawn < this.timeOf(k - 1)
    const isDrawnAfter = k < this.count && drawn >= this.timeOf(k)
    if ((!isDrawnBefore && !isDrawnAfter) || this.derivesVelocity) this.isCorrected = true
    for (let i = this.count; i > k; i--) {
      const from = this.at(i - 1)
      this.samples.copyWithin(this.at(i), from, from + NUMBERS)
    }
    this.count++
    const at = this.at(k)
    this.samples[at] = time
    save(position, this.samples, at + 1)
    save(velocity, this.samples, at + 4)
    saveQuat(quaternion, this.samples, at + 7)
    this.newest = Math.max(this.newest, time)
    if (time >= this.gone) this.gone = Infinity
    return true
  }

  /** Forgets its samples, because time was set back to `time`. It stands still until there are new ones. */
  restart(time: number): void {
    this.count = 0
    this.newest = time
    this.gone = Infinity
  }

  /** Moves it to `time`, after a step of `dt` seconds; without a correction where time has `jumped`. */
  move(time: number, dt: number, jumped: boolean): void {
    if (this.count === 0) return
    const { offset, position, quaternion, turn, velocity } = this
    this.course(time)
    if (!this.isShown || jumped) {
      set(offset, 0, 0, 0)
      setQuat(turn, 0, 0, 0, 1)
    } else if (this.isCorrected) {
      // it goes on from where it would be without the correction
      addScaled(offset, position, velocity, dt)
      sub(offset, offset, at.position)
      multiply(turn, quaternion, conjugate(back, at.quaternion))
      if (Math.hypot(offset.x, offset.y, offset.z) > this.leapSpeed * LONGEST_CORRECTION) {
        set(offset, 0, 0, 0)
        setQuat(turn, 0, 0, 0, 1)
      }
    } else {
      const rest = Math.exp(-dt / CORRECTION_TIME)
      set(offset, offset.x * rest, offset.y * rest, offset.z * rest)
      nlerp(turn, NO_TURN, turn, rest)
    }
    this.isCorrected = false
    addScaled(position, at.position, offset, 1)
    copy(velocity, at.velocity)
    multiply(quaternion, turn, at.quaternion)
  }

  /** Writes its course at `time` to `at`. */
  private course(time: number): void {
    let k = this.count - 1
    while (k > 0 && this.timeOf(k) > time) k--
    const { samples } = this
    const a = this.at(k)
    load(from.position, samples, a + 1)
    this.velocityOf(from.velocity, k)
    loadQuat(from.quaternion, samples, a + 7)
    const since = Math.max(0, time - samples[a]!)
    if (k === this.count - 1) return this.carryOn(since)
    const b = this.at(k + 1)
    load(to.position, samples, b + 1)
    this.velocityOf(to.velocity, k + 1)
    loadQuat(to.quaternion, samples, b + 7)
    const h = samples[b]! - samples[a]!
    const x = to.position.x - from.position.x
    const y = to.position.y - from.position.y
    const z = to.position.z - from.position.z
    // such as an agent that has left a world that wraps around
    if (x * x + y * y + z * z > this.leapSpeed * h * (this.leapSpeed * h)) return this.carryOn(since)
    hermite(at.position, since / h, h)
    const u = since / h
    addScaled(at.velocity, from.velocity, sub(difference, to.velocity, from.velocity), u)
    slerp(at.quaternion, from.quaternion, to.quaternion, u)
  }

  /** Goes on from the last sample along its velocity, and then stands still. */
  private carryOn(since: number): void {
    addScaled(at.position, from.position, from.velocity, Math.min(since, AHEAD))
    if (since < AHEAD) copy(at.velocity, from.velocity)
    else set(at.velocity, 0, 0, 0)
    copyQuat(at.quaternion, from.quaternion)
  }

  private velocityOf(out: Vec3, k: number): void {
    if (this.derivesVelocity) this.deriveVelocity(out, k)
    else load(out, this.samples, this.at(k) + 4)
  }

  /** Derivative of the parabola through a sample and its neighbours; at an end, of the line to the next. */
  private deriveVelocity(out: Vec3, k: number): void {
    const { samples } = this
    const last = this.count - 1
    set(out, 0, 0, 0)
    if (last === 0) return
    const a = this.at(Math.max(0, k - 1))
    const b = this.at(k)
    const c = this.at(Math.min(last, k + 1))
    const before = samples[b]! - samples[a]!
    const after = samples[c]! - samples[b]!
    const whole = before + after
    load(out, samples, b + 1)
    load(earlier, samples, a + 1)
    load(later, samples, c + 1)
    const p = before > 0 ? after / (before * whole) : 0
    const q = after > 0 ? before / (after * whole) : 0
    if (before === 0) addScaled(out, later, out, -1)
    else if (after === 0) addScaled(out, out, earlier, -1)
    else {
      const { x, y, z } = out
      set(
        out,
        (x - earlier.x) * p + (later.x - x) * q,
        (y - earlier.y) * p + (later.y - y) * q,
        (z - earlier.z) * p + (later.z - z) * q,
      )
      return
    }
    set(out, out.x / whole, out.y / whole, out.z / whole)
  }

  private timeOf(k: number): number {
    return this.samples[this.at(k)]!
  }

  /** Offset of sample `k`, in the order of time. */
  private at(k: number): number {
    return NUMBERS * ((this.first + k) % KEPT)
  }
}

const NO_TURN = quat()
const at: NetPose = poseOf()
const from: NetPose = poseOf()
const to: NetPose = poseOf()
const back: Quat = quat()
const difference = vec3()
const earlier = vec3()
const later = vec3()

function poseOf(): NetPose {
  return { position: vec3(), velocity: vec3(), quaternion: quat() }
}

/** The cubic with the motion of `from` and `to` at its ends, `h` seconds apart, at `u` in [0, 1]. */
function hermite(out: Vec3, u: number, h: number): void {
  const v = 1 - u
  const a = v * v * (1 + 2 * u)
  const b = u * u * (1 + 2 * v)
  const c = u * v * v * h
  const d = -u * u * v * h
  const { position: p, velocity: s } = from
  const { position: q, velocity: r } = to
  out.x = a * p.x + b * q.x + c * s.x + d * r.x
  out.y = a * p.y + b * q.y + c * s.y + d * r.y
  out.z = a * p.z + b * q.z + c * s.z + d * r.z
}
