import { useFrame } from '@react-three/fiber'
import { createElement, useEffect, useRef, useState, type ReactNode } from 'react'
import { SteeringWorld } from '../../core/engine/world.js'
import type { WorldOptions } from '../../core/engine/world-options.js'
import type { Fault } from '../../core/types.js'
import { copy } from '../../core/math/vec3.js'
import type { SteeringDriver } from './driver.js'
import { useSame } from './same.js'
import { Host, HostContext } from './host.js'

export interface SteeringProps extends WorldOptions {
  /**
   * The physics engine that makes the steps, such as `cannonDriver(world)` or `rapierDriver(world)`, memoised
   * or made outside of the component. Default none: agents integrate their own motion.
   */
  driver?: SteeringDriver
  /** Whether the steps of frames are left out. Steps that other code makes are not stopped. Default false. */
  paused?: boolean
  /** Called for each fault. Default: faults are printed on the console. */
  onFault?: (fault: Fault) => void
  children?: ReactNode
}

/**
 * A `SteeringWorld` for the components inside of it, stepped in each frame of `@react-three/fiber` and
 * disposed on unmount. The children are rendered as soon as there is a world. A new `gravity` takes effect at
 * once. Another new option, or another `driver`, makes a new world; the agents move to it with their present
 * state.
 * @throws TypeError / RangeError naming the option, to the error boundary around it.
 */
export function Steering({ driver, paused, onFault, children, ...options }: SteeringProps): ReactNode {
  const [host, setHost] = useState<Host | null>(null)
  const { gravity, ...others } = options
  const fixed = useSame(others)
  const latest = useRef(onFault)

  useEffect(() => {
    const world = new SteeringWorld(fixed)
    const detach = driver?.attach(world)
    const made = new Host(world, driver ?? null)
    setHost(made)
    return () => {
      detach?.()
      made.close()
    }
  }, [fixed, driver])

  useEffect(() => {
    if (host === null) return
    const { x = 0, y = 0, z = 0 } = gravity ?? {}
    copy(host.world.gravity, { x, y, z })
  }, [host, gravity?.x, gravity?.y, gravity?.z])

  latest.current = onFault
  const listens = onFault !== undefined
  useEffect(() => {
    if (host === null || !listens) return undefined
    const { world } = host
    const listener = (fault: Fault): void => latest.current?.(fault)
    world.addEventListener('fault', listener)
    return () => world.removeEventListener('fault', listener)
  }, [host, listens])

  useFrame((_, delta) => host?.frame(Math.max(0, delta), paused ?? false))

  return host === null ? null : createElement(HostContext, { value: host }, children)
}
