import type {
  Agent,
  AgentInSlot,
  Archive,
  Behavior,
  SnapshotState,
  Serializable,
  MovingFrame,
  Step,
  Vec3Like,
  Wrench,
} from '../../core/types.js'
import { turnTo } from '../../core/control/turn.js'
import { requireVector } from '../../core/math/require.js'
import { isZero, length, normalize, perpendicular, reject, scale } from '../../core/math/vec3.js'
import { ABORT, MOORED, Mooring, poseFits } from './mooring.js'
import { ShipCoupling, type PortPose } from './port-pose.js'
import { Port } from './port.js'
import { requireMoving } from '../../core/control/target.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

/** What a receiver is doing. */
export type RefuelStage = 'queue' | 'approach' | 'precontact' | 'closing' | 'contact' | 'broken'

export interface RefuelOptions extends Options, OptionsOf<typeof Refuel.options> {}
export interface Refuel extends FieldsOf<typeof Refuel.options> {}

// The defaults are chosen by hand.
const DEFAULT_PRECONTACT: Vec3Like = { x: -15, y: -5, z: 0 }

const STAGES: readonly RefuelStage[] = ['queue', 'approach', 'precontact', 'closing', 'contact', 'broken']

/** The receiver waits at this share of the corridor, just inside it. Chosen by hand. */
const WAIT_SHARE = 0.95

/**
 * Refuels in flight. The receiver meets the tanker at the precontact position, behind and below, waits until
 * it is in line, slides in, and holds its position and attitude in the tanker's frame. The tanker's velocity,
 * angular velocity and centripetal acceleration are fed forward, so that there is no lag in a steady turn. If
 * contact is lost, the receiver goes back to the precontact position and tries again. While a joint of the
 * engine holds it at the tanker (`latch`), it rests without force. Emits `stage` events, `arrive` on contact
 * and `leave` when contact is lost. Receivers that share this object take turns. It does not end by itself:
 * give the receiver another behaviour when {@link contactTime} is long enough.
 *
 * It is for agents that can be pushed in any direction (`Hover`, `Thrusters` with engines on all sides). An
 * agent that must bank to turn (`Flight`) needs `attitude: 'own'`, some more speed than the tanker, and wide
 * tolerances: only its drag brakes it.
 */
export class Refuel implements Behavior, Serializable {
  static readonly type: string = 'Refuel'
  static readonly options = {
    /** The tanker. Its attitude, velocity and angular velocity count. */
    target: { kind: 'named', required: true, check: requireMoving<MovingFrame> },
    /** Position of the receiver's centre in contact (m). Tanker's frame: x ahead, y up, z to starboard. */
    offset: { kind: 'vector', required: true, unit: 'm', check: requireVector },
    /**
     * Offset from there to the position where the receiver waits before the contact (m), in the same frame;
     * not zero. Default 15 m behind, 5 m below.
     */
    precontact: { kind: 'vector', unit: 'm', default: DEFAULT_PRECONTACT, check: requireVector },
    /** Speed at which the receiver slides in, relative to the tanker (m/s), > 0. Default 1. */
    closingSpeed: { kind: 'number', unit: 'm/s', above: 0, default: 1 },
    /**
     * Radius (m, ≥ 0) about the tanker's centre that may be entered only on the way to the contact. Default
     * 0: no such ball.
     */
    clearance: { kind: 'number', unit: 'm', atLeast: 0, default: 0 },
    /** The receiver is in contact within this distance of the contact position (m, > 0), default 0.3, … */
    tolerance: { kind: 'number', unit: 'm', above: 0, default: 0.3 },
    /** … within this angle of the tanker's attitude (rad, > 0), default 0.1, … */
    angleTolerance: { kind: 'number', unit: 'rad', above: 0, default: 0.1 },
    /** … and below this speed relative to the tanker (m/s, > 0), default 0.3, … */
    speedTolerance: { kind: 'number', unit: 'm/s', above: 0, default: 0.3 },
    /** … for this time without a break (s, ≥ 0), default 0.5. */
    dwell: { kind: 'number', unit: 's', atLeast: 0, default: 0.5 },
    /** Contact is lost at this multiple of the tolerances (dimensionless, > 1). Default 2. */
    slack: { kind: 'number', above: 1, default: 2 },
    /**
     * `tanker`: nose and top as those of the tanker. `own`: the locomotion turns the receiver, and its
     * attitude does not count; for receivers that must bank to turn. Default `tanker`.
     */
    attitude: { kind: 'text', oneOf: ['tanker', 'own'], default: 'tanker' },
    /**
     * Whether the tanker's velocity turns with it, as that of ships and aircraft does. `false` for one that
     * drifts and turns in space. Default true.
     */
    velocityTurns: { kind: 'boolean', default: true },
  } as const satisfies AnyTable

