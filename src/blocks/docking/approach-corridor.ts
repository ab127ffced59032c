import type { Agent, Step, Vec3 } from '../../core/types.js'
import { mayRest, servoGain, TURN_TIME_SHARE } from '../../core/control/drive.js'
import { smoothstep } from '../../core/math/scalar.js'
import { BRAKE_SHARE, brakingPlan, brakingSpeed, followPlan, lagBeside } from '../../core/control/profile.js'
import {
  addScaled,
  cross,
  distance,
  dot,
  isZero,
  length,
  normalize,
  reject,
  scale,
  set,
  sub,
  truncate,
  vec3,
} from '../../core/math/vec3.js'
import { Engines, attitudeTime, turnScale } from './main-engine.js'
import { AxisLoad } from './axis-load.js'
import { exitDistance } from './path-around-carrier.js'
import type { Coupling, PortPose } from './port-pose.js'
import type { Port } from './port.js'
import { engineAlong, addForce, cutAcross, cutAlong, forceLeft } from './thrust.js'

// The numbers below are chosen by hand unless they say otherwise.

/** Share of the brakes that the speed in the corridor counts on; the rest keeps the agent on the axis. */
const BRAKES_PLANNED = 0.6

/** The mouth lies outside the ball of the carrier's clearance, enlarged by this factor. */
const MOUTH_CLEARANCE = 1.05

/** An agent that turns its engine begins the run-in within so many radii of a corridor. Measured. */
const START_RADII = 4

/** Slope at which the corridor widens beyond its mouth. */
const FLARE = 0.2

/** The run-in begins within this share of the corridor's radius. */
const START_SHARE = 0.7

/** An agent that is farther from the axis than this many radii of the corridor has left it. */
export const EXIT_RADII = 2

/**
 * An agent starts its approach again when its distance from the axis exceeds this multiple of the largest
 * offset inside the corridor, or its distance from the port this multiple of that of the mouth. Chosen by
 * hand.
 */
const FAR_OFF = 3

/** A brake is taken to stop the closing speed within this time (s), so that distances stay finite. */
const LONGEST_BRAKING = 250

/** Brakes that are turned away by less than this angle (rad) count as aligned. */
const ALIGNED_ANGLE = 0.3

/** A touch at this multiple of the closing speed is too fast. */
const TOO_FAST = 2

/** Engines across, or brakes to lean by, that are weaker than this share of the main engine count as none. */
const NO_CROSS_SHARE = 0.05

/** An agent without brakes coasts over this time (s) at most, unless the carrier's clearance is longer. … */
const COAST_TIME = 40

/** … It comes to the mouth with this share of the closing speed, … */
const COAST_ENTRY = 0.5

/** … and begins no farther off the axis than this share of the distance of the mouth. */
const COAST_SLENDERNESS = 0.15

/** The engines of such an agent open between these errors of its attitude (rad). */
const COAST_OPEN = 0.15
const COAST_SHUT = 0.5

/** Below this share of the closing speed an agent does not come nearer to the port. */
const NEARING_SHARE = 0.4

/** An agent that leans turns away after an abort when it recedes at this share of the closing speed. */
const RECEDING_SHARE = 0.8

/** Cosine between docking axis and nose or tail above which both count as parallel. */
const LENGTHWISE = 0.99

/** An agent that leans comes to rest and turns this many corridors before the mouth. */
const LEAN_CORRIDORS = 5

/** After each failed run-in a leaning agent begins one corridor farther out, in a cycle of this many. */
const RUN_IN_CYCLE = 4

/** Share of the brakes that a landing counts on, because the gravity of an asteroid grows on the way down. */
const LANDING_RESERVE = 0.6

/** An agent lands or coasts in when it can stop across within this share of the maximum offset. */
const CROSS_STOP_SHARE = 0.35

/** Share of its weaker lengthwise engine that a leaning agent brakes with. */
const LEAN_BRAKE = 0.45

/** A leaning agent has reached its starting point when it is slower than this share of `entrySpeed`, … */
const SLOW_SHARE = 0.2

