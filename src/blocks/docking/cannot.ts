import { carrierSeen } from '#hints'
import type { Agent, Behavior, SnapshotState, Step } from '../../core/types.js'
import { isGone } from '../../core/control/target.js'
import { isUsable, isUsableTurn } from '../../core/control/usable.js'
import { Memory } from '../../core/control/memory.js'
import { length } from '../../core/math/vec3.js'
import { attitudeTime } from './main-engine.js'
import type { ApproachCorridor } from './approach-corridor.js'
import type { AxisLoad } from './axis-load.js'
import type { PortPose } from './port-pose.js'
import type { Port } from './port.js'

// what an agent may lack; 0: nothing
const FINITE_TARGET = 1
const THRUST = 2
const THRUST_FOR_WEIGHT = 3
const SPEED = 4
const THRUST_FOR_SPIN = 5
const TORQUE = 6
const TURN_RATE = 7
const OPEN_LATCH = 8
const ENGINES_ACROSS = 9
const ENGINE_INWARD = 10
const ENGINE_OUTWARD = 11
const ENGINE_FOR_MOTION = 12
const TURN_FOR_SPIN = 13
const TIME = 14
const FREE_PORT = 15

const BLOCKED = 'the port is blocked: the agent that has it cannot go on'
const HELD = 'a joint holds the agent at the carrier: open the latch first'

/**
 * An agent that turns its engine to where it is needed follows no carrier that turns by more than this angle
 * (rad) in the time of a turn by a right angle; one that leans, and so is not led by the axis, by more than
 * that one. Measured.
 */
const MAX_TURN_MEANWHILE = 1.2
const MAX_TURN_LEANING = 0.3

/** After so many failed run-ins a load of this share of the thrust is too much. Measured. */
const MOST_FAILED = 2
const FAILED_LOAD = 0.75

/** What is missing for this time (s) without a break is emitted. Chosen by hand. */
const PATIENCE = 1

// what is stored for each agent: what it lacks, since when (s), and whether that was emitted
const LACK = 0
const SINCE = 1
const EMITTED = 2

/** Whether the carrier of a port is finite. What is not is reported. */
function isFinitePort(agent: Agent, { carrier }: Port): boolean {
  const { angularVelocity, position, quaternion, velocity } = carrier
  return (
    isUsable(agent, 'target', position) &&
    (velocity === undefined || isUsable(agent, 'velocity of the target', velocity)) &&
    (angularVelocity === undefined || isUsable(agent, 'angular velocity of the target', angularVelocity)) &&
    (quaternion === undefined || isUsableTurn(agent, 'attitude of the target', quaternion))
  )
}

/**
 * Emits `cannot`, with what is missing, when an agent cannot moor whatever it does. It is emitted once for
 * each time that something is missing.
 */
export class CannotMoor {
  private readonly memory = new Memory(3)
  readonly state: SnapshotState = [this.memory]

  /** Whether the agent can follow its port: whether the carrier is there, and finite. */
  canFollow(agent: Agent, step: Step, owner: Behavior, port: Port): boolean {
    if (isGone(agent, step, owner, port.carrier, 'carrier of the port')) return false
    carrierSeen(port.carrier)
    const isFinite = isFinitePort(agent, port)
    const at = this.memory.at(agent)
    if (isFinite && this.memory.data[at + LACK] !== FINITE_TARGET) return true
    if (this.isDue(agent, step, isFinite ? 0 : FINITE_TARGET))
      step.emit(agent, 'cannot', owner, '', 'the carrier of the port is not finite')
    return isFinite
  }

  /** Whether the agent was told what it lacks, and still lacks it. */
  hasTold(agent: Agent): boolean {
    const at = this.memory.find(agent)
    return at >= 0 && this.memory.data[at + EMITTED] === 1
  }

  /** Whether it was told that it cannot moor whatever it does: it neither waits for others nor is late. */
  isBarred(agent: Agent): boolean {
    return this.hasTold(agent) && this.memory.data[this.memory.find(agent) + LACK]! < TIME
  }

  /**
   * Whether the agent can leave: whether no joint holds it at the carrier.
   * @param isStuck whether it stands, and no engine pushes it out.
   */
  canLeave(agent: Agent, step: Step, owner: Behavior, { carrier }: Port, isStuck: boolean): boolean {
    const isHeld = agent.isJoinedTo?.(carrier) === true
    if (this.isDue(agent, step, isHeld ? OPEN_LATCH : isStuck ? ENGINE_OUTWARD : 0))
      step.emit(agent, 'cannot', owner, '', isHeld ? HELD : 'no engine pushes the agent out of the corridor')
    return !isHeld
  }

