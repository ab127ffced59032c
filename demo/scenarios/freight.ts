/** Containers that ships bring from the mine to the station. */

/** Between two containers of a ship, and on the way of one, s. */
const EVERY = 2.2
export const HANDLING = 5

export interface Container {
  /** Its ship, its mount there, and the port it goes ashore at (−1 before the first). */
  readonly ship: number
  readonly mount: number
  port: number
  state: 'aboard' | 'unloading' | 'ashore' | 'loading'
  /** When it sets off, s. */
  since: number
}

/** How far a container is on its way, in [0, 1]. */
export function progress({ since }: Container, time: number): number {
  return Math.min(1, Math.max(0, (time - since) / HANDLING))
}

/** The freight of one ship. */
export class Freight {
  readonly containers: readonly Container[]

  constructor(ship: number, mounts: number, full: boolean) {
    this.containers = Array.from({ length: mounts }, (_, mount) => ({
      ship,
      mount,
      port: -1,
      state: full ? 'aboard' : 'ashore',
      since: 0,
    }))
  }

  /** Containers that weigh on the ship. */
  get aboard(): number {
    return this.#count('aboard') + this.#count('unloading')
  }

  /** Whether nothing moves. */
  get settled(): boolean {
    return this.#count('loading') + this.#count('unloading') === 0
  }

  unload(port: number, time: number): void {
    this.#send('unloading', time)
    for (const each of this.containers) each.port = port
  }

  load(time: number): void {
    this.#send('loading', time)
  }

  /** Brings all up to date. @returns how many have come to the end of their way. */
  step(time: number): number {
    let done = 0
    for (const each of this.containers) {
      if (each.state !== 'loading' && each.state !== 'unloading') continue
      if (progress(each, time) < 1) continue
      each.state = each.state === 'loading' ? 'aboard' : 'ashore'
      done++
    }
    return done
  }

  #send(state: 'loading' | 'unloading', time: number): void {
    for (const [k, each] of this.containers.entries()) {
      each.state = state
      each.since = time + 0.8 + EVERY * k
    }
  }

  #count(state: Container['state']): number {
    return this.containers.filter((each) => each.state === state).length
  }
}
