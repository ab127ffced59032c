import type { Agent, AgentInSlot, Behavior, SnapshotState, Step, Vec3Like, Wrench } from '../../core/types.js'
import { modelAttitude, turnTo } from '../../core/control/turn.js'
import { quat } from '../../core/math/quat.js'
import { requireFinite, unchecked } from '../../core/math/require.js'
import { addScaled, length, scale, vec3 } from '../../core/math/vec3.js'
import { ALIGN, isLatchable, Mooring, QUEUE } from './mooring.js'
import { COUPLING, couplingOf, type PortPose, type ShipCoupling } from './port-pose.js'
import { requirePorts, type Port } from './port.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

/** What a landing agent is doing. */
export type LandStage = 'queue' | 'approach' | 'align' | 'final' | 'landed' | 'abort'

export interface LandOptions extends Options, OptionsOf<typeof LAND> {
  /**
   * Point of the agent that touches the pad (m), in its own steering frame: x ahead, y up, z to starboard.
   * Default its belly: `radius` below its centre.
   */
  probe?: Vec3Like
  /** Direction out of the agent at that point, in the same frame. Default that of `probe`. */
  axis?: Vec3Like
  /**
   * Direction of the agent, in the same frame, that points along the pad's `up` with `heading: 'pad'`.
   * Default its nose, or its top where the nose is parallel to `axis`.
   */
  top?: Vec3Like
}
export interface Land extends Omit<FieldsOf<typeof LAND>, 'port'> {}

/** More on solid ground, where legs or springs may stop the agent above the plane of the pad. */
const DEFAULT_LATCH_DISTANCE_SOLID = 0.2
const DEFAULT_LATCH_DISTANCE_HOLD = 0.1

const STAGES: readonly LandStage[] = ['queue', 'approach', 'align', 'final', 'landed', 'abort']

/** A landed agent has been moved off when its pose is off by ten tolerances. Chosen by hand. */
const CONFIG = {
  stages: STAGES,
  goal: 'landed',
  tornOffAt: 10,
  afterTornOff: ALIGN,
  emitsArrival: true,
  landing: true,
}

// The numbers below are chosen by hand.

/** The agent stands when it is slower than this share of the closing speed. */
const STOPPED_SHARE = 0.5

/**
 * With `hold`, the speed relative to the pad must be below this share of the closing speed, and the angular
 * velocity (rad/s) below this.
 */
const SPEED_TOLERANCE_SHARE = 0.2
const SPIN_TOLERANCE = 0.05

/** Gravity below this share of its thrust does not define a vertical. */
const MIN_GRAVITY_SHARE = 1e-4

const BELLY: Vec3Like = { x: 0, y: -1, z: 0 }

const above = vec3()
const down = vec3()
const level = quat()

// The defaults are chosen by hand.
const LAND = {
  /** The pad: a port with the normal of the pad as its `outward`. Required unless `ports` is given. */
  port: { kind: 'shorthand', check: unchecked<Port> },
  /**
   * Several pads: the agent takes the nearest that is free. If none is, it waits for all of them: the next
   * one that becomes free goes to the agent that has waited longest. Default `port` alone.
   */
  ports: { kind: ['named'], check: unchecked<readonly Port[]> },
  /** `free`: the agent keeps its heading. `pad`: it takes the heading of the pad. Default `free`. */
  heading: { kind: 'text', oneOf: ['free', 'pad'], default: 'free' },
  /** Speed at the touch (m/s), > 0. Default 0.5. */
  closingSpeed: { kind: 'number', unit: 'm/s', above: 0, default: 0.5 },
  /** Speed at the top of the corridor (m/s), > 0. Default 4. Reduced if the engines are too weak. */
  entrySpeed: { kind: 'number', unit: 'm/s', above: 0, default: 4 },
  /** Height above the pad (m, > `latchDistance`) at which the agent waits until it is in line. Default 2. */
  holdDistance: { kind: 'number', unit: 'm', above: 0, default: 2 },
  /**
   * Height above the plane of the pad (m, ≥ 0) that an agent outside the corridor climbs to first. Default 0:
   * it flies straight.
   */
  clearance: { kind: 'number', unit: 'm', atLeast: 0, default: 0 },
  /** The agent stands when it comes to rest within this height (m, > 0), default 0.2, with `hold` 0.1, … */
  latchDistance: { kind: 'number', unit: 'm', above: 0 },
  /** … within this distance of the middle of the pad (m, > 0), default 0.1, … */
  tolerance: { kind: 'number', unit: 'm', above: 0, default: 0.1 },
  /** … within this angle of being level with the pad and of its heading (rad, > 0), default 0.02, … */
  angleTolerance: { kind: 'number', unit: 'rad', above: 0, default: 0.02 },
  /** … for this time without a break (s, ≥ 0), default 0.1. */
  dwell: { kind: 'number', unit: 's', atLeast: 0, default: 0.1 },
  /**
   * `false`: the pad is solid. The agent goes down until it stands, and then rests without any thrust, so
   * that its body may fall asleep. `true`: there is nothing solid. The agent has landed when probe and pad
   * meet, and holds its pose by force and torque, unless a joint of the engine holds it there (`latch`).
   * Default false.
   */
  hold: { kind: 'boolean', default: false },
  /**
   * Time (s, > 0) after which the agent, once its turn has come, gives up, lets others in and tries again.
   * Default 300.
   */
  timeout: { kind: 'number', unit: 's', above: 0, infinite: true, default: 300 },
} as const satisfies AnyTable