/** … and closer to it than this share of the distance between it and the corridor. */
const REST_SHARE = 0.15

/** An agent this many radii of the corridor behind the port does not begin the run-in. */
const BEHIND_RADII = 0.5

/**
 * If staying on the axis takes more than this share of the force across the axis, that force is granted
 * before the force along the axis.
 */
const ACROSS_FIRST = 0.1

/** A return to the axis counts on at least this share of the force, whatever staying on the axis takes. */
const LEAST_CROSS = 0.1

/** Reaction time (s) before the agent brakes for the hold. */
const REACTION = 0.5

/** The end speed is held over this last time (s). */
const STEADY_TIME = 0.5

const scratch = vec3()
const offset = vec3()
const towards = vec3()
const wanted = vec3()
const side = vec3()
const plan = { ...brakingPlan(), damping: 0 }

/**
 * Limits of an approach: speeds (m/s), the distance from the port at which the agent waits, and how far off
 * the axis it may touch (m).
 */
export interface ApproachLimits {
  readonly closingSpeed: number
  readonly entrySpeed: number
  readonly holdDistance: number
  readonly tolerance: number
  readonly speedTolerance: number
}

/**
 * The approach to a port as planned for one agent: where it begins, and how fast it may be. Distances are
 * measured from the port along its axis (m), speeds in m/s.
 */
export class ApproachCorridor {
  /** Deceleration that the plan counts on (m/s²). */
  brake = 0
  /** Distance at which the approach begins: the corridor's length, or the end of the carrier's clearance. */
  mouth = 0
  /** Speed at the mouth. */
  entrySpeed = 0
  /** Whether the agent has engines ahead and astern only, and so leans to stay on the axis. */
  leans = false
  /** Whether it has no brakes in the attitude of the port, and coasts from the mouth at the closing speed. */
  coasts = false
  /**
   * Forces (N) in the attitude of the port, Infinity where they do not count: of the weakest engine
   * across its axis; towards it, or ahead, where that is less.
   */
  across = Infinity
  inward = Infinity
  /** Time that the run-in takes (s). */
  runInTime = 0
  /** Distance that passes before the brakes have been turned to where they are needed. */
  turningDistance = 0
  /**
   * Whether a force outward has priority over that across in an agent that is pushed in any direction: then a
   * large offset does not take the brakes away.
   */
  brakesFirst = true
  /** Time (s) in which an agent turns its thrust, if its locomotion turns it for that; else 0. */
  turnTime = 0
  /** Number of run-ins that failed. Set it before `update`: a leaning agent then begins farther out. */
  failedRunIns = 0
  readonly engines: Engines = new Engines()
  readonly load: AxisLoad = new AxisLoad()
  /** Whether the agent can be pushed in any direction in any attitude. */
  isFree = true
  /**
   * Where the agent flies to first, from the carrier's centre (m), and the velocity relative to the carrier
   * that it has there. World axes.
   */
  readonly entryPoint: Vec3 = vec3()
  readonly entryVelocity: Vec3 = vec3()
  /** Radius about the carrier's centre that the agent's centre keeps out of (m). */
  keepOutRadius = 0
  /** An agent farther from the axis than this has left the corridor (m). */
  maxOffset = 0
  private closingSpeed = 0
  /** An agent that is slower than this rests (m/s). */
  private restSpeed = 0
  /** Length before the mouth that an agent at rest needs to reach the entry speed. */
  private runUp = 0
  /** Distance at which the agent must be in line, or slow down. */
  private gate = 0
  /** Square of the speed (m²/s²) at which the run-in may begin without brakes. */
  private coastSq = 0
  private readonly landing: boolean

  /** @param landing whether agents count as pushed in any direction, and brake with a reserve. */
  constructor(landing = false) {
    this.landing = landing
  }

  /** Whether the agent has to come anew after a failed run-in: in the corridor it cannot back off. */
  get comesAgain(): boolean {
    return this.leans || this.coasts
  }

