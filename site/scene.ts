import type { Flock, ObstacleOptions, SteeringController, SteeringWorld } from 'three-steering'
import type { ShowOptions } from 'three-steering/debug'

/** Agents of one colour. */
export type Group = SteeringController | Flock | readonly SteeringController[]

/**
 * An option with a slider: its object, its name, the ends of the slider in the unit of the option, and the
 * text beside it. Default its name.
 */
export type Control = readonly [owner: object, option: string, from: number, to: number, label?: string]

/**
 * A small scene of the documentation: what its picture shows, and what its code says. The page shows it as a
 * program that can be pasted (site/program.ts). Solids are drawn as bodies, hollow shapes as rooms. A target
 * that is a plain point can be dragged.
 */
export interface Scene extends Omit<ShowOptions, 'frame' | 'objects'> {
  readonly obstacles?: readonly ObstacleOptions[]
  /** Stepped 60 times a second while the picture is seen. */
  readonly world: SteeringWorld
  /** Agents that are drawn. Each group has a colour of its own. */
  readonly agents: readonly Group[]
  readonly controls?: readonly Control[]
  /** The scene starts again after this time, s. Default never. */
  readonly lasts?: number
}
