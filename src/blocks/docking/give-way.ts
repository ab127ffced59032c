import type { Agent, Step, Vec3 } from '../../core/types.js'
import {
  addScaled,
  copy,
  dot,
  isZero,
  length,
  lengthSq,
  normalize,
  perpendicular,
  reject,
  scale,
  sub,
  vec3,
} from '../../core/math/vec3.js'
import type { Port } from './port.js'
import { addWithinLimits, forceLeft, limitTo } from './thrust.js'

// The numbers below are chosen by hand.

/** Agents in a queue pass each other with at least this distance between their surfaces (m), … */
const GAP = 3

/** … look ahead over this time (s), … */
const HORIZON = 8

/** … and give way once this share of their force is needed for it. */
const LATEST_SHARE = 0.4

const between = vec3()
const closing = vec3()
const away = vec3()
const dodge = vec3()
const rest = vec3()

/**
 * Makes an agent that waits for a port give way to those that are before it in the queue, if it would come
 * too near to one of them: `force` (N) becomes one across the path on which they would meet, and of the force
 * it was, what the engines can give besides.
 * @param place of the agent in the queue, from 0.
 * @returns whether it gives way.
 */
export function giveWay(agent: Agent, step: Step, port: Port, place: number, force: Vec3): boolean {
  let largest = 0
  for (let i = 0; i < place; i++) {
    const share = shareToPass(agent, step, port, i)
    if (share <= Math.max(largest, LATEST_SHARE)) continue
    largest = share
    scale(dodge, away, agent.maxForce)
  }
  if (largest === 0) return false
  // the force that holds the weight is not part of the choice
  const held = agent.compensateGravity ? 0 : agent.mass
  addScaled(rest, force, agent.gravity, held)
  limitTo(agent, dodge)
  copy(force, dodge)
  addWithinLimits(agent, force, rest)
  addScaled(force, force, agent.gravity, -held)
  return true
}

/**
 * Share of its force that the agent needs to pass the one at `place` of the queue; 0 if it passes anyway.
 * Writes the direction to the scratch vector `away`.
 */
function shareToPass(agent: Agent, step: Step, port: Port, place: number): number {
  const other = port.visitor(place)
  const gap = agent.radius + other.radius + GAP
  // the other agent is known as of the last step
  addScaled(between, agent.position, other.position, -1)
  addScaled(between, between, other.velocity, -step.dt)
  sub(closing, agent.velocity, other.velocity)
  const speedSq = lengthSq(closing)
  const time = speedSq > 0 ? Math.max(0, -dot(between, closing) / speedSq) : 0
  if (time > HORIZON) return 0
  addScaled(away, between, closing, time)
  const nearest = length(away)
  if (nearest >= gap) return 0
  normalize(away, away)
  if (isZero(away)) reject(away, agent.attitude.y, normalize(closing, closing))
  if (isZero(normalize(away, away))) perpendicular(away, closing)
  const force = forceLeft(agent, away)
  const needed = (2 * (gap - nearest) * agent.mass) / (time * time)
  return needed < Infinity && force > 0 ? needed / force : 1
}