  /** Plans the approach of `agent` as it is now. */
  update(agent: Agent, port: Port, pose: PortPose, coupling: Coupling, limits: ApproachLimits): this {
    const { closingSpeed, entrySpeed, holdDistance } = limits
    const { landing } = this
    const { axis } = coupling
    const engines = this.engines.update(agent)
    this.closingSpeed = closingSpeed
    this.restSpeed = SLOW_SHARE * entrySpeed
    this.runInTime = 0
    const least = NO_CROSS_SHARE * engines.ahead
    this.leans = !landing && engines.across < least && engines.astern > least && Math.abs(axis.x) > LENGTHWISE
    // by the engine opposite to the docking axis, in the present attitude
    this.brake = (BRAKES_PLANNED * engineAlong(agent, axis, -1)) / agent.mass
    // a carrier that comes towards the agent takes some of them
    const taken = BRAKES_PLANNED * dot(pose.carrier.acceleration, pose.outward)
    if (taken > 0) this.brake = Math.max(0, this.brake - taken)
    this.coasts = !landing && this.brake === 0
    // beside a weight this depends on the attitude
    const counts = !landing && isZero(agent.gravity)
    this.inward = counts ? Math.min(engines.ahead * agent.mass, engineAlong(agent, axis, 1)) : Infinity
    this.across = counts && !this.leans ? engineAcross(agent, coupling) : Infinity
    this.coastSq = this.coasts ? closingSpeed ** 2 : 0
    if (landing) this.brake *= LANDING_RESERVE
    // always braking, never coasting: an agent that leans needs thrust to stay on the axis
    if (this.leans) this.brake = (LEAN_BRAKE * Math.min(engines.astern, engines.ahead)) / turnScale(agent)
    const { clearance = landing ? 0 : port.carrierExtent } = port
    this.keepOutRadius = clearance > 0 ? clearance + agent.radius : 0
    const begins = this.coasts ? Math.min(port.corridor, COAST_TIME * closingSpeed) : port.corridor
    const exit = exitDistance(pose.dockedPosition, pose.outward, MOUTH_CLEARANCE * this.keepOutRadius)
    this.mouth = Math.max(begins, exit)
    this.limitByLoad(agent, port, pose, limits)
    const brake = Math.max(this.brake, closingSpeed / LONGEST_BRAKING, Number.MIN_VALUE)
    this.entrySpeed = this.speedAt(this.mouth, port, limits)
    this.maxOffset = EXIT_RADII * port.corridorRadius
    this.runUp = port.corridorRadius + (this.entrySpeed * this.entrySpeed) / brake
    this.isFree = landing || engines.isFree
    const timeToTurn = this.isFree ? 0 : attitudeTime(agent, Math.max(0, pose.attitudeError - ALIGNED_ANGLE))
    this.turningDistance = Math.max(0, -pose.outwardSpeed) * timeToTurn
    if (!this.isFree) {
      // distance to turn round in, and to find the axis
      this.entrySpeed = this.leans ? 0 : Math.min(entrySpeed, this.entrySpeed)
      if (this.coasts) this.entrySpeed *= COAST_ENTRY
      const turning = attitudeTime(agent, this.leans ? Math.PI / 2 : Math.PI)
      this.mouth += this.leans
        ? turnScale(agent) * (LEAN_CORRIDORS + (this.failedRunIns % RUN_IN_CYCLE)) * port.corridor
        : this.entrySpeed * turning
      // it speeds up in a short time, and brakes on nearly the whole distance
      if (this.leans) this.runInTime = turning + Math.sqrt((2 * this.mouth) / brake)
    }
    const fastest = Math.min(entrySpeed, Math.sqrt(closingSpeed ** 2 + 2 * brake * port.corridor))
    this.gate = holdDistance + fastest * (fastest / brake + REACTION)
    this.updateEntry(pose)
    return this
  }

