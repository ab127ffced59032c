import type { BodyState, MovingFrame, QuatLike, SteeringBody, Vec3, Vec3Like, Wrench } from '../../types.js'
import { copyQuat, quat } from '../../math/quat.js'
import { copy, distance, isZero, length, scale, set, vec3 } from '../../math/vec3.js'
import { shapeNow, shapeRadius } from './shapes.js'
import type { RapierBody, RapierWorld } from './types.js'

/**
 * A body hovers at rest when its force differs from its weight by less than this share of the weight
 * (dimensionless), and it is slower than this (m/s): the rounding of numbers of single precision. Chosen by
 * hand.
 */
const HOVER_FORCE_TOLERANCE = 1e-5
const HOVER_SPEED_TOLERANCE = 1e-4
/** Radius (m) of a body without colliders. */
const DEFAULT_RADIUS = 0.5

const warned = new WeakSet<RapierBody>()
const now = vec3()
const matrix = { elements: new Float32Array(6) }

/**
 * Whether the body is in the world and takes part in its steps. Any other call for a body that was removed
 * would stop Rapier for good.
 */
function isInWorld(world: RapierWorld, body: RapierBody): boolean {
  return world.getRigidBody(body.handle) === body
}

/** Whether its rotations are not locked about all axes. */
function isTurnable(body: RapierBody): boolean {
  const { elements } = body.effectiveWorldInvInertia(matrix)
  return elements[0]! > 0 || elements[3]! > 0 || elements[5]! > 0
}

/** The damping of a step as `BodyState` has it: v / (1 + c · dt) in each step is v · (1 − d)^t. */
function lostPerSecond(damping: number, dt: number): number {
  return damping > 0 ? 1 - (1 + damping * dt) ** (-1 / dt) : 0
}

/**
 * Force or torque of one body, for one step. Rapier's own last until they are reset; an impulse would act at
 * the start of the step, while gravity acts in all of its substeps: a body that hovers by impulses rises by
 * 6 cm/s. So the force is added before the step and taken off after it.
 */
class StepForce {
  /** The force of the user at the start of the step, and what was added to it. Single precision. */
  private readonly own: Vec3 = vec3()
  private readonly added: Vec3 = vec3()
  private readonly kind: 'Force' | 'Torque'

  constructor(kind: 'Force' | 'Torque') {
    this.kind = kind
  }

  add(body: RapierBody, { x, y, z }: Vec3Like, wakes: boolean): void {
    const { added, own } = this
    copy(own, body[`user${this.kind}`](own))
    body[`add${this.kind}`](set(added, Math.fround(x), Math.fround(y), Math.fround(z)), wakes)
  }

  takeOff(body: RapierBody): void {
    const { added, kind, own } = this
    if (isZero(added)) return
    copy(now, body[`user${kind}`](now))
    const isAsLeft =
      now.x === Math.fround(own.x + added.x) &&
      now.y === Math.fround(own.y + added.y) &&
      now.z === Math.fround(own.z + added.z)
    if (isAsLeft) {
      // exactly: a difference would leave rounding errors, which add up
      body[`reset${kind}s`](false)
      if (!isZero(own)) body[`add${kind}`](own, false)
    } else body[`add${kind}`](scale(added, added, -1), false)
    set(added, 0, 0, 0)
  }
}

/** A body of a door that acts when all agents of a step have been steered. */
export interface DoorBody {
  /** Acts in the coming step of Rapier. */
  push(dt: number): void
  /** Ends what acted in the last step. */
  release(): void
}

/** A rigid body of Rapier, steered by forces for one step. */
export class RapierSteeringBody implements SteeringBody, DoorBody {
  readonly engineBody: RapierBody
  private readonly world: RapierWorld
  private readonly weight: Vec3 = vec3()
  private readonly velocity: Vec3 = vec3()
  private readonly place: Vec3 = vec3()
  private readonly force: Vec3 = vec3()
  private readonly torque: Vec3 = vec3()
  private readonly stepForce = new StepForce('Force')
  private readonly stepTorque = new StepForce('Torque')
  private readonly acting: DoorBody[]
  private forceGain = 1.5
  private torqueGain = 1.5
  private balances = false
  private bound = 0.5
  /** Mass and number of colliders for which `bound` was computed. */
  private boundMass = -1
  private boundColliders = -1

  /** `acting` gets the bodies that act in a step. */
  constructor(world: RapierWorld, body: RapierBody, acting: DoorBody[]) {
    this.world = world
    this.acting = acting
    this.engineBody = body
    warn(body)
  }

  /** Of the ball about the centre of mass that encloses all colliders but sensors, m. */
  get radius(): number {
    const { engineBody: body } = this
    if (!isInWorld(this.world, body)) return this.bound
    const mass = body.mass()
    const count = body.numColliders()
    if (mass !== this.boundMass || count !== this.boundColliders) {
      this.boundMass = mass
      this.boundColliders = count
      this.bound = this.boundingRadius(count)
    }
    return this.bound
  }

  isThere(): boolean {
    return isInWorld(this.world, this.engineBody) && this.engineBody.isEnabled()
  }

