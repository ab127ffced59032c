import type { Agent, Step, Vec3, Vec3Like, Wrench } from '../../core/types.js'
import type { Actuator, PipelineConstraint, PipelineGoal, PipelinePath } from './pipeline-types.js'
import { drive, servoTime, topSpeed } from '../../core/control/drive.js'
import { BRAKE_SHARE, brakingSpeed } from '../../core/control/profile.js'
import { turnTo } from '../../core/control/turn.js'
import { clamp } from '../../core/math/scalar.js'
import {
  addScaled,
  copy,
  distance,
  dot,
  isZero,
  length,
  lengthSq,
  normalize,
  reject,
  sub,
  vec3,
  ZERO,
} from '../../core/math/vec3.js'
import { arriveAt } from '../../core/control/arrive-at.js'
import { pointAt, requirePoint } from '../../core/control/target.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

/**
 * Distance of a suggested point from the centre, relative to the smallest allowed one. With 1 a path through
 * it could violate the constraint again. Chosen by hand.
 */
const OUT_FACTOR = 1.05

const center = vec3()
const along = vec3()
const nearest = vec3()
const outward = vec3()
const wanted = vec3()

export interface BallConstraintOptions extends Options, OptionsOf<typeof BallConstraint.options> {}
export interface BallConstraint extends FieldsOf<typeof BallConstraint.options> {}

/**
 * Constraint of a pipeline: keeps paths out of a ball (Millington, "avoiding an obstacle"). Of the first line
 * of the path that enters the ball, the point nearest to the centre is moved out and becomes the goal. A line
 * through the centre itself is moved up in the course frame. A path may leave a ball that the agent is in. A
 * goal inside moves to the surface.
 */
export class BallConstraint implements PipelineConstraint {
  static readonly options = {
    /** Centre of the ball (m). */
    center: { kind: 'point', required: true, check: requirePoint },
    /** Radius of the ball (m, > 0). */
    radius: { kind: 'number', required: true, unit: 'm', above: 0 },
    /** Distance kept between the surface of the ball and the agent's hull (m, ≥ 0). Default 0. */
    margin: { kind: 'number', unit: 'm', atLeast: 0, default: 0 },
  } as const satisfies AnyTable

  enabled = true

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: BallConstraintOptions) {
    Object.assign(this, readOptions('BallConstraint', BallConstraint.options, options))
  }

  suggest(agent: Agent, _step: Step, path: PipelinePath, goal: PipelineGoal): boolean {
    if (!goal.hasPosition) return false
    pointAt(center, this.center, agent)
    const minDistance = this.radius + agent.radius + this.margin
    for (let i = 1; i < path.count; i++) {
      const share = closest(nearest, along, path.points[i - 1]!, path.points[i]!, center)
      // Nearest at its start: the line leads away from the centre.
      if (share <= 0) continue
      sub(outward, nearest, center)
      if (!(length(outward) < minDistance)) continue
      this.moveOut(agent, minDistance, share, goal, along, outward)
      return true
    }
    return false
  }

  /**
   * Makes the place outside of the ball the goal that is in the direction `away`, or across the line `line`
   * if that is zero. Overwrites both.
   */
  private moveOut(
    agent: Agent,
    minDistance: number,
    share: number,
    goal: PipelineGoal,
    line: Vec3,
    away: Vec3,
  ): void {
    normalize(line, line)
    if (lengthSq(away) < 1e-12 * minDistance * minDistance) reject(away, agent.course.y, line)
    if (lengthSq(away) < 1e-12) copy(away, agent.course.z)
    normalize(away, away)
    addScaled(nearest, center, away, OUT_FACTOR * minDistance)
    goal.distanceAfter = share < 1 ? goal.distanceAfter + distance(nearest, goal.position) : 0
    copy(goal.position, nearest)
    goal.hasVelocity = false
  }
}

/** Writes the point of a line nearest to `place`, and the line. Returns the share of it before that. */
function closest(out: Vec3, outLine: Vec3, from: Vec3Like, to: Vec3Like, place: Vec3Like): number {
  sub(outLine, to, from)
  const sq = lengthSq(outLine)
  sub(out, place, from)
  const share = sq > 0 ? clamp(dot(out, outLine) / sq, 0, 1) : 0
  addScaled(out, from, outLine, share)
  return share
}

/**
 * Actuator of a pipeline: flies straight to a goal and comes to rest there. If the goal is not the end of the
 * way, the agent passes it, no faster than it can stop within the rest of the way. A velocity without a
 * position is matched. Orientation and spin are matched by torque.
 */
export class ArriveActuator implements Actuator {
  plan(agent: Agent, _step: Step, goal: PipelineGoal, path: PipelinePath): void {
    path.add(agent.position)
    if (goal.hasPosition) path.add(goal.position)
  }

  follow(agent: Agent, step: Step, goal: PipelineGoal, _path: PipelinePath, wrench: Wrench): void {
    const { distanceAfter, position } = goal
    const velocity = goal.hasVelocity ? goal.velocity : ZERO
    const top = topSpeed(agent)
    if (goal.hasPosition && distanceAfter > 0)
      this.pass(agent, step, position, velocity, distanceAfter, wrench.force)
    else if (goal.hasPosition) arriveAt(agent, step, position, velocity, ZERO, top, wrench.force)
    else if (goal.hasVelocity) drive(agent, step, velocity, wrench.force)
    if (goal.hasOrientation) turnTo(agent, goal.orientation, step, wrench, goal.hasSpin ? goal.spin : ZERO)
  }

  private pass(
    agent: Agent,
    step: Step,
    point: Vec3Like,
    velocity: Vec3Like,
    distanceAfter: number,
    force: Vec3,
  ): void {
    sub(along, point, agent.position)
    const distanceLeft = length(along) + distanceAfter
    normalize(along, along)
    if (isZero(along)) copy(along, agent.course.x)
    const brake = (BRAKE_SHARE * agent.forceAlong(-along.x, -along.y, -along.z)) / agent.mass
    const speed = Math.min(topSpeed(agent), brakingSpeed(distanceLeft, brake, 0, servoTime(agent, step)))
    drive(agent, step, addScaled(wanted, velocity, along, speed), force)
  }
}