  /**
   * Checks whether the agent can moor.
   * @param angleTolerance error of its attitude with which it may (rad).
   * @param waited time (s) after which it is late; 0: it is not.
   * @param planned time (s) that its flight was planned to take.
   * @param isBlocked whether it waits for a port that is blocked.
   */
  check(
    agent: Agent,
    step: Step,
    owner: Behavior,
    pose: PortPose,
    corridor: ApproachCorridor,
    angleTolerance: number,
    waited: number,
    planned: number,
    isBlocked: boolean,
  ): void {
    const late = isBlocked ? FREE_PORT : waited > 0 ? TIME : 0
    const lack = lackOf(agent, pose, corridor, angleTolerance) || late
    if (!this.isDue(agent, step, lack)) return
    const reason =
      lack === TIME
        ? `not there after ${waited.toFixed(0)} s, while the flight was planned to take ${planned.toFixed(0)} s: the agent follows the port too slowly, or comes in out of line`
        : reasonOf(lack, agent, pose, corridor.load)
    step.emit(agent, 'cannot', owner, '', reason)
  }

  /** Whether this has been missing for long enough, and was not emitted yet. */
  private isDue(agent: Agent, step: Step, lack: number): boolean {
    const at = this.memory.at(agent)
    const { data } = this.memory
    if (data[at + LACK] !== lack) {
      data[at + LACK] = lack
      data[at + SINCE] = step.time
      data[at + EMITTED] = 0
    }
    if (lack === 0 || data[at + EMITTED] === 1 || step.time - data[at + SINCE]! < PATIENCE) return false
    data[at + EMITTED] = 1
    return true
  }
}

function lackOf(agent: Agent, pose: PortPose, corridor: ApproachCorridor, angleTolerance: number): number {
  const { carrier } = pose
  const { load } = corridor
  const thrust = agent.maxForce / agent.mass
  if (!(thrust > 0)) return THRUST
  // an agent that turns for its force may be carried by wings
  if (agent.forceTurnTime === 0 && thrust <= length(agent.gravity)) return THRUST_FOR_WEIGHT
  if (length(carrier.velocity) > agent.maxSpeed) return SPEED
  const isSpent = corridor.failedRunIns >= MOST_FAILED && load.needed > FAILED_LOAD * thrust
  if (isSpent || load.needed > thrust) return THRUST_FOR_SPIN
  if (load.taken > 0) return ENGINE_FOR_MOTION
  if (corridor.across === 0) return ENGINES_ACROSS
  if (corridor.inward === 0) return ENGINE_INWARD
  const mostTurn = corridor.isFree ? Infinity : corridor.leans ? MAX_TURN_LEANING : MAX_TURN_MEANWHILE
  if (carrier.rate * attitudeTime(agent, Math.PI / 2) > mostTurn) return TURN_FOR_SPIN
  if (pose.attitudeError <= angleTolerance) return 0
  const { inertia, maxTorque, maxTurnRate } = agent
  if (!(maxTorque > 0 && maxTurnRate > 0 && inertia.x + inertia.y + inertia.z > 0)) return TORQUE
  return carrier.rate > maxTurnRate ? TURN_RATE : 0
}

function reasonOf(lack: number, agent: Agent, { carrier }: PortPose, load: AxisLoad): string {
  const { mass, maxForce, maxSpeed, maxTurnRate } = agent
  if (lack === FREE_PORT) return BLOCKED
  if (lack === THRUST) return `no thrust: maxForce is ${maxForce} N`
  if (lack === THRUST_FOR_WEIGHT)
    return `thrust below weight: maxForce is ${maxForce} N, the weight ${(mass * length(agent.gravity)).toFixed(1)} N`
  if (lack === SPEED)
    return `the carrier is too fast: ${length(carrier.velocity).toFixed(1)} m/s, maxSpeed is ${maxSpeed} m/s`
  const moves = length(carrier.acceleration) > 0.5 * load.needed ? 'accelerates too much' : 'spins too fast'
  if (lack === THRUST_FOR_SPIN)
    return `the carrier ${moves}: to follow the port takes ${load.needed.toFixed(2)} m/s², the thrust gives ${(maxForce / mass).toFixed(2)} m/s²${load.needed * mass > maxForce ? '' : ', and it failed twice'}`
  if (lack === ENGINE_FOR_MOTION)
    return `the carrier ${moves}: to follow the port takes ${load.taken.toFixed(2)} m/s² of an engine that gives ${load.given.toFixed(2)} m/s²`
  if (lack === ENGINES_ACROSS)
    return 'no engines across the axis of the port, and none to brake with: the agent cannot keep to the axis'
  if (lack === ENGINE_INWARD)
    return 'no engine pushes the agent ahead, or towards the port in the attitude in which it docks'
  if (lack === TORQUE) return 'no torque: the agent cannot turn to the attitude of the port'
  if (lack === TURN_FOR_SPIN)
    return `the carrier spins too fast: ${carrier.rate.toFixed(2)} rad/s, the agent turns its engine by a right angle in ${attitudeTime(agent, Math.PI / 2).toFixed(1)} s`
  return `the carrier spins too fast: ${carrier.rate.toFixed(2)} rad/s, maxTurnRate is ${maxTurnRate} rad/s`
}
