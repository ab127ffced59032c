import type { Agent, Behavior, SnapshotState, Step, Vec3Like, Wrench } from '../../types.js'
import { topSpeed } from '../../control/drive.js'
import { modelAttitude, turnTo } from '../../control/turn.js'
import { PortPose } from './port-pose.js'
import { alongAxis, type Run } from './corridor.js'
import { couplingOf, type ShipCoupling } from './coupling.js'
import { Rendezvous } from './rendezvous.js'
import { holdingPlace } from './holding.js'
import { fits, ApproachCorridor } from './approach-corridor.js'
import { ABORT, ALIGN, APPROACH, ASKING, FINAL, MOORED, Mooring, QUEUE } from './mooring.js'
import { requirePorts, type Port } from './port.js'
import { leastForceLeft, standDown } from './thrust.js'
import { requireFinite, requireNumber } from '../../math/require.js'
import { quat } from '../../math/quat.js'
import { addScaled, length, scale, vec3 } from '../../math/vec3.js'

/** What a lander is doing. */
export type LandStage = 'queue' | 'approach' | 'align' | 'final' | 'landed' | 'abort'

export interface LandOptions {
  /** Where to land: a port whose `outward` is the normal of the pad. */
  port?: Port
  /** Where to land, of several: the one that is free and near, else the one with the shortest queue. */
  ports?: readonly Port[]
  /** Point of the lander that touches, m, in its own steering frame: x ahead, y up, z to starboard. Default its belly: `radius` below. */
  probe?: Vec3Like
  /** Direction out of the lander there, same frame: what points into the pad. Default that of `probe`. */
  axis?: Vec3Like
  /** Direction of the lander, same frame, that points along the pad's `up` with `heading: 'pad'`. Default its nose, or its top where that is the axis. */
  top?: Vec3Like
  /** `free`: whatever heading it has. `port`: as the pad has it. Default `free`. */
  heading?: 'free' | 'pad'
  /** Speed at the touch, m/s, > 0. Default 0.5. */
  closingSpeed?: number
  /** Speed at the top of the corridor, m/s, > 0. Slower where the engines have little left above the weight. Default 4. */
  entrySpeed?: number
  /** Where it waits until all is well, m above the pad, > `reach`. Default 2. */
  holdDistance?: number
  /** Height above the plane of the pad that it climbs to first, where it is not over it, m, ≥ 0. Default 0: the straight way. */
  clearance?: number
  /** Stands, when it comes to rest within this height, m, > 0: … Default 0.2, with `hold` 0.1. */
  reach?: number
  /** … this far from the middle of the pad, m, > 0, default 0.1; */
  tolerance?: number
  /** … and this far from level with the pad, and from its heading, rad, > 0, default 0.02; */
  angleTolerance?: number
  /** … for this long, s, ≥ 0. Default 0.1. */
  dwell?: number
  /**
   * `false`: the pad is solid; it goes down until it stands, and then rests without any thrust, so that the body may fall asleep. `true`: nothing is there
   * to stand on; it is down when probe and pad meet, and holds its pose by force and torque. Default false.
   */
  hold?: boolean
  /** Gives up this long after its turn has come, s, > 0: lets others in, and tries again. Default 300. */
  timeout?: number
}

const WORDS = {
  stages: ['queue', 'approach', 'align', 'final', 'landed', 'abort'],
  done: 'landed',
  torn: 10,
  after: ALIGN,
}

/** Stands, when it is slower than this share of the speed at the touch. */
const STOPPED = 0.5

/** With `hold` it must fit by these, m/s and rad/s. */
const SPEED_TOLERANCE = 0.1
const SPIN_TOLERANCE = 0.05

/** Weaker than this (m/s²) gravity does not tell where down is. */
const WEAK = 1e-3

/** It has the entry speed where it could come to it in this share of the corridor: who needs a long way for that would put it off. */
const ENTRY_ROOM = 1 / 8

const BELLY: Vec3Like = { x: 0, y: -1, z: 0 }
const STILL: Vec3Like = { x: 0, y: 0, z: 0 }

const berth = new PortPose()
const lane = new ApproachCorridor(true)
const meeting = new Rendezvous()
const run: Run = { to: 0, speed: 0, most: 0 }
const arm = vec3()
const down = vec3()
const entering = vec3()
const level = quat()

/**
 * Lands on a pad, belly first: on the ground, on a deck that moves and turns, on an asteroid that spins. Flies level to the top of the
 * corridor over the pad, comes down along its normal, as fast as what the engines have left above the weight can still brake, waits
 * until it is in line, and touches it level, at the closing speed. Falls back by a stage when alignment is lost, climbs and tries again when it
 * is blown out of the corridor; landers that share a pad take turns. Tells each `stage`, with a reason where it was not its own will, `arrive`
 * when it has landed, and `leave` when it was moved off. To take off, see `Undock`.
 *
 * It is for what can hover: `Hover`, or `Thrusters` that are strong upward and have something to the sides. Gravity is that of the agent, so
 * it may point to the middle of an asteroid. What needs speed to fly (`Flight`) lands on a runway: `DirectedSeek` to its threshold, with a glide path.
 */
