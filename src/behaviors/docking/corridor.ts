import type { Agent, Step, Vec3, Vec3Like } from '../../types.js'
import { mayRest, servoGain } from '../../control/drive.js'
import { BRAKE_SHARE, brakingPlan, brakingSpeed, followPlan, lagBeside } from '../../control/profile.js'
import { addScaled, cross, length, normalize, reject, scale, sub, vec3 } from '../../math/vec3.js'
import type { PortPose } from './port-pose.js'
import { cutAcross, forceLeft, press } from './thrust.js'

/** Share of the brakes that the speed in the corridor counts on: the rest keeps the ship on the axis. */
export const CALM = 0.6

/** The closing speed is held over the last so many seconds. */
const STEADY = 0.5

const plan = { ...brakingPlan(), damping: 0 }
const offset = vec3()
const towards = vec3()
const wanted = vec3()
const velocity = vec3()
const carried = vec3()

/** What to do along the axis of the corridor. */
export interface Run {
  /** Fly to this distance from the port, m, … */
  to: number
  /** … to be there with this speed, m/s, inward; 0 is rest. */
  speed: number
  /** No faster than this on the way, m/s. */
  most: number
  /** Whether it is outward, on through `to` with `speed`. Default false. */
  past?: boolean
  /** Way (m) that passes before the brakes are turned where they are needed. Default 0. */
  lost?: number
  /** Deceleration across (m/s²) that it can count on in any attitude. Default Infinity: whatever it has now. */
  across?: number
}

/** Deceleration (m/s²) that a ship can count on in the corridor of its berth, with the attitude it will have there. */
export function calmBrake(agent: Agent, axis: Vec3Like): number {
  // astern of the docking axis, wherever that points now
  const { x, y, z } = agent.attitude
  carried.x = -(x.x * axis.x + y.x * axis.y + z.x * axis.z)
  carried.y = -(x.y * axis.x + y.y * axis.y + z.y * axis.z)
  carried.z = -(x.z * axis.x + y.z * axis.y + z.z * axis.z)
  return (CALM * forceLeft(agent, carried.x, carried.y, carried.z)) / agent.mass
}

/**
 * Adds the force (N) that keeps a ship on the axis of its port and moves it along: speed √(v² + 2·a·s) with its braking fed forward, the turning
 * frame's own acceleration (centripetal and Coriolis) as well; across, the speed from which it can still stop on the axis.
 * @param brake m/s², see {@link calmBrake}.
 */
export function alongAxis(
  agent: Agent,
  step: Step,
  berth: PortPose,
  run: Run,
  brake: number,
  out: Vec3,
): void {
  const { mass, responseTime } = agent
  const { arm, drift, here, leaving, motion, outward } = berth
  const time = Math.max(agent.wish === null ? responseTime / 2 : responseTime, step.dt)
  const left = berth.out - run.to
  // across
  reject(offset, sub(offset, here, arm), outward)
  const off = length(offset)
  const pace = Math.max(length(drift), Math.abs(leaving))
  if (run.speed === 0 && motion.isStill && mayRest(agent, Math.max(off, Math.abs(left)), pace)) {
    addScaled(wanted, drift, outward, leaving)
    press(agent, scale(wanted, wanted, -servoGain(agent, step)), Math.abs(left) + off, out)
    return
  }
  normalize(towards, offset)
  const side = forceLeft(agent, -towards.x, -towards.y, -towards.z)
  const across = run.across ?? Infinity
  const sideways = CALM * BRAKE_SHARE * Math.min(side / mass, across)
  scale(wanted, towards, -brakingSpeed(off, sideways, 0, Math.max(time, 2 * step.dt)))
  scale(wanted, sub(wanted, wanted, drift), 1 / time)
  // along
  const lost = left > 0 ? Math.min(run.lost ?? 0, left) : 0
  plan.decel = brake
  plan.lag = lagBeside(time / 2, step.dt)
  plan.top = run.most
  plan.end = run.speed
  let pull: number
  if (run.past === true) pull = (leaving - run.speed) / time
  else if (run.speed > 0) pull = followPlan(plan, left - lost - run.speed * STEADY, -leaving, time, step.dt)
  else {
    const sign = left < 0 ? -1 : 1
    pull = sign * followPlan(plan, Math.max(0, Math.abs(left) - lost), -sign * leaving, time, step.dt)
  }
  addScaled(wanted, wanted, outward, -pull)
  addFrame(agent, berth, wanted)
  scale(wanted, wanted, mass)
  if (across < Infinity) cutAcross(agent, wanted, outward)
  press(agent, wanted, Math.abs(left) + off, out)
}

/** Adds the acceleration (m/s²) of the turning frame, for the velocity the ship has in it, and what the engine's own damping takes. */
export function addFrame(agent: Agent, { here, drift, leaving, motion, outward }: PortPose, out: Vec3): void {
  addScaled(out, out, motion.accelerationAt(carried, here), 1)
  addScaled(velocity, drift, outward, leaving)
  addScaled(out, out, cross(carried, motion.spin, velocity), 2)
  if (!agent.compensateDamping) addScaled(out, out, agent.velocity, agent.damping)
}
