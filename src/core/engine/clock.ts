import type { Step } from '../types.js'
import type { WorldSettings } from './world-options.js'

/**
 * A step is due when less than this share of it is missing, so that rounding does not delay it: 60 frames of
 * 1/60 s make 60 steps.
 */
const ROUNDING = 1e-6

/** Simulated time of a world, and the real time that has not become a step yet. */
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

  /** Number of steps to make after `seconds` more of real time; steps beyond `maxSteps` are dropped. */
  due(seconds: number): number {
    this.accumulator += seconds
    const due = Math.floor(this.accumulator / this.fixedStep + ROUNDING)
    this.accumulator = Math.max(0, this.accumulator - due * this.fixedStep)
    return Math.min(due, this.maxSteps)
  }

  /** Share of a step (0…1) that has passed since the last one. */
  get share(): number {
    return this.accumulator / this.fixedStep
  }

  /** Ends a step. */
  advance(): void {
    this.now.time += this.now.dt
    this.now.tick++
  }
}
