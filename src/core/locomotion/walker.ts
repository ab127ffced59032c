import type { Agent, Locomotion, SnapshotState, Step, Vec3, Vec3Like, Wrench } from '../types.js'
import { servoTime } from '../control/drive.js'
import { capThrust } from '../control/thrust.js'
import { limitTorque, modelAttitude, torqueFor, turnTo } from '../control/turn.js'
import { shareWithin } from '../math/ball.js'
import { quat, quatFromAxes } from '../math/quat.js'
import { clamp } from '../math/scalar.js'
import {
  addScaled,
  copy,
  dot,
  isZero,
  length,
  reject,
  scale,
  set,
  sub,
  truncate,
  vec3,
} from '../math/vec3.js'
import { makeGroundFrame, standUpright } from './ground-frame.js'
import { feedForward, hasFeedForward, NOMINAL_STEP } from './limits.js'
import { Standing } from './standing.js'
import { WithDefaults, type AnyTable, type FieldsOf, type Options, type OptionsOf } from '../math/options.js'
import { requireFunction } from '../math/require.js'

/**
 * Height (m) of `place`, the centre of a walker, above where it would stand on the ground: positive in the
 * air, negative below. For a walker whose centre is 0.9 m above its feet, `({ x, y, z }) => y - 0.9 -
 * terrain(x, z)`.
 */
export type HeightAbove = (place: Vec3Like) => number

export interface WalkerOptions extends Options, OptionsOf<typeof Walker.options> {}
export interface Walker extends FieldsOf<typeof Walker.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** The slope is measured over this share of the radius. Larger: bumps count less. */
const SLOPE_SHARE = 0.1

/** Its legs reach this share of its radius below where it stands. Farther up it is in the air. */
const LEG_SHARE = 0.1
/** Time constant (s) with which a height above or below the ground is lost. Longer: more gently. */
const SETTLE_TIME = 0.05

/**
 * A moment of inertia about the up axis of less than this share of the largest one is that of a body whose
 * rotation about it is locked, and which leans a little.
 */
const LOCKED_SHARE = 1e-3

/** A direction with less than this share along the ground is straight up or down. */
const LEAST_SHARE = 1e-9

/** Written for an agent that has a plane of its own. */
const noPlane = vec3()
const ground = makeGroundFrame()
const { up, nose, side } = ground
const level = vec3()
const wanted = vec3()
const slope = vec3()
const probe = vec3()
const cost = vec3()
const direction = vec3()
const steering = quat()
const target = quat()

/**
 * Moves a character on the ground (Reynolds 1999, "Locomotion"): it stays upright, turns on the spot, and
 * pushes itself along the ground in every direction, more slowly to the side and astern, and never upwards.
 * Where nothing is asked of it, it comes to a stand.
 * Up is the normal of the agent's `plane`, if it has one, else the `up` of the world, which then is its
 * `plane` for the behaviours, also on hills: it evades to the sides only.
 */
export class Walker extends WithDefaults<WalkerOptions> implements Locomotion {
  static readonly type: string = 'Walker'
  static readonly options = {
    /**
     * Greatest speed to the side, as a share of `maxSpeed`, in (0, 1]. Default 0.5. A walker that shall go
     * faster there turns first. One that cannot turn, since its rotation is locked or its `maxTorque` is 0,
     * has no nose: it walks at full speed in every direction.
     */
    // People walk sideways and backwards at about half of their pace.
    aside: { kind: 'number', above: 0, atMost: 1, default: 0.5 },
    /** The same astern. Default 0.4. */
    astern: { kind: 'number', above: 0, atMost: 1, default: 0.4 },
    /**
     * Below this share of `maxSpeed` (in [0, 1]) it steps in any direction without turning. Default 0.2. A
     * torque of the behaviours (`Face`) turns it at any speed.
     */
    stepShare: { kind: 'number', atLeast: 0, atMost: 1, default: 0.2 },
    /**
     * The ground of a walker without a body, see {@link HeightAbove}. Its legs carry it, follow the slopes,
     * and push only: it falls where the ground ends. Default none: a body stands on the ground of its physics
     * engine, and an agent with a `plane` in its plane.
     */
    heightAbove: { kind: 'function', check: requireFunction<HeightAbove> },
    /**
     * Steepest slope (rad) that it goes up, in (0, π/2): a steeper one is an obstacle. Default 45°, or less
     * where its body climbs less. Without a body it needs `heightAbove`.
     */
    maxSlope: { kind: 'number', unit: 'rad', above: 0, atMost: 1.57, default: 0.7853981633974483 },
    /**
     * Height (m, ≥ 0) of the highest step that it goes up: a higher one is an obstacle. Default that of its
     * body, such as the `autostep` of Rapier's character controller, else a twentieth of its radius.
     */
    stepHeight: { kind: 'number', unit: 'm', atLeast: 0 },
  } as const satisfies AnyTable

  readonly standsIdle: boolean = true
  private readonly standing = new Standing()
  readonly state: SnapshotState = this.standing.state
  /** The plane of the agent in this step. */
  private plane: Vec3 = vec3()

  /** It evades to the sides only: it never climbs over an obstacle, or over another walker. */
  beginWish({ axis }: Agent, plane: Vec3, worldUp: Vec3Like): null {
    if (isZero(plane) && isZero(axis)) copy((this.plane = plane), worldUp)
    else this.plane = noPlane
    return null
  }

