import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** CPU time that this process has taken (ms). */
export function cpuTime(): number {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

/** What a step of a room took. */
export interface StepLoad {
  /** Wall time, and CPU time of the process (ms). */
  readonly wall: number
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
  readonly wall: Times
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

/** Steps that are remembered: ten minutes of them, and more. */
const REMEMBERED = 20_000

/** The last times of something. */
class RecentTimes {
  private readonly values = new Float64Array(REMEMBERED)
  private count = 0

  add(value: number): void {
    this.values[this.count++ % REMEMBERED] = value
  }

  take(): Times {
    const sorted = this.values.subarray(0, Math.min(this.count, REMEMBERED)).slice().sort()
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
    this.count = 0
    return { median: at(0.5), most: at(0.99), worst: at(1) }
  }
}

/** The steps of a process, of all its cells. */
export class StepFigures {
  private readonly wall = new RecentTimes()
  private readonly cpuOfStep = new RecentTimes()
  private readonly between = new RecentTimes()
  private steps = 0
  private leftOut = 0
  private lastTime = NaN
  private lastCpu = cpuTime()
  private readonly cpuBetween = new RecentTimes()
  private takenCpu = cpuTime()

  add({ cpu, leftOut, wall }: StepLoad): void {
    const now = performance.now()
    const nowCpu = cpuTime()
    if (this.steps > 0) {
      this.between.add(now - this.lastTime)
      this.cpuBetween.add(nowCpu - this.lastCpu)
    }
    this.lastTime = now
    this.lastCpu = nowCpu
    this.steps++
    this.leftOut += leftOut
    this.wall.add(wall)
    this.cpuOfStep.add(cpu)
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
      wall: this.wall.take(),
      cpuOfStep: this.cpuOfStep.take(),
      between: this.between.take(),
      cpuBetween: this.cpuBetween.take(),
      leftOut,
      cpu: (this.takenCpu - before) / 1000,
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

/** What a process is told to say the keys of the crafts that fly in it. */
export const ASK_KEYS = 'keys'

export async function keysOf(child: ChildProcess): Promise<number[]> {
  child.send(ASK_KEYS)
  const [keys] = (await once(child, 'message')) as [number[]]
  return keys
}
