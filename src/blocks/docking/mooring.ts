import type {
  Agent,
  AgentInSlot,
  Behavior,
  SnapshotState,
  Step,
  Vec3,
  Vec3Like,
  Wrench,
} from '../../core/types.js'
import { topSpeed } from '../../core/control/drive.js'
import { Memory } from '../../core/control/memory.js'
import { vectorToLocal } from '../../core/math/frame.js'
import { isThere } from '../../core/control/target.js'
import { add, addScaled, cross, distance, dot, length, load, normalize, save } from '../../core/math/vec3.js'
import { scale, set, sub, vec3, ZERO } from '../../core/math/vec3.js'
import { ApproachCorridor, type ApproachLimits } from './approach-corridor.js'
import { giveWay } from './give-way.js'
import { assumeMainEngine, flyByMain, pushByMain } from './main-engine.js'
import { CannotMoor } from './cannot.js'
import { MooringExemption } from './mooring-exemption.js'
import { PortPose, type ShipCoupling } from './port-pose.js'
import { ELSEWHERE, nearestPort, type Port } from './port.js'
import { Rendezvous } from './rendezvous.js'
import { restHeld } from './thrust.js'

/** Stages of a mooring. */
export const QUEUE = 0
export const APPROACH = 1
export const ALIGN = 2
export const FINAL = 3
export const MOORED = 4
export const ABORT = 5
/** The agent has just asked for a port, and flies to it as in the approach. */
const ASKING = 6

// what is stored for each agent
const STAGE = 0
/** Index of its port. */
const PORT = 1
/**
 * Time for which it has met the limits without a break (s), time at which its turn came (s), and time at
 * which it was last steered (s).
 */
const HELD = 2
const STARTED = 3
const LAST_STEERED = 4
/** Number of its failed attempts since it began. */
const FAILED = 5
/**
 * Time (s) at which it will meet its destination, 0 without a plan, and the time to spare when that was
 * planned (s).
 */
const MEETING = 6
const SPARE = 7
/** Number of the waiting point that it has taken, from 1; 0: none. */
const SLOT = 8
/**
 * Where the carrier was when the agent was last steered (m), its velocity (m/s), and its acceleration (m/s²).
 */
const CARRIER = 9
const VELOCITY = 12
const ACCELERATION = 15
/**
 * Time (s) that its first flight to the destination was planned to take, since its turn came; 0: none yet.
 */
const PLANNED = 18
/** 1 for an agent that has turned round to brake. */
const BRAKES = 19
const WIDTH = 20

// The numbers below are chosen by hand.

/** A stage is lost at this multiple of its limits, so that the agent does not switch to and fro. */
const HYSTERESIS = 2

/** For this time (s) before a touch at the closing speed it must be in line without hysteresis. */
const NO_HYSTERESIS_TIME = 0.6

/**
 * An agent this far behind the port, in its radii plus radii of the corridor, has found nothing to moor at.
 */
const PAST_RADII = 2
const PAST_CORRIDOR_RADII = 0.25

/**
 * After an abort the agent is back within this share of the corridor from the mouth, when it would drift by
 * the radius of the corridor in more than this time (s).
 */
const BACK_SHARE = 0.1
const BACK_TIME = 4

/** Slope, and angle (rad) per corridor, of the cone before the port in which an agent is in line. */
const CONE = 0.05
const CONE_ANGLE = 0.5

/** The change of a carrier's velocity in one step counts with this multiple of the agent's thrust at most. */
const CARRIER_THRUST = 2

/**
 * An agent is late when it is not moored after this multiple of the planned time and this time (s), or after
 * this share of the timeout.
 */
const LATE_PLANS = 3
const LATE_TIME = 60
const LATE_SHARE = 0.9

/** An agent gives way as long as v² is below this multiple of its acceleration and its way to the carrier. */
const STOP_SHARE = 1.7

/** Number of waiting agents in one ring around the axis. … */
const RING = 6

