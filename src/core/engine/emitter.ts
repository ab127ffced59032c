import { unknownEvent } from '#hints'
import { refuse } from '../math/require.js'

/** Typed events with the method names of three.js. A listener may change the list and dispose its target. */
export class Emitter<Events extends object> {
  private readonly listeners = new Map<keyof Events, Set<(event: never) => void>>()

  /** Adds a listener, once. @throws TypeError if it is not a function. */
  addEventListener<K extends keyof Events>(type: K, listener: (event: Events[K]) => void): void {
    unknownEvent(this, type)
    if (typeof listener !== 'function') refuse('listener', listener, 'must be a function')
    const list = this.listeners.get(type) ?? new Set()
    this.listeners.set(type, list.add(listener))
  }

  hasEventListener<K extends keyof Events>(type: K, listener: (event: Events[K]) => void): boolean {
    return this.listeners.get(type)?.has(listener) ?? false
  }

  /** Removes a listener. One that was never added is ignored, as by every `EventTarget` of the web. */
  removeEventListener<K extends keyof Events>(type: K, listener: (event: Events[K]) => void): void {
    this.listeners.get(type)?.delete(listener)
  }

  /**
   * Calls the listeners that existed when the call began. When some throw, the others are called all the
   * same, and then the first error is thrown. @returns whether there was a listener.
   */
  protected emit<K extends keyof Events>(type: K, event: Events[K]): boolean {
    const list = [...(this.listeners.get(type) ?? [])]
    let failed: { error: unknown } | null = null
    for (const listener of list)
      try {
        ;(listener as (event: Events[K]) => void)(event)
      } catch (error) {
        failed ??= { error }
      }
    if (failed !== null) throw failed.error
    return list.length > 0
  }

  protected removeAllListeners(): void {
    this.listeners.clear()
  }
}
