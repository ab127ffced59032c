import type { Agent, Moving, Step, Vec3, Vec3Like } from '../../core/types.js'
import { drive, servoTime } from '../../core/control/drive.js'
import { isUsable } from '../../core/control/usable.js'
import { nearestWithin } from '../../core/math/approach.js'
import { arccos } from '../../core/math/scalar.js'
import { addScaled, copy, cross, dot, isZero, length, lengthSq } from '../../core/math/vec3.js'
import { normalize, perpendicular, reject, scale, sub, vec3 } from '../../core/math/vec3.js'
import { farthestAlong } from './intercept.js'
import type { MotionModel } from './motion-model.js'

/** Functions shared by runs at a target: relative motion, when to break off, and in which direction. */

// The numbers below are chosen by hand unless they say otherwise.

/** A sum of two unit vectors shorter than this has no reliable direction. */
const MIN_SUM = 0.2

/** Another side than the preferred one must be better by this factor. Larger: it is chosen less often. */
const BETTER = 1.1

/** Least sine of the angle between the preferred side and the course. */
const MIN_SINE = 0.3

/** Number of pieces of half a turn that are looked at. */
const PIECES = 8
/** Angle of a piece (rad). */
const PIECE = Math.PI / PIECES

const offset = vec3()
const relative = vec3()
const wanted = vec3()
const nearestOffset = vec3()
const turnPoint = vec3()
const targetPoint = vec3()
const across = vec3()
const trial = vec3()

/** Whether the position and velocity of the target are finite. If not, that is reported. */
export function isTargetUsable({ position, velocity }: Moving, agent: Agent): boolean {
  return isUsable(agent, 'target', position) && isUsable(agent, 'velocity of the target', velocity)
}

/** Lateral acceleration that the agent has in every direction across its course (m/s²). */
export function lateralAcceleration(agent: Agent): number {
  const { y, z } = agent.course
  const smallest = Math.min(
    agent.forceAlong(y.x, y.y, y.z),
    agent.forceAlong(-y.x, -y.y, -y.z),
    agent.forceAlong(z.x, z.y, z.z),
    agent.forceAlong(-z.x, -z.y, -z.z),
  )
  return Math.max(0, smallest / agent.mass)
}

/**
 * Adds the force that turns the course to the unit `direction`, which changes by `rate` (1/s), at `speed`
 * (m/s). The delay of the servo is compensated. To a direction behind it, the agent turns in a circle at full
 * speed.
 */
export function flyCourse(
  agent: Agent,
  step: Step,
  direction: Vec3Like,
  rate: Vec3Like,
  speed: number,
  out: Vec3,
): void {
  const { x, y } = agent.course
  normalize(wanted, addScaled(wanted, direction, rate, servoTime(agent, step) + agent.forceLag))
  if (dot(wanted, x) < 0) {
    reject(wanted, wanted, x)
    // Straight behind, both sides are equal: keep to one.
    const sine = length(wanted)
    if (sine < MIN_SUM) addScaled(wanted, wanted, y, MIN_SUM - sine)
    normalize(wanted, wanted)
    if (isZero(wanted)) copy(wanted, y)
  }
  // Also as a wish: a run is flown at the limit of the agent, and a velocity beyond its reach is of no use.
  const reach = (agent.maxForce / agent.mass) * servoTime(agent, step)
  drive(agent, step, farthestAlong(relative, agent.velocity, wanted, speed, reach), out)
}

/** Whether two, `distance` m apart, could be within `clearance` m in `delay` s and half a turn. */
export function couldMeet(
  agent: Agent,
  motion: MotionModel,
  {
    distance,
    turnRadius,
    speed,
  }: { readonly distance: number; readonly turnRadius: number; readonly speed: number },
  delay: number,
  clearance: number,
): boolean {
  return distance - clearance <= (agent.speed + motion.speed) * (delay + (Math.PI * turnRadius) / speed)
}

/** Whether the target is so near and so far to the side that no turn of `radius` (m) brings it ahead. */
export function isInsideTurn({ course, position }: Agent, target: Moving, radius: number): boolean {
  sub(offset, target.position, position)
  return lengthSq(offset) < 2 * length(reject(wanted, offset, course.x)) * radius
}

/** Time (s) in which wings roll to lift along the unit `side`; 0 for one that pushes in any direction. */
function rollTime({ attitude, forceTurnTime }: Agent, side: Vec3Like): number {
  return forceTurnTime > 0 ? (forceTurnTime * arccos(Math.abs(dot(attitude.y, side)))) / (Math.PI / 2) : 0
}

/** Adds the force that flies straight on at `speed` (m/s). */
export function flyOn(agent: Agent, step: Step, speed: number, out: Vec3): void {
  drive(agent, step, scale(wanted, agent.course.x, speed), out)
}

/** Speed at which the two approach each other (m/s); negative when they separate. */
export function closingSpeed(agent: Agent, target: Moving): number {
  sub(offset, target.position, agent.position)
  sub(relative, agent.velocity, target.velocity)
  const distance = length(offset)
  return distance > 0 ? dot(offset, relative) / distance : 0
}

