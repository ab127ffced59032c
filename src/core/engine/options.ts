import { unknownOptions } from '#hints'
import type { BodyState, Locomotion, QuatLike, SteeringBody, Vec3Like } from '../types.js'
import { axesQuat, DEFAULT_FORWARD, DEFAULT_UP, frame, attitudeFrame } from '../math/frame.js'
import { loadQuat, normalizeQuat, quat, saveQuat } from '../math/quat.js'
import { checkOption, readOptions } from '../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../math/options.js'
import {
  requireBehavior,
  requireDirection,
  requireNumber,
  requireQuaternion,
  requireVector,
  refuse,
  outOfRange,
} from '../math/require.js'
import { TAU } from '../math/scalar.js'
import { movablePart } from '../control/lock.js'
import { cross, length, load, normalize, save, vec3, ZERO } from '../math/vec3.js'
import * as T from './agents.js'
import type { Agents, Box } from './agents.js'
import { carryCourse } from './course.js'

/** Properties and limits of an agent, the same for controllers and flocks. SI units, world axes. */
export interface AgentOptions extends Options, OptionsOf<typeof AGENT_OPTIONS> {}

/** State in which an agent starts. */
export interface StateOptions {
  /** m. Default that of the object or body, else the origin. */
  position?: Vec3Like
  /** Attitude of the model, unit. Default that of the object or body, else none. */
  quaternion?: QuatLike
  /** m/s. Default that of the body, else at rest. */
  velocity?: Vec3Like
  /** rad/s. Default that of the body, else none. */
  angularVelocity?: Vec3Like
}

// The numbers below are chosen by hand unless they say otherwise.

/** A hull of 1 m in diameter, m. */
export const DEFAULT_RADIUS = 0.5

const NO_TURN: QuatLike = { x: 0, y: 0, z: 0, w: 1 }

