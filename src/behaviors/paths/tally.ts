import type { Archive, Serializable, Vec3 } from '../../types.js'
import { vec3 } from '../../math/vec3.js'

/** How one agent has fared. Times are those of the world, s, to the fraction of a step; NaN where there is none. */
export interface GateRecord {
  /** Of the agent. */
  readonly id: number
  /** Number of the gate that is due, and of the last one that was passed or missed; −1 before the first. */
  readonly next: number
  readonly last: number
  /** Gates passed and missed, laps made. */
  readonly passed: number
  readonly missed: number
  readonly laps: number
  /** Whether it has made all laps, or has come to the last gate of an open run. */
  readonly done: boolean
  /** Durations of the last lap and of the best, s. A lap begins and ends where the first gate is passed. An open run is one lap. */
  readonly lapTime: number
  readonly bestLap: number
  /** `[gates]`: when each was last passed. NaN: never, or missed since. */
  readonly times: Float64Array
}

/** What is known of one agent on a run through gates. */
export class Tally implements GateRecord, Serializable {
  id = -1
  generation = -1
  next = 0
  last = -1
  passed = 0
  missed = 0
  laps = 0
  done = false
  lapTime = NaN
  bestLap = NaN
  readonly times: Float64Array
  /** When the lap began, s. */
  start = NaN
  /** Where it was when it was last seen, m, how fast, m/s, and when, s. */
  readonly position: Vec3 = vec3()
  speed = 0
  time = 0

  constructor(gates: number) {
    this.times = new Float64Array(gates).fill(NaN)
  }

  serialize(archive: Archive): void {
    for (const name of ['next', 'last', 'passed', 'missed', 'laps', 'lapTime', 'bestLap', 'start'] as const)
      this[name] = archive.number(this[name])
    this.done = archive.boolean(this.done)
    archive.numbers(this.times, 0, this.times.length)
    archive.vector(this.position)
    this.speed = archive.number(this.speed)
    this.time = archive.number(this.time)
  }
}
