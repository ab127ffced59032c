import type { FrameLike, Vec3Like } from '../types.js'

/** What a direction is chosen for. */
export interface SearchContext {
  /** Unit direction. */
  readonly wantedDirection: Vec3Like
  /** Chosen in the last step, or zero. */
  readonly lastDirection: Vec3Like
  /** Breaks ties: its y axis is the side taken where all are alike. */
  readonly course: FrameLike
  /** Velocity now: the side taken where nothing was chosen in the last step. */
  readonly velocity: Vec3Like
  /** Where the agent will be when it has turned, m. */
  readonly from: Vec3Like
  /** Speed to fly at, m/s. */
  speed: number
  /** Way (m) to the goal, beyond which nothing matters. */
  goalDistance: number
}
