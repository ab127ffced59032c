import type { BodyState, SteeringBody, Vec3, Vec3Like, Wrench } from '../../core/types.js'
import { copyQuat, quat, spin, unrotate } from '../../core/math/quat.js'
import { refuse, requireFinite, requireWhole } from '../../core/math/require.js'
import { clamp } from '../../core/math/scalar.js'
import {
  add,
  addScaled,
  copy,
  dot,
  length,
  lengthSq,
  reject,
  scale,
  set,
  sub,
  truncate,
  vec3,
} from '../../core/math/vec3.js'
import type { DoorBody } from './body.js'
import { boxExtent, shapeExtents, shapeRadius } from './collider-shape.js'
import type { RapierBody, RapierCharacterController, RapierCollider, RapierWorld } from './types.js'

export interface RapierCharacterOptions<C extends RapierCollider = RapierCollider> {
  /** kg, > 0. Default 80, an adult. */
  mass?: number
  /**
   * Kinds of colliders that it walks through, as in Rapier's `computeColliderMovement`: bits of
   * `RAPIER.QueryFilterFlags`. Default `EXCLUDE_SENSORS`.
   */
  filterFlags?: number
  /**
   * Groups of the colliders that it meets, as there: 16 bits of its own groups, 16 bits of those it meets.
   * Default the present collision groups of its collider.
   */
  filterGroups?: number
  /**
   * It walks through colliders for which this is false. It is called while Rapier works: it may compare
   * colliders and their handles, but call no method of theirs. Default none.
   */
  filterPredicate?: (collider: C) => boolean
}

/** Default mass (kg): an adult. */
const DEFAULT_MASS = 80
/** `RAPIER.QueryFilterFlags.EXCLUDE_SENSORS`. Written out, because the package does not load Rapier. */
const EXCLUDE_SENSORS = 8
/** End of the numbers of 32 bits, with or without a sign. */
const MOST_BITS = 2 ** 32

/** A surface whose normal has less than this share upwards is a wall. Chosen by hand. */
const LEAST_LEVEL = 0.1

/** Time constant of a push (s): the default response time of agents. */
const PUSH_TIME = 0.1

const movement = vec3()
const across = vec3()
const pushing = vec3()
const omega = vec3()
const turned = quat()
const lost = vec3()

/**
 * A kinematic character: its collider is moved by Rapier's character controller, which slides along walls,
 * climbs steps and stays on the ground. Forces act on a velocity of its own. Force upwards is left out,
 * because feet cannot pull, and torque turns it about the up axis of the controller only.
 */
export class RapierCharacter implements SteeringBody, DoorBody {
  readonly engineBody: RapierBody | RapierCollider
  readonly radius: number
  /** Half of its size in its axes, m. */
  private readonly half: Vec3 = vec3()
  private readonly world: RapierWorld
  private readonly collider: RapierCollider
  private readonly controller: RapierCharacterController
  /** The kinematic body; null for a collider without a body. */
  private readonly carrier: RapierBody | null
  private readonly mass: number
  private readonly options: RapierCharacterOptions
  /** Of the last step, m/s. */
  private readonly velocity: Vec3 = vec3()
  // (fractions as the first values: V8 then keeps the fields as doubles from the start)
  /** Speed along gravity, m/s. */
  private fall = 0.5
  private turnRate = 0.5
  private isGrounded = false
  /** Velocity with which it walked on in the last step, before it was stopped, m/s. */
  private readonly intent: Vec3 = vec3()
  /** What a slope or step that it climbed has turned upwards of that velocity in the last step, m/s. */
  private readonly climb: Vec3 = vec3()
  private readonly up: Vec3 = vec3()
  private readonly position: Vec3 = vec3()
  private readonly force: Vec3 = vec3()
  private readonly torque: Vec3 = vec3()
  private readonly acting: DoorBody[]