/** … They keep this share of their spacing from the axes of other ports. */
const CLEAR_SHARE = 0.45

const side = vec3()
const relative = vec3()
const local = vec3()
const wanted = vec3()
const carrierBefore = vec3()
const velocityBefore = vec3()

/** Conditions of a latch: distances (m), angle (rad), speeds (m/s) and angular velocity (rad/s). */
export interface LatchLimits {
  readonly latchDistance: number
  readonly tolerance: number
  readonly angleTolerance: number
  readonly speedTolerance: number
  readonly spinTolerance: number
  readonly closingSpeed: number
}

/** Options that every mooring behaviour has. */
export interface MooringLimits extends LatchLimits, ApproachLimits {
  readonly dwell: number
  readonly timeout: number
}

/** How the mooring of one behaviour differs from that of another. */
export interface MooringConfig {
  /** Names of the stages, in the order of their numbers. */
  readonly stages: readonly string[]
  /** State that was not reached when the time is up, for the reason of the event. */
  readonly goal: string
  /** A moored agent has been torn off when its pose is off by this many tolerances, … */
  readonly tornOffAt: number
  /** … and is then in this stage. */
  readonly afterTornOff: number
  /** Whether it emits `arrive` when it is moored, and `leave` when it is torn off. */
  readonly emitsArrival: boolean
  /**
   * Whether each agent can be pushed in any direction, see {@link ApproachCorridor}.
   */
  readonly landing: boolean
}

/**
 * What `Dock`, `Land` and `Refuel` share: each is this mooring with its own stage names, limits and way of
 * flying. It chooses a port, keeps the stage of each agent, falls back by a stage, with hysteresis, when
 * alignment is lost, and backs off and tries again when the agent leaves the corridor. It emits each stage in
 * the name of the behaviour `owner`.
 */
export class Mooring {
  /**
   * Of the agent updated last: its port, its position in the queue there (see `Port.ask`), its stage, its
   * pose, and its approach.
   */
  port!: Port
  place = 0
  stage = ASKING
  /** Whether it was told that it cannot moor, and therefore keeps off the carrier, and asks for no port. */
  keepsOff = false
  readonly pose: PortPose = new PortPose()
  readonly corridor: ApproachCorridor
  readonly rendezvous: Rendezvous = new Rendezvous()
  private readonly owner: Behavior
  private readonly config: MooringConfig
  private readonly memory = new Memory(WIDTH, [CARRIER])
  private readonly cannot = new CannotMoor()
  readonly state: SnapshotState = [this.memory, this.cannot]
  private ports: readonly Port[] = []
  private readonly waitingPoint: Vec3 = vec3()
  private readonly exemption = new MooringExemption()

  constructor(owner: Behavior, config: MooringConfig) {
    this.owner = owner
    this.config = config
    this.corridor = new ApproachCorridor(config.landing)
  }

  /**
   * Asks for a port, and measures how the agent stands to it. Call it once per step and agent.
   * @param freeRoll whether the agent keeps its roll about the port's axis.
   * @returns null if the port cannot be followed because its carrier is not finite.
   */
  update(
    agent: Agent,
    step: Step,
    ports: readonly Port[],
    coupling: ShipCoupling,
    limits: ApproachLimits,
    freeRoll = false,
  ): PortPose | null {
    const { corridor, pose } = this
    const port = this.ask(agent, step, ports)
    if (!this.cannot.canFollow(agent, step, this.owner, port)) return null
    const own = coupling.of(agent)
    const at = this.memory.at(agent)
    const { data } = this.memory
    const { carrier } = pose
    pose.update(agent, port, own, freeRoll, load(carrierBefore, data, at + CARRIER), step.dt)
    const limit = (CARRIER_THRUST * agent.maxForce) / agent.mass
    load(velocityBefore, data, at + VELOCITY)
    carrier.learn(load(carrierBefore, data, at + ACCELERATION), velocityBefore, step.dt, limit)
    save(carrier.position, data, at + CARRIER)
    save(carrier.velocity, data, at + VELOCITY)
    save(carrier.acceleration, data, at + ACCELERATION)
    corridor.update(agent, port, pose, own, limits)
    return pose
  }

