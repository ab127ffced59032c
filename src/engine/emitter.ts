/** Typed events with the names three.js uses. Listeners may add and remove listeners, and dispose their target, while being told. */
export class Emitter<Events extends object> {
  private readonly listeners = new Map<keyof Events, ((event: never) => void)[]>()

  /** Adds a listener; the same one twice counts once. */
  addEventListener<K extends keyof Events>(type: K, listener: (event: Events[K]) => void): void {
    const list = this.listeners.get(type) ?? []
    if (!list.includes(listener)) this.listeners.set(type, [...list, listener])
  }

  hasEventListener<K extends keyof Events>(type: K, listener: (event: Events[K]) => void): boolean {
    return this.listeners.get(type)?.includes(listener) ?? false
  }

  /** Removes a listener; one that was never added is ignored, as on every event target of the web. */
  removeEventListener<K extends keyof Events>(type: K, listener: (event: Events[K]) => void): void {
    const list = this.listeners.get(type)
    if (list !== undefined)
      this.listeners.set(
        type,
        list.filter((each) => each !== listener),
      )
  }

  /** Tells the listeners there were when the call began. One that throws keeps no other from hearing. True when there was one. */
  protected emit<K extends keyof Events>(type: K, event: Events[K]): boolean {
    const list = this.listeners.get(type)
    if (list === undefined || list.length === 0) return false
    let failed: { error: unknown } | null = null
    for (const listener of list)
      try {
        ;(listener as (event: Events[K]) => void)(event)
      } catch (error) {
        failed ??= { error }
      }
    if (failed !== null) throw failed.error
    return true
  }

  protected removeAllListeners(): void {
    this.listeners.clear()
  }
}