  readonly slack!: number
  readonly spinTolerance: number = Infinity
  readonly timeout: number = Infinity
  private readonly port: Port
  private readonly ports: readonly Port[]
  private readonly coupling = new ShipCoupling()
  private readonly mooring: Mooring
  private inContact = 0

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: RefuelOptions) {
    const read = readOptions('Refuel', Refuel.options, options)
    const { target, offset, precontact, clearance, velocityTurns, ...own } = read
    Object.assign(this, own)
    if (isZero(precontact)) throw new RangeError('Refuel.precontact: got (0, 0, 0), must have a direction')
    const corridor = length(precontact)
    const { axis, top } = this.coupling
    // the axis points from precontact to contact in the tanker's frame: aligned with it, the receiver has the
    // tanker's attitude
    normalize(axis, scale(axis, precontact, -1))
    normalize(top, reject(top, top, axis))
    if (isZero(top)) perpendicular(top, axis)
    this.coupling.isAtRadius = false
    const outward = { ...precontact }
    this.port = new Port({
      carrier: target,
      position: offset,
      outward,
      up: { ...top },
      corridor,
      clearance,
      velocityTurns,
    })
    this.ports = [this.port]
    this.mooring = new Mooring(this, {
      stages: STAGES,
      goal: 'in contact',
      tornOffAt: this.slack,
      afterTornOff: ABORT,
      emitsArrival: true,
      landing: true,
    })
    this.mooring.corridor.brakesFirst = false
  }

  get target(): MovingFrame {
    // it has no other one than that of the constructor or of the setter
    return this.port.carrier as MovingFrame
  }
  set target(tanker: MovingFrame) {
    this.port.carrier = tanker
  }

  /** Position of the receiver's centre in contact (m), in the tanker's frame. */
  get offset(): Vec3Like {
    return this.port.position
  }
  set offset(offset: Vec3Like) {
    this.port.position = offset
  }

  /** See {@link RefuelOptions}. */
  get precontact(): Vec3Like {
    return this.port.outward
  }
  get clearance(): number {
    return this.port.clearance ?? 0
  }
  get velocityTurns(): boolean {
    return this.port.velocityTurns
  }

  /** Time (s) of the present contact of the receiver that has its turn; 0 without contact. */
  get contactTime(): number {
    return this.inContact
  }

  // limits of the mooring that are no options here
  get latchDistance(): number {
    return this.tolerance
  }
  get entrySpeed(): number {
    return this.closingSpeed
  }
  get holdDistance(): number {
    return WAIT_SHARE * this.port.corridor
  }

  get state(): SnapshotState {
    return [this, this.mooring, this.port]
  }

  serialize(archive: Archive): void {
    this.inContact = archive.number(this.inContact)
  }

  serializeAgent(archive: Archive, { id }: AgentInSlot): () => void {
    const { inContact } = this
    if (archive.boolean(this.port.holder === id)) this.serialize(archive)
    return () => (this.inContact = inContact)
  }

  /**
   * What an agent is doing, such as a controller; null for one that this behaviour has not steered. After a
   * world was restored it says which agents to latch again.
   */
  stageOf(agent: AgentInSlot): RefuelStage | null {
    return this.mooring.stageOf(agent) as RefuelStage | null
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { mooring } = this
    const own = this.attitude === 'own'
    const pose = mooring.update(agent, step, this.ports, this.coupling, this)
    if (pose === null) return
    // its attitude is free, so an error of attitude takes no clearance
    if (own) {
      pose.attitudeError = 0
      pose.room = pose.distance
    }
    const stage = mooring.decide(agent, step, this, this.touches(pose))
    if (mooring.place === 0) this.inContact = stage === MOORED ? this.inContact + step.dt : 0
    if (mooring.rests(agent, step, true, out)) return
    if (mooring.isOnTheWay) {
      // the locomotion turns the receiver on the way
      mooring.flyTo(agent, step, mooring.destination(agent), mooring.arrivalVelocity, out)
      return
    }
    mooring.corridor.turnTime = own ? agent.forceTurnTime : 0
    mooring.flyAlongAxis(agent, step, this, 0, out.force)
    if (!own) turnTo(agent, pose.attitude, step, out, pose.carrier.spin)
  }

  private touches(pose: PortPose): boolean {
    return poseFits(pose, this, 1) && Math.hypot(pose.slidingSpeed, pose.closingSpeed) < this.speedTolerance
  }
}
