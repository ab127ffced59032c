import { useEffect, useState, type RefObject } from 'react'
import type { Object3D } from 'three'
import { SteeringController } from '../../core/engine/controller.js'
import type { AgentOptions, StateOptions } from '../../core/engine/options.js'
import type { Placed, Pose, Vec3Like, View } from '../../core/types.js'
import { vec3 } from '../../core/math/vec3.js'
import { objectView, type ObjectView } from '../three/three-views.js'
import { AgentHandle, type Bodies, steeringBody, type SteeringCallbacks, withoutCallbacks } from './handle.js'
import { type Host, useHost } from './host.js'

/** A `SteeringBody`, or a body of the engine of the driver: a `CANNON.Body`, a `RAPIER.RigidBody`. */
export type BodyOrRef = object | RefObject<object | null>

export interface UseSteeringOptions
  extends AgentOptions, StateOptions, SteeringCallbacks<{ target: SteeringController }> {
  /**
   * The physics body that is pushed, or a ref to it. Without one the agent integrates its own motion. While a
   * ref is empty, the agent is in no world.
   */
  body?: BodyOrRef
}

/** What `useSteering` returns, the same object in each render. It can be the target of behaviours. */
export class SteeringHandle
  extends AgentHandle<SteeringController, UseSteeringOptions>
  implements Required<Placed>
{
  private view: ObjectView | null = null
  /** The last state, for a controller that is made anew. */
  private last: StateOptions = {}

  /** The controller; null before the agent joins its world for the first time. */
  get controller(): SteeringController | null {
    return this.agent
  }

  /** m; before there is a controller, where it will start. */
  get position(): Vec3Like {
    return this.agent?.position ?? this.options.position ?? this.view?.position ?? vec3()
  }

  /** m/s */
  get velocity(): Vec3Like {
    return this.agent?.velocity ?? this.options.velocity ?? vec3()
  }

  /** False after the agent has left its world. */
  isThere(): boolean {
    return this.agent?.isThere() ?? true
  }

  protected override bodies(): Bodies {
    const { body } = this.options
    if (body === undefined) return undefined
    const given = 'current' in body ? body.current : body
    return given === null ? null : [given]
  }

  protected override isReady(): boolean {
    const { body, position } = this.options
    return body !== undefined || position !== undefined || this.object !== null
  }

  protected override make(host: Host): SteeringController {
    const { body: _, ...options } = withoutCallbacks(this.options)
    const [given] = this.bodies() ?? []
    const start =
      given === undefined
        ? { position: this.position, quaternion: options.quaternion ?? this.view?.quaternion, ...this.last }
        : { body: steeringBody('useSteering: body', given, host) }
    const view: View = { write: (index: number, pose: Pose) => this.view?.write(index, pose) }
    const controller = new SteeringController(view, { ...options, ...defined(start) })
    controller.addEventListener('arrive', (event) => this.options.onArrive?.(event))
    controller.addEventListener('leave', (event) => this.options.onLeave?.(event))
    controller.addEventListener('stage', (event) => this.options.onStage?.(event))
    controller.addEventListener('cannot', (event) => this.options.onCannot?.(event))
    return controller
  }

  protected override remove(controller: SteeringController): void {
    const { position, quaternion, velocity, angularVelocity, roster } = controller
    const { x, y, z } = position
    this.last = {
      position: { x, y, z },
      quaternion: { x: quaternion.x, y: quaternion.y, z: quaternion.z, w: quaternion.w },
      velocity: { x: velocity.x, y: velocity.y, z: velocity.z },
      angularVelocity: { x: angularVelocity.x, y: angularVelocity.y, z: angularVelocity.z },
    }
    roster?.remove(controller)
  }

  protected override show(object: Object3D | null): void {
    this.object = object
    this.view = object === null ? null : objectView(object)
  }
}

/** Without the entries that are undefined. */
function defined<T extends object>(options: T): Partial<{ [K in keyof T]: Exclude<T[K], undefined> }> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never
}

/**
 * Steers one object: `const ship = useSteering({ behavior, maxSpeed, maxForce })` and `<mesh
 * ref={ship.ref}>`. The agent starts in the pose of the object, also in a moved group, unless `position` or
 * `body` is given. It joins as soon as the object, `position` or the body is there, and leaves on unmount.
 * New limits, callbacks, `behavior` and `locomotion` take effect without a new agent, another new option with
 * a new agent in the same state; a new start is ignored. Memoise behaviours and locomotions: a new one in
 * each render has forgotten everything.
 * @throws Error outside of `<Steering>`. TypeError / RangeError naming the option, to the error boundary.
 */
export function useSteering(options: UseSteeringOptions): SteeringHandle {
  const host = useHost('useSteering')
  const [handle] = useState(() => new SteeringHandle(options))
  useEffect(() => handle.enter(host), [handle, host])
  useEffect(() => handle.update(options))
  return handle
}
