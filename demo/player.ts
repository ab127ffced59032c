import { FIXED_STEP, type LiveScene, type SceneModule, type SceneOptions, type SceneState } from './scene.js'
import type { Stage } from './stage.js'

/** Longest stretch of real time made up in one frame, s: a tab that slept does not race to catch up. */
const MAX_FRAME = 0.1

/** Most computing time for steps in one frame, ms: a slow machine shows slow motion, not a slide show. */
const STEP_BUDGET = 24

/** Runs one scene: turns real time into fixed steps, and steps by hand when paused. */
export class Player {
  readonly stage: Stage
  readonly module: SceneModule
  readonly options: SceneOptions
  paused = false
  /** Seconds of scene per second of real time. */
  speed = 1
  /** Rendered frames since the page was loaded. */
  frames = 0
  /** Smoothed, for the readout. */
  framesPerSecond = 0
  stepMilliseconds = 0
  seed: number
  /** Called each time a scene has been set up. */
  onOpen: ((scene: LiveScene) => void) | null = null
  /** Called when stepping or drawing throws; the player has stopped then. */
  onError: ((error: unknown) => void) | null = null
  #live: LiveScene | null = null
  #left = 0
  #last = 0
  #resets = 0

  constructor(stage: Stage, module: SceneModule, options: SceneOptions) {
    this.stage = stage
    this.module = module
    this.options = options
    this.seed = options.seed
  }

  /** Sets the scene up afresh, from `seed`. */
  async reset(seed = this.seed): Promise<void> {
    this.seed = seed
    this.#live?.dispose()
    this.#live = null
    this.stage.clear()
    this.#left = 0
    const turn = ++this.#resets
    const live = await this.module.open(this.stage, { ...this.options, seed })
    if (turn !== this.#resets) {
      // overtaken by a later reset while models were loading
      live.dispose()
      return
    }
    this.#live = live
    this.onOpen?.(live)
    this.#draw(1, 0)
  }

  start(): void {
    const frame = (now: number): void => {
      const seconds = Math.min(MAX_FRAME, Math.max(0, (now - this.#last) / 1000))
      this.#last = now
      try {
        this.#frame(seconds)
        requestAnimationFrame(frame)
      } catch (error) {
        this.onError?.(error)
      }
    }
    this.#last = performance.now()
    requestAnimationFrame(frame)
  }

  /** Makes `count` fixed steps and shows the result, whatever the clock says. */
  step(count: number): void {
    this.#left = 0
    for (let k = 0; k < count; k++) {
      this.#step()
      // trails and flames live on presented frames, so each step counts as one, drawn or not
      this.#live?.present(1, FIXED_STEP)
    }
    this.#draw(1, 0)
  }

  state(): SceneState {
    return this.#live?.state() ?? {}
  }

  #frame(seconds: number): void {
    if (!this.#live) return
    if (seconds > 0) this.framesPerSecond += (1 / seconds - this.framesPerSecond) * Math.min(1, 2 * seconds)
    if (this.paused) {
      // the camera may still move
      this.#draw(1, 0)
      return
    }
    this.#left += seconds * this.speed
    const start = performance.now()
    while (this.#left >= FIXED_STEP) {
      this.#left -= FIXED_STEP
      this.#step()
      if (performance.now() - start > STEP_BUDGET) this.#left = Math.min(this.#left, FIXED_STEP / 2)
    }
    this.#draw(this.#left / FIXED_STEP, seconds * this.speed)
  }

  #step(): void {
    const start = performance.now()
    this.#live?.step()
    this.stepMilliseconds += (performance.now() - start - this.stepMilliseconds) * 0.05
  }

  #draw(alpha: number, seconds: number): void {
    this.#live?.present(alpha, seconds)
    this.stage.render()
    this.frames++
  }
}
