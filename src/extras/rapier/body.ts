import { hint } from '#hints'
import type {
  BodyState,
  MovingFrame,
  QuatLike,
  SteeringBody,
  Vec3,
  Vec3Like,
  Wrench,
} from '../../core/types.js'
import { copyQuat, multiply, quat, rotate, unrotate } from '../../core/math/quat.js'
import { lockInertia, readEngineLock } from '../../core/math/engine-lock.js'
import { copy, distance, dot, isZero, length, scale, set, sub, vec3 } from '../../core/math/vec3.js'
import { boxExtent, shapeExtents, shapeNow, shapeRadius } from './collider-shape.js'
import type { RapierBody, RapierBodySet, RapierVector, RapierWorld } from './types.js'

// The numbers below are chosen by hand unless they say otherwise.

/**
 * A body hovers, and may sleep, when its force differs from its weight by less than this share of the weight:
 * the rounding of numbers of single precision.
 */
const HOVER_FORCE_TOLERANCE = 1e-5
/** A faster body (m/s) does not hover. */
const HOVER_SPEED_TOLERANCE = 1e-4
/** Steps after which mass, inertia, damping, gravity and colliders are read again: mostly 0.25 s. */
const PROPERTY_INTERVAL = 16
/**
 * The last type of joint (`RAPIER.JointType`) that holds two bodies at one place: a hinge is 0, a fixed joint
 * 1. Others slide, or are ropes or springs, which Rapier does not tell from spherical joints.
 */
const FIXED = 1
/** Radius (m) of a body without colliders. */
const DEFAULT_RADIUS = 0.5

const now = vec3()
const along = vec3()
const principal = quat()
const matrix = { elements: new Float32Array(6) }

/** Whether the body is in the world. Any other call for one that was removed stops Rapier for good. */
function isInWorld(world: RapierWorld, body: RapierBody): boolean {
  return world.getRigidBody(body.handle) === body
}

/** Bodies that joints hold together, and the joints of one of them, during a search. */
const joined: RapierBody[] = []
const joints: number[] = []
const addJoint = (handle: number): void => void joints.push(handle)

/** Whether joints hold two bodies together. */
function isJoined(world: RapierWorld, body: RapierBody, other: object): boolean {
  let found = false
  joined.push(body)
  for (let i = 0; i < joined.length && !found; i++) {
    joints.length = 0
    world.impulseJoints.forEachJointHandleAttachedToRigidBody(joined[i]!.handle, addJoint)
    for (let k = 0; k < joints.length; k++) {
      const joint = world.getImpulseJoint(joints[k]!)
      if (joint === null || joint.type() > FIXED) continue
      const next = joint.body1() === joined[i] ? joint.body2() : joint.body1()
      found ||= next === other
      if (!joined.includes(next)) joined.push(next)
    }
  }
  joined.length = 0
  return found
}

/** The damping of a step as `BodyState` has it: v / (1 + c · dt) in each step is v · (1 − d)^t. */
function lostPerSecond(damping: number, dt: number): number {
  return damping > 0 ? 1 - (1 + damping * dt) ** (-1 / dt) : 0
}

/**
 * Sends forces to the bodies of a world. The methods of a body make a vector in the memory of Rapier for each
 * call and free it, which takes ten times as long as the rest of the call. Here one vector serves for all.
 */
export class Pusher {
  private readonly bodies: RapierBodySet | null
  private readonly vector: RapierVector | null

  constructor(world: RapierWorld) {
    this.bodies = world.bodies?.raw ?? null
    this.vector = this.bodies === null ? null : vectorInMemory(world)
  }

  addForce(body: RapierBody, force: Vec3Like, wakes: boolean): void {
    if (this.vector === null) body.addForce(force, wakes)
    else this.bodies!.rbAddForce(body.handle, copy(this.vector, force), wakes)
  }

  impulse(body: RapierBody, impulse: Vec3Like): void {
    if (this.vector === null) body.applyImpulse(impulse, true)
    else this.bodies!.rbApplyImpulse(body.handle, copy(this.vector, impulse), true)
  }

  torqueImpulse(body: RapierBody, impulse: Vec3Like): void {
    if (this.vector === null) body.applyTorqueImpulse(impulse, true)
    else this.bodies!.rbApplyTorqueImpulse(body.handle, copy(this.vector, impulse), true)
  }
}

