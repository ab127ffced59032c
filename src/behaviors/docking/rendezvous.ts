import type { Agent, Step, Vec3, Vec3Like } from '../../types.js'
import {
  BRAKE_SHARE,
  brakingPlan,
  brakingSpeed,
  followPlan,
  followSlope,
  lagBeside,
  plannedSpeed,
} from '../../control/profile.js'
import {
  addScaled,
  copy,
  distance as distanceTo,
  dot,
  length,
  lengthSq,
  normalize,
  scale,
  sub,
  vec3,
} from '../../math/vec3.js'
import type { CarrierMotion } from './carrier-motion.js'
import { pathAroundCarrier } from './path-around-carrier.js'
import { busyWay, lineTime, speedAlong } from './line-time.js'
import { forceLeft, press } from './thrust.js'

/** No meeting is looked for later than this, s, nor farther ahead than the carrier turns by this angle, rad. */
const LATEST = 1e4
const FORESIGHT = Math.PI

/** Bisections and secants spent on the time of the meeting. */
const ROUNDS = 60

/** The time of the meeting is found to this share of itself, or this many seconds. */
const EXACT = 1e-14

/** Share of the force that a turn round a carrier counts on. */
const TURN_SHARE = 0.6

const braking = brakingPlan()
const point = vec3()
const velocity = vec3()
const arriving = vec3()
const relative = vec3()
const offset = vec3()
const ahead = vec3()
const wanted = vec3()

/**
 * A meeting with a place that is fixed on a carrier which drifts and turns: where, when, and how fast. `meet` finds it, `push` flies to
 * it. One object serves any number of agents, one after the other.
 *
 * The way is that of least time to the eye of somebody who flies, all the way, with the velocity to be had at the end: to him the meeting is a point at
 * rest, at which to come to rest; so it is a straight line, full thrust, and the brakes of √(2·a·d). The place is propagated exactly, and the time of
 * the meeting is the least that agrees with itself. (Energy-optimal guidance, a = 6 ZEM/tgo² − 2 ZEV/tgo, takes 1.26 times as long from
 * rest to rest: its thrust is a ramp, not a switch.)
 */
export class Rendezvous {
  /** Time until then, s. */
  time = 0
  /** Where, m, and the velocity to be had there, m/s. World axes. */
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  /** The point to come to rest at, m, for somebody who moves with that velocity; now. */
  readonly aim: Vec3 = vec3()
  /** Speed (m/s) towards it from which the ship can still brake, as of the last `push`. */
  plan = 0
  /**
   * For a ship that turns to be pushed, what it counts on, m/s², whatever its attitude now: thrust, brakes, time until it can brake, s, and reaction,
   * s. With a thrust of 0 it is pushed, and braked, as its attitude now allows, at once.
   */
  thrust = 0
  brakes = 0
  turning = 0
  reaction = 0

  /**
   * Finds the earliest meeting.
   * @param arm the place, m, world axes, from the centre of the carrier, now.
   * @param inward velocity to be had there relative to the carrier, m/s; world axes, now: it turns with the carrier.
   * @param speed top speed of the agent, m/s, in the world.
   */
  meet(agent: Agent, motion: CarrierMotion, arm: Vec3Like, inward: Vec3Like, speed: number): this {
    const latest = Math.min(LATEST, FORESIGHT / motion.rate)
    let low = 0
    let above = this.missing(agent, motion, arm, inward, speed, 0)
    let high = Math.min(Math.max(above, 1e-3), latest)
    let below = this.missing(agent, motion, arm, inward, speed, high)
    while (below > 0 && high < latest) {
      low = high
      above = below
      high = Math.min(2 * high, latest)
      below = this.missing(agent, motion, arm, inward, speed, high)
    }
    if (!(below <= 0)) {
      // none to be foreseen: after the place as it is now
      this.missing(agent, motion, arm, inward, speed, 0)
      this.time = 0
      return this
    }
    // regula falsi, Illinois form
    for (let i = 0; i < ROUNDS && high - low > EXACT * (1 + low) && below < 0; i++) {
      const time = i % 4 === 3 ? (low + high) / 2 : low + ((high - low) * above) / (above - below)
      const left = this.missing(agent, motion, arm, inward, speed, time)
      if (left > 0) {
        low = time
        above = left
        if (i % 4 !== 3) below /= 2
      } else {
        high = time
        below = left
        if (i % 4 !== 3) above /= 2
      }
    }
    this.missing(agent, motion, arm, inward, speed, high)
    this.time = high
    return this
  }

  /** Counts on thrust and brakes (m/s²) whatever the attitude, with a slower servo (s); 0: on what the attitude now allows. */
  count(thrust: number, brakes: number, reaction: number): void {
    this.thrust = thrust
    this.brakes = brakes
    this.reaction = reaction
    this.turning = 0
  }

  /**
   * Finds the earliest meeting (see `meet`), and adds the force (N) that flies to it, round a ball of `radius` (m) about the carrier's centre. For what is
   * pushed any way.
   * @param brakes m/s² it counts on whatever the direction; 0: on what there is along the way.
   */
  flyTo(
    agent: Agent,
    step: Step,
    motion: CarrierMotion,
    arm: Vec3Like,
    inward: Vec3Like,
    radius: number,
    speed: number,
    brakes: number,
    out: Vec3,
  ): void {
    this.count(0, brakes, 0)
    this.meet(agent, motion, arm, inward, speed)
    if (!this.pushRound(agent, step, motion, radius, speed, out)) this.push(agent, step, speed, out)
  }