  read(out: BodyState): void {
    const { engineBody: body, weight, world } = this
    // what is not written is not a number, and so cannot be used
    if (!isInWorld(world, body)) return
    let mass = body.mass()
    if (!(mass > 0)) {
      // Rapier computes the mass in its next step
      body.recomputeMassPropertiesFromColliders()
      mass = body.mass()
    }
    out.mass = mass > 0 ? mass : 1
    copy(out.position, body.worldCom(out.position))
    copyQuat(out.quaternion, body.rotation(out.quaternion))
    copy(this.velocity, copy(out.velocity, body.linvel(out.velocity)))
    copy(out.angularVelocity, body.angvel(out.angularVelocity))
    copy(out.center, body.localCom(out.center))
    if (isTurnable(body)) copy(out.inertia, body.principalInertia(out.inertia))
    copyQuat(out.inertiaFrame, body.principalInertiaLocalFrame(out.inertiaFrame))
    const { timestep } = world
    const linearDamping = body.linearDamping()
    const angularDamping = body.angularDamping()
    out.linearDamping = lostPerSecond(linearDamping, timestep)
    out.angularDamping = lostPerSecond(angularDamping, timestep)
    // Rapier damps what a step adds, too: force, torque and gravity
    this.forceGain = 1 + linearDamping * timestep
    this.torqueGain = 1 + angularDamping * timestep
    scale(out.gravity, world.gravity, body.gravityScale() / this.forceGain)
    scale(weight, out.gravity, out.mass)
  }

  apply({ force, torque }: Readonly<Wrench>): void {
    if (isZero(force) && isZero(torque)) return
    this.balances = isZero(torque) && this.balancesWeight(force)
    scale(this.force, force, this.forceGain)
    scale(this.torque, torque, this.torqueGain)
    this.acting.push(this)
  }

  push(): void {
    const { engineBody: body, force, torque } = this
    if (!this.isThere() || !body.isDynamic()) return
    const wakes = !this.balances
    // gravity does not act on a body that sleeps
    if (!wakes && body.isSleeping()) return
    if (!isZero(force)) this.stepForce.add(body, force, wakes)
    if (!isZero(torque)) this.stepTorque.add(body, torque, wakes)
  }

  release(): void {
    const { engineBody: body, stepForce, stepTorque } = this
    if (!isInWorld(this.world, body)) return
    stepForce.takeOff(body)
    stepTorque.takeOff(body)
  }

  /** Whether a force (N) only balances gravity on a body at rest. Such a body may sleep where it hovers. */
  private balancesWeight({ x, y, z }: Vec3Like): boolean {
    const { velocity, weight } = this
    const difference = Math.hypot(x + weight.x, y + weight.y, z + weight.z)
    return difference < HOVER_FORCE_TOLERANCE * length(weight) && length(velocity) < HOVER_SPEED_TOLERANCE
  }

  private boundingRadius(colliders: number): number {
    const { engineBody: body, place } = this
    const center = copy(vec3(), body.worldCom())
    let reach = 0
    for (let i = 0; i < colliders; i++) {
      const collider = body.collider(i)
      if (collider.isSensor()) continue
      const size = shapeRadius(shapeNow(collider))
      if (size < Infinity)
        reach = Math.max(reach, distance(center, copy(place, collider.translation())) + size)
    }
    return reach > 0 ? reach : DEFAULT_RADIUS
  }
}

function warn(body: RapierBody): void {
  if (body.isDynamic() || warned.has(body)) return
  warned.add(body)
  console.warn(
    `three-steering: rapierDoor: body ${body.handle} is fixed or kinematic, so forces do nothing; use character() for a kinematic one`,
  )
}

/**
 * The live state of a rigid body, for targets, carriers of ports and obstacles. `position` is the centre of
 * mass. Of a body that was removed it is the last state that was read.
 */
export class RapierFrame implements Required<Omit<MovingFrame, 'forward' | 'up'>> {
  readonly owner: RapierBody
  private readonly world: RapierWorld
  private readonly ownPosition: Vec3 = vec3()
  private readonly ownVelocity: Vec3 = vec3()
  private readonly ownQuaternion = quat()
  private readonly ownAngularVelocity: Vec3 = vec3()
  private readonly ownCenter: Vec3 = vec3()

  constructor(world: RapierWorld, owner: RapierBody) {
    this.world = world
    this.owner = owner
  }

  get position(): Vec3Like {
    const { owner, ownPosition: out } = this
    return this.isThere ? copy(out, owner.worldCom(out)) : out
  }
  get velocity(): Vec3Like {
    const { owner, ownVelocity: out } = this
    return this.isThere ? copy(out, owner.linvel(out)) : set(out, 0, 0, 0)
  }
  get quaternion(): QuatLike {
    const { owner, ownQuaternion: out } = this
    return this.isThere ? copyQuat(out, owner.rotation(out)) : out
  }
  get angularVelocity(): Vec3Like {
    const { owner, ownAngularVelocity: out } = this
    return this.isThere ? copy(out, owner.angvel(out)) : set(out, 0, 0, 0)
  }
  get center(): Vec3Like {
    const { owner, ownCenter: out } = this
    return this.isThere ? copy(out, owner.localCom(out)) : out
  }

  private get isThere(): boolean {
    return isInWorld(this.world, this.owner)
  }
}
