import type { Agent, Quat, Vec3, Vec3Like } from '../../types.js'
import { vectorToLocal, vectorToWorld } from '../../math/frame.js'
import {
  conjugate,
  multiply,
  quat,
  quatBetween,
  quatFromAxes,
  rotate,
  rotationBetween,
} from '../../math/quat.js'
import {
  addScaled,
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
} from '../../math/vec3.js'
import { modelAttitude } from '../../control/turn.js'
import { CarrierMotion } from './carrier-motion.js'
import type { Port } from './port.js'

/** How a ship docks: with what, and which way round. In its own steering frame. */
export interface Coupling {
  /** Docking point, m. */
  readonly probe: Vec3Like
  /** Unit direction out of the ship there, and the one, at right angles, that the port's `up` is matched with. */
  readonly axis: Vec3Like
  readonly top: Vec3Like
}

const AHEAD: Vec3Like = { x: 1, y: 0, z: 0 }

const other = quat()
const tip = vec3()
const carried = vec3()
const inward = vec3()

/** A port as one ship sees it, and how it stands to it. One object serves any number of agents, one after the other. */
export class PortPose {
  readonly motion: CarrierMotion = new CarrierMotion()
  /** Of the port, unit, world axes. */
  readonly outward: Vec3 = vec3()
  readonly up: Vec3 = vec3()
  /** Attitude of the docked ship, in the steering frame and as its model has it. */
  readonly steering: Quat = quat()
  readonly attitude: Quat = quat()
  /** Where the nose of the docked ship points, unit. */
  readonly nose: Vec3 = vec3()
  /** From the carrier's centre to the port and to the centre of the docked ship, m, world axes. */
  readonly port: Vec3 = vec3()
  readonly arm: Vec3 = vec3()
  /** From the carrier's centre to the ship, m. */
  readonly here: Vec3 = vec3()
  /** Of its docking point: distance out from the port along the axis, and from the axis, m. */
  out = 0
  readonly aside: Vec3 = vec3()
  /** Of the ship relative to the port's turning frame, m/s: along the axis, positive outward, and across. */
  leaving = 0
  readonly drift: Vec3 = vec3()
  /** Velocity of the docking point relative to the port, across the axis and along it, m/s. */
  sliding = 0
  closing = 0
  /** Rotation that is missing, rad, and spin relative to the carrier, rad/s. */
  turn = 0
  readonly spin: Vec3 = vec3()

  /** Looks at `port` for `agent`. With `free` the roll about the port's axis is what it is, not what the port has. */
  update(agent: Agent, port: Port, coupling: Coupling, free = false): this {
    const { arm, attitude, motion, outward, steering, up } = this
    motion.read(port.carrier, port.velocityTurns)
    normalize(outward, vectorToWorld(outward, motion.axes, port.outward))
    vectorToWorld(up, motion.axes, port.up)
    normalize(up, reject(up, normalize(up, up), outward))
    if (isZero(up)) perpendicular(up, outward)
    vectorToWorld(this.port, motion.axes, port.position)
    this.point(steering, agent, scale(inward, outward, -1), coupling, free)
    modelAttitude(attitude, steering, agent.axes)
    rotate(this.nose, steering, AHEAD)
    sub(arm, this.port, rotate(tip, steering, coupling.probe))
    this.compare(agent, coupling.probe)
    return this
  }

  /** Writes the direction of the ship, in its steering frame, of the side that faces `port` most. */
  face(agent: Agent, port: Port, out: Vec3): Vec3 {
    vectorToWorld(tip, this.motion.read(port.carrier).axes, port.outward)
    const { x, y, z } = vectorToLocal(tip, agent.attitude, tip)
    const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
    if (Math.abs(x) === most) return set(out, -Math.sign(x), 0, 0)
    return Math.abs(y) === most ? set(out, 0, -Math.sign(y), 0) : set(out, 0, 0, -Math.sign(z))
  }

  /** Writes the attitude of the steering frame in which the axis of the ship points along the unit `way`, and its top as the port's, unless it is `free`. */
  point(out: Quat, agent: Agent, way: Vec3Like, { axis, top }: Coupling, free: boolean): Quat {
    if (free) {
      // the short way round
      quatBetween(out, vectorToWorld(tip, agent.attitude, axis), way)
      return multiply(out, out, multiply(other, agent.orientation, agent.axes))
    }
    normalize(tip, reject(tip, this.up, way))
    if (isZero(tip)) perpendicular(tip, way)
    conjugate(other, quatFromAxes(other, axis, top))
    return multiply(out, quatFromAxes(out, way, tip), other)
  }

  /** How the ship stands to it. */
  private compare(agent: Agent, probe: Vec3Like): void {
    const { aside, drift, here, motion, outward, spin } = this
    sub(here, agent.position, motion.position)
    vectorToWorld(tip, agent.attitude, probe)
    // the docking point from the port
    addScaled(aside, here, tip, 1)
    sub(aside, aside, this.port)
    this.out = dot(aside, outward)
    reject(aside, aside, outward)
    sub(drift, agent.velocity, motion.velocity)
    sub(drift, drift, cross(carried, motion.spin, here))
    this.leaving = dot(drift, outward)
    sub(spin, agent.angularVelocity, motion.spin)
    cross(carried, spin, tip)
    addScaled(carried, carried, drift, 1)
    this.closing = -dot(carried, outward)
    this.sliding = Math.sqrt(Math.max(0, lengthSq(carried) - this.closing * this.closing))
    reject(drift, drift, outward)
    this.turn = length(rotationBetween(carried, agent.orientation, this.attitude))
  }
}