  /** Asks for the port that the agent has or waits at, and, while it waits, for all others. */
  private ask(agent: Agent, step: Step, ports: readonly Port[]): Port {
    const at = this.memory.at(agent)
    const { data, fresh } = this.memory
    if (fresh || step.time - data[at + LAST_STEERED]! > 1.5 * step.dt)
      this.begin(agent, step, at, nearestPort(ports, agent))
    data[at + LAST_STEERED] = step.time
    this.keepInLine(agent, step, at, ports)
    this.stage = data[at + STAGE]!
    this.corridor.failedRunIns = data[at + FAILED]!
    this.port = ports[data[at + PORT]!]!
    this.ports = ports
    this.keepsOff = this.stage === QUEUE && this.cannot.isBarred(agent)
    if (this.keepsOff) {
      this.port.refreshFor(step)
      this.place = Math.max(1, this.port.load)
    } else this.place = this.port.ask(agent, step, this.rank, this.cannot.hasTold(agent), data[at + SLOT])
    return this.port
  }

  /** Starts anew at a port, of this index. */
  private begin(agent: Agent, step: Step, at: number, port: number): void {
    const { data } = this.memory
    data[at + STAGE] = ASKING
    data[at + STARTED] = step.time
    data[at + FAILED] = 0
    data[at + MEETING] = 0
    data[at + CARRIER] = data[at + VELOCITY] = NaN
    data.fill(0, at + ACCELERATION, at + WIDTH)
    data[at + PORT] = port
  }

  /**
   * An agent that waits stands in the queues of all its ports at once, so that the next port that becomes
   * free goes to the one that has waited longest. Where its turn has come it leaves the other queues. It
   * starts anew at another port where its carrier is gone.
   */
  private keepInLine(agent: Agent, step: Step, at: number, ports: readonly Port[]): void {
    const { data } = this.memory
    const former = data[at + PORT]!
    const stage = data[at + STAGE]!
    const isLost = !isThere(ports[former]!.carrier)
    if (!isLost && ((stage !== QUEUE && stage !== ASKING) || this.cannot.isBarred(agent))) return
    for (let i = 0; i < ports.length; i++) ports[i]!.refreshFor(step)
    const turn = nearestPort(ports, agent, 0)
    const next = turn >= 0 ? turn : isLost ? nearestPort(ports, agent) : former
    if (next !== former) this.begin(agent, step, at, next)
    const hasTold = this.cannot.hasTold(agent)
    for (let i = 0; i < ports.length; i++) {
      if (i === next) continue
      const port = ports[i]!
      if (turn >= 0) port.release(agent.id)
      else if (isThere(port.carrier)) port.ask(agent, step, ELSEWHERE, hasTold)
    }
  }

