import type {
  Agent,
  Archive,
  Behavior,
  SnapshotState,
  Serializable,
  MovingFrame,
  Step,
  Vec3Like,
  Wrench,
} from '../../types.js'
import { topSpeed } from '../../control/drive.js'
import { turnTo } from '../../control/turn.js'
import { PortPose } from './port-pose.js'
import { alongAxis, type Run } from './corridor.js'
import { ShipCoupling } from './coupling.js'
import { Rendezvous } from './rendezvous.js'
import { holdingPlace } from './holding.js'
import { ApproachCorridor, poseFits } from './approach-corridor.js'
import { ABORT, ALIGN, APPROACH, ASKING, FINAL, MOORED, Mooring, QUEUE } from './mooring.js'
import { Port } from './port.js'
import { requireFinite, requireVector } from '../../math/require.js'
import { copy, isZero, length, normalize, perpendicular, reject, scale, vec3 } from '../../math/vec3.js'

/** What a receiver is doing. */
export type RefuelStage = 'queue' | 'approach' | 'precontact' | 'closing' | 'contact' | 'broken'

export interface RefuelOptions {
  /** Who gives. Its attitude, velocity and spin count. */
  target: MovingFrame
  /** Where the receiver's centre is in contact, m, in the tanker's frame: x ahead, y up, z to starboard. */
  offset: Vec3Like
  /** From there to where it waits before, m, in the same frame; not zero. Default 15 m behind and 5 m below. */
  precontact?: Vec3Like
  /** Speed at which it slides in, relative to the tanker, m/s, > 0. Default 1. */
  closingSpeed?: number
  /** Radius (m, ≥ 0) about the tanker's centre that it keeps out of, but for the way in. Default 0: nothing is in the way. */
  clearance?: number
  /** In contact within this distance of the place, m, > 0. Default 0.3. */
  tolerance?: number
  /** … this far from the attitude of the tanker, rad, > 0, default 0.1; */
  angleTolerance?: number
  /** … and this slow relative to it, m/s, > 0, default 0.3; */
  speedTolerance?: number
  /** … for this long, s, ≥ 0. Default 0.5. */
  dwell?: number
  /** Contact is lost at so many tolerances of place or attitude; > 1. Default 2. */
  slack?: number
  /**
   * `target`: nose and top as the tanker has them. `own`: as the locomotion turns the receiver, and attitude is no matter; so for those that must bank to
   * turn. Default `target`.
   */
  attitude?: 'tanker' | 'own'
  /** Whether the tanker's velocity turns with it, as that of ships and aircraft does; `false` for one that drifts and turns in space. Default true. */
  velocityTurns?: boolean
}

const STAGES: readonly RefuelStage[] = ['queue', 'approach', 'precontact', 'closing', 'contact', 'broken']

/** It waits so much before the end of the way in, as a share of it. */
const WAIT = 0.95

const BEHIND: Vec3Like = { x: -15, y: -5, z: 0 }
const STILL: Vec3Like = { x: 0, y: 0, z: 0 }

const berth = new PortPose()
const lane = new ApproachCorridor(true)
const meeting = new Rendezvous()
const run: Run = { to: 0, speed: 0, most: 0 }
const place = vec3()

/**
 * Takes fuel in flight: meets the tanker at a place before the contact, from behind and below, waits until it is in line, slides in, and holds its place
 * and attitude in the tanker's frame, whose velocity, spin and centripetal acceleration are fed forward, so that there is no lag in a steady turn.
 * When the contact is lost it goes back to the place before, and tries again. Tells each `stage`, `arrive` on contact and `leave` when that
 * is lost. Who shares this object takes turns. It does not end by itself: give it another behaviour when {@link contactTime} is enough.
 *
 * It is for what can be pushed any way (`Hover`, `Thrusters` with engines on all sides). What must bank to turn (`Flight`) needs `attitude: 'own'`, some
 * speed over the tanker's, and wide tolerances: it has brakes only by its drag.
 */
