/** Flight of agents that cannot be pushed in all directions: they turn the main engine, or lean. */

import type { Agent, Step, Vec3, Vec3Like, Wrench } from '../../core/types.js'
import { topSpeed } from '../../core/control/drive.js'
import { noseAttitude } from '../../core/control/nose.js'
import { brakingSpeed } from '../../core/control/profile.js'
import { modelAttitude, turnTime, turnTo } from '../../core/control/turn.js'
import { multiply, quat, quatBetween } from '../../core/math/quat.js'
import { arccos, smoothstep } from '../../core/math/scalar.js'
import {
  addScaled,
  copy,
  dot,
  length,
  normalize,
  reject,
  scale,
  set,
  sub,
  truncate,
  vec3,
} from '../../core/math/vec3.js'
import type { PortPose } from './port-pose.js'
import type { Rendezvous } from './rendezvous.js'
import { limitTo } from './thrust.js'

// The numbers below are chosen by hand unless they say otherwise.

/** With engines across and astern of this share of the main engine an agent need not turn to be pushed. */
const FREE_SHARE = 0.5

/** Upper limit for the time of a turn (s), so that an agent that cannot turn gets finite results. */
const MAX_TURN_TIME = 1e5

/** Share of the torque that the time of a turn counts on. */
const TORQUE_SHARE = 0.8

/** The main engine opens between these cosines of the angle between nose and wanted thrust. */
const OPENS_AT = 0.85
const OPEN_AT = 0.98

/** Thrust below this share of the main engine is not worth a turn. */
const MIN_THRUST = 0.03

/**
 * Once begun, braking goes on until the speed is below this share of the planned one, and with at least this
 * share of the brakes.
 */
const BRAKE_UNTIL = 0.4
const MIN_BRAKING = 0.2

/** An agent has turned round when its tail points within this angle (rad) of the rendezvous. */
const TURNED_ANGLE = 0.5

/** Time in which errors of the speed are corrected (s): the nose has to follow. */
const TURN_RESPONSE = 1.5

/** Time (s) for a quarter turn of the ship that the times of this file were chosen for: 0.5 rad/s². */
const CHOSEN_TURN_TIME = 4

const ahead = vec3()
const relative = vec3()
const towards = vec3()
const nose = vec3()
const NO_SPIN: Vec3Like = { x: 0, y: 0, z: 0 }
const target = quat()

/** Accelerations (m/s²) that the engines of an agent can produce in its present attitude. */
export class Engines {
  ahead = 0
  astern = 0
  /** Up, down, to port or to starboard, whichever is the weakest. */
  across = 0
  /**
   * Whether the agent can be pushed in any direction, in any attitude. Decided by the engines, not by what
   * they have left beside the weight: a drone hovers in any attitude.
   */
  isFree = false

  update(agent: Agent): this {
    const { x, y, z } = agent.attitude
    const limit = agent.maxForce
    const perMass = 1 / agent.mass
    const forward = agent.forceAlong(x.x, x.y, x.z)
    const astern = agent.forceAlong(-x.x, -x.y, -x.z)
    const up = agent.forceAlong(y.x, y.y, y.z)
    const down = agent.forceAlong(-y.x, -y.y, -y.z)
    const starboard = agent.forceAlong(z.x, z.y, z.z)
    const port = agent.forceAlong(-z.x, -z.y, -z.z)
    this.ahead = perMass * Math.min(limit, forward)
    this.astern = perMass * Math.min(limit, astern)
    this.across = perMass * Math.min(limit, up, down, port, starboard)
    const { gravity, mass } = agent
    const held = agent.compensateGravity ? mass : 0
    const alongX = held * dot(gravity, x)
    const alongY = held * dot(gravity, y)
    const alongZ = held * dot(gravity, z)
    const weakest = Math.min(up - alongY, down + alongY, starboard - alongZ, port + alongZ)
    const aft = astern + alongX
    const fore = forward - alongX
    this.isFree = Math.min(weakest, fore, aft) >= FREE_SHARE * Math.min(limit, Math.max(fore, aft))
    return this
  }

  /** 1 where the main engine pushes ahead; −1 where it pushes astern, as when that ahead is lost. */
  get sign(): 1 | -1 {
    return this.ahead < FREE_SHARE * this.astern ? -1 : 1
  }

  /** Acceleration that the main engine gives (m/s²). */
  get main(): number {
    return this.sign > 0 ? this.ahead : this.astern
  }

  /** Whether the agent can brake without turning round. */
  get hasRetro(): boolean {
    return this.sign > 0 && this.astern >= FREE_SHARE * this.ahead
  }
}

