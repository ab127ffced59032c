import type { Agent, Behavior, SnapshotState, Step, Vec3Like, Wrench } from '../../core/types.js'
import { topSpeed } from '../../core/control/drive.js'
import { Memory } from '../../core/control/memory.js'
import { turnTo } from '../../core/control/turn.js'
import { length } from '../../core/math/vec3.js'
import { CannotMoor } from './cannot.js'
import { MooringExemption } from './mooring-exemption.js'
import { ApproachCorridor } from './approach-corridor.js'
import { COUPLING, couplingOf, PortPose, type ShipCoupling } from './port-pose.js'
import { requirePort } from './port.js'
import { addableSpeed } from './rendezvous.js'
import { restHeld } from './thrust.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export type UndockStage = 'undock' | 'free'

export interface UndockOptions extends Options, OptionsOf<typeof UNDOCK> {
  /** As in `DockOptions`. Default the side of the agent that faces the port. */
  probe?: Vec3Like
  axis?: Vec3Like
  top?: Vec3Like
}
export interface Undock extends FieldsOf<typeof UNDOCK> {}

// stages of an agent
const DOCKED = 0
const BACKING_OUT = 1
const FREE = 2

/** A free agent closer to the port than this share of the corridor backs out again. Chosen by hand. */
const BACK_IN_SHARE = 0.5

/** Below this share of the exit speed an agent that nothing pushes out does not leave. Chosen by hand. */
const STUCK_SHARE = 0.01

const pose = new PortPose()
const corridor = new ApproachCorridor(true)
corridor.brakesFirst = false
const NO_LIMITS = { closingSpeed: 0, entrySpeed: 0, holdDistance: 0, tolerance: 0, speedTolerance: 0 }

const UNDOCK = {
  /** The port where the agent is docked. */
  port: { kind: 'named', required: true, check: requirePort },
  /** Speed at the mouth of the corridor, relative to the port (m/s), > 0. Default 2. */
  // Chosen by hand.
  exitSpeed: { kind: 'number', unit: 'm/s', above: 0, default: 2 },
} as const satisfies AnyTable

/**
 * Backs out of the corridor of a port, or takes off from a pad: straight along its axis and without a turn,
 * to its mouth; while others wait for the port, faster on to a place beyond them. There it emits the stage
 * `free`, gives the port to the next waiting agent, and writes nothing from then on. Emits the stage `undock`
 * when it begins. Open the latch first: while a joint of the engine holds it at the carrier, it rests, and
 * emits `cannot`.
 */
export class Undock implements Behavior {
  static readonly type: string = 'Undock'
  static readonly options: readonly [typeof COUPLING, typeof UNDOCK] = [COUPLING, UNDOCK]

  readonly coupling: ShipCoupling
  /** Whether the side that faces the port is used. */
  private readonly anySide: boolean
  private readonly stages = new Memory(1)
  private readonly cannot = new CannotMoor()
  private readonly exemption = new MooringExemption()

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: UndockOptions) {
    const { port, exitSpeed, ...coupling } = readOptions('Undock', Undock.options, options)
    this.port = port
    this.exitSpeed = exitSpeed!
    this.coupling = couplingOf('Undock', coupling)
    this.anySide = options.probe === undefined && options.axis === undefined
  }

  get state(): SnapshotState {
    return [this.stages, this.cannot, this.port]
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { exitSpeed, port } = this
    if (!this.cannot.canFollow(agent, step, this, port)) return
    port.refreshFor(step)
    const at = this.stages.at(agent)
    const { data } = this.stages
    if (this.anySide) pose.facingSide(agent, port, this.coupling.axis)
    const coupling = this.coupling.of(agent)
    pose.update(agent, port, coupling, true)
    corridor.update(agent, port, pose, coupling, NO_LIMITS)
    // at the mouth, or beyond the agents that wait
    const beyond = port.waiting > 0 ? port.holdingDistance + port.spacing / 2 : 0
    const end = Math.max(corridor.mouth, beyond)
    const near = BACK_IN_SHARE * port.corridor
    const isBack = pose.distance < near && length(pose.offset) < near
    if (data[at] === DOCKED || (data[at] === FREE && isBack)) {
      data[at] = BACKING_OUT
      step.emit(agent, 'stage', this, 'undock' satisfies UndockStage)
    } else if (data[at] === BACKING_OUT && pose.distance >= end) {
      data[at] = FREE
      port.release(agent.id)
      step.emit(agent, 'stage', this, 'free' satisfies UndockStage)
    }
    if (data[at] === FREE) return
    if (length(pose.offset) < corridor.maxOffset)
      this.exemption.report(agent, port, pose, Math.max(port.corridor, pose.distance))
    port.ask(agent, step, 0, this.cannot.hasTold(agent))
    const isStuck = corridor.brake === 0 && pose.outwardSpeed < STUCK_SHARE * exitSpeed
    if (!this.cannot.canLeave(agent, step, this, port, isStuck)) {
      restHeld(agent, step, out)
      return
    }
    // beyond the mouth nothing is near: it speeds up
    const most = addableSpeed(pose.carrier.velocity, pose.outward, topSpeed(agent))
    const beyondMouth = Math.max(0, pose.distance - corridor.mouth)
    const speed = Math.max(exitSpeed, Math.min(most, Math.sqrt(2 * corridor.brake * beyondMouth)))
    corridor.fly(agent, step, pose, end, -speed, speed, out.force)
    turnTo(agent, pose.attitude, step, out, pose.carrier.spin)
  }
}
