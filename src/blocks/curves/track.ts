import type { Agent, Step, Vec3, Wrench } from '../../core/types.js'
import type { ArcPath } from './arc-path.js'
import { BRAKE_SHARE, brakingSpeed } from '../../core/control/profile.js'
import { acrossFirst } from './across-first.js'
import { lateralOn, type VehicleLimits } from './vehicle-limits.js'
import { servoTime } from '../../core/control/drive.js'
import { reportStraightDistance } from '../../core/control/wish.js'
import { smoothstep } from '../../core/math/scalar.js'
import { addScaled, dot, isZero, length, reject, scale, sub, truncate, vec3 } from '../../core/math/vec3.js'

// The numbers below are chosen by hand.

/** Stiffness (1/s) of the spring, in speed over radius. Larger: closer to the path, with more force. */
const STIFFNESS = 6

/** Largest product of stiffness and lag of the force. Above it, and the next three, a vehicle oscillates. */
const LAG_SHARE = 0.6
/** Largest product of stiffness and time to turn the vehicle. */
const TURN_SHARE = 4
/** The same for a vehicle that turns to push across. */
const TURN_TO_PUSH_SHARE = 2
/** Largest product of stiffness and step. */
const STEP_SHARE = 0.25

/**
 * Time of the last part of a path, on which offsets count less and less, in turns by a right angle. Larger:
 * the heading at the end is better, the place worse.
 */
const END_TURNS = 1.5

/** Below this share of the cruising speed a given radius does not count. */
const REST_SHARE = 0.05

const before = vec3()
const early = vec3()
const after = vec3()
const offset = vec3()
const sideways = vec3()
const force = vec3()

/** A curve that can be tracked: an {@link ArcPath}, or a curve derived from one. */
export type Track = Pick<ArcPath, 'count' | 'pointAt' | 'tangentAt' | 'curvatureAt' | 'pieceAt' | 'bendOf'>

/** Where an agent is on a path, and how it should fly there. One object: numbers passed may be boxed. */
export interface TrackPoint {
  /** Arc length of the path's point nearest to the agent (m). */
  s: number
  /** Turn radius (m). */
  radius: number
  /** Wanted speed (m/s). */
  speed: number
  /** Rate of change of the wanted speed (m/s²). */
  acceleration: number
  /** Length (m) until the point that must be passed in the direction of the path; Infinity for none. */
  left: number
}

/**
 * Adds the force (N) that flies along `path` at `place`. The curvature is fed forward, early by the lag of
 * the vehicle: over a step the velocity must turn by the turn of the tangent, so an exact agent stays on the
 * path at any step. A spring, critically damped and as stiff as the radius and the vehicle allow, corrects
 * the rest. The force across has priority; the rest of `maxForce` drives. A vehicle that must turn to push in
 * another direction turns in time.
 */