/** Time (s) that the agent needs to turn its nose by `angle` (rad) to one side, from rest to rest. */
export function attitudeTime(agent: Agent, angle: number): number {
  const least = angle > 0 ? turnTime(agent, agent.attitude.y, angle) : 0
  return Math.min(least / Math.sqrt(TORQUE_SHARE), MAX_TURN_TIME)
}

/**
 * Factor (≥ 1) for the times in which an agent is controlled by turning its engine: that by which it turns
 * more slowly than the ship that these times were chosen for.
 */
export function turnScale(agent: Agent): number {
  return Math.max(1, attitudeTime(agent, Math.PI / 2) / CHOSEN_TURN_TIME)
}

/** Makes a rendezvous count on the engines of an agent that turns to be pushed. */
export function assumeMainEngine(agent: Agent, rendezvous: Rendezvous, engines: Engines): void {
  const brakes = engines.hasRetro ? engines.astern : engines.main
  const turn = attitudeTime(agent, engines.hasRetro ? Math.PI / 2 : Math.PI)
  rendezvous.assume(engines.main, brakes, TURN_RESPONSE * turnScale(agent), turn)
}

/**
 * Adds the force (N) that flies to a rendezvous by the main engine, for `pushByMain`. The agent turns round
 * to brake if its engine astern is weak. The time of that turn is part of the braking distance.
 * @param braking whether the agent was braking in the last step.
 * @returns whether it brakes now; null where it flies around the carrier.
 */
export function flyByMain(
  agent: Agent,
  rendezvous: Rendezvous,
  engines: Engines,
  braking: boolean,
  out: Vec3,
): boolean | null {
  const retro = engines.hasRetro
  normalize(ahead, sub(ahead, rendezvous.aim, agent.position))
  sub(relative, agent.velocity, rendezvous.velocity)
  const along = dot(relative, ahead)
  const angle = arccos(-engines.sign * dot(agent.attitude.x, ahead))
  rendezvous.turning = retro || angle < TURNED_ANGLE ? 0 : attitudeTime(agent, angle)
  if (rendezvous.flyAround(out)) return null
  rendezvous.flyStraight(out)
  if (retro || along <= (braking ? BRAKE_UNTIL : 1) * rendezvous.stoppableSpeed) return false
  // once turned to brake, the agent does not turn back for a small correction
  const leastBraking = -MIN_BRAKING * rendezvous.brakes * agent.mass
  addScaled(out, out, ahead, -Math.max(0, dot(out, ahead) - leastBraking))
  return true
}

/**
 * Turns the agent so that its main engine pushes along `force` (N), or, with an engine astern, brakes along
 * it if that needs less of a turn. The engine opens as far as the nose points there.
 * @param atOnce whether the engines across push meanwhile. Then `force` is cut to what they give.
 */
export function pushByMain(
  agent: Agent,
  step: Step,
  force: Vec3,
  engines: Engines,
  atOnce: boolean,
  out: Wrench,
): void {
  const retro = engines.hasRetro
  const size = length(force)
  normalize(towards, force)
  const facing = engines.sign * dot(agent.attitude.x, towards)
  copy(nose, agent.attitude.x)
  if (size > MIN_THRUST * engines.main * agent.mass)
    scale(nose, towards, retro && facing < 0 ? -1 : engines.sign)
  noseAttitude(target, agent, nose, 'free', step, NO_SPIN, 0)
  turnTo(agent, target, step, out)
  if (atOnce) limitTo(agent, force)
  const open = smoothstep(retro ? Math.abs(facing) : facing, OPENS_AT, OPEN_AT)
  addScaled(out.force, out.force, force, atOnce ? 1 : open)
}

/** Time in which a leaning agent corrects errors of its speed (s): the nose has to follow. … */
const LEAN_RESPONSE = 1

/** … Along the axis just before the touch, and across. */
const TOUCH_RESPONSE = 0.15
const CROSS_RESPONSE = 0.8

/** Across, a leaning agent plans with this share of its brakes and this reaction time (s). */
const CROSS_BRAKE_SHARE = 0.11
const CROSS_REACTION = 2.2

/** Largest tangent of the angle by which an agent leans. */
const MAX_LEAN = 0.35

/** Time before the touch (s) from which the agent no longer leans. */
const LEVEL_TIME = 0.7

/** The closing speed is held over this last time (s). */
const STEADY_TIME = 0.5

/** The engine of a leaning agent opens between these cosines of the angle between nose and thrust. */
const LEAN_OPENS_AT = 0.9
const LEAN_OPEN_AT = 0.98

/** Thrust below this share of the main engine is not worth leaning for. */
const MIN_LEAN_THRUST = 0.02

