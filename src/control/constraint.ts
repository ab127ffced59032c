import type { Agent, Behavior, Step, Vec3Like } from '../types.js'
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
  /** The velocity that is wanted, m/s. Read only. */
  readonly wanted: Vec3Like
  /** Demands velocity · normal ≥ least (m/s). `normal` is unit, points to where it is free, and is copied. */
  atLeast(normal: Vec3Like, least: number): void
  /**
   * Bars a body: the direction of flight is chosen so that a ball of the agent's radius plus `margin` (m) passes it, as well
   * as all others; and the speed so that one of radius plus `skin` (m) can stop or turn before it.
   */
  bar(obstacle: Obstacle, margin: number, skin: number): void
}
