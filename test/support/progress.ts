import type { Vec3Like } from 'three-steering'

/**
 * Whether a scene that is left alone gets on. An agent that stands for ever touches nothing either: a long scene is not well because it had no
 * contact, but because somebody did something in every minute.
 */
export class Progress {
  /** Longest time without a deed so far, the one that is going on included, s. */
  longest = 0
  private done: number
  private since: number

  /** `time` (s) and the number of deeds done at the start. */
  constructor(time = 0, done = 0) {
    this.since = time
    this.done = done
  }

  /** To be called in every step, with the number of deeds (dockings, trips, hits …) since the start. */
  see(time: number, done: number): void {
    this.longest = Math.max(this.longest, time - this.since)
    if (done === this.done) return
    this.done = done
    this.since = time
  }
}

/** Who stays where it is, whatever its speed: one that trembles, or circles on the spot, stands as well. */
export class Standing {
  /** Longest time (s) for which any agent stayed within `reach` (m) of one place so far. */
  longest = 0
  private readonly reach: number
  private readonly places: (Vec3Like & { time: number })[] = []

  constructor(reach: number) {
    this.reach = reach
  }

  /** To be called in every step for each agent, by its number. */
  see(time: number, index: number, { x, y, z }: Vec3Like): void {
    const place = this.places[index]
    if (place === undefined || Math.hypot(x - place.x, y - place.y, z - place.z) > this.reach)
      this.places[index] = { x, y, z, time }
    else this.longest = Math.max(this.longest, time - place.time)
  }
}
