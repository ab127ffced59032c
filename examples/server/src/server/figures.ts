import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'

/** CPU time that this process has taken (ms). */
export function cpuTime(): number {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

/** What a step of a room took. */
export interface StepLoad {
  /** CPU time of the process (ms). */
  readonly cpu: number
  /** Beats that were left out before it, because the step before took too long or something else ran. */
  readonly leftOut: number
}

/** Times of steps (ms): that in the middle, that which 99 of 100 do not exceed, and the longest. */
export interface Times {
  readonly median: number
  readonly most: number
  readonly worst: number
}

/** What a process says of its steps. */
export interface Figures {
  readonly steps: number
  readonly cpuOfStep: Times
  /** From the end of a step to the end of the next one: wall time, and CPU time of all that the process does. */
  readonly between: Times
  readonly cpuBetween: Times
  readonly leftOut: number
  /** CPU time (s) since the last time, of all that the process does. */
  readonly cpu: number
  /** Memory of the process, and what is alive in its heap at most (MB). */
  readonly memory: number
  readonly heap: number
}

/** The steps of a process, of all its cells. Times are counted in microseconds. */
export class StepFigures {
  private readonly cpuOfStep = createHistogram()
  private readonly between = createHistogram()
  private readonly cpuBetween = createHistogram()
  private steps = 0
  private leftOut = 0
  private last = { time: 0, cpu: 0 }
  private takenCpu = cpuTime()

  add({ cpu, leftOut }: StepLoad): void {
    const now = { time: performance.now(), cpu: cpuTime() }
    if (this.steps > 0) {
      note(this.between, now.time - this.last.time)
      note(this.cpuBetween, now.cpu - this.last.cpu)
    }
    this.last = now
    this.steps++
    this.leftOut += leftOut
    note(this.cpuOfStep, cpu)
  }

  /** Says what was measured since the last time. */
  take(): Figures {
    const { heapUsed, rss } = process.memoryUsage()
    const { leftOut, steps } = this
    const before = this.takenCpu
    this.takenCpu = cpuTime()
    this.steps = this.leftOut = 0
    return {
      steps,
      cpuOfStep: timesOf(this.cpuOfStep),
      between: timesOf(this.between),
      cpuBetween: timesOf(this.cpuBetween),
      leftOut,
      cpu: (this.takenCpu - before) / 1000,
      memory: rss / 1e6,
      heap: heapUsed / 1e6,
    }
  }
}

const note = (times: RecordableHistogram, milliseconds: number): void =>
  times.record(Math.max(1, Math.round(1000 * milliseconds)))

function timesOf(times: RecordableHistogram): Times {
  const [median, most] = [times.percentile(50) / 1000, times.percentile(99) / 1000]
  const worst = times.max / 1000
  times.reset()
  return { median, most, worst }
}

/** What a process is told to say its figures. */
export const ASK = 'figures'

/** Asks a process of `serve.ts` for its figures since the last time. */
export async function figuresOf(child: ChildProcess): Promise<Figures> {
  child.send(ASK)
  const [figures] = (await once(child, 'message')) as [Figures]
  return figures
}

/** What a process is told to say the keys of the crafts that fly in it. */
export const ASK_KEYS = 'keys'