/**
 * A vector in the memory of Rapier. Its class is in the module of Rapier, which the package does not load;
 * the up axis of a character controller is one. Null where it is a plain object.
 */
function vectorInMemory(world: RapierWorld): RapierVector | null {
  const controller = world.createCharacterController(1)
  const up = controller.up()
  world.removeCharacterController(controller)
  return 'free' in up ? up : null
}

/**
 * The force of the steering on one body, for one step. Rapier's own forces last until they are reset; an
 * impulse would act at the start of the step, while gravity acts in all of its substeps: a body that hovers
 * by impulses rises by 6 cm/s. So the force is added before the step and taken off after it.
 */
class StepForce {
  /** The force of the user, where there is one, and what was added to it. Single precision. */
  private readonly own: Vec3 = vec3()
  private readonly added: Vec3 = vec3()
  private hasOwn = true
  private readonly pusher: Pusher

  constructor(pusher: Pusher) {
    this.pusher = pusher
  }

  add(body: RapierBody, { x, y, z }: Vec3Like, wakes: boolean): void {
    const { added, own } = this
    if (this.hasOwn) {
      copy(own, body.userForce(own))
      this.hasOwn = !isZero(own)
    }
    set(added, Math.fround(x), Math.fround(y), Math.fround(z))
    this.pusher.addForce(body, added, wakes)
  }

  takeOff(body: RapierBody): void {
    const { added, own } = this
    if (isZero(added)) return
    copy(now, body.userForce(now))
    const isAsLeft =
      now.x === Math.fround(own.x + added.x) &&
      now.y === Math.fround(own.y + added.y) &&
      now.z === Math.fround(own.z + added.z)
    if (isAsLeft) {
      // exactly: a difference would leave rounding errors, which add up
      body.resetForces(false)
      if (this.hasOwn) this.pusher.addForce(body, own, false)
    } else {
      this.pusher.addForce(body, scale(added, added, -1), false)
      this.hasOwn = true
    }
    set(added, 0, 0, 0)
  }
}

/** A body of a door. Its force is applied when all agents of a step have been steered. */
export interface DoorBody {
  /** Applies the force for the coming step of Rapier. */
  push(dt: number): void
  /** Removes the force of the last step. */
  release(): void
}

/**
 * A rigid body of Rapier, steered by a force for one step and by an impulse of the torque. What rarely
 * changes (mass, inertia, damping, colliders) is read in every sixteenth step only, which halves the cost.
 */
export class RapierSteeringBody implements SteeringBody, DoorBody {
  readonly engineBody: RapierBody
  /** Of the ball about the centre of mass that encloses all colliders but sensors, m. */
  radius = 0.5
  private readonly world: RapierWorld
  private readonly acting: DoorBody[]
  /** Reads until the properties below are read again. */
  private readsLeft = 0
  // (a fraction as the first value: V8 then keeps the field as a double from the start)
  private mass = 0.5
  private colliders = -1
  /** How far it reaches along each of its axes, and against it, m; and its attitude. */
  private readonly high: Vec3 = vec3()
  private readonly low: Vec3 = vec3()
  private readonly turned = quat()
  private readonly center: Vec3 = vec3()
  private readonly inertia: Vec3 = vec3()
  private readonly inertiaFrame = quat()
  private readonly gravity: Vec3 = vec3()
  readonly plane: Vec3 = vec3()
  readonly axis: Vec3 = vec3()
  private readonly weight: Vec3 = vec3()
  private linearDamping = 0.5
  private angularDamping = 0.5
  private forceGain = 0.5
  private torqueGain = 0.5
  private isPushable = false

  private readonly velocity: Vec3 = vec3()
  private readonly force: Vec3 = vec3()
  private readonly torque: Vec3 = vec3()
  private readonly pusher: Pusher
  private readonly stepForce: StepForce
  private isBalanced = false

  /** `acting` gets the bodies that act in a step; `number`: bodies of different numbers take turns. */
  constructor(world: RapierWorld, pusher: Pusher, body: RapierBody, acting: DoorBody[], number: number) {
    this.world = world
    this.pusher = pusher
    this.stepForce = new StepForce(pusher)
    this.acting = acting
    this.engineBody = body
    this.readProperties()
    this.readsLeft = number % PROPERTY_INTERVAL
  }