  /**
   * Goes on to the next stage, or falls back, for the agent updated last.
   * @param touches whether all conditions of being moored are met now.
   * @returns the stage.
   */
  decide(agent: Agent, step: Step, limits: MooringLimits, touches: boolean): number {
    const { config, corridor, memory, place, port, ports, pose, stage } = this
    const at = memory.at(agent)
    const { data } = memory
    const waited = step.time - data[at + STARTED]!
    const planned = data[at + PLANNED]!
    const isLate = waited > Math.min(LATE_PLANS * planned + LATE_TIME, LATE_SHARE * limits.timeout)
    // a docked agent may be held by a constraint of the physics engine
    if (stage !== MOORED) {
      const { angleTolerance } = limits
      const isBlocked = place > 0 && ports.every(isPortBlocked)
      const late = isLate ? waited : 0
      this.cannot.check(agent, step, this.owner, pose, corridor, angleTolerance, late, planned, isBlocked)
    }
    if (place > 0) {
      data[at + STARTED] = step.time
      data[at + PLANNED] = 0
      if (stage !== QUEUE) this.enter(agent, step, QUEUE, 'the port is busy')
    } else if (stage === QUEUE || stage === ASKING) {
      if (place === 0) {
        data[at + FAILED] = 0
        this.enter(agent, step, APPROACH)
      }
    } else if (stage === MOORED) {
      if (!poseFits(pose, limits, config.tornOffAt)) this.enter(agent, step, config.afterTornOff, 'torn off')
    } else if (this.cannot.isBarred(agent)) this.keepOff(agent, step)
    else if (waited > limits.timeout) {
      data[at + STARTED] = step.time
      data[at + PLANNED] = 0
      port.release(agent.id)
      this.enter(agent, step, ABORT, `not ${config.goal} within ${limits.timeout} s`)
    } else if (stage === APPROACH) {
      if (corridor.mayRunIn(agent, port, pose)) this.enter(agent, step, ALIGN)
      else if (planned > 0 && waited > planned && corridor.restsBeside(pose))
        this.enter(agent, step, ABORT, `${length(pose.offset).toFixed(1)} m off the axis`)
    } else if (stage === FINAL) this.finish(agent, step, limits, touches)
    else this.align(agent, step, limits)
    if (this.keepsOff) pose.carrier.forgetTurn()
    else if (corridor.holds(port, pose) && (pose.distance > 0 || !this.isOnTheWay))
      this.exemption.report(agent, port, pose, this.isOnTheWay ? undefined : pose.distance)
    if (config.emitsArrival && (this.stage === MOORED) !== (stage === MOORED))
      step.emit(agent, stage === MOORED ? 'leave' : 'arrive', this.owner)
    return this.stage
  }

  /** Leaves the corridor, and gives up a port at which the agent cannot moor. */
  private keepOff(agent: Agent, step: Step): void {
    const { corridor, port, pose, stage } = this
    const isClear = corridor.comesAgain ? corridor.mayTurnAway(agent, pose) : !corridor.holds(port, pose)
    if (stage === APPROACH || isClear || pose.distance > (1 - BACK_SHARE) * port.corridor) {
      port.release(agent.id)
      this.keepsOff = true
      this.enter(agent, step, QUEUE, `it cannot be ${this.config.goal}`)
    } else if (stage !== ABORT) this.enter(agent, step, ABORT, `it cannot be ${this.config.goal}`)
  }

  /** Stages ALIGN and ABORT: in the corridor, or backing off. */
  private align(agent: Agent, step: Step, limits: MooringLimits): void {
    const { corridor, port, pose, stage } = this
    if (corridor.isFarOff(pose)) {
      if (stage === ALIGN) this.memory.data[this.memory.at(agent) + FAILED]!++
      this.enter(agent, step, APPROACH, 'far off the corridor')
    } else if (stage === ALIGN) {
      if (this.abortsOutside(agent, step)) return
      const { closingSpeed, speedTolerance } = limits
      const isReady =
        isInLine(port, pose, limits, 1) && !corridor.isTooFast(pose, closingSpeed, speedTolerance)
      if (corridor.isPastGate(pose) && (corridor.leans || isReady)) this.enter(agent, step, FINAL)
    } else if (corridor.comesAgain) {
      // but first it stops or touches, nose in, where there is no time to turn
      if (corridor.mayTurnAway(agent, pose) || pose.distance > port.corridor)
        this.enter(agent, step, APPROACH)
    } else if (
      Math.abs(pose.distance - port.corridor) < BACK_SHARE * port.corridor &&
      BACK_TIME * length(pose.crossVelocity) < port.corridorRadius &&
      length(pose.offset) < port.corridorRadius / HYSTERESIS
    )
      this.enter(agent, step, ALIGN)
  }

