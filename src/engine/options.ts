import type { Behavior, BodyState, Locomotion, QuatLike, SteeringBody, Vec3Like } from '../types.js'
import { axesQuat, DEFAULT_FORWARD, DEFAULT_UP, frame, attitudeFrame } from '../math/frame.js'
import { normalizeQuat, quat } from '../math/quat.js'
import { requireFinite, requireNumber, requireVector, requireWhole } from '../math/require.js'
import { TAU } from '../math/scalar.js'
import { cross, length, normalize, vec3 } from '../math/vec3.js'
import * as T from './agents.js'
import type { Agents } from './agents.js'
import { carryCourse } from './course.js'

/** Properties and limits of an agent, the same for controllers and flocks. SI units, world axes. */
export interface AgentOptions {
  /** Its behaviour: one, or a combination of many. */
  behavior: Behavior
  /**
   * Speed that its own force never exceeds, m/s, > 0 (Infinity allowed). An agent that is thrown faster keeps
   * its momentum.
   */
  maxSpeed: number
  /** Largest force of its engines, N, ≥ 0. */
  maxForce: number
  /** Largest torque, N·m, ≥ 0 (Infinity allowed). Default `maxForce · radius`: thrusters on the hull. */
  maxTorque?: number
  /** Turn rate that its own torque never exceeds, rad/s, > 0. Default 2π. */
  maxTurnRate?: number
  /** Mass, kg, > 0. A physics body brings its own. Default 1. */
  mass?: number
  /**
   * Principal moments of inertia, kg·m², > 0. A physics body brings its own. Default a solid sphere,
   * 0.4·m·r².
   */
  inertia?: Vec3Like
  /**
   * Rotation from the principal axes of inertia to the model axes, any length but zero. A physics body brings
   * its own. Default none: `inertia` is about the model axes.
   */
  inertiaFrame?: QuatLike
  /**
   * Radius of its hull, which others avoid, m, > 0. Default that of the body, also when the body's changes
   * later, else 0.5.
   */
  radius?: number
  /**
   * Time constant in which velocity errors are corrected, s, > 0. Shorter is stiffer; never shorter than a
   * step. Default 0.1.
   */
  responseTime?: number
  /** Decides how much of the wanted force and torque the vehicle can produce. Default `new Hover()`. */
  locomotion?: Locomotion
  /** Axis of the model that is its nose. Default +Z, the axis that `Object3D.lookAt` points at a target. */
  forward?: Vec3Like
  /** Axis of the model that is its top, at right angles to `forward`. Default +Y. */
  up?: Vec3Like
  /** Full angle of view, rad, in (0, 2π]. Neighbours outside are not seen. Default 2π. */
  fieldOfView?: number
  /** Only this many nearest neighbours are seen, whole number ≥ 1. Default all. */
  maxNeighbors?: number
  /**
   * Right of way, dimensionless, > 0. Of two agents that avoid each other, each takes the share other / (own
   * + other) of the avoidance (Green's table of relative masses). Infinity never gives way: a player, a bus,
   * prey in panic. Default 1.
   */
  priority?: number
  /** Group bits of the agent, for the `groups` masks of behaviours. Default 1. */
  group?: number
  /**
   * Key of its random stream, a 32-bit whole number. With keys of your own, the result does not depend on the
   * order of adding. Default: a key derived from the id.
   */
  seed?: number
  /** Shown in fault reports. Snapshots match controllers and flocks by it. */
  name?: string
  /** Whether the locomotion holds the agent's weight before it spends force on the demand. Default false. */
  compensateGravity?: boolean
  /**
   * Whether the locomotion compensates the engine's linear damping before it spends force on the demand.
   * Default false.
   */
  compensateDamping?: boolean
}

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