export class Refuel implements Behavior, Serializable {
  static readonly type: string = 'Refuel'
  closingSpeed: number
  tolerance: number
  angleTolerance: number
  speedTolerance: number
  dwell: number
  attitude: 'tanker' | 'own'
  readonly slack: number
  readonly spinTolerance: number = Infinity
  readonly timeout: number = Infinity
  private readonly port: Port
  private readonly ports: readonly Port[]
  private readonly coupling = new ShipCoupling()
  private readonly mooring: Mooring
  private inContact = 0

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: RefuelOptions) {
    const { target, offset, precontact = BEHIND, closingSpeed = 1, clearance = 0, tolerance = 0.3 } = options
    const { angleTolerance = 0.1, speedTolerance = 0.3, dwell = 0.5, slack = 2 } = options
    const { attitude = 'tanker', velocityTurns = true } = options
    if (typeof target?.position?.x !== 'number' || typeof target.velocity?.x !== 'number')
      throw new TypeError(`Refuel.target: got ${String(target)}, must have a position and a velocity`)
    requireVector('Refuel.offset', offset)
    if (isZero(requireVector('Refuel.precontact', precontact)))
      throw new RangeError('Refuel.precontact: got (0, 0, 0), must have a direction')
    if (attitude !== 'tanker' && attitude !== 'own')
      throw new RangeError(`Refuel.attitude: got '${String(attitude)}', allowed are 'tanker', 'own'`)
    const corridor = length(precontact)
    this.closingSpeed = requireFinite('Refuel.closingSpeed', closingSpeed, 0, true)
    this.tolerance = requireFinite('Refuel.tolerance', tolerance, 0, true)
    this.angleTolerance = requireFinite('Refuel.angleTolerance', angleTolerance, 0, true)
    this.speedTolerance = requireFinite('Refuel.speedTolerance', speedTolerance, 0, true)
    this.dwell = requireFinite('Refuel.dwell', dwell, 0, false)
    this.attitude = attitude
    requireFinite('Refuel.clearance', clearance, 0, false)
    const { axis, top } = this.coupling
    // the receiver has the attitude of the tanker when it looks along the way in
    normalize(axis, scale(axis, precontact, -1))
    normalize(top, reject(top, top, axis))
    if (isZero(top)) perpendicular(top, axis)
    this.coupling.own = false
    copy(this.coupling.probe, STILL)
    const outward = { ...precontact }
    this.port = new Port({
      carrier: target,
      position: offset,
      outward,
      up: { ...top },
      corridor,
      clearance,
      velocityTurns: velocityTurns,
    })
    this.ports = [this.port]
    const after = ABORT
    const torn = (this.slack = requireFinite('Refuel.slack', slack, 1, true))
    this.mooring = new Mooring(this, { stages: STAGES, done: 'in contact', torn, after })
  }

  get target(): MovingFrame {
    return this.port.carrier
  }
  set target(tanker: MovingFrame) {
    this.port.carrier = tanker
  }

  /** Where the receiver's centre is in contact, m, in the tanker's frame. */
  get offset(): Vec3Like {
    return this.port.position
  }
  set offset(offset: Vec3Like) {
    this.port.position = offset
  }

  /** See {@link RefuelOptions}; as given. */
  get precontact(): Vec3Like {
    return this.port.outward
  }
  get clearance(): number {
    return this.port.clearance
  }
  get velocityTurns(): boolean {
    return this.port.velocityTurns
  }

  /** Time (s) for which whoever has its turn has been in contact, without a break; 0 without contact. */
  get contactTime(): number {
    return this.inContact
  }

  /** Along the way in, and how near to its end it counts. */
  get reach(): number {
    return this.tolerance
  }
  get entrySpeed(): number {
    return this.closingSpeed
  }
  get holdDistance(): number {
    return WAIT * this.port.corridor
  }

  get state(): SnapshotState {
    return [this, this.mooring, this.port]
  }

  serialize(archive: Archive): void {
    this.inContact = archive.number(this.inContact)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { mooring, port } = this
    mooring.ask(agent, step, this.ports)
    const own = this.attitude === 'own'
    berth.update(agent, port, this.coupling)
    if (own) berth.turn = 0
    lane.set(agent, port, berth, this.coupling, this)
    const inContact = mooring.stage === MOORED
    const stage = mooring.decide(agent, step, berth, lane, this, this.touches())
    if ((stage === MOORED) !== inContact) step.emit(agent, inContact ? 'leave' : 'arrive', this)
    if (mooring.place === 0) this.inContact = stage === MOORED ? this.inContact + step.dt : 0
    if (stage === QUEUE || stage === APPROACH || stage === ASKING) this.fly(agent, step, stage === QUEUE, out)
    else {
      run.most = stage === FINAL || stage === MOORED ? this.closingSpeed : lane.speedAt(berth.out, port, this)
      run.to = stage === ABORT ? port.corridor : stage === ALIGN ? this.holdDistance : 0
      alongAxis(agent, step, berth, run, lane.brake, out.force)
      if (!own) turnTo(agent, berth.attitude, step, out, berth.motion.spin)
    }
  }

  private touches(): boolean {
    return poseFits(berth, this, 1) && Math.hypot(berth.sliding, berth.closing) < this.speedTolerance
  }

  /** To the place before, or to where it waits for its turn; its nose as the locomotion has it. */
  private fly(agent: Agent, step: Step, waits: boolean, out: Wrench): void {
    const { mooring, port } = this
    if (waits) holdingPlace(place, berth, port, Math.max(mooring.place, 1))
    else copy(place, lane.place)
    meeting.flyTo(
      agent,
      step,
      berth.motion,
      place,
      waits ? STILL : lane.inward,
      lane.keepOutFrom(berth),
      topSpeed(agent),
      0,
      out.force,
    )
  }
}
