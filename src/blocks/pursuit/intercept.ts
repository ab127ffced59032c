import type { Agent, Step, Vec3, Vec3Like } from '../../core/types.js'
import { drive, servoTime } from '../../core/control/drive.js'
import { addScaled, dot, length, normalize, scale, sub, vec3 } from '../../core/math/vec3.js'
import type { MotionModel } from './motion-model.js'

/** The target is reached within this share of the agent's own radius: contact, with a small reserve. */
const TOUCH = 0.9

/** Smallest difference between two times looked at (s). Larger: short contacts are overlooked. */
const LEAST_STEP = 0.03
/** Growth of that difference per second of prediction. Larger: fewer steps. Both are chosen by hand. */
const STEP_GROWTH = 0.05

/** Longest prediction (s). The search takes about a hundred steps to get there. */
const MAX_TIME = 100

/** Rounds that are spent on a near miss between two times. More find shorter contacts. */
const NEAR_MISS_ROUNDS = 8
/** Rounds that are spent on the time of contact. */
const ROOT_ROUNDS = 4
/** Rounds that are spent on the direction at one time. */
const DIRECTION_ROUNDS = 4

const gap = vec3()
const aim = vec3()
const wanted = vec3()
const across = vec3()

/** Result of {@link simulateThrust}: way along n (m), time (s) that the present velocity is drift. */
const simulated = { along: 0, drift: 0 }

/**
 * First time (s) at which the agent can touch the target of `motion`, with its force and a speed of at most
 * `speed`. Its turn and acceleration are counted. Without contact within `maxTime`, the time of the smallest
 * distance.
 */
export function timeToTouch(agent: Agent, motion: MotionModel, speed: number, maxTime: number): number {
  const closing = speed + motion.speed
  let time = 0
  let shortage = shortfall(agent, motion, 0, speed)
  if (!(shortage > 0 && closing > 0)) return 0
  const latest = Math.min(maxTime, MAX_TIME)
  let before = 0
  let earlier = shortage
  let nearest = shortage
  let nearestTime = 0
  while (time < latest) {
    // Before shortage / closing no contact is possible.
    const next = Math.min(latest, time + Math.max(shortage / closing, LEAST_STEP + STEP_GROWTH * time))
    const nextShortage = shortfall(agent, motion, next, speed)
    if (nextShortage <= 0) return searchRoot(agent, motion, speed, time, shortage, next, nextShortage)
    if (shortage < nextShortage && shortage <= earlier && shortage < closing * (next - time)) {
      const touch = searchNearMiss(agent, motion, speed, before, time, next, shortage)
      if (touch < Infinity) return touch
    }
    if (nextShortage < nearest) {
      nearest = nextShortage
      nearestTime = next
    }
    before = time
    earlier = shortage
    time = next
    shortage = nextShortage
  }
  return nearestTime
}

/** Searches around `middle`, the best of three times, with the shortage `least`, for one without any. */
function searchNearMiss(
  agent: Agent,
  motion: MotionModel,
  speed: number,
  low: number,
  middle: number,
  high: number,
  least: number,
): number {
  for (let i = 0; i < NEAR_MISS_ROUNDS; i++) {
    const upper = high - middle > middle - low
    const time = (middle + (upper ? high : low)) / 2
    const shortage = shortfall(agent, motion, time, speed)
    if (shortage <= 0) return time
    if (shortage < least) {
      if (upper) low = middle
      else high = middle
      middle = time
      least = shortage
    } else if (upper) high = time
    else low = time
  }
  return Infinity
}

/** Regula falsi, Illinois form: from `low`, with the shortage `above`, to `high`, with −`below`. */
function searchRoot(
  agent: Agent,
  motion: MotionModel,
  speed: number,
  low: number,
  above: number,
  high: number,
  below: number,
): number {
  for (let i = 0; i < ROOT_ROUNDS; i++) {
    const time = low + ((high - low) * above) / (above - below)
    const shortage = shortfall(agent, motion, time, speed)
    if (shortage > 0) {
      low = time
      above = shortage
      below /= 2
    } else {
      high = time
      below = shortage
      above /= 2
    }
  }
  return high
}

/** Distance (m) that the agent is short of touching the target after `time`. */
function shortfall(agent: Agent, motion: MotionModel, time: number, speed: number): number {
  sub(gap, motion.positionAt(gap, time), agent.position)
  interceptCourse(aim, agent, gap, time, speed)
  return dot(aim, gap) - simulated.along - TOUCH * agent.radius
}