  /** Stage FINAL: the last metres. */
  private finish(agent: Agent, step: Step, limits: MooringLimits, touches: boolean): void {
    const { corridor, port, pose } = this
    if (this.abortsOutside(agent, step)) return
    if (corridor.leans && pose.distance > limits.holdDistance) return
    const strict = pose.distance < Math.max(NO_HYSTERESIS_TIME * limits.closingSpeed, limits.latchDistance)
    const flaw = corridor.isTooFast(pose, limits.closingSpeed, limits.speedTolerance)
      ? `too fast to stop: ${(-pose.outwardSpeed).toFixed(1)} m/s, ${pose.distance.toFixed(1)} m before the port`
      : isInLine(port, pose, limits, strict ? 1 : HYSTERESIS)
        ? ''
        : 'out of line'
    if (flaw !== '') return this.enter(agent, step, corridor.comesAgain ? ABORT : ALIGN, flaw)
    const at = this.memory.at(agent)
    const { data } = this.memory
    data[at + HELD] = touches ? data[at + HELD]! + step.dt : 0
    if (data[at + HELD]! > limits.dwell) this.enter(agent, step, MOORED)
  }

  /** Aborts if the agent has left the corridor, or has passed the port. @returns whether it aborts. */
  private abortsOutside(agent: Agent, step: Step): boolean {
    const { corridor, pose, port } = this
    const away = corridor.offsetToCome(pose)
    const isPast = pose.distance < -PAST_RADII * agent.radius - PAST_CORRIDOR_RADII * port.corridorRadius
    if (!isPast && (away <= corridor.maxOffset || pose.distance >= (1 - BACK_SHARE) * port.corridor))
      return false
    this.enter(agent, step, ABORT, isPast ? 'nothing there' : `${away.toFixed(1)} m off the axis`)
    return true
  }

  /**
   * Whether the agent updated last rests: it is moored, and a joint of the engine holds it at its carrier, or
   * it does not hold itself (`holds`). Then it exerts no force, and nothing turns it.
   */
  rests(agent: Agent, step: Step, holds: boolean, out: Wrench): boolean {
    if (this.stage !== MOORED || (holds && agent.isJoinedTo?.(this.port.carrier) !== true)) return false
    restHeld(agent, step, out)
    return true
  }

  /** Name of the stage of an agent; null for one that the behaviour has not steered. */
  stageOf(agent: AgentInSlot): string | null {
    const at = this.memory.find(agent)
    if (at < 0) return null
    const stage = this.memory.data[at + STAGE]!
    return this.config.stages[stage === ASKING ? APPROACH : stage]!
  }

  /** Changes the stage, and emits it. */
  private enter(agent: Agent, step: Step, stage: number, reason = ''): void {
    const at = this.memory.at(agent)
    const { data } = this.memory
    data[at + STAGE] = this.stage = stage
    data[at + HELD] = 0
    data[at + MEETING] = data[at + SLOT] = 0
    if (stage === ABORT) data[at + FAILED]!++
    step.emit(agent, 'stage', this.owner, this.config.stages[stage], reason)
  }

  /** Whether the agent flies to its waiting point or to the corridor, as opposed to along the axis. */
  get isOnTheWay(): boolean {
    const { stage } = this
    return stage === QUEUE || stage === APPROACH || stage === ASKING
  }

  /** See `Visitor.rank`. */
  private get rank(): number {
    const { stage } = this
    return stage === FINAL || stage === MOORED ? 0 : stage === ALIGN || stage === ABORT ? 1 : 2
  }

  /**
   * Gives way to those that go first at the ports, unless constraints care for that, or the agent must brake
   * before the carrier.
   */
  private giveWay(agent: Agent, step: Step, force: Vec3): boolean {
    const { corridor, place, pose, ports, port, rank } = this
    const away = length(pose.position)
    const inward = dot(pose.position, sub(relative, pose.carrier.velocity, agent.velocity)) / away
    const room = away - corridor.keepOutRadius
    const mustBrake =
      room < 0 || (inward > 0 && inward * inward > STOP_SHARE * (agent.maxForce / agent.mass) * room)
    if (agent.wish !== null || mustBrake) return false
    return giveWay(agent, step, ports, ports.indexOf(port), rank + place, corridor, force)
  }