export class Land implements Behavior {
  static readonly type: string = 'Land'
  ports: readonly Port[]
  readonly coupling: ShipCoupling
  heading: 'free' | 'pad'
  closingSpeed: number
  entrySpeed: number
  holdDistance: number
  clearance: number
  reach: number
  tolerance: number
  angleTolerance: number
  readonly speedTolerance: number = SPEED_TOLERANCE
  readonly spinTolerance: number = SPIN_TOLERANCE
  dwell: number
  hold: boolean
  timeout: number
  private readonly mooring = new Mooring(this, WORDS)

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: LandOptions) {
    const { port, ports = port === undefined ? [] : [port], heading = 'free', closingSpeed = 0.5 } = options
    const { entrySpeed = 4, holdDistance = 2, clearance = 0, hold = false, tolerance = 0.1 } = options
    const { angleTolerance = 0.02, dwell = 0.1, reach = hold ? 0.1 : 0.2, timeout = 300 } = options
    this.ports = requirePorts('Land.port', ports)
    this.coupling = couplingOf('Land', options, BELLY)
    if (heading !== 'free' && heading !== 'pad')
      throw new RangeError(`Land.heading: got '${String(heading)}', allowed are 'free', 'pad'`)
    this.heading = heading
    this.closingSpeed = requireFinite('Land.closingSpeed', closingSpeed, 0, true)
    this.entrySpeed = requireFinite('Land.entrySpeed', entrySpeed, 0, true)
    this.reach = requireFinite('Land.reach', reach, 0, true)
    this.holdDistance = requireFinite('Land.holdDistance', holdDistance, reach, true)
    this.clearance = requireFinite('Land.clearance', clearance, 0, false)
    this.tolerance = requireFinite('Land.tolerance', tolerance, 0, true)
    this.angleTolerance = requireFinite('Land.angleTolerance', angleTolerance, 0, true)
    this.dwell = requireFinite('Land.dwell', dwell, 0, false)
    this.hold = hold
    this.timeout = requireNumber('Land.timeout', timeout, 0, true)
  }

  get state(): SnapshotState {
    return [this.mooring, ...this.ports]
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { hold, mooring } = this
    const pad = mooring.ask(agent, step, this.ports)
    const coupling = this.coupling.of(agent)
    berth.update(agent, pad, coupling, this.heading === 'free')
    lane.set(agent, pad, berth, coupling, this)
    const rested = mooring.stage === MOORED
    const touches = hold ? fits(berth, this) : this.stands()
    const stage = mooring.decide(agent, step, berth, lane, this, touches)
    if ((stage === MOORED) !== rested) step.emit(agent, stage === MOORED ? 'arrive' : 'leave', this)
    if (stage === MOORED && !hold) {
      standDown(agent, step, out.force)
      out.turns = true
    } else if (stage === QUEUE)
      this.fly(agent, step, holdingPlace(arm, berth, pad, Math.max(mooring.place, 1)), STILL, pad, out)
    else if (stage === APPROACH || stage === ASKING) this.fly(agent, step, this.top(), lane.inward, pad, out)
    else this.descend(agent, step, pad, stage, out)
  }

  /** Something solid has stopped it. */
  private stands(): boolean {
    return berth.out < this.reach && Math.abs(berth.closing) < STOPPED * this.closingSpeed
  }

  /** Where it goes first: the top of the corridor, or straight up. */
  private top(): Vec3Like {
    const low = berth.out < this.clearance && length(berth.aside) > lane.wide
    return low ? addScaled(arm, lane.place, berth.aside, 1) : lane.place
  }

  /** Level, to a place that turns with the carrier, there with `inward` (m/s), round the carrier. */
  private fly(agent: Agent, step: Step, place: Vec3Like, inward: Vec3Like, pad: Port, out: Wrench): void {
    const { motion } = berth
    // up there is the least to brake with: the way down must not be planned with what there is to the sides
    const brakes = leastForceLeft(agent) / agent.mass
    const keepOut = lane.keepOutFrom(berth)
    const entry = Math.min(length(inward), Math.sqrt(2 * brakes * ENTRY_ROOM * pad.corridor))
    scale(entering, berth.outward, -entry)
    meeting.flyTo(agent, step, motion, place, entering, keepOut, topSpeed(agent), brakes, out.force)
    const pull = length(agent.gravity)
    if (pull > WEAK) {
      scale(down, agent.gravity, 1 / pull)
      berth.point(level, agent, down, this.coupling, this.heading === 'free')
      turnTo(agent, modelAttitude(level, level, agent.axes), step, out)
    } else turnTo(agent, berth.attitude, step, out, motion.spin)
  }

  /** Along the normal of the pad. */
  private descend(agent: Agent, step: Step, pad: Port, stage: number, out: Wrench): void {
    run.most = lane.speedAt(berth.out, pad, this)
    run.to = stage === ALIGN ? this.holdDistance : stage === ABORT ? pad.corridor : 0
    run.speed = stage === FINAL ? this.closingSpeed : 0
    alongAxis(agent, step, berth, run, lane.brake, out.force)
    turnTo(agent, berth.attitude, step, out, berth.motion.spin)
  }
}