  /** `acting` gets the bodies that act in a step. */
  constructor(
    world: RapierWorld,
    collider: RapierCollider,
    controller: RapierCharacterController,
    acting: DoorBody[],
    options: RapierCharacterOptions,
  ) {
    const { filterFlags, filterGroups, filterPredicate, mass = DEFAULT_MASS } = options
    if (typeof collider?.handle !== 'number' || world.getCollider(collider.handle) !== collider)
      refuse('character', collider, 'must be a collider of this RAPIER.World')
    if (typeof controller?.computeColliderMovement !== 'function')
      refuse('character', controller, 'must be a KinematicCharacterController')
    const carrier = collider.parent()
    if (carrier !== null && !carrier.isKinematic())
      throw new TypeError(
        'character: got a collider of a body that is not kinematic, must be kinematic, or have none',
      )
    this.world = world
    this.collider = collider
    this.controller = controller
    this.acting = acting
    this.carrier = carrier
    this.engineBody = carrier ?? collider
    this.mass = requireFinite('character.mass', mass, 0, true)
    if (filterFlags !== undefined) requireWhole('character.filterFlags', filterFlags, 0, MOST_BITS)
    if (filterGroups !== undefined)
      requireWhole('character.filterGroups', filterGroups, -MOST_BITS, MOST_BITS)
    if (filterPredicate !== undefined && typeof filterPredicate !== 'function')
      refuse('character.filterPredicate', filterPredicate, 'must be a function')
    this.options = options
    this.radius = shapeRadius(collider.shape)
    shapeExtents(this.half, collider.shape)
    this.fall = this.turnRate = 0
  }

  /** m, as its controller climbs steps and slopes. */
  get stepHeight(): number {
    return this.controller.autostepMaxHeight() ?? 0
  }

  /** rad */
  get maxSlope(): number {
    return this.controller.maxSlopeClimbAngle()
  }

  extent(direction: Vec3Like): number {
    return boxExtent(unrotate(across, this.collider.rotation(), direction), this.half)
  }

  isThere(): boolean {
    const { collider, world } = this
    return world.getCollider(collider.handle) === collider && collider.isEnabled()
  }

  read(out: BodyState): void {
    // what is not written is not a number, and so cannot be used
    if (!this.isThere()) return
    const { carrier, collider, controller, mass, radius, world } = this
    copy(out.position, collider.translation(out.position))
    copyQuat(out.quaternion, (carrier ?? collider).rotation(out.quaternion))
    if (carrier !== null)
      unrotate(out.center, out.quaternion, sub(out.center, out.position, carrier.translation(movement)))
    copy(out.velocity, this.velocity)
    const { up } = this
    const upNow = controller.up()
    copy(up, upNow)
    upNow.free?.()
    scale(out.angularVelocity, up, this.turnRate)
    // it evades to the sides only
    copy(out.plane, up)
    out.mass = mass
    // it turns about its upright axis only
    unrotate(out.inertia, out.quaternion, up)
    const moment = 0.4 * mass * radius * radius
    set(
      out.inertia,
      moment * Math.round(Math.abs(out.inertia.x)),
      moment * Math.round(Math.abs(out.inertia.y)),
      moment * Math.round(Math.abs(out.inertia.z)),
    )
    // the ground carries it
    scale(out.gravity, world.gravity, this.isGrounded ? 0 : 1)
  }

  apply({ force, torque }: Readonly<Wrench>): void {
    copy(this.force, force)
    copy(this.torque, torque)
    this.acting.push(this)
  }