  /** Reduces brakes and speed to what the engines have left beside staying on an axis that turns. */
  private limitByLoad(agent: Agent, port: Port, pose: PortPose, limits: ApproachLimits): void {
    const { leans, load, mouth } = this
    load.fastest = Infinity
    const speed = this.speedAt(mouth, port, limits)
    const { across, available } = load.update(agent, pose, mouth, limits, speed, leans)
    if (this.leans) load.fastest = Infinity
    else if (across > 0) this.brake *= Math.sqrt(Math.max(0, 1 - (across / available) ** 2))
  }

  /**
   * Speed at this distance from which the agent can brake; in the corridor at most the entry speed, and
   * nowhere faster than the engines can keep it on the axis.
   */
  speedAt(distanceOut: number, port: Port, { closingSpeed, entrySpeed }: ApproachLimits): number {
    const { brake, load } = this
    const entry = Math.min(entrySpeed, Math.sqrt(closingSpeed ** 2 + 2 * brake * port.corridor))
    const speed = Math.sqrt(entry * entry + 2 * brake * Math.max(0, distanceOut - port.corridor))
    return Math.min(speed, load.fastest)
  }

  /** Whether the agent is at the mouth, or so close before it that the run-in may begin. */
  mayRunIn(agent: Agent, port: Port, pose: PortPose): boolean {
    if (this.leans) {
      addScaled(scratch, pose.crossVelocity, pose.outward, pose.outwardSpeed)
      const away = distance(pose.position, this.entryPoint)
      return length(scratch) < this.restSpeed && away < REST_SHARE * (this.mouth - port.corridor)
    }
    const before = pose.distance - this.mouth
    const across = length(pose.crossVelocity)
    if (across > 0 && (this.landing || this.coasts)) {
      const force = this.coasts ? this.across : forceLeft(agent, normalize(scratch, pose.crossVelocity), -1)
      const stop = (across * across * agent.mass) / (2 * BRAKES_PLANNED * force)
      if (stop > CROSS_STOP_SHARE * this.maxOffset) return false
    }
    const inward = Math.max(0, -pose.outwardSpeed)
    const stoppable = 2 * this.brake * (pose.distance - this.turningDistance) + this.coastSq
    if (!this.isFree && inward * inward >= stoppable) return false
    const flare = this.isFree ? before : pose.distance - port.corridor
    const { coasts, isFree, mouth } = this
    const widest = isFree ? Infinity : coasts ? COAST_SLENDERNESS * mouth : START_RADII * port.corridorRadius
    // an agent that has come to rest here anyhow need not turn back for a run-up, nor for a better place
    const rests = !this.isFree && Math.abs(pose.outwardSpeed) < this.restSpeed
    const radius = rests && across < this.restSpeed ? this.maxOffset : port.corridorRadius
    const maxStartOffset = Math.min(START_SHARE * radius + FLARE * Math.max(0, flare), widest)
    const early = rests ? 2 * this.runUp + this.entrySpeed : this.runUp
    if (
      pose.distance <= -BEHIND_RADII * port.corridorRadius ||
      before >= early ||
      length(pose.offset) >= maxStartOffset
    )
      return false
    // once there it stops across by weaker engines
    const time = isFree ? 0 : (across * agent.mass) / (2 * BRAKES_PLANNED * this.across)
    addScaled(scratch, pose.offset, pose.crossVelocity, time)
    return length(scratch) < Math.max(maxStartOffset, this.maxOffset)
  }

  /**
   * Whether an agent that turns its engine rests beside the corridor, as seen from a port that turns: in the
   * approach its nose lags behind a meeting that turns as well, so it follows the port and never meets it.
   * From there it can move to the mouth in the attitude of the port, as after an abort.
   */
  restsBeside(pose: PortPose): boolean {
    const { crossVelocity, distance: before, outwardSpeed } = pose
    if (this.isFree || this.comesAgain || this.isFarOff(pose)) return false
    return before > 0 && Math.abs(outwardSpeed) < this.restSpeed && length(crossVelocity) < this.restSpeed
  }

