import type { Agent, Step, Vec3, Vec3Like } from '../../core/types.js'
import { unbrakedDistance } from '../../core/control/arrive-at.js'
import {
  BRAKE_SHARE,
  brakingPlan,
  brakingSpeed,
  followPlan,
  followSlope,
  lagBeside,
  plannedSpeed,
} from '../../core/control/profile.js'
import {
  add,
  addScaled,
  copy,
  distance as distanceTo,
  dot,
  length,
  lengthSq,
  normalize,
  reject,
  scale,
  sub,
  truncate,
  vec3,
} from '../../core/math/vec3.js'
import type { CarrierMotion } from './carrier-motion.js'
import { distanceToBall, pathAroundCarrier, tangentPast } from './path-around-carrier.js'
import { addForce, cutAlong, forceLeft } from './thrust.js'

/** Latest time of a rendezvous that is searched for (s). */
const MAX_TIME = 1e4

/** The search steps over no more than the time in which the carrier turns by this angle (rad), … */
const SEARCH_ANGLE = Math.PI / 4

/** … and takes at most this many steps. */
const SEARCH_STEPS = 100

/** Upper bound of the steps of the root finder for the time of the rendezvous. */
const MAX_ROUNDS = 60

/**
 * A meeting that is to be kept is planned with this share of the flight time to spare, so that errors of the
 * flight do not defer it. Chosen by hand.
 */
const RESERVE = 0.01

/** A meeting is found anew when the flight has got this much more time (s) to spare. Chosen by hand. */
const MORE_TO_SPARE = 1

/** The time of the rendezvous is found to this relative accuracy; absolute (s) where it is below 1 s. */
const TIME_ACCURACY = 1e-14

/** Share of the force that a turn around a carrier counts on. Chosen by hand. */
const TURN_SHARE = 0.6

/**
 * Whether a flight meets the ball that the agent keeps out of is tested at this many points, with this share
 * of the ball's radius. Chosen by hand.
 */
const SAMPLES = 12
const BLOCK_SHARE = 0.97

/** Meetings are tried at this many angles of a turn of the carrier. Chosen by hand. */
const WAITS = 16

/**
 * An agent does not fly around a carrier that turns faster than this share of its own rate around it. Chosen
 * by hand.
 */
const CHASE_SHARE = 0.5

/**
 * An agent that is too fast to stop passes the carrier on the side to which it flies, not on that of its
 * goal, if it would pass within this many radii of the ball. More than 1, so that it does not change sides
 * once it flies along the tangent. Chosen by hand.
 */
const SIDE_RADII = 1.15

const braking = brakingPlan()
const point = vec3()
const velocity = vec3()
const arriving = vec3()
const relative = vec3()
const offset = vec3()
const ahead = vec3()
const towards = vec3()
const wanted = vec3()

/**
 * The meeting of an agent with a point fixed on a carrier that drifts and turns: where, when, and at what
 * velocity. `find` computes it; `flyStraight` and `flyAround` fly to it. One object serves any number of
 * agents, one after the other.
 *
 * The path takes least time as seen by an observer that moves, all the way, with the velocity wanted at the
 * end. For that observer the meeting is a point at rest at which the agent comes to rest, so the path is a
 * straight line, flown with full thrust and then braked along √(2·a·d). The motion of the carrier is exact,
 * and the time of the meeting is the least that agrees with the flight time. (Energy-optimal guidance, a = 6
 * ZEM/tgo² − 2 ZEV/tgo, takes 1.26 times as long from rest to rest: its thrust is a ramp, not a switch.)
 */
