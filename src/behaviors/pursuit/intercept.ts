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
const LONGEST = 100

/** Looks spent on a near miss between two looks, on the time of the meeting, and on the direction at one time. */
const DIP_LOOKS = 8
const ROOT_LOOKS = 4
const ROUNDS = 4

const gap = vec3()
const aim = vec3()
const wanted = vec3()
const across = vec3()

/** What {@link fly} found: the way (m) made along n, and the time (s) that the present velocity counts as drift. */
const flown = { along: 0, drift: 0 }

/**
 * First time (s) at which the agent, with the force it has and at up to `speed`, can touch the quarry of `motion`: its turn and its
 * run-up are counted. Where it cannot within `maxTime`, the time at which it comes nearest.
 */
export function timeToTouch(agent: Agent, motion: MotionModel, speed: number, maxTime: number): number {
  const closing = speed + motion.speed
  let time = 0
  let missing = shortfall(agent, motion, 0, speed)
  if (!(missing > 0 && closing > 0)) return 0
  const latest = Math.min(maxTime, LONGEST)
  let before = 0
  let earlier = missing
  let nearest = missing
  let nearestTime = 0
  while (time < latest) {
    // before missing / closing no meeting is possible
    const next = Math.min(latest, time + Math.max(missing / closing, LEAST_STEP + STEP_GROWTH * time))
    const left = shortfall(agent, motion, next, speed)
    if (left <= 0) return root(agent, motion, speed, time, missing, next, left)
    if (missing < left && missing <= earlier && missing < closing * (next - time)) {
      const touch = dip(agent, motion, speed, before, time, next, missing)
      if (touch < Infinity) return touch
    }
    if (left < nearest) {
      nearest = left
      nearestTime = next
    }
    before = time
    earlier = missing
    time = next
    missing = left
  }
  return nearestTime
}

/** Looks around `middle`, the nearest (`least`) of three times, for one at which nothing is missing. */
function dip(
  agent: Agent,
  motion: MotionModel,
  speed: number,
  low: number,
  middle: number,
  high: number,
  least: number,
): number {
  for (let i = 0; i < DIP_LOOKS; i++) {
    const upper = high - middle > middle - low
    const time = (middle + (upper ? high : low)) / 2
    const left = shortfall(agent, motion, time, speed)
    if (left <= 0) return time
    if (left < least) {
      if (upper) low = middle
      else high = middle
      middle = time
      least = left
    } else if (upper) high = time
    else low = time
  }
  return Infinity
}

/** Regula falsi, Illinois form: from `low`, where `above` is missing, to `high`, where nothing is. */
function root(
  agent: Agent,
  motion: MotionModel,
  speed: number,
  low: number,
  above: number,
  high: number,
  below: number,
): number {
  for (let i = 0; i < ROOT_LOOKS; i++) {
    const time = low + ((high - low) * above) / (above - below)
    const left = shortfall(agent, motion, time, speed)
    if (left > 0) {
      low = time
      above = left
      below /= 2
    } else {
      high = time
      below = left
      above /= 2
    }
  }
  return high
}

/** How much (m) is missing to touch the quarry after `time`. */
function shortfall(agent: Agent, motion: MotionModel, time: number, speed: number): number {
  sub(gap, motion.at(gap, time), agent.position)
  interceptCourse(aim, agent, gap, time, speed)
  return dot(aim, gap) - flown.along - TOUCH * agent.radius
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
  for (let i = 0; i < ROUNDS; i++) {
    fly(agent, out, time, speed)
    normalize(out, addScaled(out, offset, agent.velocity, -flown.drift))
  }
  fly(agent, out, time, speed)
  return out
}

/** Where one gets in `time` by thrust along the unit vector n, then turning into it: writes `flown`. */
function fly(
  { maxForce, mass, velocity, speed: pace }: Agent,
  n: Vec3Like,
  time: number,
  speed: number,
): void {
  const power = maxForce / mass
  const top = Math.max(speed, pace)
  const along = dot(n, velocity)
  const aside = Math.sqrt(Math.max(0, pace * pace - along * along))
  const missing = Math.max(0, Math.sqrt(Math.max(0, top * top - aside * aside)) - along)
  if (!(missing < power * time)) {
    flown.along = along * time + (power * time * time) / 2
    flown.drift = time
    return
  }
  const ramp = missing / power
  const radius = (top * top) / power
  const bend = Math.asin(Math.min(1, aside / top))
  const turn = Math.min(bend, ((time - ramp) * top) / radius)
  const left = bend - turn
  const straight = top * (time - ramp) - turn * radius
  flown.along =
    along * ramp + (power * ramp * ramp) / 2 + radius * (Math.sin(bend) - Math.sin(left)) + straight
  // next to none of it is sideways: no turn, and 0 / 0
  flown.drift = aside > 1e-9 * top ? ramp + (radius * (Math.cos(left) - Math.cos(bend))) / aside : ramp
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
  const pace = length(velocity)
  const along = dot(n, velocity)
  if (pace * pace + 2 * along * reach + reach * reach <= speed * speed)
    return addScaled(out, velocity, n, reach)
  if (pace * pace - 2 * along * speed + speed * speed <= reach * reach) return scale(out, n, speed)
  // on the rim where the two balls meet, in the plane of the velocity and n
  const ahead = (pace * pace + speed * speed - reach * reach) / (2 * pace)
  const aside = speed * speed - ahead * ahead
  addScaled(across, n, velocity, -along / (pace * pace))
  const size = length(across)
  // too fast for there to be a rim, or flying straight away from n: then the servo brakes
  if (!(aside > 0 && size > 0)) return scale(out, n, speed)
  scale(out, velocity, ahead / pace)
  return addScaled(out, out, across, Math.sqrt(aside) / size)
}
