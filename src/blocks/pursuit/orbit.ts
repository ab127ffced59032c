import type {
  Agent,
  Behavior,
  DebugDraw,
  SnapshotState,
  Step,
  Vec3,
  Vec3Like,
  Wrench,
} from '../../core/types.js'
import { servoTime, topSpeed } from '../../core/control/drive.js'
import { Memory } from '../../core/control/memory.js'
import { requireDirection } from '../../core/math/require.js'
import {
  add,
  addScaled,
  copy,
  cross,
  isFiniteVec,
  length,
  load,
  normalize,
  perpendicular,
  save,
  scale,
  sub,
  truncate,
  vec3,
  dot,
  isZero,
} from '../../core/math/vec3.js'
import { TrackedTarget } from './tracked-target.js'
import { flyOn } from './run.js'
import { isGone, pointAt, requirePoint, velocityOf } from '../../core/control/target.js'
import { BRAKE_SHARE, brakingSpeed } from '../../core/control/profile.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface OrbitOptions extends Options, OptionsOf<typeof Orbit.options> {}
export interface Orbit extends FieldsOf<typeof Orbit.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** Share of the force that the turn takes at the default speed. Larger: faster, with less to correct by. */
const DEFAULT_TURN_SHARE = 0.7
/**
 * Largest share of the force that the turn may take at a given `speed`. Larger: that speed is reduced less.
 */
const MAX_TURN_SHARE = 0.95

/** However fast the centre moves, this share of the top speed is left to approach it. */
const MIN_SPEED_SHARE = 0.02

/** Below this sine of the angle between velocity and direction to the centre, the two define no plane. */
const MIN_SINE = 1e-3

/** Number of lines by which the circle is drawn. */
const PIECES = 48

const fromCenter = vec3()
const relativeVelocity = vec3()
const velocityBefore = vec3()
const velocityAfter = vec3()
const spot = vec3()

/**
 * Circles a point or a moving thing at a distance. The agent joins the circle on a tangent, from outside,
 * inside, above or the centre itself, and stays on it without lag. Over a step the velocity turns with the
 * tangent, which is the centripetal force; the acceleration of the centre is fed forward as well. (Green's
 * moth, Seek and Flee, circles by overshooting; Polarith's Orbit is a field without a model of the vehicle.)
 * As a wish within constraints it goes around obstacles and comes back.
 */
