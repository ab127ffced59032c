import type { Agent, Step, Vec3, Vec3Like } from '../../types.js'
import { BRAKE_SHARE, brakingSpeed, slope } from '../../control/profile.js'
import { addScaled, dot, length, lengthSq, normalize, scale, sub, truncate, vec3 } from '../../math/vec3.js'

/** Who must roll or turn before it can push across is no stiffer than this share of that time allows: or it circles about its goal for ever. */
const SWING_SHARE = 0.3

const offset = vec3()
const ahead = vec3()
const wanted = vec3()
const relative = vec3()

/**
 * Adds the force that comes to rest at `point`, which itself moves with `velocity` and `acceleration`, from any speed:
 * the speed towards it is the one from which the agent can still brake, √(2·a·d) with its real force, mass and damping,
 * and the braking itself is fed forward, so nothing lags behind the plan and nothing passes the goal.
 */
export function arriveAt(
  agent: Agent,
  step: Step,
  point: Vec3Like,
  velocity: Vec3Like,
  acceleration: Vec3Like,
  maxSpeed: number,
  out: Vec3,
): void {
  const { mass } = agent
  const distance = length(sub(offset, point, agent.position))
  // twice as stiff as other drives: between speeding up and braking every lag is lost time; a wish is read with the plain one
  const least = Math.max(step.dt, SWING_SHARE * agent.swing)
  const time = Math.max(agent.wish === null ? agent.responseTime / 2 : agent.responseTime, least)
  sub(relative, agent.velocity, velocity)
  normalize(ahead, offset)
  // gravity that is paid for may lend a hand, but the demand itself never exceeds maxForce
  const force = Math.min(agent.forceAlong(-ahead.x, -ahead.y, -ahead.z), agent.maxForce)
  const brake = (BRAKE_SHARE * force) / mass
  const damping = agent.compensateDamping ? 0 : agent.damping
  const closing = dot(relative, ahead)
  // the plan may end sooner than the servo forgets: it is fed forward
  const lag = Math.max(time / 2, step.dt)
  const speed = brakingSpeed(distance - sideways(closing, brake), brake, damping, lag)
  scale(wanted, ahead, Math.min(speed, maxSpeed))
  scale(wanted, sub(wanted, wanted, relative), mass / time)
  addScaled(wanted, wanted, acceleration, mass)
  if (speed > 0 && speed < maxSpeed) {
    const braking = slope(speed, brake, damping, lag) * closing - damping * dot(agent.velocity, ahead)
    addScaled(wanted, wanted, ahead, -mass * braking)
  }
  if (agent.wish === null) truncate(wanted, wanted, agent.maxForce)
  else agent.wish.distance = Math.min(agent.wish.distance, distance)
  addScaled(out, out, wanted, 1)
}

/** Way towards the goal that is flown without braking, m, while the engines are busy with the speed across. Needs `relative`. */
function sideways(closing: number, brake: number): number {
  if (!(closing > 0) || brake === 0) return 0
  const across = Math.sqrt(Math.max(0, lengthSq(relative) - closing * closing))
  return (closing * across) / brake
}
