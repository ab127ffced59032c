import type { ControllerOptions, SteeringController } from '../../core/engine/controller.js'
import type { SteeringWorld } from '../../core/engine/world.js'
import type { QuatLike, Vec3Like } from '../../core/types.js'

/**
 * What a physics engine has, besides bodies with mass and moments of inertia along their own axes:
 * `inertiaFrame`: principal axes in a frame of their own; `center`: a centre of mass off the origin of the
 * body; `damping`; `sleep`; `engine`: bodies and steps of its own (the integrator of the package has none).
 */
export type DoorFeature = 'inertiaFrame' | 'center' | 'damping' | 'sleep' | 'engine'

/** A rigid body that a test wants. SI units, world axes unless said otherwise. */
export interface TestSolid {
  /** Position of the centre of mass, m. */
  readonly position: Vec3Like
  readonly quaternion: QuatLike
  readonly velocity: Vec3Like
  readonly angularVelocity: Vec3Like
  /** kg */
  readonly mass: number
  /** Principal moments, kg·m², and the rotation from their axes to those of the body. */
  readonly inertia: Vec3Like
  readonly inertiaFrame: QuatLike
  /** Centre of mass in the body's axes, m. */
  readonly center: Vec3Like
  /** Fractions lost per second, 0…1, as in `BodyState`. */
  readonly linearDamping: number
  readonly angularDamping: number
  readonly canSleep: boolean
}

/** State of a body as its engine has it, not as its door reads it: centre of mass, m, m/s, rad/s. */
export interface TestBodyState {
  readonly position: Vec3Like
  readonly quaternion: QuatLike
  readonly velocity: Vec3Like
  readonly angularVelocity: Vec3Like
}

export interface TestBody {
  /** Options that connect a controller to the body: `{ body }`. */
  readonly options: Partial<ControllerOptions>
  state(controller: SteeringController): TestBodyState
  /** Adds an impulse (N·s) at the centre of mass, by the means of the engine. */
  push(impulse: Vec3Like, controller: SteeringController): void
  /** Takes the body out of the world of its engine. Needs the feature `engine`. */
  remove?(): void
  /** Needs the feature `sleep`. */
  isAsleep?(): boolean
}

/** A physics world whose steps drive a `SteeringWorld`. */
export interface DoorWorld {
  /** Adds a body without neighbours to collide with. */
  add(solid: TestSolid): TestBody
  /** Makes one internal step of the engine. */
  step(): void
  /** Lets go of the `SteeringWorld`, and frees the world. */
  close(): void
}

export interface DoorUnderTest {
  /** Shown in errors. */
  readonly name: string
  readonly features: readonly DoorFeature[]
  /** Makes a physics world of this gravity (m/s²) and step (s), whose steps drive `steering`. */
  open(steering: SteeringWorld, gravity: Vec3Like, timestep: number): DoorWorld
}
