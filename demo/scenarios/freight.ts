/**
 * Interval between two containers of a ship, and the time that one is under way between ship and station (s).
 */
const INTERVAL = 2.2
export const HANDLING = 5

export interface Container {
  /**
   * Index of its ship, of its mount on the ship, and of the port where it is unloaded (−1 before the first).
   */
  readonly ship: number
  readonly mount: number
  port: number
  state: 'aboard' | 'unloading' | 'ashore' | 'loading'
  /** Time at which it starts to move (s). */
  since: number
}

/** Progress of a container between ship and station, in [0, 1]. */
export function progress({ since }: Container, time: number): number {
  return Math.min(1, Math.max(0, (time - since) / HANDLING))
}

/** The containers of one ship. */
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

  /** Number of containers whose mass counts for the ship. */
  get aboard(): number {
    return this.#count('aboard') + this.#count('unloading')
  }

  /** Whether no container is moving. */
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

  /** Updates all containers. @returns how many have finished moving. */
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
      each.since = time + 0.8 + INTERVAL * k
    }
  }

  #count(state: Container['state']): number {
    return this.containers.filter((each) => each.state === state).length
  }
}
