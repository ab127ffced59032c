import type { Agent, Vec3, Vec3Like } from '../../core/types.js'
import {
  addScaled,
  cross,
  dot,
  isZero,
  length,
  lengthSq,
  normalize,
  reject,
  scale,
  vec3,
} from '../../core/math/vec3.js'
import type { PortPose } from './port-pose.js'
import { forceLeft } from './thrust.js'

/**
 * Share of the force across that may be spent on staying on the axis of a port that turns; the rest corrects
 * errors. Chosen by hand.
 */
const LOAD_SHARE = 0.75

/** An engine that falls short by less than this share of `maxForce` suffices. Chosen by hand. */
const MIN_LACK = 1e-3

/** An agent passes the mouth in a moment: of what it takes to stay there it needs this share. Measured. */
const PASSING_SHARE = 0.9

/**
 * An agent without engines across need not follow an acceleration across by which, in one second, it gains no
 * more than this share of the speed tolerance, and drifts no farther than this share of the tolerance.
 * Measured.
 */
const LEAN_SPEED_SHARE = 0.74
const LEAN_DRIFT_SHARE = 0.925

type LimitName = 'closingSpeed' | 'speedTolerance' | 'tolerance'

const place = vec3()
const centripetal = vec3()
const coriolis = vec3()
const direction = vec3()

/**
 * What it takes to stay on the axis of a port that turns: the centripetal acceleration, and for an agent that
 * moves along the axis the Coriolis acceleration.
 */
export class AxisLoad {
  /** Largest speed inward (m/s) at which the engines can keep the agent on the axis. */
  fastest = Infinity
  /** Acceleration (m/s²) across the axis at that speed. */
  across = 0
  /** Acceleration (m/s²) that the engines have across the axis. */
  available = Infinity
  /** Acceleration (m/s²) that the agent needs at least, to pass the mouth or to stay at the port. */
  needed = 0
  /**
   * Where a single engine is too weak for that in the attitude of the docked agent: what it takes, and what
   * the engine gives (m/s²). 0 where they suffice.
   */
  taken = 0
  given = 0

  /**
   * @param mouth distance of the mouth from the port (m).
   * @param limits of the approach: the agent cannot be slower than the closing speed.
   * @param speed at the mouth (m/s): the agent is not faster.
   * @param leans whether the agent has no engines across: it follows the port for the last moment only.
   */
  update(
    agent: Agent,
    pose: PortPose,
    mouth: number,
    { closingSpeed, speedTolerance, tolerance }: Readonly<Record<LimitName, number>>,
    speed: number,
    leans: boolean,
  ): this {
    const { carrier, dockedPosition, outward } = pose
    this.fastest = this.available = Infinity
    this.across = this.needed = this.taken = this.given = 0
    if (isZero(carrier.spin) && isZero(carrier.acceleration)) return this
    scale(coriolis, cross(coriolis, carrier.spin, outward), -2)
    const drift = Math.min(LEAN_SPEED_SHARE * speedTolerance, 2 * LEAN_DRIFT_SHARE * tolerance)
    this.visit(agent, pose, dockedPosition, closingSpeed, speed, leans ? drift : 0, 1)
    addScaled(place, dockedPosition, outward, mouth)
    this.visit(agent, pose, place, closingSpeed, speed, leans ? Infinity : 0, PASSING_SHARE)
    return this
  }

  /**
   * Takes a place on the axis into account, measured from the carrier's centre (m).
   * @param free acceleration that takes no engine (m/s²).
   * @param share of what it takes to stay there that is needed.
   */
  private visit(
    agent: Agent,
    pose: PortPose,
    at: Vec3Like,
    closingSpeed: number,
    speed: number,
    free: number,
    share: number,
  ): void {
    const { outward } = pose
    pose.carrier.accelerationAt(centripetal, at)
    this.needed = Math.max(this.needed, share * length(centripetal))
    const out = dot(centripetal, outward)
    reject(centripetal, centripetal, outward)
    // on the side to which the faster motion needs more
    const available = forceAcross(agent, centripetal, coriolis, closingSpeed)
    this.available = Math.min(this.available, available)
    const limit = LOAD_SHARE * available
    this.fastest = Math.max(closingSpeed, Math.min(this.fastest, speedWithin(limit)))
    addScaled(direction, centripetal, coriolis, Math.min(this.fastest, speed))
    this.across = Math.max(this.across, length(direction))
    // beside a weight the force of an engine depends on the attitude
    if (!isZero(agent.gravity)) return
    this.compare(agent, pose, scale(direction, outward, share * out), free)
    addScaled(direction, centripetal, coriolis, closingSpeed)
    this.compare(agent, pose, scale(direction, direction, share), free)
  }

  /** Tests whether the engines of the docked agent give this acceleration (m/s²). */
  private compare(agent: Agent, pose: PortPose, acceleration: Vec3, free: number): void {
    const { mass, maxForce } = agent
    const taken = length(acceleration)
    const given = pose.engineAlong(agent, normalize(acceleration, acceleration)) / mass
    if (taken - Math.max(given, free) < (MIN_LACK * maxForce) / mass || taken < this.taken) return
    this.taken = taken
    this.given = given
  }
}

/** Largest v ≥ 0 with |centripetal + v · coriolis| within a limit; 0 where there is none. */
function speedWithin(limit: number): number {
  const a = lengthSq(coriolis)
  const b = dot(centripetal, coriolis)
  const c = lengthSq(centripetal) - limit * limit
  if (c >= 0) return 0
  return a > 0 ? (Math.sqrt(b * b - a * c) - b) / a : Infinity
}

/** Acceleration (m/s²) that the engines can give along a + speed · b. */
function forceAcross(agent: Agent, a: Vec3Like, b: Vec3Like, speed: number): number {
  normalize(direction, addScaled(direction, a, b, speed))
  if (isZero(direction)) normalize(direction, b)
  return forceLeft(agent, direction) / agent.mass
}