const axis = vec3()
const offset = vec3()
const across = vec3()
const acceleration = vec3()
const inward = vec3()
const attitude = quat()

/**
 * Run-in of an agent with engines ahead and astern only. It flies to where the port will be at the touch,
 * along the axis as it will point then: in space that is a straight line in a constant attitude, and small
 * errors are corrected by leaning a little. For the last moment it stops leaning, and touches in the attitude
 * of the port.
 * @param brake deceleration that it counts on (m/s²).
 * @param closingSpeed speed at the touch (m/s).
 */
export function leanIn(
  agent: Agent,
  step: Step,
  pose: PortPose,
  rendezvous: Rendezvous,
  engines: Engines,
  brake: number,
  closingSpeed: number,
  out: Wrench,
): void {
  const { carrier, outward } = pose
  const slow = turnScale(agent)
  if (pose.distance < slow * LEVEL_TIME * Math.max(pose.closingSpeed, closingSpeed)) {
    touch(agent, step, pose, engines, brake, closingSpeed, out)
    return
  }
  rendezvous.begin(agent, step, carrier, 0, topSpeed(agent))
  rendezvous.assume(engines.ahead, brake, slow * LEAN_RESPONSE)
  rendezvous.find(pose.dockedPosition, scale(inward, outward, -closingSpeed))
  set(acceleration, 0, 0, 0)
  rendezvous.flyStraight(acceleration)
  scale(acceleration, acceleration, 1 / agent.mass)
  scale(axis, carrier.turned(axis, outward, rendezvous.time), -1)
  const along = Math.min(engines.ahead, Math.max(-engines.astern, dot(acceleration, axis)))
  // across: to the line on which the agent will come in, and along that line
  reject(offset, sub(offset, agent.position, rendezvous.aim), axis)
  const away = length(offset)
  scale(
    offset,
    normalize(offset, offset),
    -brakingSpeed(away, CROSS_BRAKE_SHARE * brake, 0, slow * CROSS_REACTION),
  )
  reject(across, sub(across, agent.velocity, rendezvous.velocity), axis)
  scale(across, sub(across, offset, across), 1 / (slow * CROSS_RESPONSE))
  truncate(across, across, MAX_LEAN * Math.abs(along))
  addScaled(acceleration, across, axis, along)
  lean(agent, step, pose, engines, acceleration, along, axis, out)
}

/** The last moment: straight along the port's axis, in the port's attitude. */
function touch(
  agent: Agent,
  step: Step,
  pose: PortPose,
  engines: Engines,
  brake: number,
  closingSpeed: number,
  out: Wrench,
): void {
  const { outward, outwardSpeed } = pose
  const left = Math.max(0, pose.distance - closingSpeed * STEADY_TIME)
  const planned = Math.sqrt(closingSpeed * closingSpeed + 2 * brake * left)
  pose.addFrameAcceleration(agent, set(across, 0, 0, 0))
  if (!agent.compensateGravity) addScaled(across, across, agent.gravity, -1)
  const change = left > 0 ? (brake / planned) * outwardSpeed : 0
  const along = (planned + outwardSpeed) / TOUCH_RESPONSE + change - dot(across, outward)
  scale(axis, outward, -1)
  scale(acceleration, axis, Math.min(engines.ahead, Math.max(-engines.astern, along)))
  turnTo(agent, pose.attitude, step, out, pose.carrier.spin)
  addScaled(out.force, out.force, acceleration, agent.mass)
}

/**
 * Turns the agent so that its engines push along `thrust` (m/s²), close to the unit `direction`, and opens
 * them as far as the nose points there.
 * @param along part of `thrust` along `direction` (m/s²).
 */
function lean(
  agent: Agent,
  step: Step,
  pose: PortPose,
  engines: Engines,
  thrust: Vec3Like,
  along: number,
  direction: Vec3Like,
  out: Wrench,
): void {
  copy(nose, direction)
  if (Math.abs(along) > MIN_LEAN_THRUST * engines.ahead && length(thrust) > 0) {
    normalize(nose, thrust)
    if (along < 0) scale(nose, nose, -1)
  }
  // an agent that docks tail first points its tail there
  if (dot(pose.nose, pose.outward) > 0) scale(nose, nose, -1)
  multiply(attitude, quatBetween(attitude, pose.nose, nose), pose.steeringAttitude)
  turnTo(agent, modelAttitude(attitude, attitude, agent.axes), step, out)
  const share = smoothstep(dot(agent.attitude.x, nose), LEAN_OPENS_AT, LEAN_OPEN_AT)
  addScaled(out.force, out.force, thrust, agent.mass * share)
}
