import type { Flock, ObstacleOptions, SteeringController, SteeringWorld } from 'three-steering'
import type { Vec3, Vec3Like } from 'three-steering'

/** Agents of one colour. */
export type Group = SteeringController | Flock | readonly SteeringController[]

/**
 * A place that is marked in the picture: a point, an object with a position, a waypoint with a heading, or a
 * gate. A plain point can be dragged.
 */
export type Mark =
  | Vec3
  | { readonly position: Vec3Like; readonly heading?: Vec3Like; readonly radius?: number }

/**
 * An option with a slider: its object, its name, the ends of the slider in the unit of the option, and the
 * text beside it. Default its name.
 */
export type Control = readonly [owner: object, option: string, from: number, to: number, label?: string]

/** A small scene of the documentation: what its picture shows, and what its code says. */
export interface Scene {
  /** Stepped 60 times a second while the picture is seen. */
  readonly world: SteeringWorld
  /** Agents that are drawn. Each group has a colour of its own. */
  readonly agents: readonly Group[]
  readonly targets?: readonly Mark[]
  /** Solids are drawn as bodies, hollow shapes as rooms. */
  readonly obstacles?: readonly ObstacleOptions[]
  /** Lines through points, m. */
  readonly lines?: readonly (readonly Vec3Like[])[]
  readonly controls?: readonly Control[]
  /** Called before each step with the time since the start, s. */
  readonly before?: (time: number) => void
  /** A line of text below the picture. */
  readonly readout?: () => string
  /** Radius of the region that the picture shows, m. Default 16. */
  readonly size?: number
  /** Middle of that region, m. Default the origin. */
  readonly center?: Vec3Like
  /** The scene starts again after this time, s. Default never. */
  readonly lasts?: number
}
