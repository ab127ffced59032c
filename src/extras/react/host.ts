import { createContext, useContext } from 'react'
import type { SteeringWorld } from '../../core/engine/world.js'
import type { SteeringDriver } from './driver.js'

/** What a `<Steering>` shares with the components inside of it. */
export class Host {
  readonly world: SteeringWorld
  readonly driver: SteeringDriver | null
  /** The agents of its components. */
  readonly handles = new Set<{ sync(): void; leave(): void }>()
  /** Called before the steps of each frame. */
  readonly beforeFrame = new Set<() => void>()
  /** Called after each frame, with its seconds. */
  readonly afterFrame = new Set<(seconds: number) => void>()

  constructor(world: SteeringWorld, driver: SteeringDriver | null) {
    this.world = world
    this.driver = driver
  }

  /** Makes the steps of a frame, unless it is paused, and presents. */
  frame(seconds: number, paused: boolean): void {
    const { driver, world } = this
    for (const call of this.beforeFrame) call()
    for (const handle of this.handles) handle.sync()
    if (world.isDisposed) return
    if (!paused)
      if (driver === null) world.advance(seconds)
      else if (driver.advance !== undefined) driver.advance(world, seconds)
      else world.present()
    for (const call of this.afterFrame) call(seconds)
  }

  /** Disposes the world. The agents keep their state, for another one. */
  close(): void {
    for (const handle of this.handles) handle.leave()
    this.world.dispose()
  }
}

export const HostContext = createContext<Host | null>(null)

/** @throws Error outside of `<Steering>`. */
export function useHost(caller: string): Host {
  const host = useContext(HostContext)
  if (host === null) throw new Error(`${caller}: must be called in a component inside of <Steering>`)
  return host
}

/**
 * The `SteeringWorld` of the `<Steering>` around this component, for planners, formations, events and
 * snapshots.
 * @throws Error outside of `<Steering>`.
 */
export function useSteeringWorld(): SteeringWorld {
  return useHost('useSteeringWorld').world
}
