import type { Agent, Step, Vec3, Vec3Like, Waypoint, Wrench } from '../../core/types.js'
import { acrossFirst } from '../curves/across-first.js'
import { servoTime } from '../../core/control/drive.js'
import { BRAKE_SHARE } from '../../core/control/profile.js'
import { reportGoal } from '../../core/control/wish.js'
import { ArcPath } from '../curves/arc-path.js'
import { csc } from '../curves/csc.js'
import { TAU } from '../../core/math/scalar.js'
import {
  addScaled,
  copy,
  distance,
  dot,
  isZero,
  length,
  normalize,
  reject,
  scale,
  vec3,
} from '../../core/math/vec3.js'
import type { Goal } from './goal.js'
import { jakobHeading, shortestOnPlane, type JakobOptions, type JakobStage } from './jakob.js'
import { turnRadius, type VehicleLimits } from '../curves/vehicle-limits.js'

/**
 * An agent with a lag seeks with turns wider than it can fly by this factor, so that it can make up for the
 * lag. Measured with a lag of 0.1 radii: at least 99.6 % of the flights arrived with 1.25, and 20 to 36 %
 * with 1. No other factor was tried.
 */
const LAG_MARGIN = 1.25

const from = { position: vec3(), heading: vec3() }
const wanted = vec3()
const side = vec3()
const options: { circles: 'one' | 'both'; plane: Vec3Like | null; leastDistance: number } = {
  circles: 'one',
  plane: null,
  leastDistance: 0.5,
}

/**
 * Adds the force (N) of a directed seek without a plan. In each step the agent turns, as tightly as it may,
 * to the first direction of the path found from its present pose. `jakob`: as published. `stateless`: in 2D
 * by both circles and by length; in 3D along the shortest path of arc, straight and arc.
 * @returns the stage; 0 where there is no path.
 */
export function steerStateless(
  agent: Agent,
  step: Step,
  now: Goal,
  limits: VehicleLimits,
  method: 'stateless' | 'jakob',
  out: Wrench,
): JakobStage {
  const { speed } = agent
  copy(from.position, agent.position)
  if (speed > 1e-3 * limits.cruise) scale(from.heading, agent.velocity, 1 / speed)
  else copy(from.heading, agent.course.x)
  const widen = limits.lag > 0 || limits.turnTime > 0 ? LAG_MARGIN : 1
  // the larger of both radii (Jakob 2004, section 6)
  const radius = Math.max(turnRadius(limits, speed), turnRadius(limits, limits.final))
  const stepLength = speed * step.dt
  options.circles = method === 'jakob' ? 'one' : 'both'
  options.plane = limits.plane
  options.leastDistance = method === 'jakob' ? limits.leastDistance : 0
  const stage =
    method === 'jakob' || limits.plane !== null
      ? jakobHeading(wanted, from, now, widen * radius, widen * radius, stepLength, options)
      : spatialHeading(wanted, from, now, widen * radius, widen * radius, stepLength)
  // too near for a path, an agent keeps its heading
  if (stage === 0 && isZero(wanted)) return 0
  turnTowards(agent, step, now, radius, limits, out)
  return stage
}

/** Turns the velocity to `wanted`, one step of a turn of `radius` (m) at most, at the speed it allows. */
function turnTowards(
  agent: Agent,
  step: Step,
  now: Goal,
  radius: number,
  limits: VehicleLimits,
  out: Wrench,
): void {
  const { heading } = from
  const { mass, maxForce, speed } = agent
  const { brake, cruise, final, lateral } = limits
  const sine = length(reject(side, wanted, heading))
  normalize(side, side)
  const angle = Math.min(Math.atan2(sine, dot(wanted, heading)), (speed * step.dt) / radius)
  scale(wanted, side, (speed * Math.sin(angle)) / step.dt)
  addScaled(wanted, wanted, heading, (speed * (Math.cos(angle) - 1)) / step.dt)
  const limit = agent.wish === null ? maxForce / mass : Infinity
  const left = distance(agent.position, now.position)
  const wantedSpeed = Math.min(
    cruise,
    Math.sqrt(lateral * radius),
    Math.sqrt(final * final + 2 * BRAKE_SHARE * brake * left),
  )
  acrossFirst(wanted, heading, (wantedSpeed - speed) / servoTime(agent, step), limit)
  agent.asks = true
  addScaled(out.force, out.force, wanted, mass)
  if (agent.forceTurnTime > 0) agent.turnForForce(scale(wanted, wanted, mass), step, out)
  reportGoal(agent, now.position, final === 0)
}

/**
 * A first turn that is closer to a whole circle than this (rad) is overshoot. A path in space is taken only
 * if it is shorter than that on the plane by this (radii). The tolerance of `jakobHeading`.
 */
const SLACK = 0.02

const SPATIAL: JakobOptions = { circles: 'both', plane: null }

const path = new ArcPath()
const pose = { position: vec3(), heading: vec3() }

/**
 * The 3D form of `jakobHeading`, which Jakob leaves open (2004, section 6). It uses the shortest path in
 * space of arc, straight and arc, each arc in a plane of its own. The path is found anew in every call, and
 * only its first direction is used. A path that is missed by a hair is longer by a whole turn, so an agent
 * that heads along the steering plane uses the tolerances of the algorithm there; every flight comes to that
 * plane in the end.
 */
export function spatialHeading(
  out: Vec3,
  start: Waypoint,
  to: Waypoint,
  radius: number,
  goalRadius: number,
  stepLength: number,
): JakobStage {
  const onPlane = shortestOnPlane(out, start, to, radius, goalRadius, stepLength)
  if (
    Number.isNaN(onPlane) ||
    !(findPath(start, to, radius, goalRadius, stepLength) < onPlane - SLACK * radius)
  )
    return jakobHeading(out, start, to, radius, goalRadius, stepLength, SPATIAL)
  const bend = path.count > 0 ? path.bendOf(0) : 0
  if (bend === 0) {
    path.tangentAt(out, 0)
    return 2
  }
  const angle = path.startOf(1) * bend
  const whole = angle > TAU - SLACK
  if (whole || angle <= Math.PI / 2) path.tangentAt(out, path.startOf(1))
  else normalize(out, path.curvatureAt(out, 0))
  // a radius so small that its curvature has no direction
  if (isZero(out)) return jakobHeading(out, start, to, radius, goalRadius, stepLength, SPATIAL)
  return whole || angle < SLACK ? 2 : 1
}

/** Fills `path` from the pose half a step before, see `jakobHeading`. @returns its length (m). */
function findPath(
  start: Waypoint,
  to: Waypoint,
  radius: number,
  goalRadius: number,
  stepLength: number,
): number {
  normalize(pose.heading, start.heading)
  addScaled(pose.position, start.position, pose.heading, -stepLength / 2)
  return csc(path, pose, to, radius, goalRadius)
}