  /**
   * Whether an agent that comes anew may turn away: one that leans when it recedes from the port, one without
   * brakes when it can turn round and stop before the port, or no longer comes nearer. Where that cannot, it
   * touches with its nose; in a turn its hull would strike sideways, and faster.
   */
  mayTurnAway(agent: Agent, { distance: left, outwardSpeed }: PortPose): boolean {
    if (!this.coasts) return outwardSpeed > RECEDING_SHARE * this.closingSpeed
    const inward = -outwardSpeed
    if (inward < NEARING_SHARE * this.closingSpeed || left < -agent.radius) return true
    return left > inward * (attitudeTime(agent, Math.PI) + inward / (2 * this.engines.ahead))
  }

  /**
   * Offset from the axis (m) that counts for leaving the corridor. An agent that leans flies straight in
   * space to where the axis will be: it may be beside the axis on the way.
   */
  offsetToCome(pose: PortPose): number {
    const { crossVelocity, outwardSpeed } = pose
    const away = length(pose.offset)
    if (!this.leans || !(outwardSpeed < 0 && pose.distance > 0)) return away
    // it brakes all the way, so that it needs twice the time
    addScaled(scratch, pose.offset, crossVelocity, (2 * pose.distance) / -outwardSpeed)
    return Math.min(away, length(scratch))
  }

  /**
   * Sets the entry point and velocity. A leaning agent aims at the axis as it will be at the touch: at the
   * point that an observer moving with the port's velocity at the touch sees at the mouth.
   */
  private updateEntry(pose: PortPose): void {
    const { entryPoint, entryVelocity, leans, runInTime } = this
    const { carrier, dockedPosition, outward } = pose
    addScaled(entryPoint, dockedPosition, outward, this.mouth)
    scale(entryVelocity, outward, -this.entrySpeed)
    if (!leans) return
    carrier.turned(entryPoint, entryPoint, runInTime)
    carrier.turned(scratch, dockedPosition, runInTime)
    addScaled(entryPoint, entryPoint, cross(entryVelocity, carrier.spin, scratch), -runInTime)
    set(entryVelocity, 0, 0, 0)
  }

  /** Radius (m) of the ball about the carrier's centre that the agent must avoid; 0 inside the corridor. */
  keepOutRadiusFor(pose: PortPose): number {
    return pose.distance > 0 && length(pose.offset) < this.maxOffset ? 0 : this.keepOutRadius
  }

  /** Whether the docking point is in the corridor, or in the cone to which it widens beyond its mouth. */
  holds(port: Port, { distance: away, offset: aside }: PortPose): boolean {
    return length(aside) < this.maxOffset + FLARE * Math.max(0, away - port.corridor)
  }

  /** Whether it must come anew: it would follow an axis that sweeps faster than it can fly. */
  isFarOff(pose: PortPose): boolean {
    if (this.leans) return false
    const beyond = Math.max(0, pose.distance - this.mouth)
    return (
      length(pose.offset) > FAR_OFF * (this.maxOffset + FLARE * beyond) ||
      pose.distance > FAR_OFF * (this.mouth + this.runUp)
    )
  }

  /** Whether an agent in the attitude of the port will touch too fast, with the brakes of the plan. */
  isTooFast(
    { distance: left, outwardSpeed }: PortPose,
    closingSpeed: number,
    speedTolerance: number,
  ): boolean {
    const touch = this.coasts ? closingSpeed + speedTolerance / 2 : TOO_FAST * closingSpeed
    return outwardSpeed < -touch && outwardSpeed ** 2 > touch ** 2 + 2 * this.brake * Math.max(0, left)
  }

  /** Whether the agent is so close that it must be in line. */
  isPastGate(pose: PortPose): boolean {
    return pose.distance < this.gate
  }