export function trackPath(
  agent: Agent,
  step: Step,
  path: Track,
  place: TrackPoint,
  { across, cruise, lag, leastRadius, outerPush, radius, turnTime, turnsToPush }: VehicleLimits,
  out: Wrench,
): void {
  const { mass, maxForce, speed, velocity } = agent
  const { s } = place
  const { dt } = step
  const half = (speed * dt) / 2
  const lead = speed * lag
  // an integrator that updates the velocity first shows the velocity of half a step ago
  path.tangentAt(before, s - half)
  const along = dot(velocity, before)
  addScaled(sideways, velocity, before, -along)
  sub(offset, agent.position, path.pointAt(offset, s))
  reject(offset, offset, before)
  sub(
    force,
    path.tangentAt(after, s + half + lead),
    lead > 0 ? path.tangentAt(early, s - half + lead) : before,
  )
  const isSharp = dot(force, before) < -SHARP
  scale(force, force, speed / dt)
  const stiff = Math.min(
    stiffness(speed, place.radius, lag, dt),
    (turnsToPush ? TURN_TO_PUSH_SHARE : TURN_SHARE) / Math.max(turnTime, 1e-9),
  )
  addScaled(force, force, sideways, -2 * stiff)
  // A vehicle that turns to push cannot correct both to the end: then the direction counts.
  const share = turnTime > 0 ? Math.min(1, place.left / (END_TURNS * speed * turnTime + Number.MIN_VALUE)) : 1
  addScaled(force, force, offset, -stiff * stiff * share)
  sub(force, force, outerPush)
  reject(force, force, before)
  // a given radius counts for corrections, too, except almost at rest
  const fast = Math.max(speed, REST_SHARE * cruise)
  const tightest = leastRadius > 0 ? leastRadius : radius
  if (tightest > 0) truncate(force, force, (fast * fast) / tightest)
  const limit = agent.wish === null ? maxForce / mass : Infinity
  const faster = (place.speed - along) / servoTime(agent, step) + place.acceleration
  acrossFirst(force, before, faster, limit)
  if (turnTime > 0) turnForForceAhead(agent, step, path, place, out)
  // without any side engines it tilts, and pushes ahead as well
  if (turnsToPush && across > 0 && agent.wish === null) {
    scale(force, reject(force, force, before), mass)
    const missing = cutToOpen(agent, force)
    // to fly faster waits for the turn; in a sharp corner it brakes besides
    const waits = missing > WAIT_SHARE * maxForce
    scale(early, before, mass * (waits ? (isSharp ? -limit : Math.min(0, faster)) : faster))
    cutToOpen(agent, early)
    acrossFirst(scale(force, force, 1 / mass), before, dot(early, before) / mass, limit)
  }
  agent.asks = true
  addScaled(out.force, out.force, force, mass)
}

/** A tangent that changes by more than this within a step, along itself, is that of a corner. */
const SHARP = 0.1

/** A vehicle that lacks more than this share of `maxForce` across flies no faster meanwhile. */
const WAIT_SHARE = 0.03

/** The main engine opens between these cosines of the angle between nose and force. Chosen by hand. */
const OPENS_AT = 0.85
const OPEN_AT = 0.95

/**
 * Cuts the force (N) of a vehicle that must turn to push to what its engines give along it, until its nose
 * points there: they would push ahead instead.
 * @returns what is missing (N).
 */
export function cutToOpen(agent: Agent, out: Vec3): number {
  const size = length(out)
  if (!(size > 0)) return 0
  const { x, y, z } = scale(after, out, 1 / size)
  const open = smoothstep(dot(agent.attitude.x, after), OPENS_AT, OPEN_AT)
  const share = Math.max(open, Math.min(1, agent.forceAlong(x, y, z) / size))
  scale(out, out, share)
  return size - share * size
}

/** A vehicle that rolls aims at least this many radii ahead. Larger: more even, and it cuts curves more. */
const ROLLING_RADII = 0.35
/** It aims at least as far ahead as it rolls in this many lags of its servo and its force. */
const ROLLING_LAGS = 1.5

/**
 * As `trackPath`, for a vehicle that rolls: it aims at a point of the path ahead, on the circle through it
 * (pure pursuit, Coulter 1992), which does not depend on its speed.
 */
export function rollAlong(
  agent: Agent,
  step: Step,
  path: ArcPath,
  place: TrackPoint,
  { lag, leastRadius }: VehicleLimits,
  out: Wrench,
): void {
  const { s } = place
  const { mass, wish } = agent
  const time = servoTime(agent, step)
  const gear = path.gearAt(s) < 0 ? -1 : 1
  path.aimAt(offset, s, Math.max(ROLLING_RADII * leastRadius, ROLLING_LAGS * (lag + time) * agent.speed))
  sub(offset, offset, agent.position)
  if (wish !== null) wish.aim = gear * length(offset)
  // beyond a cusp nothing is in its way
  reportStraightDistance(agent, path.cuspAfter(s) - s)
  scale(force, offset, Math.max(0, place.speed + place.acceleration * time) / Math.max(length(offset), 1e-9))
  agent.asks = true
  addScaled(out.force, out.force, sub(force, force, agent.velocity), mass / time)
}

/** Stiffness (1/s) of the spring at `speed` (m/s), for a vehicle that need not turn to push. */
export function stiffness(speed: number, radius: number, lag: number, dt: number): number {
  return Math.min((STIFFNESS * speed) / radius, LAG_SHARE / Math.max(lag, 1e-9), STEP_SHARE / dt)
}