  /**
   * Where an agent on the way flies to, from the carrier's centre (m): its waiting point, or the entry point
   * of the corridor. World axes.
   */
  destination(agent: Agent): Vec3Like {
    const { corridor, keepsOff, port, ports, pose, stage, waitingPoint: out } = this
    if (stage !== QUEUE) return corridor.entryPoint
    if (!keepsOff || corridor.keepOutRadius === 0)
      return waitingPoint(out, pose, ports, port, this.takeSlot(agent))
    // out of reach of a hull that turns, where the agent comes from
    return scale(out, normalize(out, pose.position), corridor.keepOutRadius + port.holdingDistance)
  }

  /**
   * The number of the waiting point of an agent: the nearest that is free when it begins to wait. It keeps
   * it, unless one before it in the queue has taken the same in the same step.
   */
  private takeSlot(agent: Agent): number {
    const { place, port, ports, pose, waitingPoint: out } = this
    const at = this.memory.at(agent)
    const { data } = this.memory
    const own = data[at + SLOT]!
    if (own > 0 && !isTaken(port, own, Math.min(place, port.load), agent.id)) return own
    const last = RING * Math.ceil((port.load + 1) / RING)
    let nearest = Infinity
    for (let slot = 1; slot <= last; slot++) {
      if (isTaken(port, slot, port.load, agent.id)) continue
      const away = distance(waitingPoint(out, pose, ports, port, slot), pose.position)
      if (away >= nearest) continue
      nearest = away
      data[at + SLOT] = slot
    }
    data[at + MEETING] = 0
    return data[at + SLOT]!
  }

  /** Velocity that an agent on the way has at its destination, relative to the carrier (m/s). World axes. */
  get arrivalVelocity(): Vec3Like {
    return this.stage === QUEUE ? ZERO : this.corridor.entryVelocity
  }

  /**
   * Flies to `destination`, around the carrier. An agent that cannot be pushed in any direction turns its
   * main engine to where thrust is needed.
   * @param velocity to have there relative to the carrier (m/s).
   */
  flyTo(agent: Agent, step: Step, destination: Vec3Like, velocity: Vec3Like, out: Wrench): void {
    const { corridor, memory, pose, rendezvous } = this
    const { engines, isFree } = corridor
    // straight out of the ball, if it keeps off
    const isInside = this.keepsOff && length(pose.position) < corridor.keepOutRadius
    const radius = isInside ? 0 : corridor.keepOutRadiusFor(pose)
    rendezvous.begin(agent, step, pose.carrier, radius, topSpeed(agent))
    if (!isFree) assumeMainEngine(agent, rendezvous, engines)
    const at = memory.at(agent)
    const { data } = memory
    rendezvous.keepOrFind(destination, velocity, data[at + MEETING]! - step.time, data[at + SPARE]!)
    data[at + MEETING] = step.time + rendezvous.time
    if (data[at + PLANNED] === 0) data[at + PLANNED] = rendezvous.time
    data[at + SPARE] = rendezvous.spare
    if (isFree) {
      if (!rendezvous.flyAround(out.force)) rendezvous.flyStraight(out.force)
      this.giveWay(agent, step, out.force)
      return
    }
    set(wanted, 0, 0, 0)
    const brakes = flyByMain(agent, rendezvous, engines, data[at + BRAKES] === 1, wanted)
    data[at + BRAKES] = Number(brakes)
    const isUrgent = this.giveWay(agent, step, wanted) || brakes === null
    pushByMain(agent, step, wanted, engines, isUrgent, out)
  }