  push(dt: number): void {
    if (!this.isThere()) return
    const { collider, controller, force, mass, options, torque, up, velocity, world } = this
    const { filterFlags = EXCLUDE_SENSORS, filterGroups = collider.collisionGroups() } = options
    add(velocity, reject(velocity, velocity, up), this.climb)
    reject(across, force, up)
    this.lean(velocity, across, dt)
    // pressed into the ground it would stumble: Rapier then stops it now and then
    if (!this.isGrounded) this.fall += dot(world.gravity, up) * dt
    scale(movement, addScaled(movement, velocity, up, this.fall), dt)
    controller.computeColliderMovement(collider, movement, filterFlags, filterGroups, options.filterPredicate)
    copy(movement, controller.computedMovement())
    this.isGrounded = controller.computedGrounded()
    const rise = dot(movement, up) / dt
    this.fall = this.isGrounded ? 0 : Math.min(rise, Math.max(0, this.fall))
    // what it touches only takes speed: Rapier also pushes it away from what is too near, which gives none
    sub(lost, velocity, scale(lost, reject(lost, movement, up), 1 / dt))
    const lostSq = lengthSq(lost)
    scale(lost, lost, lostSq > 0 ? clamp(dot(velocity, lost) / lostSq, 0, 1) : 0)
    sub(velocity, velocity, lost)
    this.findClimb(rise)
    addScaled(velocity, velocity, up, rise)
    this.turnRate += (dot(torque, up) * dt) / (0.4 * mass * this.radius * this.radius)
    this.move(movement, scale(omega, up, this.turnRate), dt)
  }

  /**
   * What a slope, or the edge of a step, took from the velocity while it rises by `rise` (m/s) is not lost:
   * taken away in each step it would be a brake, and the stronger, the shorter the steps.
   */
  private findClimb(rise: number): void {
    const { climb, controller, up } = this
    set(climb, 0, 0, 0)
    if (!this.isGrounded || !(rise > 0)) return
    let most = 0
    for (let i = controller.numComputedCollisions() - 1; i >= 0; i--) {
      const { normal1 } = controller.computedCollision(i)!
      const level = dot(normal1, up)
      reject(across, normal1, up)
      const slope = length(across)
      // a wall takes speed
      if (level < LEAST_LEVEL || slope === 0) continue
      const taken = Math.min(-dot(lost, across) / slope, (rise * slope) / level)
      if (taken <= most) continue
      most = taken
      scale(climb, across, -taken / slope)
    }
  }

  release(): void {}

  /** Its velocity is its own: a knock-back, a jump, or none in a new life. */
  setVelocity(velocity: Vec3Like, angularVelocity: Vec3Like): void {
    const { intent, up } = this
    copy(this.velocity, velocity)
    reject(intent, velocity, up)
    set(this.climb, 0, 0, 0)
    this.fall = dot(velocity, up)
    // what goes up is in the air
    if (this.fall > 0) this.isGrounded = false
    this.turnRate = dot(angularVelocity, up)
  }

  /**
   * Adds what `force` (N) does to the velocity. A character that is stopped keeps the speed with which it
   * walked on, as far as its force would give it in `PUSH_TIME`: with the speed of one step only, Rapier does
   * not climb.
   */
  private lean(velocity: Vec3, force: Vec3Like, dt: number): void {
    const { intent, mass } = this
    const isStopped = 2 * dot(intent, velocity) < lengthSq(intent)
    addScaled(pushing, velocity, force, PUSH_TIME / mass)
    addScaled(intent, intent, force, dt / mass)
    truncate(intent, intent, length(pushing))
    addScaled(velocity, velocity, force, dt / mass)
    if (isStopped && lengthSq(intent) > lengthSq(velocity)) copy(velocity, intent)
    copy(intent, velocity)
  }

  private move(by: Vec3Like, rate: Vec3Like, dt: number): void {
    const { carrier, collider, position } = this
    const body = carrier ?? collider
    add(position, copy(position, body.translation(position)), by)
    spin(turned, copyQuat(turned, body.rotation(turned)), rate, dt)
    if (carrier !== null) {
      carrier.setNextKinematicTranslation(position)
      if (this.turnRate !== 0) carrier.setNextKinematicRotation(turned)
    } else {
      collider.setTranslation(position)
      if (this.turnRate !== 0) collider.setRotation(turned)
    }
  }
}