  /** Adds the force (N) that flies to the meeting. As a wish it is not cut, and tells the distance. */
  push(agent: Agent, step: Step, speed: number, out: Vec3): void {
    const { mass } = agent
    const distance = length(sub(offset, this.aim, agent.position))
    normalize(ahead, offset)
    const time = this.servoTime(agent, step)
    sub(relative, agent.velocity, this.velocity)
    const closing = dot(relative, ahead)
    braking.decel = BRAKE_SHARE * this.brakesAlong(agent, ahead)
    braking.damping = agent.compensateDamping ? 0 : agent.damping
    braking.lag = lagBeside(time / 2, step.dt)
    braking.top = Infinity
    const busy = busyWay(relative, closing, braking.decel) + Math.max(0, closing) * this.turning
    const way = Math.max(0, distance - busy)
    this.plan = plannedSpeed(braking, way)
    braking.top = speedAlong(this.velocity, ahead, speed)
    const wants = Math.min(this.plan, braking.top)
    addScaled(wanted, relative, ahead, -closing)
    scale(wanted, wanted, followSlope(0, distance > 0 ? wants / distance : 0, 1, time, step.dt))
    const along = way > 0 ? followPlan(braking, way, closing, time, step.dt) : -closing / time
    addScaled(wanted, wanted, ahead, along)
    if (wants > 0 && wants < braking.top) addScaled(wanted, wanted, agent.velocity, braking.damping)
    scale(wanted, wanted, mass)
    press(agent, wanted, distanceTo(this.position, agent.position), out)
  }

  /**
   * As `push`, but round a ball of `radius` (m) about the carrier's centre where that is in the way: along the tangent, no faster than the turn round it
   * allows. False, and nothing done, when the straight way is clear.
   */
  pushRound(
    agent: Agent,
    step: Step,
    motion: CarrierMotion,
    radius: number,
    speed: number,
    out: Vec3,
  ): boolean {
    sub(offset, agent.position, motion.position)
    sub(relative, agent.velocity, motion.velocity)
    sub(point, this.position, motion.centerAt(point, this.time))
    const way = pathAroundCarrier(ahead, offset, point, radius, relative)
    if (way < 0) return false
    const { mass } = agent
    const away = length(offset)
    const straight = Math.sqrt(Math.max(0, away * away - radius * radius))
    const brake = BRAKE_SHARE * this.brakesAlong(agent, ahead)
    const time = this.servoTime(agent, step)
    const turning = Math.sqrt(TURN_SHARE * (agent.maxForce / mass) * radius)
    const plan = Math.min(
      Math.sqrt(turning * turning + 2 * brake * straight),
      brakingSpeed(Math.max(0, way - turning * this.turning), brake, 0, time),
      speedAlong(motion.velocity, ahead, speed),
    )
    scale(wanted, ahead, plan)
    scale(wanted, sub(wanted, wanted, relative), mass / time)
    press(agent, wanted, way, out)
    return true
  }

  /** By how much (s) the flight to the meeting at `time` takes longer than that. */
  private missing(
    agent: Agent,
    motion: CarrierMotion,
    arm: Vec3Like,
    inward: Vec3Like,
    speed: number,
    time: number,
  ): number {
    motion.pointAt(point, velocity, arm, time)
    addScaled(velocity, velocity, motion.turned(arriving, inward, time), 1)
    copy(this.position, point)
    copy(this.velocity, velocity)
    addScaled(this.aim, point, velocity, -time)
    return this.flightTime(agent, this.aim, velocity, speed) - time
  }

  /** Least time (s) to come to rest at `aim` (m), for somebody who moves with `drift` (m/s): along the line, and what is across is stopped first. */
  private flightTime(agent: Agent, aim: Vec3Like, drift: Vec3Like, speed: number): number {
    const distance = length(sub(offset, aim, agent.position))
    normalize(ahead, offset)
    sub(relative, agent.velocity, drift)
    const { x, y, z } = ahead
    const limit = agent.maxForce / agent.mass
    const power = this.thrust > 0 ? this.thrust : forceLeft(agent, x, y, z) / agent.mass
    const push = Math.max(1e-9 * limit, power)
    const brake = BRAKE_SHARE * this.brakesAlong(agent, ahead)
    if (!(limit > 0 && push > 0 && brake > 0 && distance < Infinity)) return LATEST
    const along = dot(relative, ahead)
    const across = Math.sqrt(Math.max(0, lengthSq(relative) - along * along))
    const top = speedAlong(drift, ahead, speed)
    return this.turning + across / limit + lineTime(distance, along, push, brake, top)
  }

  /** Deceleration (m/s²) against the unit `direction`. */
  private brakesAlong(agent: Agent, { x, y, z }: Vec3Like): number {
    return this.brakes > 0 ? this.brakes : forceLeft(agent, -x, -y, -z) / agent.mass
  }

  private servoTime(agent: Agent, step: Step): number {
    // twice as stiff as other drives: between speeding up and braking every lag is lost time; a wish is read with the plain one
    const time = agent.wish === null ? agent.responseTime / 2 : agent.responseTime
    return Math.max(time, step.dt, this.reaction)
  }
}
