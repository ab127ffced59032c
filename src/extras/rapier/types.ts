import type { Quat, QuatLike, Vec3, Vec3Like } from '../../core/types.js'

/**
 * The parts of Rapier that the package uses, so that bodies of `@dimforge/rapier3d`,
 * `@dimforge/rapier3d-compat` and `@react-three/rapier` fit, and no type of Rapier is loaded. Methods with a
 * `target` write into it and return it; older versions of Rapier return a new object.
 */

/** A `RAPIER.World`. */
export interface RapierWorld {
  readonly gravity: Vec3Like
  timestep: number
  step(eventQueue?: never, hooks?: never): void
  createImpulseJoint(params: object, parent1: RapierBody, parent2: RapierBody, wakeUp: boolean): RapierJoint
  removeImpulseJoint(joint: RapierJoint, wakeUp: boolean): void
  getRigidBody(handle: number): RapierBody | null
  getCollider(handle: number): RapierCollider | null
  getImpulseJoint(handle: number): RapierJoint | null
  readonly impulseJoints: {
    forEachJointHandleAttachedToRigidBody(handle: number, visit: (handle: number) => void): void
  }
  createCharacterController(offset: number): RapierCharacterController
  removeCharacterController(controller: RapierCharacterController): void
  forEachCollider(visit: (collider: RapierCollider) => void): void
  propagateModifiedBodyPositionsToColliders(): void
  readonly bodies?: { readonly raw?: RapierBodySet }
}

/** A `RawVector`: a vector in the memory of Rapier. */
export interface RapierVector {
  x: number
  y: number
  z: number
}

/** A `RawRigidBodySet`: what the methods of `RapierBody` call. */
export interface RapierBodySet {
  /** Missing in Rapier before 0.19. */
  readonly rbEffectiveWorldInvInertia?: unknown
  rbAddForce(handle: number, force: RapierVector, wakeUp: boolean): void
  rbApplyImpulse(handle: number, impulse: RapierVector, wakeUp: boolean): void
  rbApplyTorqueImpulse(handle: number, impulse: RapierVector, wakeUp: boolean): void
}

/** The class of the colliders of a world. */
export type ColliderOf<W extends RapierWorld> = Parameters<Parameters<W['forEachCollider']>[0]>[0]

/** A `RAPIER.SdpMatrix3`. */
export interface SymmetricMatrix {
  elements: Float32Array
}

/** A `RAPIER.RigidBody`. */
export interface RapierBody {
  readonly handle: number
  translation(target?: Vec3): Vec3
  rotation(target?: Quat): Quat
  linvel(target?: Vec3): Vec3
  angvel(target?: Vec3): Vec3
  mass(): number
  /** 0 along axes that are locked. */
  effectiveInvMass(target?: Vec3): Vec3
  localCom(target?: Vec3): Vec3
  worldCom(target?: Vec3): Vec3
  principalInertia(target?: Vec3): Vec3
  principalInertiaLocalFrame(target?: Quat): Quat
  /** Elements 11, 12, 13, 22, 23, 33 of the matrix in world axes; 0 about axes that are locked. */
  effectiveWorldInvInertia(target?: SymmetricMatrix): SymmetricMatrix
  recomputeMassPropertiesFromColliders(): void
  linearDamping(): number
  angularDamping(): number
  gravityScale(): number
  isDynamic(): boolean
  isEnabled(): boolean
  isSleeping(): boolean
  wakeUp(): void
  userForce(target?: Vec3): Vec3
  addForce(force: Vec3Like, wakeUp: boolean): void
  resetForces(wakeUp: boolean): void
  applyImpulse(impulse: Vec3Like, wakeUp: boolean): void
  applyTorqueImpulse(impulse: Vec3Like, wakeUp: boolean): void
  setNextKinematicTranslation(position: Vec3Like): void
  setNextKinematicRotation(rotation: QuatLike): void
  isKinematic(): boolean
  numColliders(): number
  collider(index: number): RapierCollider
}

/** A `RAPIER.Collider`. */
export interface RapierCollider {
  readonly handle: number
  readonly shape: { readonly type: number }
  translation(target?: Vec3): Vec3
  rotation(target?: Quat): Quat
  setTranslation(position: Vec3Like): void
  setRotation(rotation: QuatLike): void
  isSensor(): boolean
  isEnabled(): boolean
  collisionGroups(): number
  parent(): RapierBody | null
  radius(): number
  halfHeight(): number
  roundRadius(): number
  halfExtents(target?: Vec3): Vec3 | null
  /** Missing in older versions of Rapier. */
  clearShapeCache?(): void
  /** Not null for colliders of soft bodies, which change their form in every step. */
  softBody?(): number | null
}

/** A `RAPIER.KinematicCharacterController`. */
export interface RapierCharacterController {
  /** In version 0.21 a vector in the memory of Rapier, to be freed. */
  up(): Vec3Like & { free?(): void }
  computeColliderMovement(
    collider: RapierCollider,
    desiredMovement: Vec3Like,
    filterFlags?: number,
    filterGroups?: number,
    filterPredicate?: (collider: RapierCollider) => boolean,
  ): void
  computedMovement(): Vec3Like
  computedGrounded(): boolean
  numComputedCollisions(): number
  computedCollision(i: number): { readonly normal1: Vec3Like } | null
  /** Null where it climbs no steps. */
  autostepMaxHeight(): number | null
  maxSlopeClimbAngle(): number
}

/** A `RAPIER.ImpulseJoint`. */
export interface RapierJoint {
  readonly handle: number
  setContactsEnabled(enabled: boolean): void
  /** A `RAPIER.JointType`. */
  type(): number
  body1(): RapierBody
  body2(): RapierBody
}