export class Rendezvous {
  /** Time until the meeting (s). */
  time = 0
  /** Time that the flight had to spare when `keepOrFind` found the meeting (s). */
  spare = 0
  /** Where the agent meets the point (m), and the velocity that it has there (m/s). World axes. */
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  /** The present position of the meeting (m), as seen by an observer that moves with that velocity. */
  readonly aim: Vec3 = vec3()
  /** Speed towards `aim` (m/s) from which the agent can still brake, as of the last `flyStraight`. */
  stoppableSpeed = 0
  /**
   * Time until the agent can brake (s): set it before `flyStraight` or `flyAround`. In a search: time that
   * turns may take (s).
   */
  turning = 0
  /**
   * What an agent that turns to be pushed counts on, whatever its present attitude: thrust and brakes (m/s²),
   * and reaction time (s). With a thrust of 0 the agent is pushed and braked as its present attitude allows.
   */
  private thrust = 0
  private reaction = 0
  /** See `thrust`. */
  brakes = 0
  private agent!: Agent
  private step!: Step
  private carrier!: CarrierMotion
  private radius = 0
  private maxSpeed = 0
  /** Acceleration (m/s²) of the carrier, in whose frame the agent flies. */
  private readonly acceleration: Vec3 = vec3()
  /** Share of the flight time that a search leaves to spare. */
  private reserve = 0

  /**
   * Sets the agent and the carrier that it flies to in this step. Call it before all others.
   * @param radius of the ball about the carrier's centre to stay out of (m); 0: none.
   * @param maxSpeed of the agent in the world (m/s).
   */
  begin(agent: Agent, step: Step, carrier: CarrierMotion, radius: number, maxSpeed: number): this {
    this.agent = agent
    this.step = step
    this.carrier = carrier
    this.radius = radius
    this.maxSpeed = maxSpeed
    return this.assume(0, 0, 0)
  }

  /**
   * Counts on thrust and brakes (m/s²) whatever the attitude, on a reaction time (s), and on a turn (s) in a
   * long flight. With 0 the present attitude decides. A carrier that turns by a radian meanwhile is gone: to
   * wait for it costs more than to be late.
   */
  assume(thrust: number, brakes: number, reaction: number, turn = 0): this {
    this.thrust = thrust
    this.brakes = brakes
    this.reaction = reaction
    this.turning = turn * Math.max(0, 1 - this.carrier.rate * turn)
    return this
  }

  /**
   * Finds the earliest meeting. If there is none within the search time, it leads to the point as it is now,
   * with a time of 0.
   * @param fromCenter the point, from the centre of the carrier, now (m), world axes.
   * @param inward velocity to have there relative to the carrier (m/s), world axes, now: it turns with the
   * carrier.
   */
  find(fromCenter: Vec3Like, inward: Vec3Like): this {
    const longest = SEARCH_ANGLE / this.carrier.rate
    let low = 0
    let lowLateness = this.lateness(fromCenter, inward, 0)
    let high = Math.min(Math.max(lowLateness, 1e-3), longest)
    let highLateness = this.lateness(fromCenter, inward, high)
    for (let i = 0; i < SEARCH_STEPS && highLateness > 0 && high < MAX_TIME; i++) {
      low = high
      lowLateness = highLateness
      high = Math.min(2 * high, high + longest, MAX_TIME)
      highLateness = this.lateness(fromCenter, inward, high)
    }
    if (!(highLateness <= 0)) {
      this.lateness(fromCenter, inward, 0)
      this.time = 0
      return this
    }
    // regula falsi, Illinois form, with a bisection in every fourth round
    for (let i = 0; i < MAX_ROUNDS && high - low > TIME_ACCURACY * (1 + low) && highLateness < 0; i++) {
      const bisect = i % 4 === 3
      const time = bisect
        ? (low + high) / 2
        : low + ((high - low) * lowLateness) / (lowLateness - highLateness)
      const late = this.lateness(fromCenter, inward, time)
      if (late > 0) {
        low = time
        lowLateness = late
        if (!bisect) highLateness /= 2
      } else {
        high = time
        highLateness = late
        if (!bisect) lowLateness /= 2
      }
    }
    this.lateness(fromCenter, inward, high)
    this.time = high
    return this
  }