  /**
   * Adds the force (N) that flies along the axis as the stage asks: to the hold, to the touch at `touchSpeed`
   * (m/s), or back to the mouth.
   */
  flyAlongAxis(agent: Agent, step: Step, limits: ApproachLimits, touchSpeed: number, out: Vec3): void {
    const { corridor, pose, port, stage } = this
    const end = stage === ALIGN ? limits.holdDistance : stage === ABORT ? port.corridor : 0
    const maxSpeed = corridor.speedAt(pose.distance - corridor.turningDistance, port, limits)
    corridor.fly(agent, step, pose, end, stage === FINAL ? touchSpeed : 0, maxSpeed, out)
    if (stage === ALIGN && pose.distance > corridor.mouth) this.giveWay(agent, step, out)
  }
}

/**
 * Writes a waiting point (from 1), from the carrier's centre (m), world axes: in rings around the axis,
 * beyond the mouth, and clear of the axes of the other ports.
 */
function waitingPoint(out: Vec3, pose: PortPose, ports: readonly Port[], port: Port, slot: number): Vec3 {
  const { outward, portPosition, up } = pose
  cross(side, outward, up)
  for (let i = 0, left = slot; ; i++) {
    const ring = Math.floor(i / RING)
    const angle = (2 * Math.PI * (i % RING)) / RING
    const radius = port.spacing * (1 + ring)
    addScaled(out, portPosition, outward, port.holdingDistance)
    addScaled(out, out, up, radius * Math.sin(angle))
    addScaled(out, out, side, radius * Math.cos(angle))
    if ((isClearOfAxes(out, pose, ports, port) || ring > slot) && --left === 0) return out
  }
}

/** Whether another agent before this place of the queue has taken a waiting point. */
function isTaken(port: Port, slot: number, place: number, id: number): boolean {
  for (let i = 0; i < place; i++) {
    const other = port.visitor(i)
    if (other.slot === slot && other.id !== id) return true
  }
  return false
}

/** Whether a place, from the carrier's centre (m), world axes, is clear of the axes of the other ports. */
function isClearOfAxes(place: Vec3Like, { carrier }: PortPose, ports: readonly Port[], own: Port): boolean {
  vectorToLocal(local, carrier.axes, add(local, place, carrier.center))
  for (let i = 0; i < ports.length; i++) {
    const port = ports[i]!
    if (port === own || port.carrier !== own.carrier) continue
    const { outward } = port
    sub(relative, local, port.position)
    const least = CLEAR_SHARE * own.spacing * length(outward)
    if (dot(relative, outward) > 0 && length(cross(relative, relative, outward)) < least) return false
  }
  return true
}

const isPortBlocked = ({ isBlocked }: Port): boolean => isBlocked

/**
 * Whether the agent is in the cone before the port, nose and roll included. `slack` scales the limits. Where
 * it may latch, the limits are those of the latch.
 */
function isInLine({ corridor }: Port, pose: PortPose, limits: LatchLimits, slack: number): boolean {
  const away = Math.max(0, pose.distance - limits.latchDistance)
  const maxOffset = slack * (limits.tolerance + CONE * away)
  const maxAngle = slack * (limits.angleTolerance + (CONE_ANGLE / corridor) * away)
  return length(pose.offset) < maxOffset && pose.attitudeError < maxAngle
}

/** Whether pose, velocity and angular velocity are within the limits of the latch. */
export function isLatchable(pose: PortPose, limits: LatchLimits): boolean {
  return (
    poseFits(pose, limits, 1) &&
    pose.slidingSpeed < limits.speedTolerance &&
    Math.abs(pose.closingSpeed) < limits.closingSpeed + limits.speedTolerance &&
    length(pose.spin) < limits.spinTolerance
  )
}

/** Whether the pose alone is within the limits. `slack` scales the limits. */
export function poseFits(pose: PortPose, limits: LatchLimits, slack: number): boolean {
  return (
    Math.abs(pose.distance) < slack * limits.latchDistance &&
    length(pose.offset) < slack * limits.tolerance &&
    pose.attitudeError < slack * limits.angleTolerance
  )
}