  /**
   * Adds the force (N) that keeps an agent on the axis of its port and moves it along. Along the axis the
   * speed is √(v² + 2·a·s), with the braking fed forward; across it is the speed from which the agent can
   * still stop on the axis. The acceleration of the turning frame (centripetal and Coriolis) is fed forward
   * as well.
   * @param end distance from the port at which the flight ends (m).
   * @param endSpeed speed there (m/s), inward; 0 is rest. Negative: the flight leads outward at that speed,
   * and on.
   */
  fly(
    agent: Agent,
    step: Step,
    pose: PortPose,
    end: number,
    endSpeed: number,
    maxSpeed: number,
    out: Vec3,
  ): void {
    const { coasts, load } = this
    const { mass, responseTime, wish } = agent
    const { carrier, crossVelocity, dockedPosition, outward, outwardSpeed, position } = pose
    const least = Math.max(step.dt, TURN_TIME_SHARE * this.turnTime)
    const time = Math.max(wish === null ? responseTime / 2 : responseTime, least)
    const left = (endSpeed < 0 ? pose.distance : pose.room) - end
    // across
    reject(offset, sub(offset, position, dockedPosition), outward)
    const away = length(offset)
    const speed = Math.max(length(crossVelocity), Math.abs(outwardSpeed))
    if (endSpeed === 0 && carrier.isStill && mayRest(agent, Math.max(away, Math.abs(left)), speed)) {
      addScaled(wanted, crossVelocity, outward, outwardSpeed)
      addForce(agent, scale(wanted, wanted, -servoGain(agent, step)), Math.abs(left) + away, out)
      return
    }
    normalize(towards, offset)
    // without brakes there is no force in any direction that is only a little outward
    const force = coasts ? this.across : forceLeft(agent, towards, -1)
    const crossForce = Math.max(force / mass - load.across, (LEAST_CROSS * force) / mass)
    const crossDecel = BRAKES_PLANNED * BRAKE_SHARE * crossForce
    scale(wanted, towards, -brakingSpeed(away, crossDecel, 0, Math.max(time, 2 * step.dt)))
    scale(wanted, sub(wanted, wanted, crossVelocity), 1 / time)
    // along
    const turning = left > 0 ? Math.min(this.turningDistance, left) : 0
    plan.decel = this.brake
    plan.lag = lagBeside(time / 2, step.dt)
    plan.top = maxSpeed
    plan.end = endSpeed
    let inwardAcceleration: number
    if (endSpeed < 0) inwardAcceleration = (outwardSpeed + endSpeed) / time
    else if (endSpeed > 0) {
      const toPlan = left - turning - endSpeed * STEADY_TIME
      inwardAcceleration = followPlan(plan, toPlan, -outwardSpeed, time, step.dt)
    } else {
      const sign = left < 0 ? -1 : 1
      const toPlan = Math.max(0, Math.abs(left) - turning)
      inwardAcceleration = sign * followPlan(plan, toPlan, -sign * outwardSpeed, time, step.dt)
    }
    addScaled(wanted, wanted, outward, -inwardAcceleration)
    pose.addFrameAcceleration(agent, wanted)
    scale(wanted, wanted, mass)
    // where staying on the axis takes much force, that comes before a force inward
    const cuts = this.brakesFirst && this.engines.isFree && wish === null
    if (coasts) cutCoasting(pose, wanted, this.across)
    else if (cuts && dot(wanted, outward) > 0) cutAcross(agent, wanted, outward)
    else if (cuts && load.across > ACROSS_FIRST * crossForce) cutAlong(agent, wanted, outward)
    addForce(agent, wanted, Math.abs(left) + away, out)
  }
}

/**
 * Cuts a force (N) to what an agent without brakes can give: nothing outward, and only in line. Out of line
 * the engines would push inward instead.
 * @param most force across (N).
 */
function cutCoasting({ attitudeError, outward }: PortPose, force: Vec3, most: number): void {
  const inward = Math.min(0, dot(force, outward))
  truncate(force, reject(force, force, outward), most)
  addScaled(force, force, outward, inward)
  scale(force, force, 1 - smoothstep(attitudeError, COAST_OPEN, COAST_SHUT))
}

/** Force (N) of the weakest engine across the axis of a coupling. */
function engineAcross(agent: Agent, { axis, top }: Coupling): number {
  cross(side, axis, top)
  const beside = Math.min(engineAlong(agent, side, 1), engineAlong(agent, side, -1))
  return Math.min(beside, engineAlong(agent, top, 1), engineAlong(agent, top, -1))
}
