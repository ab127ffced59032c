import type { Agent, Step, Wrench } from '../../types.js'
import { drive } from '../../control/drive.js'
import { brakingSpeed } from '../../control/profile.js'
import { addScaled, distance, dot, length, reject, scale, set, sub, truncate, vec3 } from '../../math/vec3.js'
import { MIN_SPEED_SHARE, turnRadius, type VehicleLimits } from '../directed-seek/vehicle-limits.js'
import type { DirectedPath } from './directed-path.js'
import { stiffness, trackPath, type TrackPoint } from '../directed-seek/track.js'

/** An agent moves on by no more than so many of its steps. */
const STEPS = 4

/** Share of the force across that a spring may take to be one that does not overshoot; with which one comes back. */
const SPRING_SHARE = 0.5
const RETURN_SHARE = 0.5

/** Steepest return to the path: sine of the angle to it. */
const STEEPEST = 0.8

/** So near to a turning back, in radii, one has turned. */
const NEAR = 0.02

const spot = vec3()
const off = vec3()
const ahead = vec3()
const wanted = vec3()
const place: TrackPoint = { s: 0.5, radius: 0.5, speed: 0.5, acceleration: 0.5 }

/**
 * Way of the agent's point on its lane: no farther on than it can have moved, and not back. Only who was pushed off looks as much farther to both
 * sides as he is off.
 */
export function reproject(
  lane: DirectedPath,
  agent: Agent,
  step: Step,
  before: number,
  tube: number,
): number {
  const reach = STEPS * agent.speed * step.dt
  const miss = distance(agent.position, lane.pointAt(spot, before))
  const loose = Math.max(0, miss - reach - tube - agent.radius)
  const u = lane.nearest(agent.position, before - loose, Math.min(before + reach + loose, lane.end))
  // where the way turns back, what is nearest is always on this side
  const on = Math.max(agent.speed * step.dt, NEAR * agent.radius)
  const fold = lane.foldAfter(u, u + on)
  return Number.isNaN(fold) ? u : fold + on
}

/** Adds the force (N) that flies along the lane at `u`: within the tube without a pull to the middle; from far off it comes back first. */
export function flyDirectedPath(
  lane: DirectedPath,
  agent: Agent,
  step: Step,
  u: number,
  tube: number,
  terms: VehicleLimits,
  out: Wrench,
): void {
  const { dt } = step
  lane.tangentAt(ahead, u)
  reject(off, sub(off, agent.position, lane.pointAt(spot, u)), ahead)
  const aside = length(off)
  const slack = Math.max(tube, agent.radius)
  place.s = u
  place.radius = turnRadius(terms, agent.speed)
  place.speed = lane.paceAt(u, terms, slack)
  place.acceleration = Math.min(0, lane.paceAt(u + agent.speed * dt, terms, slack) - place.speed) / dt
  const free = aside > tube ? tube / aside : 1
  const outside = aside * (1 - free)
  // as stiff as the tracker is at this speed
  const pace = Math.max(agent.speed, MIN_SPEED_SHARE * terms.cruise)
  const stiff = stiffness(pace, place.radius, terms.lag, dt)
  if (stiff * stiff * outside > SPRING_SHARE * terms.lateral) {
    const inwards = brakingSpeed(outside, RETURN_SHARE * terms.lateral, 0, 1 / stiff)
    comeBack(lane, agent, step, Math.min(inwards, STEEPEST * place.speed) / aside, out)
    return
  }
  scale(lane.shift, off, free)
  trackPath(agent, step, lane, place, terms, out)
  set(lane.shift, 0, 0, 0)
}

/** Flies along the lane and back to it, at `rate` (1/s) of what it is off. */
function comeBack(lane: DirectedPath, agent: Agent, step: Step, rate: number, out: Wrench): void {
  const inwards = rate * length(off)
  scale(wanted, ahead, Math.sqrt(Math.max(0, place.speed * place.speed - inwards * inwards)))
  drive(agent, step, addScaled(wanted, wanted, off, -rate), out.force)
  const along = dot(agent.velocity, ahead)
  lane.curvatureAt(wanted, place.s)
  addScaled(out.force, out.force, wanted, agent.mass * along * along)
  if (agent.wish === null) truncate(out.force, out.force, agent.maxForce)
  if (agent.forceTurnTime > 0) agent.turnForForce(out.force, step, out)
}
