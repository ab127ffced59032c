import type { Agent, AgentInSlot, Behavior, SnapshotState, Step, Vec3Like, Wrench } from '../../core/types.js'
import { turnTo } from '../../core/control/turn.js'
import { leanIn } from './main-engine.js'
import { ALIGN, FINAL, isLatchable, Mooring } from './mooring.js'
import { COUPLING, couplingOf, type ShipCoupling } from './port-pose.js'
import { requirePorts, type Port } from './port.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'
import { unchecked } from '../../core/math/require.js'

/** What a docking agent is doing. */
export type DockStage = 'queue' | 'approach' | 'align' | 'final' | 'latched' | 'abort'

export interface DockOptions extends Options, OptionsOf<typeof DOCK> {
  /**
   * Docking point of the agent (m) in its own steering frame: x ahead, y up, z to starboard. Default its
   * nose: `radius` ahead.
   */
  probe?: Vec3Like
  /** Direction out of the agent at the docking point, in the same frame. Default that of `probe`. */
  axis?: Vec3Like
  /**
   * Direction of the agent, in the same frame, that points along the port's `up` when docked. Default its
   * top, or its nose where the top is parallel to `axis`.
   */
  top?: Vec3Like
}
export interface Dock extends Omit<FieldsOf<typeof DOCK>, 'port'> {}

const STAGES: readonly DockStage[] = ['queue', 'approach', 'align', 'final', 'latched', 'abort']

/** A latched agent has been torn off when its pose is off by ten tolerances. Chosen by hand. */
const CONFIG = {
  stages: STAGES,
  goal: 'docked',
  tornOffAt: 10,
  afterTornOff: ALIGN,
  emitsArrival: false,
  landing: false,
}

// Speeds and hold distance are those of the prototype that docked in all of 1,000 seeded cases, with 5 mm of
// lateral error in the median; the tolerances lie above its errors. The others are chosen by hand.
const DOCK = {
  /** The port to dock at. Required unless `ports` is given. */
  port: { kind: 'shorthand', check: unchecked<Port> },
  /**
   * Several ports: the agent takes the nearest that is free. If none is, it waits at the nearest carrier, in
   * the queues of all of them at once: the next port that becomes free goes to the agent that has waited
   * longest. Give agents at the same carrier the same list, so that they wait clear of each other. Default
   * `port` alone.
   */
  ports: { kind: ['named'], check: unchecked<readonly Port[]> },
  /** Speed at the touch (m/s), > 0. Default 0.25. */
  closingSpeed: { kind: 'number', unit: 'm/s', above: 0, default: 0.25 },
  /** Speed at the mouth of the corridor (m/s), > 0. Default 3.5. Reduced if the brakes are too weak. */
  entrySpeed: { kind: 'number', unit: 'm/s', above: 0, default: 3.5 },
  /** Distance from the port (m, ≥ 0) at which the agent waits until it is in line. Default 2. */
  holdDistance: { kind: 'number', unit: 'm', atLeast: 0, default: 2 },
  /** The agent latches within this distance of the port along the axis (m, > 0), default 0.02, … */
  latchDistance: { kind: 'number', unit: 'm', above: 0, default: 0.02 },
  /** … within this distance of the axis (m, > 0), default 0.02, … */
  tolerance: { kind: 'number', unit: 'm', above: 0, default: 0.02 },
  /** … its attitude, roll included, is within this angle (rad, > 0), default 0.01, … */
  angleTolerance: { kind: 'number', unit: 'rad', above: 0, default: 0.01 },
  /** … its speed across, and that above the closing speed, is below this (m/s, > 0), default 0.05, … */
  speedTolerance: { kind: 'number', unit: 'm/s', above: 0, default: 0.05 },
  /** … and its angular velocity relative to the carrier is below this (rad/s, > 0), default 0.02, … */
  spinTolerance: { kind: 'number', unit: 'rad/s', above: 0, default: 0.02 },
  /** … all of it for this time without a break (s, ≥ 0), default 0.03. */
  dwell: { kind: 'number', unit: 's', atLeast: 0, default: 0.03 },
  /**
   * Whether a latched agent holds its pose by force and torque. It rests without both while a joint of the
   * engine holds it at the carrier (`latch`), so that an agent without a joint is held as well. `false`: it
   * never holds itself, for a joint that its door does not know, or to a body that is not the carrier.
   * Default true.
   */
  hold: { kind: 'boolean', default: true },
  /**
   * Time (s, > 0) after which the agent, once its turn has come, gives up, lets others in and queues again.
   * Default 300.
   */
  timeout: { kind: 'number', unit: 's', above: 0, infinite: true, default: 300 },
} as const satisfies AnyTable