export class Orbit implements Behavior {
  static readonly type: string = 'Orbit'
  static readonly options = {
    /** The centre (m): a point, a moving thing, or a function. A function counts as at rest. */
    target: { kind: 'point', required: true, check: requirePoint },
    /** Distance to keep from the centre (m, > 0). */
    radius: { kind: 'number', required: true, unit: 'm', above: 0 },
    /**
     * Speed on the circle relative to the centre (m/s, > 0), limited by the top speed and the force. Default
     * what seven tenths of the force can hold on the circle, √(0.7·a·r).
     */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
    /**
     * Axis of the circle; the direction of flight is right-handed about it (any length, not 0). Default none:
     * the plane of the agent's motion when it first orbits.
     */
    axis: { kind: 'vector', check: requireDirection },
    /**
     * Keeps only the distance: the plane is that of the present motion, and other forces may change it. Not
     * with `axis`. Default false.
     */
    sphere: { kind: 'boolean', default: false },
  } as const satisfies AnyTable
  /** Axis found when the agent first orbited. */
  private readonly memory = new Memory(3)
  private readonly center = new TrackedTarget()
  readonly state: SnapshotState = [this.memory, this.center]
  private readonly circle = makeCircle()

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: OrbitOptions) {
    Object.assign(this, readOptions('Orbit', Orbit.options, options))
    if (this.sphere && this.axis !== undefined)
      throw new RangeError('Orbit.sphere: got true with an axis, must be false: a sphere has none')
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    const { circle, center } = this
    const { mass, position, velocity } = agent
    const { dt } = step
    if (!center.update(agent, step, this.target)) return flyOn(agent, step, topSpeed(agent), out.force)
    sub(fromCenter, position, center.position)
    sub(relativeVelocity, velocity, center.flown)
    this.updateCircle(agent, step, fromCenter, relativeVelocity)
    // Engines that move a body by its new velocity show the velocity of half a step ago.
    circlingVelocity(velocityBefore, addScaled(spot, fromCenter, relativeVelocity, -dt / 2), circle)
    circlingVelocity(velocityAfter, addScaled(spot, fromCenter, relativeVelocity, dt / 2), circle)
    // The next step is bent like the circle.
    addScaled(spot, spot, sub(velocityAfter, velocityAfter, velocityBefore), dt / 2)
    circlingVelocity(velocityAfter, spot, circle)
    sub(relativeVelocity, relativeVelocity, velocityBefore)
    scale(velocityAfter, sub(velocityAfter, velocityAfter, velocityBefore), 1 / dt)
    addScaled(velocityAfter, velocityAfter, relativeVelocity, -1 / servoTime(agent, step))
    add(velocityAfter, velocityAfter, center.acceleration)
    if (!isFiniteVec(velocityAfter)) return
    agent.asks = true
    scale(velocityAfter, velocityAfter, mass)
    if (agent.wish === null) truncate(velocityAfter, velocityAfter, agent.maxForce)
    add(out.force, out.force, velocityAfter)
  }

  /** Draws the circle, and the line to its centre. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    const { target, circle, center } = this
    pointAt(center.position, target, agent)
    velocityOf(center.velocity, target, agent)
    sub(fromCenter, agent.position, center.position)
    sub(relativeVelocity, agent.velocity, center.velocity)
    this.updateCircle(agent, step, fromCenter, relativeVelocity)
    const { axis, radius } = circle
    perpendicular(velocityBefore, axis)
    cross(velocityAfter, axis, velocityBefore)
    for (let i = 0; i <= PIECES; i++) {
      const angle = (2 * Math.PI * i) / PIECES
      addScaled(relativeVelocity, center.position, velocityBefore, radius * Math.cos(angle))
      addScaled(relativeVelocity, relativeVelocity, velocityAfter, radius * Math.sin(angle))
      if (i > 0) draw.line('orbit', spot, relativeVelocity)
      copy(spot, relativeVelocity)
    }
    draw.line('orbit', agent.position, center.position)
  }

  /** Writes the present circle of this agent, which is at `offset` (m) and `drift` (m/s) from the centre. */
  private updateCircle(agent: Agent, step: Step, offset: Vec3Like, drift: Vec3Like): void {
    const { circle, center, radius } = this
    const acceleration = agent.maxForce / agent.mass
    const top = topSpeed(agent)
    const available = Math.max(top - length(center.velocity), MIN_SPEED_SHARE * top)
    const wanted = this.speed ?? Math.sqrt(DEFAULT_TURN_SHARE * acceleration * radius)
    circle.radius = radius
    circle.speed = Math.max(
      Math.min(wanted, available, Math.sqrt(MAX_TURN_SHARE * acceleration * radius)),
      Number.MIN_VALUE,
    )
    circle.top = available
    circle.acceleration = acceleration
    circle.correctionTime = Math.max(servoTime(agent, step), 2 * agent.forceLag + agent.forceTurnTime)
    copy(circle.ahead, agent.course.x)
    this.axisInto(circle.axis, agent, offset, drift)
  }

  private axisInto(out: Vec3, agent: Agent, offset: Vec3Like, drift: Vec3Like): void {
    if (this.axis !== undefined) {
      normalize(out, this.axis)
      return
    }
    const memoryOffset = this.memory.at(agent)
    const { data, fresh } = this.memory
    if (!fresh && !this.sphere) {
      load(out, data, memoryOffset)
      return
    }
    normalize(velocityBefore, offset)
    normalize(velocityAfter, drift)
    cross(out, velocityBefore, velocityAfter)
    // At rest, or flying straight at the centre or away from it: by the course, then by its up axis.
    if (length(out) < MIN_SINE) cross(out, velocityBefore, agent.course.x)
    if (length(out) < MIN_SINE) cross(out, velocityBefore, agent.course.z)
    if (length(out) < MIN_SINE) copy(out, agent.course.y)
    normalize(out, out)
    save(out, data, memoryOffset)
  }
}