/**
 * Smallest distance (m) to the target of `motion` if the agent, after `delay` s, turned towards the unit
 * `side`, square to its course, with a lateral `acceleration` (m/s²). It looks ahead for the length of half a
 * turn. `motion` must be up to date.
 */
export function missDistance(
  agent: Agent,
  motion: MotionModel,
  side: Vec3Like,
  acceleration: number,
  delay: number,
): number {
  const { course, position, speed, velocity } = agent
  copy(turnPoint, position)
  let smallest = Infinity
  let time = 0
  const radius = acceleration > 0 ? (speed * speed) / acceleration : 0
  const chord = radius < Infinity ? 2 * radius * Math.sin(PIECE / 2) : 0
  const piece = chord > 0 ? (radius * PIECE) / speed : 0
  for (let i = 0; i <= PIECES; i++) {
    // A right angle, then straight on.
    const angle = Math.min((i - 0.5) * PIECE, Math.PI / 2)
    sub(offset, turnPoint, motion.positionAt(targetPoint, time))
    time += i === 0 ? delay : piece
    if (i === 0) addScaled(turnPoint, turnPoint, velocity, delay)
    else {
      addScaled(turnPoint, turnPoint, course.x, chord * Math.cos(angle))
      addScaled(turnPoint, turnPoint, side, chord * Math.sin(angle))
    }
    sub(relative, sub(relative, turnPoint, motion.positionAt(targetPoint, time)), offset)
    smallest = Math.min(smallest, length(nearestWithin(offset, offset, relative, 1)))
  }
  return smallest
}

/**
 * Writes the unit direction, square to the course, in which a turn passes the target at the largest distance.
 * It is `preferred`, unless the side on which the target is being passed, or one across both, is clearly
 * better. Returns that distance (m), see {@link missDistance}.
 */
export function bestSide(
  out: Vec3,
  agent: Agent,
  target: Moving,
  motion: MotionModel,
  preferred: Vec3Like,
  acceleration: number,
  delay: number,
): number {
  const { x } = agent.course
  awayFrom(out, agent, target, preferred, Infinity)
  let best = missDistance(agent, motion, out, acceleration, delay + rollTime(agent, out))
  cross(across, out, x)
  for (let i = 0; i < 3; i++) {
    if (i < 2) scale(trial, across, 1 - 2 * i)
    else awayFrom(trial, agent, target, preferred, 0)
    const miss = missDistance(agent, motion, trial, acceleration, delay + rollTime(agent, trial))
    if (miss <= BETTER * best) continue
    best = miss
    copy(out, trial)
  }
  return best
}

/**
 * Writes the unit direction, square to the course, in which to turn away: the side on which the target is
 * being passed, mixed with `preferred` the more, the nearer it would be passed. `clearance` (m) is the wanted
 * distance.
 */
export function awayFrom(
  out: Vec3,
  agent: Agent,
  target: Moving,
  preferred: Vec3Like,
  clearance: number,
): Vec3 {
  const { x, y } = agent.course
  sub(offset, agent.position, target.position)
  sub(relative, agent.velocity, target.velocity)
  const sq = lengthSq(relative)
  copy(nearestOffset, offset)
  if (sq > 0) addScaled(nearestOffset, offset, relative, -dot(offset, relative) / sq)
  reject(nearestOffset, nearestOffset, x)
  reject(wanted, normalize(wanted, preferred), x)
  // if `preferred` points along the course, it gives no side: then the side of the y axis is taken
  const sine = length(wanted)
  if (sine < MIN_SINE) addScaled(wanted, wanted, y, MIN_SINE - sine)
  normalize(wanted, wanted)
  const miss = length(nearestOffset)
  const share = miss < clearance ? miss / clearance : miss > 0 ? 1 : 0
  scale(out, wanted, 1 - share)
  if (miss > 0) addScaled(out, out, nearestOffset, share / miss)
  if (!(length(out) > MIN_SUM)) reject(out, y, x)
  normalize(out, out)
  return isZero(out) ? perpendicular(out, x) : out
}

/**
 * Writes the unit direction that leads away from the target: the course, bent away from it. When the agent
 * flies straight at the target, it is `side`.
 */
export function awayAlong(out: Vec3, agent: Agent, target: Moving, side: Vec3Like): Vec3 {
  normalize(offset, sub(offset, agent.position, target.position))
  addScaled(out, agent.course.x, offset, 1)
  return length(out) > MIN_SUM ? normalize(out, out) : copy(out, side)
}

/** Speed (m/s, ≥ 0) along `direction`, relative to what moves with `velocity`, for a total of `speed`. */
export function closingIn(direction: Vec3Like, velocity: Vec3Like, speed: number): number {
  normalize(wanted, direction)
  const along = dot(wanted, velocity)
  const spare = along * along + speed * speed - lengthSq(velocity)
  return spare > 0 ? Math.max(0, Math.sqrt(spare) - along) : Math.max(0, -along)
}
