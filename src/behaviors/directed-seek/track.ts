import type { Agent, Step, Wrench } from '../../types.js'
import type { ArcPath } from '../../curves/arc-path.js'
import { BRAKE_SHARE, brakingSpeed } from '../../control/profile.js'
import { acrossFirst } from '../../control/across-first.js'
import type { VehicleLimits } from './vehicle-limits.js'
import { servoTime } from '../../control/drive.js'
import { addScaled, dot, isZero, reject, scale, sub, vec3 } from '../../math/vec3.js'

/** Pull (1/s) towards the path, in units of speed / radius: an error is gone after about a third of a radian of the turn. */
const STIFFNESS = 6

/** … and never so stiff that a lag in the force, a turn of the vehicle, or the step makes it swing: shares of 1 / time. */
const LAG_SHARE = 0.6
const SWING_SHARE = 4
const SWUNG_SHARE = 2
const STEP_SHARE = 0.25

const before = vec3()
const early = vec3()
const after = vec3()
const off = vec3()
const sideways = vec3()
const force = vec3()

/** What can be tracked: an {@link ArcPath}, or what is made of one. */
export type Track = Pick<ArcPath, 'count' | 'pointAt' | 'tangentAt' | 'curvatureAt' | 'pieceAt' | 'bendOf'>

/** Where on a path an agent is, and how it is to fly there. One object, since numbers that are handed over are boxed. */
export interface TrackPoint {
  /** Arc length of its point nearest to the agent, m. */
  s: number
  /** Turn radius, m. */
  radius: number
  /** Speed to have, m/s, and how that changes, m/s². */
  pace: number
  change: number
}

/**
 * Adds the force (N) that flies along `path` at `place`. What the path demands is fed forward, by the time `lag` of the terms early: over a step
 * the velocity must turn by the turn of the tangent, so an exact agent stays on it at any step; a spring, critically damped and as stiff as
 * the radius and the agent allow, takes the rest out. The force across comes first; what is left of `maxForce` drives. Where the vehicle must
 * turn to push elsewhere, it does so in time.
 */
export function trackPath(
  agent: Agent,
  step: Step,
  path: Track,
  place: TrackPoint,
  { lag, turnTime: swing, turnAllowance: swung }: VehicleLimits,
  out: Wrench,
): void {
  const { mass, maxForce, speed, velocity } = agent
  const { s } = place
  const { dt } = step
  const half = (speed * dt) / 2
  const lead = speed * lag
  // an engine that moves by the new velocity shows the one of half a step ago
  path.tangentAt(before, s - half)
  const along = dot(velocity, before)
  addScaled(sideways, velocity, before, -along)
  sub(off, agent.position, path.pointAt(off, s))
  reject(off, off, before)
  sub(
    force,
    path.tangentAt(after, s + half + lead),
    lead > 0 ? path.tangentAt(early, s - half + lead) : before,
  )
  scale(force, force, speed / dt)
  const stiff = Math.min(
    stiffness(speed, place.radius, lag, dt),
    (swung ? SWUNG_SHARE : SWING_SHARE) / Math.max(swing, 1e-9),
  )
  addScaled(force, force, sideways, -2 * stiff)
  addScaled(force, force, off, -stiff * stiff)
  reject(force, force, before)
  const most = agent.wish === null ? maxForce / mass : Infinity
  acrossFirst(force, before, (place.pace - along) / servoTime(agent, step) + place.change, most)
  addScaled(out.force, out.force, force, mass)
  if (swing > 0) turnAhead(agent, step, path, place, out)
}

/** Pull (1/s) towards the path at `speed` (m/s), of who need not turn to push. */
export function stiffness(speed: number, radius: number, lag: number, dt: number): number {
  return Math.min((STIFFNESS * speed) / radius, LAG_SHARE / Math.max(lag, 1e-9), STEP_SHARE / dt)
}

/** Share of the speed that an arc allows. */
const HELD_SHARE = 0.965

/** Share of the corrections that a vehicle on an arc turns for: it does not turn as fast as they come and go. */
const FEEDBACK = 0.3

/** Turns the vehicle in time to where the path will need its force; while the path needs none, to where it needs it now. */
function turnAhead(agent: Agent, step: Step, path: Track, { s }: TrackPoint, out: Wrench): void {
  const { mass, speed, forceTurnTime: swing } = agent
  const piece = path.pieceAt(s)
  const bends = path.count > 0 && path.bendOf(piece) > 0
  const ahead = s + speed * swing * (bends ? 0.5 : 1)
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
 * How fast (m/s) the agent may be at `s`: at most `cruise`, on each piece no faster than its lateral acceleration can hold it on its arc, and
 * slow enough to brake for all that comes: tighter arcs, cusps, and its final speed at the end. On an arc it brakes with what the turn leaves.
 */
export function paceAlong(path: ArcPath, s: number, terms: VehicleLimits): number {
  const { count } = path
  const first = path.pieceAt(s)
  let pace = Math.min(terms.final, terms.cruise)
  for (let i = count - 1; i >= first; i--) {
    if (i < count - 1 && path.gearOf(i) !== path.gearOf(i + 1)) pace = 0
    const room = Math.max(0, path.startOf(i + 1) - Math.max(s, path.startOf(i)))
    pace = Math.min(slowedFrom(pace, room, path.bendOf(i), terms), heldOn(path, i, terms), terms.cruise)
  }
  return pace
}

/** Speed (m/s) from which one can brake to `speed` within `room` (m) of a piece. */
export function slowedFrom(speed: number, room: number, bend: number, terms: VehicleLimits): number {
  const { damping, lateral, response } = terms
  const brake = BRAKE_SHARE * terms.brake
  // a lag is short beside the way that braking takes, but all there is near a stop
  if (speed === 0) return brakingSpeed(room, brake, damping, response)
  if (bend === 0) return Math.sqrt(speed * speed + 2 * brake * room)
  let square = speed * speed
  for (let round = 0; round < 2; round++) {
    const turning = Math.min(1, (square * bend) / lateral)
    const left = brake * Math.sqrt(1 - turning * turning)
    // of the middle of the piece
    square = speed * speed + (round === 0 ? 1 : 2) * left * room
  }
  return Math.sqrt(square)
}

/** Speed that can be held on a piece; where it must be braked for, some force is left to correct by. */
export function heldOn(path: Track, i: number, { cruise, lateral, radius }: VehicleLimits): number {
  const bend = path.count === 0 ? 0 : path.bendOf(i)
  if (bend === 0) return Infinity
  const held = Math.sqrt(lateral / bend)
  // where no radius is given, turns are planned with that share already
  return radius > 0 && held < 0.999 * cruise ? HELD_SHARE * held : held
}