/**
 * Lands on a pad, belly first: on the ground, on a deck that moves and turns, or on a spinning asteroid. The
 * agent flies level to the top of the corridor above the pad. It comes down along the normal of the pad, as
 * fast as the force left above its weight can still brake, waits until it is in line, and touches level at
 * the closing speed. If it loses alignment it falls back by a stage. If it is blown out of the corridor it
 * climbs and tries again. Agents that share a pad take turns. Emits `stage` events, with a reason if the
 * agent did not choose the change, `arrive` when it has landed, and `leave` when it was moved off. To take
 * off, see `Undock`.
 *
 * It is for agents that can hover: `Hover`, or `Thrusters` that are strong upward and have some force to the
 * sides. Gravity is that of the agent, so it may point to the middle of an asteroid. An agent that needs
 * speed to fly (`Flight`) lands on a runway: `DirectedSeek` to its threshold, with a glide path.
 */
export class Land implements Behavior {
  static readonly type: string = 'Land'
  static readonly options: readonly [typeof COUPLING, typeof LAND] = [COUPLING, LAND]

  ports: readonly Port[]
  readonly coupling: ShipCoupling
  latchDistance!: number
  readonly spinTolerance: number = SPIN_TOLERANCE
  private readonly mooring = new Mooring(this, CONFIG)

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: LandOptions) {
    const { axis, port, probe, top, ...read } = readOptions('Land', Land.options, options)
    const latchDistance = read.hold ? DEFAULT_LATCH_DISTANCE_HOLD : DEFAULT_LATCH_DISTANCE_SOLID
    Object.assign(this, read, { latchDistance: read.latchDistance ?? latchDistance })
    requireFinite('Land.holdDistance', this.holdDistance, this.latchDistance, true)
    this.ports = requirePorts('Land.port', read.ports ?? (port === undefined ? [] : [port]))
    this.coupling = couplingOf('Land', { axis, probe, top }, BELLY)
  }

  get state(): SnapshotState {
    return [this.mooring, ...this.ports]
  }

  get speedTolerance(): number {
    return SPEED_TOLERANCE_SHARE * this.closingSpeed
  }

  /**
   * What an agent is doing, such as a controller; null for one that this behaviour has not steered. After a
   * world was restored it says which agents to latch again.
   */
  stageOf(agent: AgentInSlot): LandStage | null {
    return this.mooring.stageOf(agent) as LandStage | null
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { hold, mooring } = this
    const pose = mooring.update(agent, step, this.ports, this.coupling, this, this.heading === 'free')
    if (pose === null) return
    mooring.decide(agent, step, this, hold ? isLatchable(pose, this) : this.stands(pose))
    if (mooring.rests(agent, step, hold, out)) return
    if (mooring.isOnTheWay) this.flyToCorridor(agent, step, out)
    else {
      mooring.flyAlongAxis(agent, step, this, this.closingSpeed, out.force)
      turnTo(agent, pose.attitude, step, out, pose.carrier.spin)
    }
  }

  /** Whether something solid has stopped the agent. */
  private stands(pose: PortPose): boolean {
    return (
      pose.distance < this.latchDistance && Math.abs(pose.closingSpeed) < STOPPED_SHARE * this.closingSpeed
    )
  }

  /**
   * Flies level to the waiting point or to the top of the corridor, around the carrier; from below the
   * clearance straight up first.
   */
  private flyToCorridor(agent: Agent, step: Step, out: Wrench): void {
    const { mooring } = this
    const { arrivalVelocity, corridor, pose } = mooring
    let destination = mooring.destination(agent)
    const isLow = pose.distance < this.clearance && length(pose.offset) > corridor.maxOffset
    if (isLow && mooring.stage !== QUEUE) destination = addScaled(above, destination, pose.offset, 1)
    mooring.flyTo(agent, step, destination, arrivalVelocity, out)
    const gravity = length(agent.gravity)
    if (agent.mass * gravity > MIN_GRAVITY_SHARE * agent.maxForce) {
      scale(down, agent.gravity, 1 / gravity)
      pose.attitudeAlong(level, agent, down, this.coupling, this.heading === 'free')
      turnTo(agent, modelAttitude(level, level, agent.axes), step, out)
    } else turnTo(agent, pose.attitude, step, out, pose.carrier.spin)
  }
}
