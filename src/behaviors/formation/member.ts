import type { Agent, Archive, Serializable, Moving, Quat, Step, Vec3, Vec3Like } from '../../types.js'
import { quat, quatFromAxes } from '../../math/quat.js'
import { addScaled, copy, sub, vec3 } from '../../math/vec3.js'
import type { FormationMember } from './assignment.js'
import type { FormationSlot } from './formation-slot.js'

/** In its place: within this share of the spacing, or a radius; lost: beyond so many times that. */
const THERE = 0.2
const LOST = 3

/** A place in a formation and how it moves: m, m/s, m/s², world axes. */
export interface SlotState {
  readonly position: Vec3
  readonly velocity: Vec3
  readonly acceleration: Vec3
}

export function makeSlotState(): SlotState {
  return { position: vec3(), velocity: vec3(), acceleration: vec3() }
}

/** What a member can do: m/s; m/s² any way, across its course, and across it at once, before it has rolled or turned. */
export interface Ability {
  readonly topSpeed: number
  readonly push: number
  readonly lateral: number
  readonly nimble: number
}

/** What a formation knows of one of its members: as it was when it last steered. */
export class Member implements FormationMember, Serializable {
  readonly key: number
  role = ''
  /** Where it was, m, and how it moved, m/s, also in the step before; world axes. */
  readonly here: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  readonly before: Vec3 = vec3()
  /** Where it will be a step after that, and with what velocity. */
  readonly next: Vec3 = vec3()
  readonly nextVelocity: Vec3 = vec3()
  /** Attitude of its steering frame, and spin, rad/s. */
  readonly attitude: Quat = quat()
  readonly spin: Vec3 = vec3()
  /** m, and what it can do, see {@link Ability}. */
  radius = 0
  topSpeed = Infinity
  push = Infinity
  lateral = Infinity
  nimble = Infinity
  /** Whether it can lead. */
  leads = false
  /** Time (s) at which it last steered; number of the step; whether it did so before that. */
  seen = 0
  tick = -1
  fresh = true

  /** Its slot; null where none is left for it. */
  slot: FormationSlot | null = null
  /** In the frame of the anchor, m: where it sets out from when the formation changes, where it goes, and where it should be. */
  readonly from: Vec3 = vec3()
  readonly to: Vec3 = vec3()
  readonly at: Vec3 = vec3()
  /** Came when others were in their places: it goes to its own by itself. */
  alone = true
  /** Whether it has come to its place, how far (m) it is from it, and how far behind it. */
  settled = false
  error = 0
  late = 0
  /** Where it should be in this step, once that has been planned. */
  readonly place: SlotState = makeSlotState()
  placed = false

  constructor(key: number) {
    this.key = key
  }

  /** All but its key and its slot, which the crew knows. */
  serialize(archive: Archive): void {
    this.role = archive.string(this.role)
    for (const name of [
      'radius',
      'topSpeed',
      'push',
      'lateral',
      'nimble',
      'seen',
      'tick',
      'error',
      'late',
    ] as const)
      this[name] = archive.number(this[name])
    for (const name of ['leads', 'fresh', 'alone', 'settled', 'placed'] as const)
      this[name] = archive.boolean(this[name])
    for (const name of [
      'here',
      'velocity',
      'before',
      'next',
      'nextVelocity',
      'spin',
      'from',
      'to',
      'at',
    ] as const)
      archive.vector(this[name])
    archive.quaternion(this.attitude)
    archive.vector(this.place.position)
    archive.vector(this.place.velocity)
    archive.vector(this.place.acceleration)
  }

  /** Where the assignment of slots counts from. */
  get position(): Vec3Like {
    return this.from
  }

  /** Takes note of `agent`. */
  update(agent: Agent, step: Step, { lateral, nimble, push, topSpeed }: Ability): void {
    quatFromAxes(this.attitude, agent.attitude.x, agent.attitude.y)
    this.takeNote(agent, agent.angularVelocity, step)
    this.radius = agent.radius
    this.push = push
    this.lateral = lateral
    this.nimble = nimble
    this.topSpeed = topSpeed
  }

  /** Takes note of where it is in this step. */
  takeNote({ position, velocity }: Moving, spin: Vec3Like, step: Step): void {
    copy(this.before, this.fresh ? velocity : this.velocity)
    copy(this.here, position)
    copy(this.velocity, velocity)
    copy(this.spin, spin)
    this.seen = step.time
    this.tick = step.tick
    this.fresh = false
  }

  /** Takes note of how it keeps its place, to which it moves with `drift` (m/s), in a formation of that spacing (m). Tells what happened, or ''. */
  settle(drift: number, spacing: number): 'arrive' | 'leave' | '' {
    const { error, settled } = this
    const near = Math.max(THERE * spacing, this.radius)
    if (settled ? error <= LOST * near : !(error <= near && drift <= near)) return ''
    this.settled = !settled
    if (this.settled) this.alone = false
    return this.settled ? 'arrive' : 'leave'
  }

  /** Tells where it will be after another step, if it goes on to gain speed as it did. */
  foresee(dt: number): void {
    sub(this.nextVelocity, this.velocity, this.before)
    addScaled(this.nextVelocity, this.nextVelocity, this.velocity, 1)
    addScaled(this.next, this.here, this.nextVelocity, dt)
  }
}