  isThere(): boolean {
    return isInWorld(this.world, this.engineBody) && this.engineBody.isEnabled()
  }

  isJoinedTo(other: object): boolean {
    return isJoined(this.world, this.engineBody, other)
  }

  extent(direction: Vec3Like): number {
    const { high, low } = this
    const { x, y, z } = unrotate(along, this.turned, direction)
    return (
      Math.abs(x) * (x < 0 ? low : high).x +
      Math.abs(y) * (y < 0 ? low : high).y +
      Math.abs(z) * (z < 0 ? low : high).z
    )
  }

  /** Makes the next `read` read all properties. */
  refresh(): void {
    this.readsLeft = 0
  }

  read(out: BodyState): void {
    const { engineBody: body, world } = this
    // what is not written is not a number, and so cannot be used
    if (!isInWorld(world, body)) return
    if (--this.readsLeft < 0) this.readProperties()
    copy(out.position, body.worldCom(out.position))
    copyQuat(this.turned, copyQuat(out.quaternion, body.rotation(out.quaternion)))
    copy(this.velocity, copy(out.velocity, body.linvel(out.velocity)))
    copy(out.angularVelocity, body.angvel(out.angularVelocity))
    out.mass = this.mass
    copy(out.center, this.center)
    copy(out.inertia, this.inertia)
    copyQuat(out.inertiaFrame, this.inertiaFrame)
    out.linearDamping = this.linearDamping
    out.angularDamping = this.angularDamping
    copy(out.gravity, this.gravity)
    copy(out.plane, this.plane)
    copy(out.axis, this.axis)
  }

  apply({ force, torque }: Readonly<Wrench>): void {
    if (isZero(force) && isZero(torque)) return
    this.isBalanced = isZero(torque) && this.balancesWeight(force)
    scale(this.force, force, this.forceGain)
    scale(this.torque, torque, this.torqueGain)
    this.acting.push(this)
  }

  push(dt: number): void {
    const { engineBody: body, force, isBalanced, torque } = this
    if (!this.isPushable || !isInWorld(this.world, body)) return
    // gravity does not act on a body that sleeps
    if (isBalanced && body.isSleeping()) return
    // where gravity does not act, an impulse does as well, and is cheaper
    if (!isZero(force))
      if (isZero(this.weight)) this.pusher.impulse(body, scale(force, force, dt))
      else this.stepForce.add(body, force, !isBalanced)
    if (!isZero(torque)) this.pusher.torqueImpulse(body, scale(torque, torque, dt))
  }

  release(): void {
    if (isInWorld(this.world, this.engineBody)) this.stepForce.takeOff(this.engineBody)
  }

  /** Whether a force (N) only balances gravity on a body at rest. Such a body may sleep where it hovers. */
  private balancesWeight({ x, y, z }: Vec3Like): boolean {
    const { velocity, weight } = this
    if (length(velocity) > HOVER_SPEED_TOLERANCE) return false
    const difference = Math.hypot(x + weight.x, y + weight.y, z + weight.z)
    return difference < HOVER_FORCE_TOLERANCE * length(weight)
  }

  private readProperties(): void {
    const { engineBody: body, world } = this
    const { timestep } = world
    this.readsLeft = PROPERTY_INTERVAL - 1
    this.isPushable = body.isDynamic()
    if (!this.isPushable)
      hint(
        body,
        () =>
          `rapierDoor: body ${body.handle} is fixed or kinematic, so forces do nothing; use character() for a kinematic one`,
      )
    let mass = body.mass()
    // Rapier computes the mass of a new body in its next step
    if (!(mass > 0)) {
      body.recomputeMassPropertiesFromColliders()
      mass = body.mass()
      this.readsLeft = 0
    }
    const colliders = body.numColliders()
    const isChanged = mass !== this.mass || colliders !== this.colliders
    this.mass = mass > 0 ? mass : 1
    this.colliders = colliders
    copy(this.center, body.localCom(this.center))
    copy(this.inertia, body.principalInertia(this.inertia))
    copyQuat(this.inertiaFrame, body.principalInertiaLocalFrame(this.inertiaFrame))
    const { elements } = body.effectiveWorldInvInertia(matrix)
    set(now, elements[0]!, elements[3]!, elements[5]!)
    lockInertia(this.inertia, multiply(principal, body.rotation(principal), this.inertiaFrame), now)
    const linear = body.linearDamping()
    const angular = body.angularDamping()
    this.linearDamping = lostPerSecond(linear, timestep)
    this.angularDamping = lostPerSecond(angular, timestep)
    // Rapier damps what a step adds, too: force, torque and gravity
    this.forceGain = 1 + linear * timestep
    this.torqueGain = 1 + angular * timestep
    scale(this.gravity, world.gravity, body.gravityScale() / this.forceGain)
    scale(this.weight, this.gravity, this.mass)
    readEngineLock(this, body.effectiveInvMass(this.plane))
    if (!isChanged) return
    this.radius = boundingRadius(body)
    measure(body, this.low, -1)
    measure(body, this.high, 1)
  }
}

