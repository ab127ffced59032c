import type { Agent, Step, Vec3Like } from '../../types.js'
import { topSpeed } from '../../control/drive.js'

/** What a way is planned for, and what the agent can do on it. SI units. */
export interface VehicleLimits {
  /** Speeds on the way and at its end, m/s. */
  cruise: number
  final: number
  /** Least turn radius, m; NaN: what the lateral acceleration makes of the speed. */
  radius: number
  /** Accelerations that can be had across the course, and against it, m/s². */
  lateral: number
  brake: number
  /** Time (s) by which the force follows, and that in which the engine takes speed away, 1/s. */
  lag: number
  damping: number
  /** Length of a step, s. */
  dt: number
  /** Time (s) in which its speed follows, where it comes to a stop. */
  response: number
  /** Time (s) in which it turns its force by a right angle, and whether that is all it has to push across with. */
  turnTime: number
  turnAllowance: boolean
  /** Normal of the plane it is held to, or null; and whether it may fly astern. */
  plane: Vec3Like | null
  reverse: boolean
}

/** Share of the main engine that curves count on where it must be turned for them. */
const SWUNG = 0.7

/** Share of the top speed it then flies at: a main engine that is not yet where it should be pushes ahead, too. */
const SWUNG_SPEED = 0.9

/** Share of the force across that the radius of turns is planned with. */
const TURN_SHARE = 0.93

/** The least arc of one radian takes as long as so many turns of the vehicle by a right angle. */
const SWINGS_PER_TURN = 2

/** At rest nothing turns: below this share of the cruising speed a turn is planned, and flown, as if at that speed. */
export const SLOWEST = 0.2

export function makeVehicleLimits(): VehicleLimits {
  return {
    cruise: 0,
    final: 0,
    radius: NaN,
    lateral: 0,
    brake: 0,
    lag: 0,
    damping: 0,
    dt: 0,
    turnTime: 0,
    turnAllowance: false,
    response: 0,
    plane: null,
    reverse: false,
  }
}

/** Collects into `out` what the agent can do in the attitude it has, and what is asked of it: undefined is what it can. */
export function vehicleLimitsOf(
  out: VehicleLimits,
  agent: Agent,
  step: Step,
  radius: number | undefined,
  speed: number | undefined,
  arrivalSpeed: number | undefined,
): VehicleLimits {
  const { x, y, z } = agent.course
  const { mass } = agent
  const nose = agent.attitude.x
  const across = Math.min(
    agent.forceAlong(y.x, y.y, y.z),
    agent.forceAlong(-y.x, -y.y, -y.z),
    agent.forceAlong(z.x, z.y, z.z),
    agent.forceAlong(-z.x, -z.y, -z.z),
  )
  const main = agent.forceAlong(nose.x, nose.y, nose.z)
  const back = agent.forceAlong(-x.x, -x.y, -x.z)
  out.turnTime = agent.forceTurnTime
  const swung = out.turnTime > 0 && across < SWUNG * main
  out.turnAllowance = swung
  // without a radius that is given, turns are planned so that there is force left to correct and to brake by
  out.lateral = ((swung ? SWUNG * main : across) * (radius === undefined ? TURN_SHARE : 1)) / mass
  out.brake = (swung ? agent.forceAlong(-nose.x, -nose.y, -nose.z) : back) / mass
  out.cruise = Math.min(speed ?? Infinity, (swung ? SWUNG_SPEED : 1) * topSpeed(agent))
  out.final = Math.min(arrivalSpeed ?? Infinity, out.cruise)
  out.radius = radius ?? NaN
  out.lag = agent.forceLag
  out.damping = agent.compensateDamping ? 0 : agent.damping
  out.dt = step.dt
  out.response = Math.max(out.lag, agent.responseTime / 2)
  return out
}

/** Radius (m) of the tightest turn at `speed` (m/s), which no vehicle flies faster than it turns. Infinite for who cannot turn at all. */
export function turnRadius(of: VehicleLimits, speed: number): number {
  if (!Number.isNaN(of.radius)) return of.radius
  const pace = Math.max(speed, SLOWEST * of.cruise)
  return Math.max((pace * pace) / of.lateral, SWINGS_PER_TURN * pace * of.turnTime)
}
