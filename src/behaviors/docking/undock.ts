import type { Agent, Behavior, SnapshotState, Step, Vec3Like, Wrench } from '../../types.js'
import { Memory } from '../../control/memory.js'
import { turnTo } from '../../control/turn.js'
import { PortPose } from './port-pose.js'
import { alongAxis, calmBrake, type Run } from './corridor.js'
import { couplingOf, type ShipCoupling } from './coupling.js'
import { requirePorts, type Port } from './port.js'
import { requireFinite } from '../../math/require.js'

export interface UndockOptions {
  /** Where the ship is docked. */
  port: Port
  /** As in `DockOptions`: the ship leaves the way it came. Default the side of it that faces the port. */
  probe?: Vec3Like
  axis?: Vec3Like
  top?: Vec3Like
  /** Speed at the mouth of the corridor, relative to the port, m/s, > 0. Default 2. */
  exitSpeed?: number
}

const DOCKED = 0
const BACKING = 1
const FREE = 2

/** Who is nearer to the port than this share of the corridor is in it again. */
const BACK_IN = 0.5

const berth = new PortPose()
const run: Run = { to: 0, speed: 0, most: 0, past: true }

/**
 * Backs out of the corridor of a port, or takes off from a pad, straight along its axis and without a turn, to its mouth; there it tells the stage `free`, gives the
 * port to the next who waits, and has no opinion any more. Tells the stage `undock` when it begins. Open the latch first.
 */
export class Undock implements Behavior {
  static readonly type: string = 'Undock'
  port: Port
  exitSpeed: number
  readonly coupling: ShipCoupling
  /** Whether that is for the ship to see. */
  private readonly anySide: boolean
  private readonly memory = new Memory(1)

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: UndockOptions) {
    const { port, exitSpeed = 2 } = options
    this.port = requirePorts('Undock.port', [port])[0]!
    this.coupling = couplingOf('Undock', options)
    this.anySide = options.probe === undefined && options.axis === undefined
    this.exitSpeed = requireFinite('Undock.exitSpeed', exitSpeed, 0, true)
  }

  get state(): SnapshotState {
    return [this.memory, this.port]
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { exitSpeed, port } = this
    const at = this.memory.at(agent)
    const { data } = this.memory
    if (this.anySide) berth.face(agent, port, this.coupling.axis)
    const coupling = this.coupling.of(agent)
    berth.update(agent, port, coupling, true)
    if (data[at] === DOCKED || (data[at] === FREE && berth.out < BACK_IN * port.corridor)) {
      data[at] = BACKING
      step.emit(agent, 'stage', this, 'undock')
    } else if (data[at] === BACKING && berth.out >= port.corridor) {
      data[at] = FREE
      port.release(agent.id)
      step.emit(agent, 'stage', this, 'free')
    }
    if (data[at] === FREE) return
    port.ask(agent, step)
    run.to = port.corridor
    run.speed = run.most = exitSpeed
    alongAxis(agent, step, berth, run, calmBrake(agent, coupling.axis), out.force)
    turnTo(agent, berth.attitude, step, out, berth.motion.spin)
  }
}