/** Writes how far (m) the colliders of a body reach from its centre along its axes, times `sign`. */
function measure(body: RapierBody, out: Vec3, sign: number): void {
  const center = copy(vec3(), body.worldCom())
  for (const axis of ['x', 'y', 'z'] as const) {
    let reach = -Infinity
    rotate(along, body.rotation(), { ...vec3(), [axis]: sign })
    for (let i = 0; i < body.numColliders(); i++) {
      const collider = body.collider(i)
      if (collider.isSensor()) continue
      const offset = dot(sub(vec3(), collider.translation(), center), along)
      const size = boxExtent(
        unrotate(vec3(), collider.rotation(), along),
        shapeExtents(vec3(), shapeNow(collider)),
      )
      reach = Math.max(reach, offset + size)
    }
    out[axis] = reach > 0 && reach < Infinity ? reach : DEFAULT_RADIUS
  }
}

function boundingRadius(body: RapierBody): number {
  const center = copy(vec3(), body.worldCom())
  let reach = 0
  for (let i = 0; i < body.numColliders(); i++) {
    const collider = body.collider(i)
    if (collider.isSensor()) continue
    const size = shapeRadius(shapeNow(collider))
    if (size < Infinity) reach = Math.max(reach, distance(center, collider.translation()) + size)
  }
  return reach > 0 ? reach : DEFAULT_RADIUS
}

/**
 * The live state of a rigid body, for targets, carriers of ports and obstacles. `position` is the centre of
 * mass. Of a body that was removed it is the last state that was read, and it is gone as a target.
 */
export class RapierFrame implements Required<Omit<MovingFrame, 'forward' | 'up'>> {
  readonly engineBody: RapierBody
  private readonly world: RapierWorld
  private readonly ownPosition: Vec3 = vec3()
  private readonly ownVelocity: Vec3 = vec3()
  private readonly ownQuaternion = quat()
  private readonly ownAngularVelocity: Vec3 = vec3()
  private readonly ownCenter: Vec3 = vec3()

  constructor(world: RapierWorld, body: RapierBody) {
    this.world = world
    this.engineBody = body
  }

  get position(): Vec3Like {
    const { engineBody, ownPosition: out } = this
    return this.isInWorld ? copy(out, engineBody.worldCom(out)) : out
  }
  get velocity(): Vec3Like {
    const { engineBody, ownVelocity: out } = this
    return this.isInWorld ? copy(out, engineBody.linvel(out)) : set(out, 0, 0, 0)
  }
  get quaternion(): QuatLike {
    const { engineBody, ownQuaternion: out } = this
    return this.isInWorld ? copyQuat(out, engineBody.rotation(out)) : out
  }
  get angularVelocity(): Vec3Like {
    const { engineBody, ownAngularVelocity: out } = this
    return this.isInWorld ? copy(out, engineBody.angvel(out)) : set(out, 0, 0, 0)
  }
  get center(): Vec3Like {
    const { engineBody, ownCenter: out } = this
    return this.isInWorld ? copy(out, engineBody.localCom(out)) : out
  }

  /** Whether the body is in its world, and enabled. */
  isThere(): boolean {
    return this.isInWorld && this.engineBody.isEnabled()
  }

  private get isInWorld(): boolean {
    return isInWorld(this.world, this.engineBody)
  }
}
