import type { SteeringWorld, StepDriver } from '../../core/engine/world.js'
import { refuse, requireFinite } from '../../core/math/require.js'
import type { SteeringBody } from '../../core/types.js'
import { type DoorBody, Pusher, RapierFrame, RapierSteeringBody } from './body.js'
import { RapierCharacter, type RapierCharacterOptions } from './character.js'
import type {
  ColliderOf,
  RapierBody,
  RapierCharacterController,
  RapierCollider,
  RapierWorld,
} from './types.js'

/** A step is due when less than this share is missing: Rapier rounds 1/60 s to single precision. */
const ROUNDING = 1e-6

/** Connects a `SteeringWorld` to a world of Rapier, see `rapierDoor`. */
export class RapierDoor<W extends RapierWorld = RapierWorld> {
  readonly steering: SteeringWorld
  readonly world: W
  private readonly driver: StepDriver
  private readonly pusher: Pusher
  private readonly acting: DoorBody[] = []
  private readonly bodies = new WeakMap<RapierBody, RapierSteeringBody>()
  private bodyCount = 0
  private readonly frames = new WeakMap<RapierBody, RapierFrame>()
  /** Real time that has not become a step yet, s; −1 while steps are not made by `advance`. */
  private accumulator = -1

  /** @internal */
  constructor(steering: SteeringWorld, world: W) {
    this.steering = steering
    this.world = world
    this.pusher = new Pusher(world)
    this.driver = steering.drive(() =>
      this.accumulator < 0 ? 1 : Math.min(1, this.accumulator / world.timestep),
    )
  }

  /**
   * Makes a step of the steering. Called by `step` and `advance`; call it and `afterStep` yourself where
   * other code steps Rapier, right before and right after each step. In `@react-three/rapier`, with a fixed
   * `timeStep` of `<Physics>`: `useBeforePhysicsStep(door.beforeStep); useAfterPhysicsStep(door.afterStep)`.
   */
  readonly beforeStep = (): void => {
    // of a step after which `afterStep` was not called
    this.afterStep()
    const { timestep } = this.world
    this.driver.step(timestep)
    // not earlier: a listener may have removed a body, or given it a force
    for (const body of this.acting) body.push(timestep)
  }

  /** Takes the forces of the steering off. Those of the user stay. */
  readonly afterStep = (): void => {
    for (const body of this.acting) body.release()
    this.acting.length = 0
  }

  /** Makes one step of the steering and of Rapier. Arguments are passed on to `world.step`. */
  step(...args: Parameters<W['step']>): void {
    this.beforeStep()
    this.world.step(...(args as Parameters<RapierWorld['step']>))
    this.afterStep()
  }

  /**
   * Makes as many steps of `world.timestep` as fit into `seconds` of real time, and then presents the views.
   * Makes at most `steering.maxSteps`: after a long frame the rest of the time is dropped. Arguments after
   * the first are passed on to `world.step`.
   * @returns number of steps made.
   * @throws RangeError unless seconds is finite and ≥ 0.
   */
  advance(seconds: number, ...args: Parameters<W['step']>): number {
    requireFinite('advance: seconds', seconds, 0, false)
    const { timestep } = this.world
    const time = Math.max(0, this.accumulator) + seconds
    const due = Math.floor(time / timestep + ROUNDING)
    this.accumulator = Math.max(0, time - due * timestep)
    const steps = Math.min(due, this.steering.maxSteps)
    for (let i = 0; i < steps; i++) this.step(...args)
    this.steering.present()
    return steps
  }

  /**
   * Connects an agent to a rigid body: reads its state and adds force and torque for the next step only.
   * Forces that you gave the body by `addForce` stay as they are. Never writes pose or velocity. While the
   * body is removed or disabled, its agent does not steer and is not seen by other agents. A wrench that is
   * not zero wakes a sleeping body. Changes of mass, inertia, damping, gravity, type and colliders are
   * noticed within 16 steps, or at once after `refresh`. Warns once when the body cannot be steered: fixed or
   * kinematic. One object per body.
   * @throws TypeError when it is not a body of this world.
   */
  body(body: RapierBody): SteeringBody {
    this.requireBody('body', body)
    let made = this.bodies.get(body)
    if (made === undefined) {
      made = new RapierSteeringBody(this.world, this.pusher, body, this.acting, this.bodyCount++)
      this.bodies.set(body, made)
    }
    return made
  }

  /** Reads mass, inertia, damping, gravity, type and colliders of a body in the next step. */
  refresh(body: RapierBody): void {
    this.bodies.get(body)?.refresh()
  }

  /**
   * The live state of a rigid body, for `target`, `carrier`, `match` and obstacles; one object per body.
   * `owner` is the body.
   * @throws TypeError when it is not a body of this world.
   */
  frame(body: RapierBody): RapierFrame {
    this.requireBody('frame', body)
    let frame = this.frames.get(body)
    if (frame === undefined) this.frames.set(body, (frame = new RapierFrame(this.world, body)))
    return frame
  }

  /**
   * Connects an agent to a kinematic character: a collider, of a kinematic body or of none, that is moved by
   * Rapier's character controller. It walks: force and torque act across and about the up axis of the
   * controller, gravity pulls it down, and what it walks against stops it. It evades to the sides only. One
   * controller may serve all characters. `teleport({ velocity })` of its agent gives it another velocity: a
   * knock-back, a jump, or none in a new life.
   * @throws TypeError / RangeError naming what is wrong.
   */
  character(
    collider: RapierCollider,
    controller: RapierCharacterController,
    options: RapierCharacterOptions<ColliderOf<W>> = {},
  ): SteeringBody {
    return new RapierCharacter(this.world, collider, controller, this.acting, options)
  }

  /** Lets go of the `SteeringWorld`, which makes its steps itself again. A second call does nothing. */
  detach(): void {
    this.afterStep()
    this.driver.release()
  }

  private requireBody(what: string, body: RapierBody): void {
    if (typeof body?.handle !== 'number' || this.world.getRigidBody(body.handle) !== body)
      refuse(what, body, 'must be a rigid body of this RAPIER.World')
  }
}

/**
 * Connects a `SteeringWorld` to a world of Rapier, which has no hook in its step: the door makes the steps.
 * Call per rendered frame `door.advance(delta)`, or `door.step()` and `steering.present()`. Where other code
 * steps Rapier, call `door.beforeStep()` right before each step.
 * @throws TypeError when the steering world has a physics engine already, or `world` is not a world of
 * Rapier 0.19 or newer.
 */
export function rapierDoor<W extends RapierWorld>(steering: SteeringWorld, world: W): RapierDoor<W> {
  if (typeof world?.forEachCollider !== 'function' || typeof world.createImpulseJoint !== 'function')
    refuse('rapierDoor', world, 'must be a RAPIER.World')
  const bodies = world.bodies?.raw
  if (bodies !== undefined && typeof bodies.rbEffectiveWorldInvInertia !== 'function')
    throw new TypeError('rapierDoor: got a world of a Rapier before 0.19, must be 0.19 or newer')
  if (typeof steering?.drive !== 'function')
    refuse('rapierDoor: steering', steering, 'must be a SteeringWorld')
  return new RapierDoor(steering, world)
}
