import type { Agent, Behavior, Spares, Step, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'

/**
 * A behaviour that limits where others want to go: walls, obstacles, bounds, other agents. `within` asks all its constraints
 * and solves them together; used alone, as a plain behaviour, it returns the force that obeys its own limits only.
 */
export interface Constraint extends Behavior {
  /** Tells `limits` what the velocity of the agent must respect. */
  constrain(agent: Agent, step: Step, limits: Limits): void
}

/** Collects what the velocity of one agent in one step must respect. */
export interface Limits {
  /** The velocity that is wanted, m/s, and the way (m) to where the agent will stop. Read only. */
  readonly wanted: Vec3Like
  readonly reach: number
  /** What is not to be kept off. Read only. */
  readonly spares?: Spares | undefined
  /**
   * Demands velocity · normal ≥ least (m/s). `normal` is unit, points to where it is free, and is copied. Where not all demands can be
   * met, those that yield (of other agents, who can help it) give way before those that do not (of walls and bodies). Default false.
   */
  atLeast(normal: Vec3Like, least: number, yields?: boolean): void
  /**
   * Bars a body, as far as `horizon` (m): the direction of flight is chosen so that a ball of radius `hull + margin` (m) passes it
   * and all others, and the speed so that one of radius `hull` can stop or turn away before it touches.
   */
  bar(obstacle: Obstacle, horizon: number, hull: number, margin: number): void
  /** Asks `scanner` for more bars when a direction must be chosen. */
  scan(scanner: Scanner): void
  /**
   * Tells of a wall that is limited by `atLeast`. It turns away who heads for no place, so that nobody stops in a corner; who heads for
   * one slides along it, and only where an obstacle must be passed a way that ends at the wall within `horizon` (m) counts as blocked.
   */
  wall(obstacle: Obstacle, horizon: number, hull: number): void
  /** Demands to get out of here along the unit `direction`, before anything else is wanted. */
  leave(direction: Vec3Like): void
}

/** Who tells of bars by parts of the surroundings, so that nobody looks at what lies aside of every way worth taking. */
export interface Scanner {
  /** Tells `limits` of the bars that reach into the cone of directions at most `angle` (rad) aside of the unit `axis`. */
  scan(agent: Agent, axis: Vec3Like, angle: number, limits: Limits): void
}
