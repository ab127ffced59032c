import { FIXED_STEP, type LiveScene, type SceneModule, type SceneOptions, type SceneState } from './scene.js'
import type { Stage } from './stage.js'

/**
 * Longest real time (s) that one frame makes up for, so that a tab returning from the background does not run
 * many steps at once.
 */
const MAX_FRAME = 0.1

/**
 * Most computing time for steps in one frame (ms). Above it the scene runs in slow motion instead of at a low
 * frame rate.
 */
const STEP_BUDGET = 24

/** Runs one scene: converts real time into fixed steps, or makes single steps on request. */
export class Player {
  readonly stage: Stage
  readonly module: SceneModule
  readonly options: SceneOptions
  /** Called when the player pauses or goes on. */
  onPause: ((paused: boolean) => void) | null = null
  /** Scene time per real time, dimensionless. */
  speed = 1
  /** Rendered frames since the page was loaded. */
  frames = 0
  /** Smoothed frame rate (1/s), for the readout. */
  framesPerSecond = 0
  stepMilliseconds = 0
  seed: number
  /** Called each time a scene has been opened. */
  onOpen: ((scene: LiveScene) => void) | null = null
  /** Called when a step or a frame throws. The player stops then. */
  onError: ((error: unknown) => void) | null = null
  #paused = false
  #live: LiveScene | null = null
  #unstepped = 0
  #lastFrameTime = 0
  #resets = 0

  constructor(stage: Stage, module: SceneModule, options: SceneOptions) {
    this.stage = stage
    this.module = module
    this.options = options
    this.seed = options.seed
  }

  get paused(): boolean {
    return this.#paused
  }
  set paused(paused: boolean) {
    this.#paused = paused
    this.onPause?.(paused)
  }

  /** Opens the scene again with `seed`. */
  async reset(seed = this.seed): Promise<void> {
    this.seed = seed
    this.#live?.dispose()
    this.#live = null
    this.stage.clear()
    this.#unstepped = 0
    const resetId = ++this.#resets
    const live = await this.module.open(this.stage, { ...this.options, seed })
    if (resetId !== this.#resets) {
      // a later reset started while the models were loading
      live.dispose()
      return
    }
    this.#live = live
    this.onOpen?.(live)
    this.#draw(1, 0)
  }

  start(): void {
    const frame = (now: number): void => {
      const seconds = Math.min(MAX_FRAME, Math.max(0, (now - this.#lastFrameTime) / 1000))
      this.#lastFrameTime = now
      try {
        this.#frame(seconds)
        requestAnimationFrame(frame)
      } catch (error) {
        this.onError?.(error)
      }
    }
    this.#lastFrameTime = performance.now()
    requestAnimationFrame(frame)
  }

  /** Makes `count` fixed steps and draws the result. Does not depend on the clock. */
  step(count: number): void {
    this.#unstepped = 0
    for (let k = 0; k < count; k++) {
      this.#step()
      // trails and flames advance in `present`, so each step presents once, drawn or not
      this.#live?.present(1, FIXED_STEP)
    }
    this.#draw(1, 0)
  }

  state(): SceneState {
    return this.#live?.scenario.state() ?? {}
  }

  #frame(seconds: number): void {
    if (!this.#live) return
    if (seconds > 0) this.framesPerSecond += (1 / seconds - this.framesPerSecond) * Math.min(1, 2 * seconds)
    if (this.paused) {
      // the visitor can still move the camera
      this.#draw(1, 0)
      return
    }
    this.#unstepped += seconds * this.speed
    const start = performance.now()
    while (this.#unstepped >= FIXED_STEP) {
      this.#unstepped -= FIXED_STEP
      this.#step()
      if (performance.now() - start > STEP_BUDGET) this.#unstepped = Math.min(this.#unstepped, FIXED_STEP / 2)
    }
    this.#draw(this.#unstepped / FIXED_STEP, seconds * this.speed)
  }

  #step(): void {
    const start = performance.now()
    this.#live?.scenario.step(FIXED_STEP)
    this.stepMilliseconds += (performance.now() - start - this.stepMilliseconds) * 0.05
  }

  #draw(alpha: number, seconds: number): void {
    this.#live?.present(alpha, seconds)
    this.stage.render()
    this.frames++
  }
}