  /**
   * Keeps the meeting `planned` (s) from now if the agent can still be in time, and not much too early; else
   * finds the earliest, with some time to spare. A meeting that is found anew in each step is deferred in
   * each step: the braking for it cancels itself, and the agent stays behind a carrier that spins. Where the
   * ball is in the way to a carrier that spins fast, a later meeting may be found, on the agent's own side.
   * @param spare time that the flight to the planned meeting had to spare when it was found (s).
   */
  keepOrFind(fromCenter: Vec3Like, inward: Vec3Like, planned: number, spare: number): this {
    if (planned > 0) {
      const lateness = this.lateness(fromCenter, inward, planned)
      if (lateness <= 0 && -lateness < spare + MORE_TO_SPARE) {
        this.time = planned
        this.spare = spare
        return this
      }
    }
    this.reserve = RESERVE
    this.find(fromCenter, inward)
    if (this.isBlocked()) this.wait(fromCenter, inward)
    this.reserve = 0
    this.spare = -this.lateness(fromCenter, inward, this.time)
    return this
  }

  /**
   * Defers the meeting until the carrier has turned the point to where the flight is clear, if that is sooner
   * than flying around the carrier.
   */
  private wait(fromCenter: Vec3Like, inward: Vec3Like): void {
    const earliest = this.time
    const { rate } = this.carrier
    const turnRate = this.turnSpeed / this.radius
    const period = (2 * Math.PI) / rate
    // an agent that flies around a carrier which turns as fast does not get ahead
    const longest = rate > CHASE_SHARE * turnRate ? period : Math.PI / turnRate
    for (let i = 1; i <= WAITS && (i * period) / WAITS < longest; i++) {
      this.time = earliest + (i * period) / WAITS
      const late = this.lateness(fromCenter, inward, this.time)
      if (late <= 0 && !this.isBlocked()) return
    }
    this.lateness(fromCenter, inward, earliest)
    this.time = earliest
  }

  /**
   * Whether the ball is in the way of the straight flight to the meeting. The flight is taken as the cubic
   * from the present velocity to rest, as the observer sees it.
   */
  private isBlocked(): boolean {
    const { agent, carrier, radius } = this
    if (radius === 0) return false
    const flight = this.flightTime(Infinity)
    sub(relative, agent.velocity, this.velocity)
    const end = this.time
    for (let i = 0; i <= SAMPLES; i++) {
      const time = (i / SAMPLES) * end
      const u = flight > 0 ? Math.min(1, time / flight) : 1
      const rest = (1 - u) * (1 - u)
      addScaled(point, this.aim, this.velocity, time)
      sub(offset, agent.position, this.aim)
      addScaled(point, point, offset, rest * (1 + 2 * u))
      addScaled(point, point, relative, rest * u * flight)
      if (distanceTo(point, carrier.centerAt(offset, time)) < BLOCK_SHARE * radius) return true
    }
    return false
  }

  /** Adds the force (N) that flies straight to the meeting. */
  flyStraight(out: Vec3): void {
    const { agent, maxSpeed, step } = this
    const { mass } = agent
    const distance = length(sub(offset, this.aim, agent.position))
    normalize(ahead, offset)
    const time = this.servoTime
    sub(relative, agent.velocity, this.velocity)
    const closing = dot(relative, ahead)
    braking.decel = BRAKE_SHARE * this.brakesAlong(ahead)
    braking.damping = agent.compensateDamping ? 0 : agent.damping
    braking.lag = lagBeside(time / 2, step.dt)
    braking.top = Infinity
    const unbraked = unbrakedDistance(relative, closing, braking.decel) + Math.max(0, closing) * this.turning
    const left = Math.max(0, distance - unbraked)
    this.stoppableSpeed = plannedSpeed(braking, left)
    braking.top = addableSpeed(this.velocity, ahead, maxSpeed)
    const speed = Math.min(this.stoppableSpeed, braking.top)
    addScaled(wanted, relative, ahead, -closing)
    scale(wanted, wanted, followSlope(0, distance > 0 ? speed / distance : 0, 1, time, step.dt))
    const along = left > 0 ? followPlan(braking, left, closing, time, step.dt) : -closing / time
    addScaled(wanted, wanted, ahead, along)
    if (speed > 0 && speed < braking.top) addScaled(wanted, wanted, agent.velocity, braking.damping)
    scale(wanted, add(wanted, wanted, this.acceleration), mass)
    addForce(agent, wanted, distanceTo(this.position, agent.position), out)
  }

