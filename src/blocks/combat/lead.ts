import type { Agent, Moving, Step, Vec3, Wrench } from '../../core/types.js'
import { noseAttitude } from '../../core/control/nose.js'
import { turnTo } from '../../core/control/turn.js'
import { quat } from '../../core/math/quat.js'
import { addScaled, cross, dot, length, normalize, reject, scale } from '../../core/math/vec3.js'
import { sub, vec3, ZERO } from '../../core/math/vec3.js'
import type { MotionModel } from '../pursuit/motion-model.js'

/** Rounds to find the time of flight. Each leaves the error times speed of target / speed of shot. */
const ROUNDS = 8

/** Longest time of flight (s). Chosen by hand. */
const MAX_TIME = 10

const gap = vec3()
const drift = vec3()
const change = vec3()
const spin = vec3()
const attitude = quat()

/** The direction in which a gun must point to hit, and its change. Written by {@link aimAhead}. */
export interface Aim {
  /** Unit vector; zero if shooter and target coincide. */
  readonly direction: Vec3
  /** Change of `direction` (1/s), square to it. */
  readonly rate: Vec3
  /** Time of flight of the shot (s, ≥ 0). */
  time: number
}

export function makeAim(): Aim {
  return { direction: vec3(), rate: vec3(), time: 0 }
}

/**
 * Writes how to point a fixed gun at `target`, whose motion `motion` has just updated. A shot has
 * `muzzleSpeed` (m/s, > 0, Infinity for a beam) relative to the shooter. `alongCourse`: the gun points along
 * the course, so the shooter's own speed adds to that of the shot on any course, and the result is the
 * direction to fly in. Else it points along the nose, and the shot drifts with the shooter's velocity.
 */
export function aimAhead(
  out: Aim,
  agent: Agent,
  target: Moving,
  motion: MotionModel,
  muzzleSpeed: number,
  alongCourse: boolean,
): void {
  const { direction, rate } = out
  const speed = alongCourse ? muzzleSpeed + agent.speed : muzzleSpeed
  scale(drift, agent.velocity, alongCourse ? 0 : 1)
  const rounds = speed < Infinity ? ROUNDS : 0
  let time = 0
  sub(gap, target.position, agent.position)
  for (let i = 0; i < rounds; i++) {
    time = Math.min(length(gap) / speed, MAX_TIME)
    sub(gap, motion.positionAt(gap, time), agent.position)
    addScaled(gap, gap, drift, -time)
  }
  out.time = time
  normalize(direction, gap)
  // From u·s·t = gap + w·t, where w is the velocity of the target relative to the shot.
  sub(change, target.velocity, agent.velocity)
  sub(drift, target.velocity, drift)
  const distance = length(gap)
  const ahead = speed - dot(drift, direction)
  const timeRate = speed < Infinity && ahead > 0.1 * speed ? dot(change, direction) / ahead : 0
  reject(rate, addScaled(rate, change, drift, timeRate), direction)
  scale(rate, rate, distance > 0 ? 1 / distance : 0)
}

/** Adds the torque that points the nose in the direction of aim, and follows its change. */
export function turnNose(agent: Agent, step: Step, { direction, rate }: Aim, out: Wrench): void {
  noseAttitude(attitude, agent, direction, 'free', step, ZERO, 0)
  turnTo(agent, attitude, step, out, cross(spin, direction, rate))
}
