import type { Agent, Step, Vec3, Vec3Like } from '../../core/types.js'
import { topSpeed } from '../../core/control/drive.js'
import { makePush, pushAlong } from '../../core/control/push.js'
import { copy, cross, isZero, normalize, vec3 } from '../../core/math/vec3.js'
import { DEFAULT_EFFORT, type Effort } from './dubins3d.js'

/** What a path is planned for, and what the agent can do on it. SI units. */
export interface VehicleLimits {
  /** Speed on the path (m/s). */
  cruise: number
  /** Speed at the end of the path (m/s). */
  final: number
  /** Least turn radius (m); NaN: it follows from speed and lateral acceleration. */
  radius: number
  /** Radius (m) of the tightest curve that the vehicle can steer, at any speed. */
  leastRadius: number
  /** Acceleration available across the course (m/s²). */
  lateral: number
  /** Acceleration available against the course (m/s²). */
  brake: number
  /** Acceleration across without a turn of the vehicle for it (m/s²). */
  across: number
  /** Time (s) in which it turns before it brakes. */
  brakeDelay: number
  /** Lag of the force (s). */
  lag: number
  /** Linear damping by the physics engine (1/s). */
  damping: number
  /** Length of a step (s). */
  dt: number
  /** Time constant of the speed near a stop (s). */
  response: number
  /** Time (s) to turn the force by a right angle. */
  turnTime: number
  /** Whether the vehicle must turn to push across. */
  turnsToPush: boolean
  /** Whether it can turn its nose while it stands. */
  turnsOnSpot: boolean
  /** Normal of the plane that the path is held to, or null. */
  plane: Vec3Like | null
  /** Whether the agent may fly astern. */
  reverse: boolean
  /** Least distance (m) from the goal for an agent that heads across the steering plane, by `jakob`. */
  leastDistance: number
  /** How hard to search for the shortest path of near poses in space. */
  effort: Effort
  /** Steady acceleration from outside, such as wind (m/s²). Across the path it is compensated. */
  readonly outerPush: Vec3
}

// The numbers below are chosen by hand.

/** With less than this share of the force ahead against it, or the other way round, a ship turns to brake. */
const ONE_WAY = 0.15

/** Share of the main engine that curves count on if the vehicle must turn it. Larger: tighter curves. */
const MAIN_ENGINE_SHARE = 0.7

/** Share of the top speed for such a vehicle: a main engine that has not yet turned pushes ahead, too. */
const MAIN_ENGINE_SPEED = 0.9

/** Share of the force across that turns are planned with; the rest is left for corrections. */
const TURN_SHARE = 0.93

/** An arc of one radian takes at least this many times as long as a turn of the vehicle by a right angle. */
const TURNS_PER_RADIAN = 2

/** An arc of one radian takes at least this many steps: a path finer than the steps cannot be flown. */
const STEPS_PER_RADIAN = 3

/** A vehicle with a least radius plans curves of this many times it, to correct by. Larger: wider ones. */
const LEAST_RADII = 1.15

/** Turns below this share of the cruising speed are planned for that speed: at rest there is no radius. */
export const MIN_SPEED_SHARE = 0.2

const side = vec3()
const forward = makePush()
const back = makePush()

export function makeVehicleLimits(): VehicleLimits {
  return {
    cruise: 0,
    final: 0,
    radius: NaN,
    leastRadius: 0,
    lateral: 0,
    brake: 0,
    across: 0,
    brakeDelay: 0,
    lag: 0,
    damping: 0,
    dt: 0,
    turnTime: 0,
    turnsToPush: false,
    turnsOnSpot: false,
    response: 0,
    plane: null,
    reverse: false,
    leastDistance: 0,
    effort: DEFAULT_EFFORT,
    outerPush: vec3(),
  }
}