/** kg; then maxForce and acceleration have the same number. */
const DEFAULT_MASS = 1
/** All equal: two agents share the avoidance in halves. */
const DEFAULT_PRIORITY = 1
/** The first of 32 group bits. */
const DEFAULT_GROUP = 1
/** One turn a second, rad/s. Chosen by hand. */
const DEFAULT_MAX_TURN_RATE: number = TAU
/** A hull of 1 m in diameter, m. Chosen by hand. */
export const DEFAULT_RADIUS = 0.5
/** Short enough to look alert, and three steps of 1/30 s, so that it works with slow physics. */
const DEFAULT_RESPONSE_TIME = 0.1

/** Radius (m), as it was last read, of bodies whose agents have no radius option. */
export const bodyRadius: WeakMap<SteeringBody, number> = new WeakMap<SteeringBody, number>()

const NONE: QuatLike = { x: 0, y: 0, z: 0, w: 1 }

const start = frame()
const turned = quat()

export interface Box {
  readonly min: Vec3Like
  readonly max: Vec3Like
}

export function requireBox(what: string, box: Box): Box {
  if (typeof box !== 'object' || box === null)
    throw new TypeError(`${what}: got ${String(box)}, must be a box { min, max }`)
  const { min, max } = box
  const { x, y, z } = requireVector(`${what}.min`, min)
  requireVector(`${what}.max`, max)
  if (!(max.x > x && max.y > y && max.z > z))
    throw new RangeError(
      `${what}.max: got (${max.x}, ${max.y}, ${max.z}), must exceed min (${x}, ${y}, ${z}) on every axis`,
    )
  return { min: { x, y, z }, max: { x: max.x, y: max.y, z: max.z } }
}

export function requireLocomotion(what: string, value: Locomotion): Locomotion {
  if (typeof value?.actuate !== 'function' || typeof value.forceAlong !== 'function')
    throw new TypeError(`${what}: got ${String(value)}, must have methods actuate and forceAlong`)
  return value
}

/** @throws TypeError for a value that is not a {@link SteeringBody}. */
export function requireBody(what: string, value: SteeringBody): SteeringBody {
  if (typeof value?.read !== 'function' || typeof value.apply !== 'function')
    throw new TypeError(
      `${what}: got ${String(value)}, must be a body with read and apply, e.g. cannonBody(body)`,
    )
  return value
}