/** A circle about the origin of a frame that moves with its centre. SI units. */
interface Circle {
  /** Unit axis; the direction of flight is right-handed about it. */
  readonly axis: Vec3
  /** Direction in which an agent on the axis leaves it: any. */
  readonly ahead: Vec3
  radius: number
  /** Speed on the circle, and highest speed while approaching it (m/s). */
  speed: number
  top: number
  /** Acceleration available in any direction (m/s²), and time constant of corrections (s). */
  acceleration: number
  correctionTime: number
}

/** Share of the force that slows an agent down before the circle. Larger: it slows down later. */
const SLOWING_SHARE = 0.3
/** Share of the force that brakes its approach to the plane. Larger: it reaches the plane faster. */
const LEVELLING_SHARE = 0.3

/** Share of the force left by the turn that is counted on to come out from inside. Larger: faster. */
const SPARE_SHARE = 0.5

/** Lower bound of that, as a share of the whole force. */
const MIN_SPARE_SHARE = 0.05

/** Largest share of the speed towards the plane. Larger: it goes to the plane first, then around. */
const MAX_SINKING_SHARE = 0.8

const beside = vec3()
const outwards = vec3()
const around = vec3()

function makeCircle(): Circle {
  return {
    axis: vec3(0, 1, 0),
    ahead: vec3(1, 0, 0),
    radius: 1,
    speed: 1,
    top: 1,
    acceleration: 1,
    correctionTime: 1,
  }
}

/**
 * Writes the wanted velocity (m/s) at `place` (m, from the centre) to join a circle and fly it. From outside
 * it follows the tangent line to the circle; from inside an arc that leaves enough force for the turn. Near
 * the circle the approach slows with the time constant, so that the field has no kink that a servo could not
 * follow.
 */
function circlingVelocity(out: Vec3, place: Vec3Like, circle: Circle): Vec3 {
  const { axis, acceleration, radius, speed, correctionTime, top } = circle
  const height = dot(place, axis)
  addScaled(beside, place, axis, -height)
  const distance = length(beside)
  normalize(outwards, beside)
  if (isZero(outwards)) {
    addScaled(outwards, circle.ahead, axis, -dot(circle.ahead, axis))
    normalize(outwards, outwards)
    if (isZero(outwards)) perpendicular(outwards, axis)
  }
  cross(around, axis, outwards)
  const gap = distance - radius
  const distanceToCircle = Math.hypot(Math.max(0, gap), height)
  const speedNow = Math.min(
    Math.sqrt(speed * speed + 2 * SLOWING_SHARE * acceleration * distanceToCircle),
    Math.max(speed, top),
  )
  const level = brakingSpeed(Math.abs(height), LEVELLING_SHARE * acceleration, 0, correctionTime)
  const sinking = Math.min(level, MAX_SINKING_SHARE * speedNow)
  const along = Math.sqrt(speedNow * speedNow - sinking * sinking)
  const inPlane = gap > 0 ? along : Math.min(along, speed)
  const share = gap > 0 ? inwardShare(gap, circle) : -outwardShare(-gap, circle)
  scale(out, outwards, -inPlane * share)
  addScaled(out, out, around, inPlane * Math.sqrt(Math.max(0, 1 - share * share)))
  return addScaled(out, out, axis, height > 0 ? -sinking : sinking)
}

/** Inward share of the speed, `gap` m outside of the circle: along the tangent line. */
function inwardShare(gap: number, { radius, speed, correctionTime }: Circle): number {
  const sine = radius / (radius + gap)
  const tangent = Math.sqrt(Math.max(0, 1 - sine * sine))
  return Math.min(tangent, brakingSpeed(gap, (speed * speed) / radius, 0, correctionTime) / speed)
}

/** Outward share of the speed, `gap` m inside the circle. */
function outwardShare(gap: number, { acceleration, radius, speed, correctionTime }: Circle): number {
  const spare = BRAKE_SHARE * acceleration - (speed * speed) / radius
  const brake = Math.max(SPARE_SHARE * spare, MIN_SPARE_SHARE * acceleration)
  return Math.min(1, brakingSpeed(gap, brake, 0, correctionTime) / speed)
}