  /**
   * Adds the force (N) that flies around the ball, if it is in the way, or if the agent is too fast to stop
   * before it: along the tangent, no faster than the turn around it allows. The speed across the tangent is
   * removed before the one along it, because an agent that cannot stop can often still pass.
   * @returns false when the straight line is clear; then nothing is added.
   */
  flyAround(out: Vec3): boolean {
    const { agent, carrier, maxSpeed, radius, turnSpeed } = this
    if (radius === 0) return false
    const { mass } = agent
    const isBlocked = this.isBlocked()
    sub(offset, agent.position, carrier.position)
    sub(relative, agent.velocity, carrier.velocity)
    sub(point, this.position, carrier.centerAt(point, this.time))
    let pathLength = isBlocked ? pathAroundCarrier(ahead, offset, point, radius, relative) : -1
    if (pathLength < 0) {
      const arrivalSpeed = distanceTo(this.velocity, carrier.velocity)
      if (!this.isTooFast(radius, arrivalSpeed)) return false
      pathLength = tangentPast(ahead, offset, relative, radius)
    } else if (this.isTooFast(SIDE_RADII * radius, turnSpeed))
      pathLength = tangentPast(ahead, offset, relative, radius)
    const away = length(offset)
    const tangent = Math.sqrt(Math.max(0, away * away - radius * radius))
    const brake = BRAKE_SHARE * this.brakesAlong(ahead)
    const time = this.servoTime
    const speed = Math.min(
      Math.sqrt(turnSpeed * turnSpeed + 2 * brake * tangent),
      brakingSpeed(Math.max(0, pathLength - turnSpeed * this.turning), brake, 0, time),
      addableSpeed(carrier.velocity, ahead, maxSpeed),
    )
    scale(wanted, ahead, speed)
    scale(wanted, sub(wanted, wanted, relative), mass / time)
    addScaled(wanted, wanted, this.acceleration, mass)
    if (agent.wish === null) {
      if (this.thrust > 0) cutAlongWithin(wanted, ahead, this.thrust * mass)
      else cutAlong(agent, wanted, ahead)
    }
    addForce(agent, wanted, pathLength, out)
    return true
  }

  /**
   * Whether the agent flies towards a ball about the carrier's centre and cannot slow down to `maxSpeed`
   * (m/s) before it. Reads the scratch vectors `offset` and `relative`.
   */
  private isTooFast(radius: number, maxSpeed: number): boolean {
    const before = distanceToBall(offset, relative, radius)
    if (before === Infinity) return false
    const speed = length(relative)
    const brakes = this.brakesAlong(scale(towards, relative, 1 / speed))
    return speed * speed - maxSpeed * maxSpeed > 2 * brakes * Math.max(0, before - speed * this.turning)
  }

  /**
   * Sets position, velocity and aim of a meeting at `time` (s). @returns by how much the flight there takes
   * longer than that (s).
   */
  private lateness(fromCenter: Vec3Like, inward: Vec3Like, time: number): number {
    const { carrier } = this
    carrier.pointAt(point, velocity, fromCenter, time)
    copy(this.acceleration, carrier.acceleration)
    addScaled(velocity, velocity, carrier.turned(arriving, inward, time), 1)
    copy(this.position, point)
    copy(this.velocity, velocity)
    addScaled(this.aim, point, velocity, -time)
    return (1 + this.reserve) * this.flightTime(this.maxSpeed) - time
  }