/** The table of `AgentOptions`. */
export const AGENT_OPTIONS = {
  /** Its behaviour: one, or a combination of many. */
  behavior: { kind: 'instance', required: true, check: requireBehavior },
  /**
   * Speed that its own force never exceeds, m/s, > 0 (Infinity allowed). An agent that is thrown faster keeps
   * its momentum.
   */
  maxSpeed: { kind: 'number', required: true, unit: 'm/s', above: 0, infinite: true },
  /** Largest force of its engines, N, ≥ 0. */
  maxForce: { kind: 'number', required: true, unit: 'N', atLeast: 0 },
  /** Largest torque, N·m, ≥ 0 (Infinity allowed). Default `maxForce · radius`: thrusters on the hull. */
  maxTorque: { kind: 'number', unit: 'N·m', atLeast: 0, infinite: true },
  /** Turn rate that its own torque never exceeds, rad/s, > 0. Default 2π. */
  // One turn a second.
  maxTurnRate: { kind: 'number', unit: 'rad/s', above: 0, infinite: true, default: TAU },
  /** Mass, kg, > 0. A physics body brings its own. Default 1. */
  // Then maxForce and acceleration have the same number.
  mass: { kind: 'number', unit: 'kg', above: 0, default: 1 },
  /**
   * Principal moments of inertia, kg·m², > 0. A physics body brings its own. Default a solid sphere,
   * 0.4·m·r².
   */
  inertia: { kind: 'vector', unit: 'kg·m²', check: requireInertia },
  /**
   * Rotation from the principal axes of inertia to the model axes, any length but zero. A physics body brings
   * its own. Default none: `inertia` is about the model axes.
   */
  inertiaFrame: { kind: 'quaternion', default: NO_TURN, check: requireQuaternion },
  /**
   * Radius of its hull, which others avoid, m, > 0. Default that of the body, also when the body's changes
   * later, else 0.5.
   */
  radius: { kind: 'number', unit: 'm', above: 0 },
  /**
   * Length along its nose of the space that `ReciprocalAvoidance` keeps free of others, in diameters of its
   * hull, 1 … 100: an ellipsoid, for a ship that is longer than wide. Default 1: a ball.
   */
  spaceLength: { kind: 'number', atLeast: 1, atMost: 100, default: 1 },
  /**
   * Height of that space along the `up` of the world, in diameters of its hull, 1 … 100: for a rotorcraft
   * beneath which no other may fly. Default 1.
   */
  spaceHeight: { kind: 'number', atLeast: 1, atMost: 100, default: 1 },
  /**
   * Time constant in which velocity errors are corrected, s, > 0. Shorter is stiffer; never shorter than a
   * step. Default 0.1.
   */
  // Short enough to look alert, and three steps of 1/30 s, so that it works with slow physics.
  responseTime: { kind: 'number', unit: 's', above: 0, infinite: true, default: 0.1 },
  /** Decides how much of the wanted force and torque the vehicle can produce. Default `new Hover()`. */
  locomotion: { kind: 'instance', check: requireLocomotion },
  /**
   * Normal of the plane in which the agent moves, world axes, any length but zero: it gets no force along the
   * normal, evades to the sides only, and ignores how far a target lies off the plane. A physics body that
   * its engine locks to a plane or an axis (`linearFactor` of cannon-es, `setEnabledTranslations` of Rapier)
   * has that one instead. Default none.
   */
  plane: { kind: 'vector', check: requireDirection },
  /**
   * Direction of the line on which the agent moves, world axes, any length but zero: a lift, a train, a
   * shuttle on a rail. It goes to and fro, waits before what blocks its line, and ignores how far a target
   * lies off it. With it, `plane` does not count. A physics body that its engine locks has that plane or axis
   * instead. Default none.
   */
  axis: { kind: 'vector', check: requireDirection },
  /** Axis of the model that is its nose. Default +Z, the axis that `Object3D.lookAt` points at a target. */
  forward: { kind: 'vector', default: DEFAULT_FORWARD, check: requireVector },
  /** Axis of the model that is its top, at right angles to `forward`. Default +Y. */
  up: { kind: 'vector', default: DEFAULT_UP, check: requireVector },
  /** Full angle of view, rad, in (0, 2π]. Neighbours outside are not seen. Default 2π. */
  fieldOfView: { kind: 'number', unit: 'rad', above: 0, atMost: TAU, default: TAU },
  /** Only this many nearest neighbours are seen, whole number ≥ 1. Default all. */
  maxNeighbors: { kind: 'number', whole: true, atLeast: 1, infinite: true, default: Infinity },
  /**
   * Right of way, dimensionless, > 0. Of two agents that avoid each other, each takes the share other / (own
   * + other) of the avoidance (Green's table of relative masses). To one that avoids no others, such as the
   * ship of a player, they do all of it. Infinity never gives way: a bus, prey in panic. Default 1.
   */
  // All equal: two agents share the avoidance in halves.
  priority: { kind: 'number', above: 0, infinite: true, default: 1 },
  /** Group bits of the agent, for the `groups` masks of behaviours. Default 1. */
  // The first of 32 group bits.
  group: { kind: 'number', whole: true, atLeast: -2147483648, atMost: 4294967295, default: 1 },
  /**
   * Key of its random stream, a 32-bit whole number. With keys of your own, the result does not depend on the
   * order of adding. Default: a key derived from the id.
   */
  seed: { kind: 'number', whole: true, atLeast: -2147483648, atMost: 4294967295 },
  /** Shown in fault reports. Snapshots match controllers and flocks by it. Default none. */
  name: { kind: 'text', default: '' },
  /** Whether the locomotion holds the agent's weight before it spends force on the demand. Default false. */
  compensateGravity: { kind: 'boolean', default: false },
  /**
   * Whether the locomotion compensates the engine's linear damping before it spends force on the demand.
   * Default false.
   */
  compensateDamping: { kind: 'boolean', default: false },
  /**
   * Drag of an agent without a body: the share of its velocity that it loses in each second, 0 … 1, as
   * `linearDamping` of cannon-es. A physics body has its own. Default none.
   */
  linearDamping: { kind: 'number', atLeast: 0, atMost: 1 },
  /**
   * The same for its angular velocity. An agent whose locomotion turns its nose along its course has no
   * rotation of its own to damp. Default none.
   */
  angularDamping: { kind: 'number', atLeast: 0, atMost: 1 },
} as const satisfies AnyTable

/** The checked options of an agent. */
export type AgentSettings = FieldsOf<typeof AGENT_OPTIONS>

