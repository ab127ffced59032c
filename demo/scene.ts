import type GUI from 'lil-gui'
import type { Stage } from './stage.js'

/** What the gallery says about a scene before it is opened. */
export interface Card {
  /** Name in the address: `?scene=…`. */
  readonly id: string
  readonly title: string
  /** One sentence for the gallery. */
  readonly summary: string
  /** What the visitor can do, shown beside the running scene. */
  readonly hint: string
  /** The behaviours at work, each with the paper it comes from. */
  readonly behaviors: readonly Credit[]
  /** Place in the gallery, smallest first. */
  readonly order: number
}

export interface Credit {
  readonly name: string
  readonly source: string
}

/** The papers that most scenes draw on. */
export const GREEN = 'Green, Steering Behaviours'
export const REYNOLDS_1987 = 'Reynolds 1987, Flocks, Herds and Schools'
export const REYNOLDS_1999 = 'Reynolds 1999, Steering Behaviors for Autonomous Characters'

/** What the address asks for. */
export interface SceneOptions {
  readonly seed: number
  /** Number of agents; the scene's own default when absent. */
  readonly count?: number
}

/** Metrics for tests and for the readout. */
export type SceneState = Record<string, number | string>

/** A scene that runs. The shell owns time: it calls `step` at a fixed rate and `present` once per rendered frame. */
export interface LiveScene {
  /** One fixed step of 1/60 s. */
  step(): void
  /** Writes the views. `alpha` in [0, 1] lies between the last two steps; `seconds` went by since the last frame. */
  present(alpha: number, seconds: number): void
  state(): SceneState
  /** Adds the sliders of this scene. */
  panel(gui: GUI): void
  dispose(): void
}

/** What a file in `scenes/` exports. */
export interface SceneModule {
  readonly card: Card
  open(stage: Stage, options: SceneOptions): Promise<LiveScene>
}

/** Length of a step, s. */
export const FIXED_STEP = 1 / 60
