import type { Agent, Behavior, SnapshotState, Step, Vec3Like, Wrench } from '../../types.js'
import { topSpeed } from '../../control/drive.js'
import { Memory } from '../../control/memory.js'
import { turnTo } from '../../control/turn.js'
import { PortPose } from './port-pose.js'
import { alongAxis, type Run } from './corridor.js'
import { couplingOf, type ShipCoupling } from './coupling.js'
import { Rendezvous } from './rendezvous.js'
import { countOnMain, flyByMain } from './helm.js'
import { holdingPlace } from './holding.js'
import { leanIn } from './tilt.js'
import { fits, ApproachCorridor } from './approach-corridor.js'
import { ABORT, ALIGN, APPROACH, ASKING, FINAL, MOORED, Mooring, QUEUE } from './mooring.js'
import type { DockOptions, DockStage } from './dock-options.js'
import { requirePorts, type Port } from './port.js'
import { requireFinite, requireNumber } from '../../math/require.js'
import { vec3 } from '../../math/vec3.js'

export type { DockOptions, DockStage } from './dock-options.js'

const STAGES: readonly DockStage[] = ['queue', 'approach', 'align', 'final', 'latched', 'abort']
const WORDS = { stages: STAGES, done: 'docked', torn: 10, after: ALIGN }

const berth = new PortPose()
const lane = new ApproachCorridor()
const meeting = new Rendezvous()
const run: Run = { to: 0, speed: 0, most: 0, lost: 0, across: 0 }
const arm = vec3()
const STILL: Vec3Like = { x: 0, y: 0, z: 0 }

/**
 * Docks at a port that drifts and turns: flies to the mouth of its corridor to be there with the entry speed, in the least time its engines
 * allow (see `Meeting`), down the axis by the brakes' own profile, waits before the port until it is in line, and touches it at the closing speed,
 * nose (or any other side) and roll as the port has them. Falls back by a stage, with hysteresis, when alignment is lost; backs off to the
 * mouth and tries again when it has left the corridor. Ships that share a port take turns. Tells `stage` (see {@link DockStage}), with a reason where it
 * was not its own will.
 *
 * A ship with weak engines astern or across turns its main engine to where thrust is needed, and round to brake, with the time of that turn
 * in its braking distance; one with none across at all leans to stay in line. It docks by its own test of pose and twist, never by contacts.
 * The latch itself, if one is wanted, is the user's: see `latch` of three-steering/cannon. Keep it as the behaviour of a ship that is docked
 * (or `Undock`): who does not steer for the port for its `patience` loses it.
 *
 * FreeSpace 2 docks in such stages along paths of its ships; the guidance is that of this project's design notes on docking.
 */
export class Dock implements Behavior {
  static readonly type: string = 'Dock'
  ports: readonly Port[]
  readonly coupling: ShipCoupling
  closingSpeed: number
  entrySpeed: number
  holdDistance: number
  reach: number
  tolerance: number
  angleTolerance: number
  speedTolerance: number
  spinTolerance: number
  dwell: number
  hold: boolean
  timeout: number
  private readonly mooring = new Mooring(this, WORDS)
  /** 1 for who has turned round to brake. */
  private readonly memory = new Memory(1)

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: DockOptions) {
    const { port, ports = port === undefined ? [] : [port], closingSpeed = 0.25, entrySpeed = 3.5 } = options
    const { holdDistance = 2, reach = 0.02, tolerance = 0.02, angleTolerance = 0.01 } = options
    const { speedTolerance = 0.05, spinTolerance = 0.02, dwell = 0.03, hold = true, timeout = 300 } = options
    this.ports = requirePorts('Dock.port', ports)
    this.coupling = couplingOf('Dock', options)
    this.closingSpeed = requireFinite('Dock.closingSpeed', closingSpeed, 0, true)
    this.entrySpeed = requireFinite('Dock.entrySpeed', entrySpeed, 0, true)
    this.holdDistance = requireFinite('Dock.holdDistance', holdDistance, 0, false)
    this.reach = requireFinite('Dock.reach', reach, 0, true)
    this.tolerance = requireFinite('Dock.tolerance', tolerance, 0, true)
    this.angleTolerance = requireFinite('Dock.angleTolerance', angleTolerance, 0, true)
    this.speedTolerance = requireFinite('Dock.speedTolerance', speedTolerance, 0, true)
    this.spinTolerance = requireFinite('Dock.spinTolerance', spinTolerance, 0, true)
    this.dwell = requireFinite('Dock.dwell', dwell, 0, false)
    this.hold = hold
    this.timeout = requireNumber('Dock.timeout', timeout, 0, true)
  }

  get state(): SnapshotState {
    return [this.memory, this.mooring, ...this.ports]
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { mooring } = this
    const port = mooring.ask(agent, step, this.ports)
    const coupling = this.coupling.of(agent)
    berth.update(agent, port, coupling)
    lane.tries = mooring.tries
    lane.set(agent, port, berth, coupling, this)
    const stage = mooring.decide(agent, step, berth, lane, this, fits(berth, this))
    // what is latched does not turn by itself either
    if (stage === MOORED && !this.hold) out.turns = true
    else if (stage === QUEUE)
      this.fly(agent, step, holdingPlace(arm, berth, port, Math.max(mooring.place, 1)), STILL, out)
    else if (stage === APPROACH || stage === ASKING) this.fly(agent, step, lane.place, lane.inward, out)
    else this.follow(agent, step, port, stage, out)
  }

  /** To a place that turns with the carrier, there with `entry` m/s inward, round the carrier. */
  private fly(agent: Agent, step: Step, place: Vec3Like, inward: Vec3Like, out: Wrench): void {
    const { motion } = berth
    const { engines } = lane
    const keepOut = lane.keepOutFrom(berth)
    const speed = topSpeed(agent)
    if (!engines.isFree) {
      countOnMain(meeting, engines)
      meeting.meet(agent, motion, place, inward, speed)
      const at = this.memory.at(agent)
      const { data } = this.memory
      const braking = flyByMain(agent, step, meeting, engines, data[at] === 1, motion, keepOut, speed, out)
      data[at] = braking ? 1 : 0
      return
    }
    meeting.flyTo(agent, step, motion, place, inward, keepOut, speed, 0, out.force)
    turnTo(agent, berth.attitude, step, out, motion.spin)
  }

  /** Along the axis. */
  private follow(agent: Agent, step: Step, port: Port, stage: number, out: Wrench): void {
    run.most = lane.speedAt(berth.out - lane.lost, port, this)
    run.to = stage === ALIGN ? this.holdDistance : stage === ABORT ? port.corridor : 0
    run.speed = stage === FINAL ? this.closingSpeed : 0
    run.lost = lane.lost
    run.across = lane.across
    if (lane.leans && (stage === ALIGN || stage === FINAL))
      leanIn(agent, step, berth, meeting, lane.engines, lane.brake, this.closingSpeed, topSpeed(agent), out)
    else {
      alongAxis(agent, step, berth, run, lane.brake, out.force)
      turnTo(agent, berth.attitude, step, out, berth.motion.spin)
    }
  }
}