  actuate(agent: Agent, demand: Readonly<Wrench>, step: Step, out: Wrench): void {
    const { heightAbove } = this
    const { force, torque } = out
    standUpright(ground, agent.attitude, agent.plane, step.up)
    const time = servoTime(agent, step)
    reject(level, agent.velocity, up)
    reject(wanted, demand.force, up)
    addScaled(wanted, level, wanted, time / agent.mass)
    const stands = this.standing.isAsked(agent, demand, wanted)
    if (demand.turns || !isZero(demand.torque)) copy(torque, demand.torque)
    else this.turn(agent, step, out)
    limitTorque(agent, step.dt, torque)
    const height = heightAbove === undefined ? 0 : heightAbove(agent.position)
    if (height > LEG_SHARE * agent.radius) return
    this.limitPace(agent)
    if (heightAbove !== undefined) this.limitSlope(agent, heightAbove)
    if (stands) this.standing.brake(agent, step, level, topPace(agent), agent.maxForce, force)
    else scale(force, sub(force, wanted, level), agent.mass / time)
    // a speed limit may give a force along the slope that it moves on
    reject(force, capThrust(agent, step, force, true), up)
    // without its part along `up` a force that keeps the speed limit may raise the speed
    scale(cost, force, step.dt / agent.mass)
    scale(force, force, Math.min(1, shareWithin(agent.velocity, cost, Math.max(agent.maxSpeed, agent.speed))))
    truncate(cost, reject(cost, feedForward(cost, agent, step.dt), up), agent.maxForce)
    addScaled(force, cost, force, Math.min(1, shareWithin(cost, force, agent.maxForce)))
    if (heightAbove === undefined) return
    // the engine must not lock it to the plane in which it evades
    set(this.plane, 0, 0, 0)
    carry(agent, step, height, force)
  }

  forceAlong(agent: Agent, x: number, y: number, z: number): number {
    const { attitude, maxForce, plane } = agent
    const top = isZero(plane) ? attitude.y : plane
    reject(direction, set(direction, x, y, z), top)
    const along = length(direction)
    // not rounding: straight up it has no force at all
    const share = along > LEAST_SHARE ? along : 0
    if (!hasFeedForward(agent) || share === 0) return maxForce * share
    truncate(cost, reject(cost, feedForward(cost, agent, NOMINAL_STEP), top), maxForce)
    return Math.min(maxForce, shareWithin(cost, scale(direction, direction, 1 / share), maxForce)) * share
  }

  /** Writes the torque that keeps it upright and turns its nose to where it wants to walk. */
  private turn(agent: Agent, step: Step, out: Wrench): void {
    const pace = length(wanted)
    const ahead = pace > this.stepShare * topPace(agent) ? scale(direction, wanted, 1 / pace) : nose
    turnTo(agent, modelAttitude(target, quatFromAxes(steering, ahead, up), agent.axes), step, out)
  }

  /**
   * Shortens `wanted` to what it can walk in its present attitude: an ellipse around it, or a circle where it
   * cannot turn its nose.
   */
  private limitPace(agent: Agent): void {
    const top = topPace(agent)
    const ahead = dot(wanted, nose)
    const along = ahead > 0 ? ahead : ahead / this.astern
    const across = length(addScaled(direction, wanted, nose, -ahead)) / this.aside
    const share = top / Math.hypot(along, across)
    if (share < 1) scale(wanted, wanted, canTurn(agent) ? share : Math.min(1, top / length(wanted)))
  }

  /**
   * Measures `slope`, the rise of the ground per metre to each side, and takes from `wanted` what leads up a
   * slope that is too steep. On a slope the pace is that along the ground.
   */
  private limitSlope(agent: Agent, heightAbove: HeightAbove): void {
    const reach = SLOPE_SHARE * agent.radius
    scale(slope, nose, riseAlong(agent, heightAbove, nose, reach))
    addScaled(slope, slope, side, riseAlong(agent, heightAbove, side, reach))
    const steepest = Math.tan(this.maxSlope)
    const steepness = length(slope)
    const climb = dot(wanted, slope)
    if (steepness > steepest) {
      if (climb > 0) addScaled(wanted, wanted, slope, -climb / (steepness * steepness))
      scale(slope, slope, steepest / steepness)
    } else {
      const pace = length(wanted)
      scale(wanted, wanted, pace > 0 ? pace / Math.hypot(pace, climb) : 1)
    }
  }
}

/** Speed (m/s) of a walker that hurries; without a top speed that which it reaches within a second. */
function topPace({ mass, maxForce, maxSpeed }: Agent): number {
  return Math.min(maxSpeed, maxForce / mass)
}

/** Whether it can turn about `up`. Writes `cost`. */
function canTurn(agent: Agent): boolean {
  const { x, y, z } = agent.inertia
  return agent.maxTorque > 0 && dot(torqueFor(cost, agent, up), up) > LOCKED_SHARE * Math.max(x, y, z)
}

/** Rise of the ground per metre along a level direction, measured over `reach` (m) to both sides. */
function riseAlong(agent: Agent, heightAbove: HeightAbove, along: Vec3Like, reach: number): number {
  const behind = heightAbove(addScaled(probe, agent.position, along, -reach))
  return (behind - heightAbove(addScaled(probe, agent.position, along, reach))) / (2 * reach)
}

/**
 * Adds to `force` the push of the ground (N) that lets the walker follow it: in the next step it moves as the
 * ground rises under it, and loses a share of its `height` (m) above it. The ground does not pull, unless
 * there is no gravity.
 */
function carry(agent: Agent, { dt }: Step, height: number, force: Vec3): void {
  const { gravity, mass, velocity } = agent
  const top = topPace(agent)
  addScaled(direction, level, force, dt / mass)
  const rate = dot(slope, direction) - clamp(height / Math.max(dt, SETTLE_TIME), -top, top)
  const weight = -mass * dot(gravity, up)
  const push = (mass * (rate - dot(velocity, up))) / dt + weight
  addScaled(force, force, up, Math.max(push, weight > 0 ? 0 : -agent.maxForce))
}
