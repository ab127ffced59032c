import type { Agent, Step, Wrench } from '../../types.js'
import { brakingSpeed } from '../../control/profile.js'
import { modelAttitude, turnTo } from '../../control/turn.js'
import { multiply, quat, quatBetween } from '../../math/quat.js'
import { smoothstep } from '../../math/scalar.js'
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
} from '../../math/vec3.js'
import type { PortPose } from './port-pose.js'
import { addFrame } from './corridor.js'
import type { Rendezvous } from './rendezvous.js'
import type { Engines } from './helm.js'

/** Speed errors are taken out in this time, s: the nose has to follow. */
const SLOW = 1

/** At the end, along the axis, in this one. */
const QUICK = 0.15

/** Across, speed errors in this one; it is braked with so much, m/s², and reacts within this time, s. */
const ACROSS = 0.8
const GENTLE = 0.15
const REACTION = 2.2

/** Largest tangent of the tilt. */
const TILT = 0.35

/** Time before the touch (s) from which it is level. */
const LEVEL = 0.7

/** The closing speed is held over the last so many seconds. */
const STEADY = 0.5

/** Within these cosines of where the nose should point, the engine opens. */
const SHUT = 0.9
const OPEN = 0.98

/** Below this share of the main engine nothing is worth a tilt. */
const IDLE = 0.02

const axis = vec3()
const nose = vec3()
const off = vec3()
const across = vec3()
const wanted = vec3()
const inward = vec3()
const tilt = quat()

/**
 * The run-in of a ship with engines ahead and astern only. It flies to where the port will be at the touch, along the axis as it will point
 * then: seen from space that is a straight line in an attitude that does not change, and all there is to correct is corrected by leaning a
 * little. Level for the last moment, when it touches as the port points.
 * @param brake deceleration it counts on, m/s², and `closing` the speed at the touch, m/s.
 */
export function leanIn(
  agent: Agent,
  step: Step,
  berth: PortPose,
  meeting: Rendezvous,
  engines: Engines,
  brake: number,
  closing: number,
  speed: number,
  out: Wrench,
): void {
  const { motion, outward } = berth
  if (berth.out < LEVEL * Math.max(berth.closing, closing)) {
    touch(agent, step, berth, engines, brake, closing, out)
    return
  }
  meeting.count(engines.ahead, brake, SLOW)
  meeting.meet(agent, motion, berth.arm, scale(inward, outward, -closing), speed)
  set(wanted, 0, 0, 0)
  meeting.push(agent, step, speed, wanted)
  scale(wanted, wanted, 1 / agent.mass)
  scale(axis, motion.turned(axis, outward, meeting.time), -1)
  const push = Math.min(engines.ahead, Math.max(-engines.astern, dot(wanted, axis)))
  // across: to the line on which it will come in, and along it
  reject(off, sub(off, agent.position, meeting.aim), axis)
  const away = length(off)
  scale(off, normalize(off, off), -brakingSpeed(away, GENTLE, 0, REACTION))
  reject(across, sub(across, agent.velocity, meeting.velocity), axis)
  scale(across, sub(across, off, across), 1 / ACROSS)
  truncate(across, across, TILT * Math.abs(push))
  addScaled(wanted, across, axis, push)
  lean(agent, step, berth, engines, push, out)
}

/** Straight on, as the port points. */
function touch(
  agent: Agent,
  step: Step,
  berth: PortPose,
  engines: Engines,
  brake: number,
  closing: number,
  out: Wrench,
): void {
  const { leaving, outward } = berth
  const way = Math.max(0, berth.out - closing * STEADY)
  const plan = Math.sqrt(closing * closing + 2 * brake * way)
  addFrame(agent, berth, set(across, 0, 0, 0))
  if (!agent.compensateGravity) addScaled(across, across, agent.gravity, -1)
  const change = way > 0 ? (brake / plan) * leaving : 0
  const push = (plan + leaving) / QUICK + change - dot(across, outward)
  scale(axis, outward, -1)
  scale(wanted, axis, Math.min(engines.ahead, Math.max(-engines.astern, push)))
  turnTo(agent, berth.attitude, step, out, berth.motion.spin)
  addScaled(out.force, out.force, wanted, agent.mass)
}

/** Points the ship so that `wanted` (m/s²) is along its engines, near `axis`, and opens them as far as it does. */
function lean(agent: Agent, step: Step, berth: PortPose, engines: Engines, push: number, out: Wrench): void {
  copy(nose, axis)
  if (Math.abs(push) > IDLE * engines.ahead && length(wanted) > 0) {
    normalize(nose, wanted)
    if (push < 0) scale(nose, nose, -1)
  }
  // docked tail first it is the tail that points there
  if (dot(berth.nose, berth.outward) > 0) scale(nose, nose, -1)
  multiply(tilt, quatBetween(tilt, berth.nose, nose), berth.steering)
  turnTo(agent, modelAttitude(tilt, tilt, agent.axes), step, out)
  const share = smoothstep(dot(agent.attitude.x, nose), SHUT, OPEN)
  addScaled(out.force, out.force, wanted, agent.mass * share)
}
