import type { Agent, Step, Vec3 } from '../../types.js'
import type { VelocityConstraints } from '../../solver/constraint.js'
import type { Footing } from '../../solver/footing.js'
import { servoTime } from '../../control/drive.js'
import { BRAKE_SHARE, brakingSpeed, slope, undampedStop } from '../../control/profile.js'
import { copy, dot, isZero, length, normalize, scale, sub, vec3 } from '../../math/vec3.js'
import { isRolling } from '../../control/wish.js'
import { brakingRange, capPlane } from './plane-cap.js'
import { nextPath } from './wall-cap.js'

// The numbers below are chosen by hand unless they say otherwise.

/** Distance of an agent's centre from edges, as a share of its radius. Larger: it keeps farther from them. */
const MARGIN = 0.5
/** The same for what rolls, whose ends swing out when it turns. */
const ROLLING_MARGIN = 0.7
/** What rolls looks this many margins to where it wants to go. Larger: it sees edges beside it sooner. */
const BESIDE = 2
/** Directions with more than this cosine between them are one. */
const SAME = 0.999

const path = vec3()
const wanted = vec3()
const normal = vec3()
const carried = vec3()

/** What `capEdge` is given: speed (m/s) and sight (m). Numbers that are passed may be boxed. */
const sight = { speed: 0.5, range: 0.5 }

/**
 * Limits the speed towards the edges of what the agent stands on, as towards walls: those that it would come
 * to on its way, and those where it wants to go.
 */
export function capEdges(agent: Agent, step: Step, footing: Footing, limits: VelocityConstraints): void {
  const { stage } = footing
  if (stage === null || footing.maxDrop === Infinity) return
  stage.velocityAt(carried, agent.position)
  const speed = (sight.speed = nextPath(agent, step, carried, limits.wantedVelocity, path))
  const rolls = isRolling(agent)
  const { x: nose } = agent.attitude
  const facing = dot(path, nose)
  // what rolls moves along its nose
  if (rolls) scale(path, nose, facing < 0 ? -1 : 1)
  if (speed > 0) capEdge(agent, step, footing, path, limits)
  // it may turn first, to what is behind it
  if (rolls && facing < 0) {
    sight.speed = agent.speed
    capEdge(agent, step, footing, copy(wanted, nose), limits)
  }
  sub(wanted, limits.wantedVelocity, carried)
  sight.speed = length(wanted)
  if (!(sight.speed > 0)) return
  // what rolls must turn first to where it wants to go: what it is at counts, also at a flat angle
  if (rolls) sight.speed = 0
  normalize(wanted, wanted)
  if (speed > 0 && dot(path, wanted) > SAME) return
  capEdge(agent, step, footing, wanted, limits)
}

/** The same for one direction, which becomes level. */
function capEdge(
  agent: Agent,
  step: Step,
  footing: Footing,
  direction: Vec3,
  limits: VelocityConstraints,
): void {
  if (isZero(normalize(direction, footing.level(direction)))) return
  // most agents are far from any edge
  if (footing.isEndless(direction)) return
  const { speed } = sight
  if (!isRolling(agent)) {
    const margin = MARGIN * agent.radius
    sight.range = margin + brakingRange(agent, step, speed)
    if (!footing.findEdge(direction, sight, normal)) return
    limits.noteEdge?.()
    const free = footing.edge * -dot(direction, normal) - margin
    return capPlane(agent, step, normal, free, carried, limits)
  }
  const margin = ROLLING_MARGIN * agent.radius
  // what rolls brakes along its course only
  const time = servoTime(agent, step)
  const { x, y, z } = direction
  const decel = (BRAKE_SHARE * agent.forceAlong(-x, -y, -z)) / agent.mass
  sight.range = speed > 0 ? margin + 2 * undampedStop(speed, decel, 2 * time) : BESIDE * margin
  if (!footing.findEdge(direction, sight, normal)) return
  limits.noteEdge?.()
  const facing = -dot(direction, normal)
  const free = footing.edge * facing - margin
  let cap = brakingSpeed(free / facing, decel, 0, time)
  cap -= Math.min(cap, slope(cap, decel, 0, time) * speed * time)
  limits.addHalfSpace(normal, dot(carried, normal) - cap * facing)
}
