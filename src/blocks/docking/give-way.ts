import type { Agent, Step, Vec3 } from '../../core/types.js'
import { arccos } from '../../core/math/scalar.js'
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
  set,
  sub,
  vec3,
} from '../../core/math/vec3.js'
import type { ApproachCorridor } from './approach-corridor.js'
import { attitudeTime } from './main-engine.js'
import type { Port, Visitor } from './port.js'
import { addWithinLimits, forceLeft, limitTo } from './thrust.js'

// The numbers below are chosen by hand.

/** Agents pass each other with at least so many radii of the corridor between their surfaces, … */
const GAP_RADII = 1.5

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
 * Makes an agent give way to those that go before it at these ports, if it would come too near to them:
 * `force` (N) becomes one across the paths on which they would meet, and of the force it was, what the
 * engines can give besides. Those with a smaller sum of rank (see `Visitor`) and place in their queue go
 * first; of two with the same, the one at the earlier port.
 * @param own index of the agent's port.
 * @param order sum of its rank and place.
 * @returns whether it gives way.
 */
export function giveWay(
  agent: Agent,
  step: Step,
  ports: readonly Port[],
  own: number,
  order: number,
  { engines, isFree }: ApproachCorridor,
  force: Vec3,
): boolean {
  // an agent that turns its engine counts on it in any direction, and on the time of the turn
  const main = isFree ? 0 : engines.main * engines.sign * agent.mass
  const gap = GAP_RADII * ports[own]!.corridorRadius
  set(dodge, 0, 0, 0)
  for (let k = 0; k < ports.length; k++) {
    const port = ports[k]!
    port.refreshFor(step)
    for (let i = 0; i < port.load; i++) {
      const other = port.visitor(i)
      if (other.rank + i > order || (other.rank + i === order && k >= own)) continue
      const share = shareToPass(agent, step, other, main, gap)
      if (share > LATEST_SHARE) addScaled(dodge, dodge, away, Math.min(1, share))
    }
  }
  if (isZero(dodge)) return false
  normalize(away, dodge)
  scale(dodge, away, agent.maxForce)
  if (!isFree) {
    copy(force, dodge)
    return true
  }
  // the force that holds the weight is not part of the choice
  const held = agent.compensateGravity ? 0 : agent.mass
  addScaled(rest, force, agent.gravity, held)
  // what pushes back is left out
  addScaled(rest, rest, away, Math.max(0, -dot(rest, away)))
  limitTo(agent, dodge)
  copy(force, dodge)
  addWithinLimits(agent, force, rest)
  addScaled(force, force, agent.gravity, -held)
  return true
}

/**
 * Share of its force that the agent needs to pass another one; 0 if it passes anyway. Writes the direction to
 * the scratch vector `away`.
 * @param main force (N) of an engine that the agent turns to where it is needed, negative for one astern; 0:
 * it need not turn.
 * @param gap least distance between their surfaces (m).
 */
function shareToPass(agent: Agent, step: Step, other: Visitor, main: number, gap: number): number {
  const apart = agent.radius + other.radius + gap
  // the other agent is known as of the last step
  addScaled(between, agent.position, other.position, -1)
  addScaled(between, between, other.velocity, -step.dt)
  sub(closing, agent.velocity, other.velocity)
  const speedSq = lengthSq(closing)
  const time = speedSq > 0 ? Math.max(0, -dot(between, closing) / speedSq) : 0
  if (time > HORIZON) return 0
  addScaled(away, between, closing, time)
  const nearest = length(away)
  if (nearest >= apart) return 0
  normalize(away, away)
  if (isZero(away)) reject(away, agent.attitude.y, normalize(closing, closing))
  if (isZero(normalize(away, away))) perpendicular(away, closing)
  // by its engines as they point now, and by the main engine once it has turned
  const force = forceLeft(agent, away)
  const facing = Math.sign(main) * dot(agent.attitude.x, away)
  const left = main === 0 ? 0 : Math.max(0, time - attitudeTime(agent, arccos(facing)))
  const impulse = force * time * time + Math.max(0, Math.abs(main) - force) * left * left
  return impulse > 0 ? (2 * (apart - nearest) * agent.mass) / impulse : 1
}
