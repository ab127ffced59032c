import type GUI from 'lil-gui'
import type { Stage } from './stage.js'

/** Description of a scene in the gallery. */
export interface Card {
  /** Scene id in the address: `?scene=…`. */
  readonly id: string
  readonly title: string
  /** One sentence for the gallery. */
  readonly summary: string
  /** What the visitor can do, shown next to the running scene. */
  readonly hint: string
  /** The behaviours used, each with its source. */
  readonly behaviors: readonly Credit[]
  /** Position in the gallery, smallest first. */
  readonly order: number
}

export interface Credit {
  readonly name: string
  readonly source: string
}

/** Sources that many scenes share. */
export const GREEN = 'Green, Steering Behaviours'
export const REYNOLDS_1987 = 'Reynolds 1987, Flocks, Herds and Schools'
export const REYNOLDS_1999 = 'Reynolds 1999, Steering Behaviors for Autonomous Characters'

/** Options of a scene from the address. */
export interface SceneOptions {
  readonly seed: number
  /** Number of agents. Default: that of the scene. */
  readonly count?: number
}

/** Metrics for tests and for the readout. */
export type SceneState = Record<string, number | string>

/** A running scene. The player calls `step` at a fixed rate and `present` once per rendered frame. */
export interface LiveScene {
  /** Makes one fixed step of 1/60 s. */
  step(): void
  /**
   * Updates the views. `alpha` in [0, 1] interpolates between the last two steps; `seconds` is the time since
   * the last frame.
   */
  present(alpha: number, seconds: number): void
  state(): SceneState
  /** Adds the sliders of this scene. */
  panel(gui: GUI): void
  dispose(): void
}

/** Exports of a file in `scenes/`. */
export interface SceneModule {
  readonly card: Card
  open(stage: Stage, options: SceneOptions): Promise<LiveScene>
}

/** Length of a step (s). */
export const FIXED_STEP = 1 / 60
