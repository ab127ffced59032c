import type { Agent, Moving } from '../../types.js'
import { dot, length, lengthSq, sub, vec3 } from '../../math/vec3.js'

/**
 * How the time to an intercept is found.
 * - `curved`: the quarry's own turn is learnt from its velocity, and the agent's run-up and turn are counted; see `Motion`. Some 6 µs a step.
 * - `intercept`: exact, for a quarry that flies straight: |p + v·t| = speed·t. When it cannot be caught, that of its nearest approach.
 * - `turn-aware`: Green's version of Reynolds' predictor: dead ahead and facing, none; else distance / speed, plus the time to turn round.
 * - `linear`: Green's `Pursuit::calculate`: distance / speed.
 */
export type Prediction = 'curved' | 'intercept' | 'turn-aware' | 'linear'

export const PREDICTIONS: readonly Prediction[] = ['curved', 'intercept', 'turn-aware', 'linear']

/** Within about 20° of dead ahead, and of facing each other, the quarry is its own prediction (Green; Buckland). */
const AHEAD_COSINE = 0.94

const gap = vec3()

/** Time (s, ≥ 0) until the agent, at `speed`, can meet `quarry`. */
export function timeToMeet(
  agent: Agent,
  quarry: Moving,
  speed: number,
  prediction: Exclude<Prediction, 'curved'>,
): number {
  const distance = length(sub(gap, quarry.position, agent.position))
  if (distance === 0 || !(speed > 0)) return 0
  const time = predict(agent, quarry, distance, speed, prediction)
  return time < Infinity ? Math.max(0, time) : Number.MAX_VALUE
}

/** Needs `gap`. */
function predict(
  agent: Agent,
  quarry: Moving,
  distance: number,
  speed: number,
  prediction: Exclude<Prediction, 'curved'>,
): number {
  if (prediction === 'linear') return distance / speed
  if (prediction === 'turn-aware') {
    const pace = length(quarry.velocity)
    const ahead = dot(gap, agent.course.x) / distance
    const facing = pace > 0 ? dot(agent.course.x, quarry.velocity) / pace : 0
    if (ahead > AHEAD_COSINE && facing < -AHEAD_COSINE) return 0
    // half a turn for a quarry right behind, nothing for one ahead
    return distance / speed + ((1 - ahead) / 2) * turnTime(agent, speed)
  }
  return intercept(distance, dot(gap, quarry.velocity), lengthSq(quarry.velocity), speed)
}

/** Least t ≥ 0 with |p + v·t| = s·t, from |p|, p·v and |v|². */
function intercept(distance: number, approach: number, paceSq: number, speed: number): number {
  const a = speed * speed - paceSq
  const c = distance * distance
  // (s² − v²) t² − 2 (p·v) t − p² = 0
  if (!(Math.abs(a) > 1e-9 * speed * speed)) return approach < 0 ? -c / (2 * approach) : distance / speed
  const discriminant = approach * approach + a * c
  if (discriminant < 0) return Math.max(0, -approach / paceSq)
  const root = Math.sqrt(discriminant)
  const near = (approach - root) / a
  const far = (approach + root) / a
  if (a > 0) return Math.max(near, far)
  // faster quarry: both roots are positive when it comes near, both negative when it is lost
  return Math.max(near, far) > 0 ? Math.max(0, Math.min(near, far)) : distance / speed
}

/** Time for half a turn at `speed` with the agent's force: π·r / v with r = m·v² / F. */
function turnTime(agent: Agent, speed: number): number {
  return agent.maxForce > 0 ? (Math.PI * agent.mass * speed) / agent.maxForce : 0
}
