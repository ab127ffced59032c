import type { Agent, SnapshotState, Step, Vec3, Vec3Like, Wrench } from '../types.js'
import { servoTime } from '../control/drive.js'
import { Memory } from '../control/memory.js'
import { isIdle } from '../control/wish.js'
import { addScaled, isZero, length, load, save, scale, set, truncate, vec3 } from '../math/vec3.js'

// The numbers below are chosen by hand.

/**
 * It brakes by its speed over the response time, and by this share of its top speed over it, no less than by
 * the weight: so it stops within a finite time, and feet and tyres hold a slope. Larger: it stops harder.
 */
const FIRMNESS = 0.3
/** A wanted velocity below this share of the present speed is none: that of rounding, in single precision. */
const ROUNDING = 1e-6
/** It rests below this speed, in radii per second, and turns no faster (rad/s). */
const REST_SHARE = 1e-5
/** Time constant (s) with which what holds it on a slope fades while it rests. */
const RELEASE_TIME = 1
/** What holds it ends below this share of the force with which it brakes. */
const RELEASE_SHARE = 1e-4

// stored for each agent: the step in which it stood last, for how long it has been standing or braking (s),
// its state, and the force (N) that holds it
const TICK = 0
const ELAPSED = 1
const STATE = 2
const HOLD = 3
const WIDTH = 6

// states: it brakes; its brakes can stop it in a step; it rests, and what holds it is released to see whether
// it must be held; it must
const BRAKES = 0
const HOLDS = 1
const RESTS = 2
const LEANS = 3

const hold = vec3()

/**
 * Brings a vehicle on the ground to a stand and keeps it there, also on slopes: its brakes take its speed,
 * and once they hold it they learn the force that it takes, as friction at rest gives whatever is needed.
 */
export class Standing {
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]

  /**
   * Whether the agent shall stand: nothing is asked of it, or the velocity `wanted` (m/s) is none, which is
   * then set to 0.
   */
  isAsked(agent: Agent, demand: Readonly<Wrench>, wanted: Vec3): boolean {
    if (!isIdle(agent, demand.force) && length(wanted) > ROUNDING * agent.speed) return false
    set(wanted, 0, 0, 0)
    return true
  }

  /** Whether it rests in every direction, and nothing must hold it: its body may fall asleep. */
  rests(agent: Agent, velocity: Vec3Like): boolean {
    return (
      length(velocity) <= REST_SHARE * agent.radius &&
      length(agent.angularVelocity) <= REST_SHARE &&
      isZero(load(hold, this.memory.data, this.memory.at(agent) + HOLD))
    )
  }

  /**
   * Writes the force (N) that stops `velocity` (m/s, along the ground) and holds the agent, no more than
   * `most` (N), for an agent with this top speed (m/s).
   */
  brake(agent: Agent, step: Step, velocity: Vec3Like, top: number, most: number, out: Vec3): Vec3 {
    const { mass, radius } = agent
    const { dt, tick } = step
    const at = this.memory.at(agent)
    const { data, fresh } = this.memory
    const lag = servoTime(agent, step)
    if (fresh || data[at + TICK] !== tick - 1) data.fill(0, at, at + WIDTH)
    data[at + TICK] = tick
    // a behaviour that asks for no force in some steps, since it has its velocity, goes on
    const share = Math.min(1, data[at + ELAPSED]! / lag)
    data[at + ELAPSED] = data[at + ELAPSED]! + dt
    load(hold, data, at + HOLD)
    const speed = length(velocity)
    const firm = Math.max((FIRMNESS * top) / lag, length(agent.gravity))
    const power = share * Math.min(speed / lag + firm, most / mass)
    const state = data[at + STATE]!
    if (speed <= REST_SHARE * radius) {
      if (state !== LEANS) scale(hold, hold, Math.max(0, 1 - dt / RELEASE_TIME))
      if (length(hold) < RELEASE_SHARE * mass * Math.min(firm, most / mass)) set(hold, 0, 0, 0)
      if (state !== LEANS || isZero(hold)) data[at + STATE] = RESTS
      // a body that rests without a force may fall asleep
      addScaled(out, hold, velocity, state === RESTS ? 0 : -mass / dt)
    } else {
      if (speed > power * dt) {
        data[at + STATE] = BRAKES
        set(hold, 0, 0, 0)
      } else {
        data[at + STATE] = state === LEANS || (state === RESTS && !isZero(hold)) ? LEANS : HOLDS
        // not in the first step: then it still moves since it has braked
        if (state !== BRAKES) truncate(hold, addScaled(hold, hold, velocity, -mass / lag), most)
      }
      addScaled(out, hold, velocity, -mass * Math.min(1 / dt, power / speed))
    }
    save(hold, data, at + HOLD)
    return truncate(out, out, most)
  }
}
