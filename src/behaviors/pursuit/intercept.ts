import type { Agent, Step, Vec3, Vec3Like } from '../../types.js'
import { drive, servoTime } from '../../control/drive.js'
import { addScaled, dot, length, normalize, scale, sub, vec3 } from '../../math/vec3.js'
import type { MotionModel } from './motion-model.js'

/** A quarry is reached when it is within this share of the agent's own radius: contact, with a little to spare. */
const TOUCH = 0.9

/** Looks ahead are at least so far apart, s, and this share of the time looked ahead more. */
const LEAST_STEP = 0.03
const STEP_GROWTH = 0.05

/** No meeting is looked for beyond this, s; some hundred looks go there. */
const MAX_TIME = 100

/** Looks spent on a near miss between two looks, on the time of the meeting, and on the direction at one time. */
const NEAR_MISS_ROUNDS = 8
const ROOT_ROUNDS = 4
const DIRECTION_ROUNDS = 4

const gap = vec3()
const aim = vec3()
const wanted = vec3()
const across = vec3()

/** What {@link fly} found: the way (m) made along n, and the time (s) that the present velocity counts as drift. */
const simulated = { along: 0, drift: 0 }

/**
 * First time (s) at which the agent, with the force it has and at up to `speed`, can touch the quarry of `motion`: its turn and its
 * run-up are counted. Where it cannot within `maxTime`, the time at which it comes nearest.
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
    // before missing / closing no meeting is possible
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

/** Looks around `middle`, the nearest (`least`) of three times, for one at which nothing is missing. */
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

/** Regula falsi, Illinois form: from `low`, where `above` is missing, to `high`, where nothing is. */
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

/** How much (m) is missing to touch the quarry after `time`. */
function shortfall(agent: Agent, motion: MotionModel, time: number, speed: number): number {
  sub(gap, motion.at(gap, time), agent.position)
  interceptCourse(aim, agent, gap, time, speed)
  return dot(aim, gap) - simulated.along - TOUCH * agent.radius
}

/**
 * Writes the unit direction to thrust in, so as to be at `offset` (m, from the agent) in `time` seconds. By Pontryagin's principle that
 * direction is constant all the way: thrust along it up to top speed, a turn into it at top speed, then straight on. So it is `offset`,
 * less what the present velocity drifts to the side until it is turned. (At the moment of reaching top speed the optimum leans into the
 * turn a little earlier; that gains less than one per cent of the turn, and is left out.)
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

/** Where one gets in `time` by thrust along the unit vector n, then turning into it: writes `flown`. */
function simulateThrust(
  { maxForce, mass, velocity, speed: currentSpeed }: Agent,
  n: Vec3Like,
  time: number,
  speed: number,
): void {
  const acceleration = maxForce / mass
  const top = Math.max(speed, currentSpeed)
  const along = dot(n, velocity)
  const aside = Math.sqrt(Math.max(0, currentSpeed * currentSpeed - along * along))
  const shortage = Math.max(0, Math.sqrt(Math.max(0, top * top - aside * aside)) - along)
  if (!(shortage < acceleration * time)) {
    simulated.along = along * time + (acceleration * time * time) / 2
    simulated.drift = time
    return
  }
  const ramp = shortage / acceleration
  const radius = (top * top) / acceleration
  const bend = Math.asin(Math.min(1, aside / top))
  const turn = Math.min(bend, ((time - ramp) * top) / radius)
  const left = bend - turn
  const straight = top * (time - ramp) - turn * radius
  simulated.along =
    along * ramp + (acceleration * ramp * ramp) / 2 + radius * (Math.sin(bend) - Math.sin(left)) + straight
  // next to none of it is sideways: no turn, and 0 / 0
  simulated.drift = aside > 1e-9 * top ? ramp + (radius * (Math.cos(left) - Math.cos(bend))) / aside : ramp
}

/**
 * Adds the force that gets the agent farthest along the unit vector `n`, at up to `speed`. Below top speed that is thrust along n; at
 * top speed it is lift, square to the velocity, which turns along a full circle where a servo on `speed · n` would cut the corner and lose
 * way. Within a response time of the course it is that servo.
 */
export function thrustAlong(agent: Agent, step: Step, n: Vec3Like, speed: number, out: Vec3): void {
  const { mass, maxForce, velocity } = agent
  // a combination that collects wishes has to know where this leads to, not only how it begins
  if (agent.wish !== null) scale(wanted, n, speed)
  else farthestAlong(wanted, velocity, n, speed, (maxForce / mass) * servoTime(agent, step))
  drive(agent, step, wanted, out)
}

/** Of the velocities no faster than `speed` and within `reach` (m/s) of `velocity`, the one farthest along the unit vector n. */
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
  // on the rim where the two balls meet, in the plane of the velocity and n
  const ahead = (currentSpeed * currentSpeed + speed * speed - reach * reach) / (2 * currentSpeed)
  const aside = speed * speed - ahead * ahead
  addScaled(across, n, velocity, -along / (currentSpeed * currentSpeed))
  const size = length(across)
  // too fast for there to be a rim, or flying straight away from n: then the servo brakes
  if (!(aside > 0 && size > 0)) return scale(out, n, speed)
  scale(out, velocity, ahead / currentSpeed)
  return addScaled(out, out, across, Math.sqrt(aside) / size)
}
