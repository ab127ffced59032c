import type { Agent, Quat, Vec3, Vec3Like } from '../../core/types.js'
import { vectorToLocal, vectorToWorld } from '../../core/math/frame.js'
import {
  conjugate,
  multiply,
  quat,
  quatBetween,
  quatFromAxes,
  rotate,
  rotationBetween,
  unrotate,
} from '../../core/math/quat.js'
import { requireVector } from '../../core/math/require.js'
import {
  addScaled,
  copy,
  cross,
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
import { modelAttitude } from '../../core/control/turn.js'
import { engineAlong } from './thrust.js'
import { CarrierMotion } from './carrier-motion.js'
import type { Port } from './port.js'
import type { AnyTable, Options, OptionsOf } from '../../core/math/options.js'

/** The part of an agent that meets the port. Steering frame: x ahead, y up, z to starboard. */
export interface Coupling {
  /** Docking point (m), as seen from the centre of mass. */
  readonly probe: Vec3Like
  /** Unit direction out of the agent at the docking point. */
  readonly axis: Vec3Like
  /** Unit direction at right angles to `axis` that is aligned with the port's `up`. */
  readonly top: Vec3Like
}

export interface CouplingOptions extends Options, OptionsOf<typeof COUPLING> {}

/** The table of `CouplingOptions`. */
export const COUPLING = {
  probe: { kind: 'vector', unit: 'm', check: requireVector },
  axis: { kind: 'vector', check: requireVector },
  top: { kind: 'vector', check: requireVector },
} as const satisfies AnyTable

const AHEAD: Vec3Like = { x: 1, y: 0, z: 0 }

/** A coupling with a given docking point, or with the point of each agent at its radius along the axis. */
export class ShipCoupling implements Coupling {
  readonly probe: Vec3 = vec3(1, 0, 0)
  /** Docking point (m), as seen from the origin of the model, unless `isAtRadius`. */
  readonly point: Vec3 = vec3()
  readonly axis: Vec3 = vec3(1, 0, 0)
  readonly top: Vec3 = vec3(0, 1, 0)
  /** Whether the docking point is `radius` away from the centre, along the axis. */
  isAtRadius = true
  /** Copies of the options that it was made from. @internal */
  given: CouplingOptions = {}

  /** Sets the docking point for this agent. @returns this. */
  of(agent: Agent): this {
    if (this.isAtRadius) scale(this.probe, this.axis, agent.radius)
    else sub(this.probe, this.point, unrotate(this.probe, agent.axes, agent.center))
    return this
  }
}

/**
 * Makes a coupling from the checked options of a behaviour.
 * @param className of the behaviour, for error messages.
 * @param side of the agent that docks if neither `probe` nor `axis` is given. Default its nose.
 * @throws TypeError / RangeError naming the option.
 */
export function couplingOf(
  className: string,
  { axis, probe, top }: { [K in keyof CouplingOptions]: CouplingOptions[K] | undefined },
  side: Vec3Like = AHEAD,
): ShipCoupling {
  const coupling = new ShipCoupling()
  copy(coupling.axis, side)
  if (probe !== undefined) {
    copy(coupling.point, probe)
    coupling.isAtRadius = false
    normalize(coupling.axis, probe)
  }
  if (axis !== undefined) normalize(coupling.axis, axis)
  if (isZero(coupling.axis))
    throw new RangeError(
      `${className}.axis: got ${axis === undefined ? 'none' : '(0, 0, 0)'}, must be a direction; a probe at the centre has none of its own`,
    )
  const { axis: nose } = coupling
  if (top !== undefined) copy(coupling.top, top)
  else if (Math.abs(nose.y) > 0.9) set(coupling.top, 1, 0, 0)
  const { x, y, z } = coupling.top
  reject(coupling.top, coupling.top, nose)
  normalize(coupling.top, coupling.top)
  if (isZero(coupling.top))
    throw new RangeError(`${className}.top: got (${x}, ${y}, ${z}), must not lie along the axis`)
  coupling.given = {
    ...(probe !== undefined && { probe: copy(vec3(), probe) }),
    ...(axis !== undefined && { axis: copy(vec3(), axis) }),
    ...(top !== undefined && { top: copy(vec3(), top) }),
  }
  return coupling
}

const rotation = quat()
const probeArm = vec3()
const carried = vec3()
const inward = vec3()
const velocity = vec3()

/**
 * Pose and velocity of an agent relative to a port. One object is updated for one agent after the other.
 * Vectors are in world axes unless the name says otherwise.
 */
export class PortPose {
  readonly carrier: CarrierMotion = new CarrierMotion()
  /** Axes of the port (unit). */
  readonly outward: Vec3 = vec3()
  readonly up: Vec3 = vec3()
  /** Attitude of the docked agent: of its steering frame, and of its model. */
  readonly steeringAttitude: Quat = quat()
  readonly attitude: Quat = quat()
  /** Direction of the nose of the docked agent (unit). */
  readonly nose: Vec3 = vec3()
  /** From the carrier's centre to the port, to the docked agent's centre, and to the agent (m). */
  readonly portPosition: Vec3 = vec3()
  readonly dockedPosition: Vec3 = vec3()
  readonly position: Vec3 = vec3()
  /** Of the docking point (m): distance outward from the port along the axis, and offset from the axis. */
  distance = 0
  readonly offset: Vec3 = vec3()
  /**
   * Distance outward along the axis (m) that the agent may still move inward before its docking point, or, in
   * its present attitude, its hull, would be where the docked agent touches the port.
   */
  room = 0
  /** Velocity relative to the port's turning frame (m/s): along the axis, positive outward, and across. */
  outwardSpeed = 0
  readonly crossVelocity: Vec3 = vec3()
  /** Speed of the docking point relative to the port (m/s): across, and along the axis, positive inward. */
  slidingSpeed = 0
  closingSpeed = 0
  /** Angle between the present attitude and that of the docked agent (rad). */
  attitudeError = 0
  /** Angular velocity relative to the carrier (rad/s). */
  readonly spin: Vec3 = vec3()

  /**
   * Updates the pose for `agent` and `port`. With `freeRoll` the agent keeps its roll about the port's axis
   * instead of the port's.
   * @param last position of the carrier one step of `dt` (s) ago (m), to see how it shows its velocity.
   */
  update(agent: Agent, port: Port, coupling: Coupling, freeRoll = false, last?: Vec3Like, dt = 0): this {
    const { attitude, carrier, dockedPosition, outward, portPosition, steeringAttitude, up } = this
    carrier.read(port.carrier, port.velocityTurns)
    if (last !== undefined) carrier.compareStep(last, dt)
    normalize(outward, vectorToWorld(outward, carrier.axes, port.outward))
    vectorToWorld(up, carrier.axes, port.up)
    normalize(up, reject(up, normalize(up, up), outward))
    if (isZero(up)) perpendicular(up, outward)
    sub(portPosition, vectorToWorld(portPosition, carrier.axes, port.position), carrier.center)
    this.attitudeAlong(steeringAttitude, agent, scale(inward, outward, -1), coupling, freeRoll)
    modelAttitude(attitude, steeringAttitude, agent.axes)
    rotate(this.nose, steeringAttitude, AHEAD)
    sub(dockedPosition, portPosition, rotate(probeArm, steeringAttitude, coupling.probe))
    this.compare(agent, coupling.probe)
    return this
  }

  /** Writes the direction, in the agent's steering frame, of the side of the agent that faces `port` most. */
  facingSide(agent: Agent, port: Port, out: Vec3): Vec3 {
    vectorToWorld(probeArm, this.carrier.read(port.carrier).axes, port.outward)
    const { x, y, z } = vectorToLocal(probeArm, agent.attitude, probeArm)
    const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
    if (Math.abs(x) === largest) return set(out, -Math.sign(x), 0, 0)
    return Math.abs(y) === largest ? set(out, 0, -Math.sign(y), 0) : set(out, 0, 0, -Math.sign(z))
  }

  /** Force (N) that the engines of the docked agent give along a unit direction. */
  engineAlong(agent: Agent, direction: Vec3Like): number {
    return engineAlong(agent, unrotate(probeArm, this.steeringAttitude, direction), 1)
  }

  /**
   * Writes the attitude of the steering frame in which the agent's `axis` points along the unit `direction`.
   * Its `top` points along the port's `up`; with `freeRoll` the agent turns there by the shortest rotation
   * instead.
   */
  attitudeAlong(
    out: Quat,
    agent: Agent,
    direction: Vec3Like,
    { axis, top }: Coupling,
    freeRoll: boolean,
  ): Quat {
    if (freeRoll) {
      quatBetween(out, vectorToWorld(probeArm, agent.attitude, axis), direction)
      return multiply(out, out, multiply(rotation, agent.orientation, agent.axes))
    }
    normalize(probeArm, reject(probeArm, this.up, direction))
    if (isZero(probeArm)) perpendicular(probeArm, direction)
    conjugate(rotation, quatFromAxes(rotation, axis, top))
    return multiply(out, quatFromAxes(out, direction, probeArm), rotation)
  }

  /**
   * Adds the acceleration (m/s²) of the port's turning frame at the agent (centripetal and Coriolis), and
   * that which cancels damping.
   */
  addFrameAcceleration(agent: Agent, out: Vec3): void {
    const { carrier, crossVelocity, outward, outwardSpeed, position } = this
    addScaled(out, out, carrier.accelerationAt(carried, position), 1)
    addScaled(velocity, crossVelocity, outward, outwardSpeed)
    addScaled(out, out, cross(carried, carrier.spin, velocity), 2)
    if (!agent.compensateDamping) addScaled(out, out, agent.velocity, agent.damping)
  }

  /**
   * Room for the hull (m): that of the centre, less what the hull reaches beyond the docking point. A turn by
   * an angle moves no point of the hull by more than the chord of that angle, and none beyond the radius.
   */
  private hullRoom({ radius }: Agent): number {
    const { attitudeError, dockedPosition, outward, portPosition, position } = this
    const dockedReach = dot(dockedPosition, outward) - dot(portPosition, outward)
    const chord = 2 * radius * Math.sin(Math.min(attitudeError, Math.PI) / 2)
    const beyond = Math.min(chord, Math.max(0, radius - dockedReach))
    return dot(position, outward) - dot(dockedPosition, outward) - beyond
  }

  /** Measures distance, offset and velocities. */
  private compare(agent: Agent, probe: Vec3Like): void {
    const { carrier, crossVelocity, offset, outward, position, spin } = this
    sub(position, agent.position, carrier.position)
    vectorToWorld(probeArm, agent.attitude, probe)
    // the docking point, seen from the port
    addScaled(offset, position, probeArm, 1)
    sub(offset, offset, this.portPosition)
    this.distance = dot(offset, outward)
    reject(offset, offset, outward)
    sub(crossVelocity, agent.velocity, carrier.velocity)
    addScaled(crossVelocity, crossVelocity, carrier.ahead, 1)
    sub(crossVelocity, crossVelocity, cross(carried, carrier.spin, position))
    this.outwardSpeed = dot(crossVelocity, outward)
    sub(spin, agent.angularVelocity, carrier.spin)
    cross(carried, spin, probeArm)
    addScaled(carried, carried, crossVelocity, 1)
    this.closingSpeed = -dot(carried, outward)
    this.slidingSpeed = Math.sqrt(Math.max(0, lengthSq(carried) - this.closingSpeed * this.closingSpeed))
    reject(crossVelocity, crossVelocity, outward)
    this.attitudeError = length(rotationBetween(carried, agent.orientation, this.attitude))
    this.room = Math.min(this.distance, this.hullRoom(agent))
  }
}
