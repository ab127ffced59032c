import type GUI from 'lil-gui'
import type { Stage } from './stage.js'

/** Options of a scene from the address. */
export interface SceneOptions {
  readonly seed: number
  /** Number of agents. Default: that of the scene. */
  readonly count?: number
}

/** Metrics for tests and for the readout. */
export type SceneState = Record<string, number | string>

/** What happens in a scene, without its picture. */
export interface Scenario {
  /** Makes one step of `dt` seconds. */
  step(dt: number): void
  state(): SceneState
}

/** A running scene. The player steps its scenario at a fixed rate, and calls `present` once per frame. */
export interface LiveScene {
  readonly scenario: Scenario
  /**
   * Updates the views. `alpha` in [0, 1] interpolates between the last two steps; `seconds` is the time since
   * the last frame.
   */
  present(alpha: number, seconds: number): void
  /** Adds the sliders of this scene. */
  panel(gui: GUI): void
  dispose(): void
}

/** Exports of a file in `scenes/`. */
export interface SceneModule {
  open(stage: Stage, options: SceneOptions): Promise<LiveScene>
}

/** Length of a step (s). */
export const FIXED_STEP = 1 / 60