/**
 * Docks at a port that may drift and turn. The agent flies to the mouth of the port's corridor and reaches it
 * with the entry speed, in the least time its engines allow (see `Rendezvous`). It moves along the axis as
 * fast as its brakes permit, waits before the port until it is in line, and touches at the closing speed,
 * with its nose (or another side) and its roll as the port has them. If it loses alignment it falls back by a
 * stage, with hysteresis. If it leaves the corridor it backs off to the mouth and tries again. Agents that
 * share a port take turns. Emits `stage` events (see {@link DockStage}), with a reason if the agent did not
 * choose the change.
 *
 * An agent with weak engines astern or across turns its main engine to where thrust is needed, and turns
 * round to brake; the time of that turn is part of its braking distance. An agent with no engines across
 * leans to stay in line. One with no engine astern stops before the corridor, turns, and coasts in at the
 * closing speed. What cannot be done with its engines it says by the event `cannot`.
 *
 * Docking is decided by pose and velocity, never by contacts. The latch itself, if one is wanted, belongs to
 * the user: see `latch` of three-steering/cannon. Keep this behaviour (or `Undock`) while the agent is
 * docked: an agent that does not steer for the port for the port's `turnTimeout` loses it.
 *
 * FreeSpace 2 docks in such stages along paths of its ships. The guidance was designed in this project.
 */
export class Dock implements Behavior {
  static readonly type: string = 'Dock'
  static readonly options: readonly [typeof COUPLING, typeof DOCK] = [COUPLING, DOCK]

  ports: readonly Port[]
  readonly coupling: ShipCoupling
  private readonly mooring = new Mooring(this, CONFIG)

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: DockOptions) {
    const { axis, port, probe, top, ...read } = readOptions('Dock', Dock.options, options)
    Object.assign(this, read)
    this.ports = requirePorts('Dock.port', read.ports ?? (port === undefined ? [] : [port]))
    this.coupling = couplingOf('Dock', { axis, probe, top })
  }

  get state(): SnapshotState {
    return [this.mooring, ...this.ports]
  }

  /**
   * What an agent is doing, such as a controller; null for one that this behaviour has not steered. After a
   * world was restored it says which agents to latch again.
   */
  stageOf(agent: AgentInSlot): DockStage | null {
    return this.mooring.stageOf(agent) as DockStage | null
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { mooring } = this
    const { corridor } = mooring
    const pose = mooring.update(agent, step, this.ports, this.coupling, this)
    if (pose === null) return
    const stage = mooring.decide(agent, step, this, isLatchable(pose, this))
    if (mooring.rests(agent, step, this.hold, out)) return
    if (mooring.isOnTheWay) {
      mooring.flyTo(agent, step, mooring.destination(agent), mooring.arrivalVelocity, out)
      const attitude = mooring.keepsOff ? agent.orientation : pose.attitude
      if (corridor.isFree) turnTo(agent, attitude, step, out, pose.carrier.spin)
    } else if (corridor.leans && (stage === ALIGN || stage === FINAL)) {
      const { engines, brake } = corridor
      leanIn(agent, step, pose, mooring.rendezvous, engines, brake, this.closingSpeed, out)
    } else {
      mooring.flyAlongAxis(agent, step, this, this.closingSpeed, out.force)
      turnTo(agent, pose.attitude, step, out, pose.carrier.spin)
    }
  }
}
