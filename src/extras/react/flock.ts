import { createElement, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode, Ref } from 'react'
import type { Group, InstancedMesh, Object3D } from 'three'
import { Flock as FlockOfAgents } from '../../core/engine/flock.js'
import type { FlockOptions, SpawnState } from '../../core/engine/spawn.js'
import type { Pose, View } from '../../core/types.js'
import { copyQuat, quat } from '../../core/math/quat.js'
import { copy, vec3 } from '../../core/math/vec3.js'
import { refuse } from '../../core/math/require.js'
import { instancedView } from '../three/three-views.js'
import { AgentHandle, type Bodies, steeringBody, type SteeringCallbacks, withoutCallbacks } from './handle.js'
import { type Host, useHost } from './host.js'

export interface UseFlockOptions
  extends Omit<FlockOptions, 'body' | 'view'>, SteeringCallbacks<{ target: FlockOfAgents; index: number }> {
  /**
   * Physics body of each member: a `SteeringBody`, or a body of the engine of the driver. The flock is in no
   * world while one is null or undefined. Default none: members integrate themselves.
   */
  body?: (index: number) => object | null | undefined
}

/** What `useFlock` returns, the same object in each render. */
export class FlockHandle extends AgentHandle<FlockOfAgents, UseFlockOptions> {
  private view: View | null = null
  private last: SpawnState[] = []

  /** The flock; null before it joins its world for the first time. */
  get flock(): FlockOfAgents | null {
    return this.agent
  }

  protected override bodies(): Bodies {
    const { body, count } = this.options
    if (body === undefined) return undefined
    const given = Array.from({ length: count }, (_, i) => body(i))
    return given.every((each) => each !== null && each !== undefined) ? given : null
  }

  protected override isReady(): boolean {
    return true
  }

  protected override make(host: Host): FlockOfAgents {
    const { body, ...options } = withoutCallbacks(this.options)
    const { last } = this
    const view: View = {
      write: (index: number, pose: Pose) => this.view?.write(index, pose),
      flush: (count: number) => this.view?.flush?.(count),
    }
    const flock = new FlockOfAgents({
      ...options,
      view,
      ...(body === undefined
        ? { spawn: (index, state) => startAs(last[index], state) || options.spawn?.(index, state) }
        : { body: (index) => steeringBody(`useFlock: body(${index})`, body(index)!, host) }),
    })
    flock.addEventListener('arrive', (event) => this.options.onArrive?.(event))
    flock.addEventListener('leave', (event) => this.options.onLeave?.(event))
    flock.addEventListener('stage', (event) => this.options.onStage?.(event))
    flock.addEventListener('cannot', (event) => this.options.onCannot?.(event))
    return flock
  }

  protected override remove(flock: FlockOfAgents): void {
    this.last = Array.from({ length: flock.size }, (_, i) => ({
      position: flock.position(i, vec3()),
      velocity: flock.velocity(i, vec3()),
      quaternion: flock.quaternion(i, quat()),
    }))
    flock.dispose()
    // a flock cannot join a world again
    this.agent = null
  }

  protected override show(object: Object3D | null): void {
    if (object !== null && !(object as InstancedMesh).isInstancedMesh)
      refuse('useFlock: ref', object, 'must be that of an <instancedMesh>')
    this.object = object
    this.view = object === null ? null : instancedView(object as InstancedMesh)
  }

  protected override apply(flock: FlockOfAgents, old: UseFlockOptions, now: UseFlockOptions): boolean {
    if (!super.apply(flock, old, now)) return false
    if (now.body !== undefined || now.count === old.count) return true
    if (now.count > flock.size) flock.add(now.count - flock.size)
    while (flock.size > now.count) flock.remove(flock.size - 1)
    return true
  }
}

/** @returns whether there was a state. */
function startAs(from: SpawnState | undefined, out: SpawnState): boolean {
  if (from === undefined) return false
  copy(out.position, from.position)
  copy(out.velocity, from.velocity)
  copyQuat(out.quaternion, from.quaternion)
  return true
}

/**
 * Steers many agents with one behaviour: `const birds = useFlock({ count, behavior, … })` and
 * `<instancedMesh ref={birds.ref} …>`, which must stay at the origin of the scene. A new `count` adds or
 * removes members at the end; for other new options see `useSteering`.
 * @throws Error outside of `<Steering>`. TypeError / RangeError naming the option, to the error boundary.
 */
export function useFlock(options: UseFlockOptions): FlockHandle {
  const host = useHost('useFlock')
  const [handle] = useState(() => new FlockHandle(options))
  useEffect(() => handle.enter(host), [handle, host])
  useEffect(() => handle.update(options))
  return handle
}

export interface FlockProps extends UseFlockOptions {
  /** The handle, as `useFlock` returns it. */
  ref?: Ref<FlockHandle>
  /** The first `<instancedMesh>` among the children, at any depth, shows the flock. */
  children?: ReactNode
}

/** A flock, shown by its child: `<Flock count={1000} behavior={…} …><instancedMesh …/></Flock>`. */
export function Flock({ children, ref, ...options }: FlockProps): ReactNode {
  const handle = useFlock(options)
  const host = useHost('Flock')
  const group = useRef<Group>(null)
  useImperativeHandle(ref, () => handle, [handle])
  useLayoutEffect(() => {
    let shown: Object3D | undefined
    // a child may come later, and three's object of a child may be replaced
    const find = (): void => {
      if (shown?.parent) return
      shown = undefined
      group.current?.traverse((object) => {
        if ((object as InstancedMesh).isInstancedMesh) shown ??= object
      })
      handle.ref(shown ?? null)
    }
    find()
    host.beforeFrame.add(find)
    return () => void host.beforeFrame.delete(find)
  }, [handle, host])
  return createElement('group', { ref: group }, children)
}