/** Share of the speed that the lateral force allows on an arc; the rest corrects errors. Larger: faster. */
const ARC_SPEED_SHARE = 0.965

/** Share of the corrections that a vehicle on an arc turns for: it turns more slowly than they change. */
const FEEDBACK = 0.6

/** Turns the vehicle in time to where the path will need force, else to where force is needed now. */
function turnForForceAhead(agent: Agent, step: Step, path: Track, { s }: TrackPoint, out: Wrench): void {
  const { mass, speed, forceTurnTime } = agent
  const piece = path.pieceAt(s)
  const bends = path.count > 0 && path.bendOf(piece) > 0
  const ahead = s + speed * forceTurnTime * (bends ? 0.5 : 1)
  path.curvatureAt(after, ahead)
  scale(after, after, mass * speed * speed)
  if (isZero(after)) scale(after, force, mass)
  else if (path.pieceAt(ahead) === piece) {
    scale(after, after, 1 - FEEDBACK)
    addScaled(after, after, force, mass * FEEDBACK)
  }
  agent.turnForForce(after, step, out)
}

/**
 * Maximum speed (m/s) at `s`: at most `cruise`, on each piece no faster than the lateral acceleration can
 * hold the agent on its arc, and slow enough to brake for tighter arcs, cusps, and the final speed at the
 * end. On an arc the brakes have the force that the turn leaves.
 */
export function maxSpeedAt(path: ArcPath, s: number, limits: VehicleLimits): number {
  const { count } = path
  const first = path.pieceAt(s)
  let speed = Math.min(limits.final, limits.cruise)
  for (let i = count - 1; i >= first; i--) {
    if (i < count - 1 && path.gearOf(i) !== path.gearOf(i + 1)) speed = 0
    const left = Math.max(0, path.startOf(i + 1) - Math.max(s, path.startOf(i)))
    speed = Math.min(
      maxSpeedBefore(speed, left, path.bendOf(i), limits),
      maxSpeedOnPiece(path, i, limits),
      limits.cruise,
    )
  }
  return speed
}

/** Speed (m/s) from which the agent can brake to `speed` in `distance` (m), at a curvature `bend` (1/m). */
export function maxSpeedBefore(speed: number, distance: number, bend: number, limits: VehicleLimits): number {
  const { brakeDelay, damping, response } = limits
  const brake = BRAKE_SHARE * limits.brake
  // the lag matters only near a stop: elsewhere it is short compared with the braking distance
  if (speed === 0) return brakingSpeed(distance, brake, damping, response)
  const lost = brake * brakeDelay
  if (bend === 0) return Math.sqrt(speed * speed + 2 * brake * distance + lost * lost) - lost
  // the brakes have what the turn leaves: with u = v² / held, du/ds = 2·brake / held · √(1 − u²)
  const held = heldSq(bend, limits)
  const angle = Math.asin(Math.min(1, (speed * speed) / held)) + (2 * brake * distance) / held
  return Math.sqrt(held * Math.sin(Math.min(angle, Math.PI / 2)))
}

/**
 * Speed (m/s) that can be held on piece `i`; below the cruising speed some force is left for corrections.
 * What bends more than `tightest` (1/m) is cut.
 */
export function maxSpeedOnPiece(path: Track, i: number, limits: VehicleLimits, tightest = Infinity): number {
  const bend = path.count === 0 ? 0 : Math.min(path.bendOf(i), tightest)
  if (bend === 0) return Infinity
  const held = Math.sqrt(heldSq(bend, limits))
  // without a given radius, the plan itself uses only a share of the force for turns
  return limits.radius > 0 && held < 0.999 * limits.cruise ? ARC_SPEED_SHARE * held : held
}

/**
 * Square of the speed (m²/s²) that can be held at the curvature `bend` (1/m, > 0). A vehicle rounds what is
 * tighter than its least radius with that radius.
 */
function heldSq(bend: number, limits: VehicleLimits): number {
  const { leastRadius } = limits
  const lateral = lateralOn(limits, Math.max(leastRadius, 1 / bend))
  return leastRadius * bend > 1 ? lateral * leastRadius : lateral / bend
}
