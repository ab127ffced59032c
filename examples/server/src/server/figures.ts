import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** What a process says of its steps. Times in ms of wall time. */
export interface Figures {
  readonly steps: number
  readonly median: number
  /** 99 of 100 steps took no longer. */
  readonly most: number
  readonly worst: number
  /** Beats that were left out because a step came too late. */
  readonly leftOut: number
  /** CPU time (s) since the last time, of all that the process does. */
  readonly cpu: number
  /** Memory of the process, and what is alive in its heap at most (MB). */
  readonly memory: number
  readonly heap: number
}

/** Steps that are remembered: ten minutes of them, and more. */
const REMEMBERED = 20_000

/** The steps of a process, of all its cells. */
export class StepFigures {
  private readonly times = new Float64Array(REMEMBERED)
  private count = 0
  private leftOut = 0
  private cpu = process.cpuUsage()

  add(milliseconds: number, leftOut: number): void {
    this.times[this.count++ % REMEMBERED] = milliseconds
    this.leftOut += leftOut
  }

  /** Says what was measured since the last time. */
  take(): Figures {
    const steps = this.count
    const times = this.times.subarray(0, Math.min(steps, REMEMBERED)).slice().sort()
    const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? 0
    const { heapUsed, rss } = process.memoryUsage()
    const { leftOut } = this
    const { system, user } = process.cpuUsage(this.cpu)
    this.cpu = process.cpuUsage()
    this.count = this.leftOut = 0
    return {
      steps,
      median: at(0.5),
      most: at(0.99),
      worst: at(1),
      leftOut,
      cpu: (user + system) / 1e6,
      memory: rss / 1e6,
      heap: heapUsed / 1e6,
    }
  }
}

/** What a process is told to say its figures. */
export const ASK = 'figures'

/** Asks a process of `serve.ts` for its figures since the last time. */
export async function figuresOf(child: ChildProcess): Promise<Figures> {
  child.send(ASK)
  const [figures] = (await once(child, 'message')) as [Figures]
  return figures
}
