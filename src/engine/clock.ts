import type { Step } from '../types.js'
import type { WorldSettings } from './world-options.js'

/** Share of a step for which a frame is not worth a step: 1e-6 keeps 60 frames of 1/60 s at 60 steps. */
const ROUNDING = 1e-6

/** The time of a world, and what of real time has not become a step yet. */
export class Clock {
  now: Step & { dt: number; time: number; tick: number }
  /** Real time that has not become a step yet, s. */
  accumulator = 0
  private readonly fixedStep: number
  private readonly maxSteps: number

  constructor({ fixedStep, maxSteps, up }: WorldSettings, emit: Step['emit']) {
    this.fixedStep = fixedStep
    this.maxSteps = maxSteps
    this.now = { dt: fixedStep, time: 0, tick: 0, up, emit }
  }

  /** Number of steps to make after `seconds` more; what is beyond the most is dropped. */
  due(seconds: number): number {
    this.accumulator += seconds
    const due = Math.floor(this.accumulator / this.fixedStep + ROUNDING)
    this.accumulator = Math.max(0, this.accumulator - due * this.fixedStep)
    return Math.min(due, this.maxSteps)
  }

  /** Share of a step that has gone by since the last one. */
  get share(): number {
    return this.accumulator / this.fixedStep
  }

  /** A step is over. */
  advance(): void {
    this.now.time += this.now.dt
    this.now.tick++
  }
}