/** @throws TypeError / RangeError naming the option. `owner` is the class that has been given the options. */
export function readAgentOptions(owner: string, options: AgentOptions): AgentSettings {
  const read = readOptions('', AGENT_OPTIONS, options)
  unknownOptions(owner, AGENT_OPTIONS, options)
  return read
}

/** What agents with bodies have by their options. */
interface BodyOptions extends LockOptions {
  /** That of the body, as it was last read, m; not a number where the agent has the option. */
  radius: number
}

export const bodyOptions: WeakMap<SteeringBody, BodyOptions> = new WeakMap<SteeringBody, BodyOptions>()

const start = frame()
const turned = quat()
const direction = vec3()
const lock = { axis: vec3(), plane: vec3() }

export function requireBox(what: string, box: Box): Box {
  if (typeof box !== 'object' || box === null) refuse(what, box, 'must be a box { min, max }')
  const { min, max } = box
  const { x, y, z } = requireVector(`${what}.min`, min)
  requireVector(`${what}.max`, max)
  if (!(max.x > x && max.y > y && max.z > z))
    outOfRange(`${what}.max`, max, `must exceed min (${x}, ${y}, ${z}) on every axis`)
  return { min: { x, y, z }, max: { x: max.x, y: max.y, z: max.z } }
}

export function requireLocomotion(what: string, value: Locomotion): Locomotion {
  if (typeof value?.actuate !== 'function' || typeof value.forceAlong !== 'function')
    refuse(what, value, 'must have methods actuate and forceAlong')
  return value
}

/** @throws TypeError for a value that is not a {@link SteeringBody}. */
export function requireBody(what: string, value: SteeringBody): SteeringBody {
  if (typeof value?.read !== 'function' || typeof value.apply !== 'function')
    refuse(what, value, 'must be a body with read and apply, e.g. cannonBody(body)')
  return value
}

/** @throws TypeError for damping of an agent with a body. */
export function refuseDamping(options: Pick<AgentSettings, 'linearDamping' | 'angularDamping'>): void {
  for (const name of ['linearDamping', 'angularDamping'] as const)
    if (options[name] !== undefined)
      refuse(name, options[name], `must be left out of an agent with a body: set the ${name} of the body`)
}

/**
 * Damping as a rate (1/s): v · (1 − d)^t is v · e^(−rate·t). At most 50/s, for a damping of 1, which leaves
 * nothing after a second.
 */
export function lossRate(damping: number): number {
  return damping > 0 ? Math.min(50, -Math.log1p(-Math.min(1, damping))) : 0
}

function requireInertia(what: string, inertia: Vec3Like): Vec3Like {
  requireVector(what, inertia)
  for (const axis of ['x', 'y', 'z'] as const) requireNumber(`${what}.${axis}`, inertia[axis], 0, true)
  return inertia
}

/** Writes the options into the row `row`. The radius of a body is checked here. */
export function writeTraits(
  agents: Agents,
  row: number,
  options: AgentSettings,
  body: SteeringBody | null,
): void {
  const { traits } = agents
  const t = T.TRAITS * row
  const { mass, maxForce } = options
  const radius = options.radius ?? body?.radius ?? DEFAULT_RADIUS
  checkOption('radius', radius, AGENT_OPTIONS.radius)
  const sphere = 0.4 * mass * radius * radius
  const inertia = options.inertia ?? { x: sphere, y: sphere, z: sphere }
  requireInertia('inertia', inertia)
  traits[t] = mass
  save(inertia, traits, t + T.INERTIA)
  saveQuat(normalizeQuat(turned, options.inertiaFrame), agents.inertiaFrame, 4 * row)
  traits[t + T.RADIUS] = radius
  traits[t + T.MAX_SPEED] = options.maxSpeed
  traits[t + T.MAX_FORCE] = maxForce
  traits[t + T.MAX_TORQUE] = requireNumber('maxTorque', options.maxTorque ?? maxForce * radius, 0, false)
  traits[t + T.MAX_TURN_RATE] = options.maxTurnRate
  traits[t + T.RESPONSE_TIME] = options.responseTime
  traits[t + T.VIEW_COSINE] = viewCosine(options.fieldOfView)
  traits[t + T.MAX_NEIGHBORS] = options.maxNeighbors
  traits[t + T.PRIORITY] = options.priority
  traits[t + T.SPACE_LENGTH] = options.spaceLength
  traits[t + T.SPACE_HEIGHT] = options.spaceHeight
  agents.hasSpaces ||= options.spaceLength > 1 || options.spaceHeight > 1
  traits[t + T.COMPENSATE_GRAVITY] = options.compensateGravity ? 1 : 0
  traits[t + T.COMPENSATE_DAMPING] = options.compensateDamping ? 1 : 0
  if (body !== null) refuseDamping(options)
  traits[t + T.DAMPING] = lossRate(options.linearDamping ?? 0)
  traits[t + T.ANGULAR_DAMPING] = lossRate(options.angularDamping ?? 0)
  agents.group[row] = options.group
  writeLock(agents, row, options)
  if (body !== null)
    bodyOptions.set(body, {
      radius: options.radius === undefined ? radius : NaN,
      axis: load(vec3(), agents.axis, 3 * row),
      plane: load(vec3(), agents.plane, 3 * row),
    })
  writeAxes(agents, row, options.forward, options.up)
}