  /**
   * Least time (s) to come to rest at `aim`, relative to `velocity`: motion across the line is stopped first,
   * then the line is flown.
   */
  private flightTime(maxSpeed: number): number {
    const { agent } = this
    const distance = length(sub(offset, this.aim, agent.position))
    normalize(ahead, offset)
    sub(relative, agent.velocity, this.velocity)
    const limit = agent.maxForce / agent.mass
    const available = this.thrust > 0 ? this.thrust : forceLeft(agent, ahead) / agent.mass
    const thrust = Math.max(1e-9 * limit, available - dot(this.acceleration, ahead))
    const brake = BRAKE_SHARE * this.brakesAlong(ahead)
    if (!(limit > 0 && thrust > 0 && brake > 0 && distance < Infinity)) return MAX_TIME
    const along = dot(relative, ahead)
    const across = Math.sqrt(Math.max(0, lengthSq(relative) - along * along))
    const maxAlong = addableSpeed(this.velocity, ahead, maxSpeed)
    const time = across / limit + timeToRest(distance, along, thrust, brake, maxAlong)
    // a short way asks for no whole turn
    return time + Math.min(this.turning, time)
  }

  /** Deceleration (m/s²) of a motion along the unit `direction`. */
  private brakesAlong(direction: Vec3Like): number {
    const { agent } = this
    const brakes = this.brakes > 0 ? this.brakes : forceLeft(agent, direction, -1) / agent.mass
    return Math.max(0, brakes + Math.min(0, dot(this.acceleration, direction)))
  }

  /** Speed (m/s) at which the agent can turn around the ball. */
  private get turnSpeed(): number {
    return Math.sqrt(TURN_SHARE * (this.agent.maxForce / this.agent.mass) * this.radius)
  }

  private get servoTime(): number {
    const { agent, step } = this
    // Twice as stiff as other drives: between speeding up and braking every lag is lost time. A wish is read
    // with the plain response time.
    const time = agent.wish === null ? agent.responseTime / 2 : agent.responseTime
    return Math.max(time, step.dt, this.reaction)
  }
}

/**
 * Time (s) to come to rest at the end of a straight line.
 * @param distance to the end (m).
 * @param along present speed towards it (m/s).
 * @param thrust and @param brake accelerations (m/s²).
 */
function timeToRest(
  distance: number,
  along: number,
  thrust: number,
  brake: number,
  maxSpeed: number,
): number {
  let left = distance
  let speed = along
  let time = 0
  if (speed < 0) {
    time = -speed / thrust
    left += (speed * speed) / (2 * thrust)
    speed = 0
  }
  const peak = Math.sqrt((2 * (left + (speed * speed) / (2 * thrust)) * thrust * brake) / (thrust + brake))
  // too fast to stop in time: roughly, past the end and back
  if (peak < speed) return time + speed / brake + (speed - peak) / thrust
  if (peak <= maxSpeed) return time + (peak - speed) / thrust + peak / brake
  const fast = Math.max(maxSpeed, distance / MAX_TIME)
  const rest = left - (fast * fast - speed * speed) / (2 * thrust) - (fast * fast) / (2 * brake)
  return time + Math.max(0, fast - speed) / thrust + fast / brake + Math.max(0, rest) / fast
}

/**
 * Cuts a force (N) to a magnitude, whatever its direction; the part across the unit `axis` has priority. For
 * agents that turn to be pushed.
 */
function cutAlongWithin(force: Vec3, axis: Vec3Like, limit: number): void {
  const along = dot(force, axis)
  truncate(force, reject(force, force, axis), limit)
  const left = Math.sqrt(Math.max(0, limit * limit - lengthSq(force)))
  addScaled(force, force, axis, Math.max(-left, Math.min(left, along)))
}

/** Speed (m/s, ≥ 0) along the unit `direction` that may be added to `base` within `maxSpeed`. */
export function addableSpeed(base: Vec3Like, direction: Vec3Like, maxSpeed: number): number {
  if (maxSpeed === Infinity) return Infinity
  const along = dot(base, direction)
  const inside = along * along - lengthSq(base) + maxSpeed * maxSpeed
  return inside > 0 ? Math.max(0, Math.sqrt(inside) - along) : 0
}
