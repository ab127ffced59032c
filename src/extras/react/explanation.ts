import { useEffect, useReducer, useState, useSyncExternalStore } from 'react'
import type { SteeringController } from '../../core/engine/controller.js'
import type { Flock } from '../../core/engine/flock.js'
import { explain, type Explanation } from '../explain/explanation.js'
import { AgentHandle } from './handle.js'
import type { FlockHandle } from './flock.js'
import { useHost } from './host.js'
import type { SteeringHandle } from './use-steering.js'

/** What `useSteering` or `useFlock` returned, or their agent. */
export type Steered = SteeringHandle | FlockHandle | SteeringController | Flock

/** The agent, and a number that changes when it joins or leaves; null while it is in no world. */
export function useMember<T>(of: SteeringHandle | FlockHandle | T): {
  member: SteeringController | Flock | Exclude<T, SteeringHandle | FlockHandle> | null
  version: number
} {
  const handle = of instanceof AgentHandle ? of : null
  const version = useSyncExternalStore(
    handle === null ? noSubscription : handle.subscribe,
    handle === null ? zero : handle.version,
    zero,
  )
  const member = handle === null ? (of as Exclude<T, SteeringHandle | FlockHandle>) : handle.member
  return { member, version }
}

const zero = (): number => 0
const noSubscription = () => (): void => {}

/** Components that use an explanation: the last one stops it. */
const users = new WeakMap<Explanation, number>()

export interface UseExplanationOptions {
  /** Member of the flock. Default 0. */
  index?: number
  /**
   * Time (s) after which the component is rendered again with the present explanation. Default Infinity: it
   * is not, and reads the explanation when it likes, which each step updates.
   */
  interval?: number
}

/**
 * Explains an agent while the component is mounted: which behaviour asked for what, and what it got. Null
 * before the agent has joined its world.
 * @throws Error outside of `<Steering>`.
 */
export function useExplanation(
  of: Steered,
  { index = 0, interval = Infinity }: UseExplanationOptions = {},
): Explanation | null {
  const host = useHost('useExplanation')
  const { member, version } = useMember<SteeringController | Flock>(of)
  const [explanation, setExplanation] = useState<Explanation | null>(null)
  const [, renderAgain] = useReducer((count: number) => count + 1, 0)

  useEffect(() => {
    if (member === null || host.world.isDisposed) return undefined
    // a controller that was passed itself may be in no world yet
    if ('active' in member && !member.active) return undefined
    const made = explain(host.world, member, index)
    users.set(made, (users.get(made) ?? 0) + 1)
    setExplanation(made)
    return () => {
      const left = (users.get(made) ?? 1) - 1
      users.set(made, left)
      if (left === 0) made.stop()
      setExplanation(null)
    }
  }, [host, member, version, index])

  useEffect(() => {
    if (!(interval < Infinity)) return undefined
    let since = 0
    const call = (seconds: number): void => {
      since += seconds
      if (since < interval) return
      since = 0
      renderAgain()
    }
    host.afterFrame.add(call)
    return () => void host.afterFrame.delete(call)
  }, [host, interval])

  return explanation
}
