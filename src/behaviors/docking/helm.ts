import type { Agent, Step, Vec3, Vec3Like, Wrench } from '../../types.js'
import { noseAttitude } from '../../control/nose.js'
import { torqueFor, turnTo } from '../../control/turn.js'
import { quat } from '../../math/quat.js'
import { arccos, smoothstep } from '../../math/scalar.js'
import { addScaled, copy, dot, length, normalize, scale, set, sub, vec3 } from '../../math/vec3.js'
import type { CarrierMotion } from './carrier-motion.js'
import type { Rendezvous } from './rendezvous.js'

/** Engines across and astern that are at least this share of the main one make a ship that need not turn to be pushed. */
const FREE_SHARE = 0.5

/** Within these cosines of the thrust wanted, the engine opens. */
const SHUT = 0.85
const OPEN = 0.98

/** A turn takes no longer than this, s: keeps what cannot turn finite. */
const NEVER = 1e5

/** Thrust below this share of the main engine is not worth a turn. */
const IDLE = 0.03

/** Share of the torque a turn counts on. */
const TORQUE_SHARE = 0.8

/** Who brakes goes on until its speed is below this share of the plan; and with at least this share of the brakes. */
const RELENT = 0.4
const HOLD = 0.2

/** Its tail this near (rad) to where it flies, it has turned round. */
const ROUND = 0.5

/** Speed errors are taken out in this time, s: the nose has to follow. */
const SLOW = 1.5

const ahead = vec3()
const relative = vec3()
const wanted = vec3()
const towards = vec3()
const nose = vec3()
const axis = vec3()
const none: Vec3Like = { x: 0, y: 0, z: 0 }
const target = quat()

/** What the engines of a ship can do, m/s², in the attitude it has now: ahead, astern, and the weakest of the four across. */
export class Engines {
  ahead = 0
  astern = 0
  across = 0

  read(agent: Agent): this {
    const { x, y, z } = agent.attitude
    const limit = agent.maxForce
    const k = 1 / agent.mass
    this.ahead = k * Math.min(limit, agent.forceAlong(x.x, x.y, x.z))
    this.astern = k * Math.min(limit, agent.forceAlong(-x.x, -x.y, -x.z))
    const port = Math.min(agent.forceAlong(z.x, z.y, z.z), agent.forceAlong(-z.x, -z.y, -z.z))
    const up = Math.min(agent.forceAlong(y.x, y.y, y.z), agent.forceAlong(-y.x, -y.y, -y.z))
    this.across = k * Math.min(limit, port, up)
    return this
  }

  /** Pushed any way, in any attitude. */
  get isFree(): boolean {
    return Math.min(this.astern, this.across) >= FREE_SHARE * this.ahead
  }

  /** Brakes astern, without turning round. */
  get hasRetro(): boolean {
    return this.astern >= FREE_SHARE * this.ahead
  }
}

/** Time (s) that the agent needs to turn its nose by `angle` (rad) to one side, from rest to rest. */
export function turnTime(agent: Agent, angle: number): number {
  const effort = length(torqueFor(axis, agent, agent.attitude.y))
  const alpha = (TORQUE_SHARE * agent.maxTorque) / effort
  const rate = Math.min(agent.maxTurnRate, Math.sqrt(angle * alpha))
  if (!(rate > 0)) return angle > 0 ? NEVER : 0
  return rate < Infinity ? Math.min(angle / rate + rate / alpha, NEVER) : 0
}

/**
 * Turns the ship so that its main engine pushes along `demand` (N), or, where `retro` allows, brakes against it; and opens the engine as far as the
 * nose is there. For ships that cannot be pushed sideways.
 */
export function pushByMain(
  agent: Agent,
  step: Step,
  demand: Vec3,
  { ahead: main }: Engines,
  retro: boolean,
  out: Wrench,
): void {
  const force = length(demand)
  normalize(towards, demand)
  const facing = dot(agent.attitude.x, towards)
  copy(nose, agent.attitude.x)
  if (force > IDLE * main * agent.mass) scale(nose, towards, retro && facing < 0 ? -1 : 1)
  noseAttitude(target, agent, nose, 'free', step, none, 0)
  turnTo(agent, target, step, out)
  addScaled(out.force, out.force, demand, smoothstep(retro ? Math.abs(facing) : facing, SHUT, OPEN))
}

/**
 * Flies to a meeting by the main engine: nose along the thrust, and round to brake where there is no engine astern that is worth it. The time of that
 * turn is part of the braking distance.
 * @param braking whether it had begun to brake in the last step. @returns whether it has now.
 */
export function flyByMain(
  agent: Agent,
  step: Step,
  meeting: Rendezvous,
  engines: Engines,
  braking: boolean,
  motion: CarrierMotion,
  radius: number,
  speed: number,
  out: Wrench,
): boolean {
  const retro = engines.hasRetro
  set(wanted, 0, 0, 0)
  normalize(ahead, sub(ahead, meeting.aim, agent.position))
  sub(relative, agent.velocity, meeting.velocity)
  const along = dot(relative, ahead)
  const angle = arccos(-dot(agent.attitude.x, ahead))
  meeting.turning = retro || angle < ROUND ? 0 : turnTime(agent, angle)
  if (meeting.pushRound(agent, step, motion, radius, speed, wanted)) {
    pushByMain(agent, step, wanted, engines, retro, out)
    return false
  }
  meeting.push(agent, step, speed, wanted)
  let brakes = false
  if (!retro) {
    brakes = along > (braking ? RELENT : 1) * meeting.plan
    // once it has turned to brake it does not turn back for a little speed
    const most = -HOLD * meeting.brakes * agent.mass
    const excess = dot(wanted, ahead) - most
    if (brakes && excess > 0) addScaled(wanted, wanted, ahead, -excess)
  }
  pushByMain(agent, step, wanted, engines, retro, out)
  return brakes
}

/** Tells a meeting what a ship counts on that is pushed by its main engine. */
export function countOnMain(meeting: Rendezvous, engines: Engines): void {
  meeting.count(engines.ahead, engines.hasRetro ? engines.astern : engines.ahead, SLOW)
}