/**
 * Writes the unit direction to thrust in, to be at `offset` (m, from the agent) after `time` seconds. By
 * Pontryagin's principle this direction is constant: thrust along it up to top speed, a turn into it at top
 * speed, then straight on. So it is `offset` less the sideways drift of the present velocity until it is
 * turned. (When the agent reaches top speed, the optimum starts the turn a little earlier. That gains less
 * than one per cent of the turn, and is left out.)
 */
export function interceptCourse(
  out: Vec3,
  agent: Agent,
  offset: Vec3Like,
  time: number,
  speed: number,
): Vec3 {
  normalize(out, offset)
  for (let i = 0; i < DIRECTION_ROUNDS; i++) {
    simulateThrust(agent, out, time, speed)
    normalize(out, addScaled(out, offset, agent.velocity, -simulated.drift))
  }
  simulateThrust(agent, out, time, speed)
  return out
}

/** Simulates thrust along the unit vector n, then the turn into it. Writes `simulated`. */
function simulateThrust(
  { maxForce, mass, velocity, speed: currentSpeed }: Agent,
  n: Vec3Like,
  time: number,
  speed: number,
): void {
  const acceleration = maxForce / mass
  const top = Math.max(speed, currentSpeed)
  const along = dot(n, velocity)
  const lateralSpeed = Math.sqrt(Math.max(0, currentSpeed * currentSpeed - along * along))
  const shortage = Math.max(0, Math.sqrt(Math.max(0, top * top - lateralSpeed * lateralSpeed)) - along)
  if (!(shortage < acceleration * time)) {
    simulated.along = along * time + (acceleration * time * time) / 2
    simulated.drift = time
    return
  }
  const ramp = shortage / acceleration
  const radius = (top * top) / acceleration
  const bend = Math.asin(Math.min(1, lateralSpeed / top))
  const turn = Math.min(bend, ((time - ramp) * top) / radius)
  const remainingBend = bend - turn
  const straight = top * (time - ramp) - turn * radius
  simulated.along =
    along * ramp +
    (acceleration * ramp * ramp) / 2 +
    radius * (Math.sin(bend) - Math.sin(remainingBend)) +
    straight
  // With almost no sideways velocity there is no turn, and the quotient would be 0 / 0.
  simulated.drift =
    lateralSpeed > 1e-9 * top
      ? ramp + (radius * (Math.cos(remainingBend) - Math.cos(bend))) / lateralSpeed
      : ramp
}

/**
 * Adds the force that moves the agent farthest along the unit vector `n`, at a speed of at most `speed`.
 * Below top speed that is thrust along n. At top speed it is a force square to the velocity, which flies a
 * full circle; a servo on `speed · n` would cut the corner and lose speed. Near the wanted course it is that
 * servo.
 */
export function thrustAlong(agent: Agent, step: Step, n: Vec3Like, speed: number, out: Vec3): void {
  const { mass, maxForce, velocity } = agent
  // A combination that collects wishes needs the final velocity, not the next one.
  if (agent.wish !== null) scale(wanted, n, speed)
  else farthestAlong(wanted, velocity, n, speed, (maxForce / mass) * servoTime(agent, step))
  drive(agent, step, wanted, out)
}

/** Of the velocities up to `speed` and within `reach` (m/s) of `velocity`, writes that farthest along n. */
export function farthestAlong(
  out: Vec3,
  velocity: Vec3Like,
  n: Vec3Like,
  speed: number,
  reach: number,
): Vec3 {
  const currentSpeed = length(velocity)
  const along = dot(n, velocity)
  if (currentSpeed * currentSpeed + 2 * along * reach + reach * reach <= speed * speed)
    return addScaled(out, velocity, n, reach)
  if (currentSpeed * currentSpeed - 2 * along * speed + speed * speed <= reach * reach)
    return scale(out, n, speed)
  // On the circle where the two spheres meet, in the plane of the velocity and n.
  const ahead = (currentSpeed * currentSpeed + speed * speed - reach * reach) / (2 * currentSpeed)
  const lateralSq = speed * speed - ahead * ahead
  addScaled(across, n, velocity, -along / (currentSpeed * currentSpeed))
  const size = length(across)
  // Too fast for the spheres to meet, or flying exactly against n: then the servo brakes.
  if (!(lateralSq > 0 && size > 0)) return scale(out, n, speed)
  scale(out, velocity, ahead / currentSpeed)
  return addScaled(out, out, across, Math.sqrt(lateralSq) / size)
}