/** Checks the options and writes them into the row `row`. */
export function writeTraits(
  agents: Agents,
  row: number,
  options: AgentOptions,
  body: SteeringBody | null,
): void {
  const { traits } = agents
  const t = T.TRAITS * row
  const mass = requireFinite('mass', options.mass ?? DEFAULT_MASS, 0, true)
  const radius = requireFinite('radius', options.radius ?? body?.radius ?? DEFAULT_RADIUS, 0, true)
  if (body !== null && options.radius === undefined) bodyRadius.set(body, radius)
  const maxForce = requireFinite('maxForce', options.maxForce, 0, false)
  const sphere = 0.4 * mass * radius * radius
  const inertia = requireVector('inertia', options.inertia ?? { x: sphere, y: sphere, z: sphere })
  for (const axis of ['x', 'y', 'z'] as const) requireNumber(`inertia.${axis}`, inertia[axis], 0, true)
  traits[t] = mass
  traits[t + T.INERTIA] = inertia.x
  traits[t + T.INERTIA + 1] = inertia.y
  traits[t + T.INERTIA + 2] = inertia.z
  const { x, y, z, w } = normalizeQuat(
    turned,
    requireQuaternion('inertiaFrame', options.inertiaFrame ?? NONE),
  )
  agents.inertiaFrame.set([x, y, z, w], 4 * row)
  traits[t + T.RADIUS] = radius
  traits[t + T.MAX_SPEED] = requireNumber('maxSpeed', options.maxSpeed, 0, true)
  traits[t + T.MAX_FORCE] = maxForce
  traits[t + T.MAX_TORQUE] = requireNumber('maxTorque', options.maxTorque ?? maxForce * radius, 0, false)
  traits[t + T.MAX_TURN_RATE] = requireNumber(
    'maxTurnRate',
    options.maxTurnRate ?? DEFAULT_MAX_TURN_RATE,
    0,
    true,
  )
  traits[t + T.RESPONSE_TIME] = requireNumber(
    'responseTime',
    options.responseTime ?? DEFAULT_RESPONSE_TIME,
    0,
    true,
  )
  const view = requireNumber('fieldOfView', options.fieldOfView ?? TAU, 0, true, TAU)
  traits[t + T.VIEW_COSINE] = viewCosine(view)
  traits[t + T.MAX_NEIGHBORS] = requireWhole('maxNeighbors', options.maxNeighbors ?? Infinity, 1, Infinity)
  traits[t + T.PRIORITY] = requireNumber('priority', options.priority ?? DEFAULT_PRIORITY, 0, true)
  traits[t + T.COMPENSATE_GRAVITY] = options.compensateGravity === true ? 1 : 0
  traits[t + T.COMPENSATE_DAMPING] = options.compensateDamping === true ? 1 : 0
  if (options.seed !== undefined) requireWhole('seed', options.seed, -(2 ** 31), 2 ** 32 - 1)
  agents.group[row] = requireWhole('group', options.group ?? DEFAULT_GROUP, -(2 ** 31), 2 ** 32 - 1)
  writeAxes(agents, row, options.forward ?? DEFAULT_FORWARD, options.up ?? DEFAULT_UP)
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
  const q = [turned.x, turned.y, turned.z, turned.w]
  agents.position.set([p.x, p.y, p.z], 3 * row)
  agents.velocity.set([v.x, v.y, v.z], 3 * row)
  agents.angularVelocity.set([w.x, w.y, w.z], 3 * row)
  agents.orientation.set(q, 4 * row)
  agents.previous.set([p.x, p.y, p.z, ...q], 7 * row)
  const [ax, ay, az, aw] = agents.axes.subarray(4 * row, 4 * row + 4)
  const nose = attitudeFrame(start, turned, quat(ax, ay, az, aw))
  agents.course.set([nose.x.x, nose.x.y, nose.x.z, nose.y.x, nose.y.y, nose.y.z], 6 * row)
  carryCourse(agents, row)
}

/** Writes how the mass of a body lies in it into the row `row`. */
export function writeMassFrame(
  agents: Agents,
  row: number,
  { center, inertiaFrame }: Pick<BodyState, 'center' | 'inertiaFrame'>,
): void {
  const v = 3 * row
  const q = 4 * row
  agents.center[v] = center.x
  agents.center[v + 1] = center.y
  agents.center[v + 2] = center.z
  agents.inertiaFrame[q] = inertiaFrame.x
  agents.inertiaFrame[q + 1] = inertiaFrame.y
  agents.inertiaFrame[q + 2] = inertiaFrame.z
  agents.inertiaFrame[q + 3] = inertiaFrame.w
}

/** −1 for all round: the cosine of half of 2π. */
export function viewCosine(fieldOfView: number): number {
  return fieldOfView >= TAU ? -1 : Math.cos(fieldOfView / 2)
}

function requireQuaternion(what: string, value: QuatLike): QuatLike {
  const { x, y, z, w } = (value ?? {}) as Partial<QuatLike>
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number' || typeof w !== 'number')
    throw new TypeError(`${what}: got ${String(value)}, must have numbers x, y, z, w`)
  if (!Number.isFinite(x + y + z + w) || x * x + y * y + z * z + w * w < 1e-12)
    throw new RangeError(`${what}: got (${x}, ${y}, ${z}, ${w}), must be finite and not zero`)
  return value
}

function writeAxes(agents: Agents, row: number, forward: Vec3Like, up: Vec3Like): void {
  const nose = normalize(vec3(), requireVector('forward', forward))
  const top = normalize(vec3(), requireVector('up', up))
  if (length(cross(vec3(), nose, top)) < 0.5)
    throw new RangeError(
      `up: got (${up.x}, ${up.y}, ${up.z}), must be at right angles to forward (${forward.x}, ${forward.y}, ${forward.z})`,
    )
  const { x, y, z, w } = axesQuat(turned, nose, top)
  agents.axes.set([x, y, z, w], 4 * row)
}