/**
 * Writes what the agent can do in its present attitude, limited by the options of the behaviour: least turn
 * radius (m), speed on the path (m/s) and speed at its end (m/s). An undefined option does not limit.
 */
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
  const least = agent.wish?.turnRadius ?? 0
  // a vehicle on the ground has force in its plane only
  if (least > 0) copy(side, agent.attitude.z)
  else if (isZero(agent.plane)) copy(side, z)
  else normalize(side, cross(side, x, agent.plane))
  const beside = Math.min(
    agent.forceAlong(side.x, side.y, side.z),
    agent.forceAlong(-side.x, -side.y, -side.z),
  )
  const across = Math.max(
    0,
    least > 0 || !isZero(agent.plane)
      ? beside
      : Math.min(beside, agent.forceAlong(y.x, y.y, y.z), agent.forceAlong(-y.x, -y.y, -y.z)),
  )
  pushAlong(back, agent, -x.x, -x.y, -x.z)
  let main = agent.forceAlong(nose.x, nose.y, nose.z)
  const retro = agent.forceAlong(-nose.x, -nose.y, -nose.z)
  const turnsAround = back.turns && Math.min(main, retro) < ONE_WAY * Math.max(main, retro, back.force)
  out.brakeDelay = 0
  if (turnsAround) {
    pushAlong(forward, agent, x.x, x.y, x.z)
    main = Math.max(main, forward.force, back.force)
    // alike in either attitude, so that it does not speed up again once it has turned to brake
    out.brakeDelay = forward.turnTime + back.turnTime
  }
  out.turnTime = agent.forceTurnTime
  const turnsToPush = out.turnTime > 0 && across < MAIN_ENGINE_SHARE * main
  out.turnsToPush = turnsToPush
  // without a given radius, turns are planned so that there is force left to correct and to brake
  const share = radius === undefined ? TURN_SHARE : 1
  out.lateral = ((turnsToPush ? MAIN_ENGINE_SHARE * main : across) * share) / mass
  out.across = (across * share) / mass
  out.brake = (turnsToPush && !turnsAround ? retro : back.force) / mass
  out.cruise = Math.min(speed ?? Infinity, (turnsToPush ? MAIN_ENGINE_SPEED : 1) * topSpeed(agent))
  out.final = Math.min(arrivalSpeed ?? Infinity, out.cruise)
  out.radius = radius === undefined ? NaN : Math.max(radius, least)
  out.leastRadius = least
  out.turnsOnSpot = least === 0 && canTurn(agent)
  out.lag = agent.forceLag
  out.damping = agent.compensateDamping ? 0 : agent.damping
  out.dt = step.dt
  out.response = Math.max(out.lag, agent.responseTime / 2) + out.brakeDelay
  return out
}

function canTurn({ inertia: { x, y, z }, maxTorque, maxTurnRate, pointMass }: Agent): boolean {
  return pointMass !== true && maxTorque > 0 && maxTurnRate > 0 && x + y + z > 0
}

/**
 * Acceleration across (m/s²) with which the vehicle can fly an arc of this radius (m): by its side engines as
 * they are, or by a main engine that it must turn in time.
 */
export function lateralOn({ across, lateral, turnsToPush, turnTime }: VehicleLimits, radius: number): number {
  if (!turnsToPush) return lateral
  return Math.max(across, Math.min(lateral, radius / (TURNS_PER_RADIAN * turnTime) ** 2))
}

/** Radius (m) of the tightest turn at `speed` (m/s). Infinite for a vehicle that cannot turn. */
export function turnRadius(of: VehicleLimits, speed: number): number {
  if (!Number.isNaN(of.radius)) return of.radius
  const planned = Math.max(speed, MIN_SPEED_SHARE * of.cruise)
  return Math.max(
    of.leastRadius * LEAST_RADII,
    (planned * planned) / of.lateral,
    TURNS_PER_RADIAN * planned * of.turnTime,
    STEPS_PER_RADIAN * planned * of.dt,
  )
}
