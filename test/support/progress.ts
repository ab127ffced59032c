import type { Vec3Like } from 'three-steering'

/**
 * Measures whether a long scene makes progress. An agent that stands for ever has no contact either, so a
 * scene without contacts must also achieve something in every minute.
 */
export class Progress {
  /** Longest time without an achievement so far, including the present one (s). */
  longest = 0
  private done: number
  private since: number

  /** `time` (s) and number of achievements at the start. */
  constructor(time = 0, done = 0) {
    this.since = time
    this.done = done
  }

  /** Call after every step, with the number of achievements (dockings, trips, hits …) since the start. */
  update(time: number, done: number): void {
    this.longest = Math.max(this.longest, time - this.since)
    if (done === this.done) return
    this.done = done
    this.since = time
  }
}

/**
 * Finds agents that stay at one place, whatever their speed: an agent that trembles or circles on the spot
 * also stands.
 */
export class Standing {
  /** Longest time (s) for which any agent stayed within `reach` (m) of one place so far. */
  longest = 0
  private readonly reach: number
  private readonly places: ((Vec3Like & { time: number }) | undefined)[] = []

  constructor(reach: number) {
    this.reach = reach
  }

  /** Call after every step for each agent, by its number. */
  update(time: number, index: number, { x, y, z }: Vec3Like): void {
    const place = this.places[index]
    if (place === undefined || Math.hypot(x - place.x, y - place.y, z - place.z) > this.reach)
      this.places[index] = { x, y, z, time }
    else this.longest = Math.max(this.longest, time - place.time)
  }

  /** Call instead of `see` while an agent has a reason to stand. Its next stay counts from the next `see`. */
  excuse(index: number): void {
    this.places[index] = undefined
  }
}