/**
 * Checks the start and writes it into the row `row`. The course starts along the velocity, or along the nose
 * when at rest.
 */
export function writeState(agents: Agents, row: number, state: Required<StateOptions>): void {
  const p = requireVector('position', state.position)
  const v = requireVector('velocity', state.velocity)
  const w = requireVector('angularVelocity', state.angularVelocity)
  normalizeQuat(turned, requireQuaternion('quaternion', state.quaternion))
  save(p, agents.position, 3 * row)
  save(movableIn(agents, row, v), agents.velocity, 3 * row)
  save(w, agents.angularVelocity, 3 * row)
  saveQuat(turned, agents.orientation, 4 * row)
  save(p, agents.previous, 7 * row)
  saveQuat(turned, agents.previous, 7 * row + 3)
  const nose = attitudeFrame(start, turned, loadQuat(quat(), agents.axes, 4 * row))
  save(nose.x, agents.course, 6 * row)
  save(nose.y, agents.course, 6 * row + 3)
  carryCourse(agents, row)
}

/** Writes gravity (m/s²), as far as the agent can follow it. */
export function writeGravity(agents: Agents, row: number, value: Vec3Like): void {
  save(movableIn(agents, row, value), agents.gravity, 3 * row)
}

/** The part of `v` that the lock of the agent leaves. Scratch. */
function movableIn({ axis, plane }: Agents, row: number, v: Vec3Like): Vec3Like {
  load(lock.axis, axis, 3 * row)
  load(lock.plane, plane, 3 * row)
  return movablePart(direction, v, lock)
}

/** As in `AgentOptions`. */
export interface LockOptions {
  readonly axis?: Vec3Like | undefined
  readonly plane?: Vec3Like | undefined
}

/** Writes what the agent is locked to: vectors of any length, 0 or undefined for nothing. */
export function writeLock(agents: Agents, row: number, { axis = ZERO, plane = ZERO }: LockOptions): void {
  save(normalize(direction, axis), agents.axis, 3 * row)
  save(normalize(direction, plane), agents.plane, 3 * row)
}

/** Writes how the mass of a body lies in it into the row `row`. */
export function writeMassFrame(
  agents: Agents,
  row: number,
  { center, inertiaFrame }: Pick<BodyState, 'center' | 'inertiaFrame'>,
): void {
  save(center, agents.center, 3 * row)
  saveQuat(inertiaFrame, agents.inertiaFrame, 4 * row)
}

/** −1 for all round: the cosine of half of 2π. */
export function viewCosine(fieldOfView: number): number {
  return fieldOfView >= TAU ? -1 : Math.cos(fieldOfView / 2)
}

function writeAxes(agents: Agents, row: number, forward: Vec3Like, up: Vec3Like): void {
  const nose = normalize(vec3(), forward)
  const top = normalize(vec3(), up)
  if (length(cross(vec3(), nose, top)) < 0.5)
    outOfRange('up', up, `must be at right angles to forward (${forward.x}, ${forward.y}, ${forward.z})`)
  saveQuat(axesQuat(turned, nose, top), agents.axes, 4 * row)
}
