import type { Agent, MovingFrame, Step, Vec3, Vec3Like } from '../../types.js'
import { DEFAULT_FORWARD } from '../../math/frame.js'
import { rotate } from '../../math/quat.js'
import {
  addScaled,
  copy,
  distance,
  dot,
  isZero,
  length,
  normalize,
  scale,
  sub,
  vec3,
} from '../../math/vec3.js'
import type { Goal } from '../directed-seek/goal.js'
import type { MotionModel } from './motion-model.js'

/** From where a target is attacked: its six o'clock, over its head (world up), or a direction (world axes) from it to the attacker, e.g. the sun. */
export type AttackSide = 'behind' | 'above' | Vec3Like

/** A gate is looked for where it will be in so many rounds, in no more than this time, s; courses are read over this one. */
const ROUNDS = 3
const LONGEST = 20
const MOMENT = 0.05

/** Cosines of place and course within which an attacker is on its line. */
const PLACED = Math.cos(0.4)
const COURSED = Math.cos(0.6)

const way = vec3()
const spot = vec3()

/**
 * Writes the unit direction from the target, as `motion` says that it will fly in `time` s, to where it shall be attacked from. Zero where there is
 * none: behind what neither moves nor has a nose.
 */
export function sideOf(
  out: Vec3,
  step: Step,
  target: MovingFrame,
  motion: MotionModel,
  from: AttackSide,
  time: number,
): Vec3 {
  if (from !== 'behind') return normalize(out, from === 'above' ? step.up : from)
  const { quaternion, forward } = target
  sub(out, motion.at(out, time), motion.at(spot, time + MOMENT))
  if (length(out) > MOMENT * 1e-3) return normalize(out, out)
  return quaternion === undefined
    ? scale(out, out, 0)
    : scale(out, rotate(out, quaternion, forward ?? DEFAULT_FORWARD), -1)
}

/** Writes the attack position: `range` m from where the target will be when an agent of this speed (m/s) comes there, headed at the target. */
export function gateOf(
  out: Goal,
  agent: Agent,
  step: Step,
  target: MovingFrame,
  motion: MotionModel,
  from: AttackSide,
  range: number,
  speed: number,
): void {
  const { heading, position, velocity } = out
  let time = 0
  for (let i = 0; i < ROUNDS; i++) {
    sideOf(way, step, target, motion, from, time)
    addScaled(position, motion.at(position, time), way, range)
    time = speed > 0 ? Math.min(distance(position, agent.position) / speed, LONGEST) : 0
  }
  scale(heading, way, -1)
  addScaled(position, target.position, way, range)
  sub(velocity, motion.at(velocity, time), target.position)
  if (time > MOMENT) scale(velocity, velocity, 1 / time)
  else copy(velocity, target.velocity)
  if (isZero(heading)) copy(heading, agent.course.x)
}

/** Whether an agent comes from `side`, a unit direction from the target, flying at it. Anybody does where there is no side. */
export function isLinedUp(agent: Agent, target: MovingFrame, side: Vec3Like): boolean {
  normalize(spot, sub(spot, agent.position, target.position))
  return isZero(side) || (dot(spot, side) >= PLACED && dot(agent.course.x, side) <= -COURSED)
}
