import type { Agent, Behavior, Exemption, Step, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { ObstacleFilter, Obstacles } from '../obstacles/obstacles.js'

/**
 * A behaviour that limits where others want to go: walls, obstacles, bounds, other agents. `within` asks all its constraints
 * and solves them together; used alone, as a plain behaviour, it returns the force that obeys its own limits only.
 */
export interface Constraint extends Behavior {
  /** Tells `limits` of the obstacles at rest that it keeps the agent off (`Limits.solid`), before the wish is heard. */
  survey?(agent: Agent, step: Step, constraints: VelocityConstraints): void
  /** Tells `limits` what the velocity of the agent must respect. */
  constrain(agent: Agent, step: Step, constraints: VelocityConstraints): void
}

/** The order of a queue, as those who avoid each other in it need it. */
export interface QueueOrder {
  /** 1: the agent in `row` of its neighbours goes before the agent; −1: after it; 0: one of them does not queue, nor has just done so. */
  rank(agent: Agent, row: number): number
}

/** Collects what the velocity of one agent in one step must respect. */
export interface VelocityConstraints {
  /**
   * The velocity that is wanted, m/s: to the goal, or to the next waypoint of a route to it. And the distance (m) from which on nothing is in the
   * way. Read only.
   */
  readonly wantedVelocity: Vec3Like
  readonly goalDistance: number
  /** Who of two goes first, where a queue has an order. Set by `survey`. */
  queueOrder?: QueueOrder | undefined
  /** What is not to be kept off. Read only. */
  readonly exemption?: Exemption | undefined
  /**
   * Adds obstacles to the map by which ways to the goal are found. The hull (m) of the agent must not touch them; `clearance` (m) is kept besides where
   * there is room. Those for which `ignore` returns true do not count. To be called by `survey`.
   */
  addToMap(obstacles: Obstacles, hull: number, clearance: number, ignore?: ObstacleFilter): void
  /**
   * Demands velocity · normal ≥ least (m/s). `normal` is unit, points to where it is free, and is copied. Where not all demands can be
   * met, those that yield give way before those that do not. Firm is only what is demanded because of walls and bodies; a demand made because of
   * another agent, which can move aside as well, or for the sake of a task must yield, or it pushes the agent into a wall. Default false.
   */
  addHalfSpace(normal: Vec3Like, least: number, yields?: boolean): void
  /**
   * Bars a body, as far as `horizon` (m): the direction of flight is chosen so that a ball of radius `hull + margin` (m) passes it
   * and all others, and the speed so that one of radius `hull` can stop or turn away before it touches.
   */
  addObstacle(obstacle: Obstacle, horizon: number, hull: number, clearance: number): void
  /** Asks `scanner` for more bars when a direction must be chosen. */
  addScanner(scanner: Scanner): void
  /**
   * Tells of a wall that is limited by `atLeast`. It turns away who heads for no place, so that nobody stops in a corner; who heads for
   * one slides along it, and only where an obstacle must be passed a way that ends at the wall within `horizon` (m) counts as blocked.
   */
  addWall(obstacle: Obstacle, horizon: number, hull: number): void
  /** Demands to get out of here along the unit `direction`, before anything else is wanted, no faster than `pace` (m/s). Default full speed. */
  setExit(direction: Vec3Like, maxSpeed?: number): void
}

/** Who tells of bars by parts of the surroundings, so that nobody looks at what lies aside of every way worth taking. */
export interface Scanner {
  /** Tells `limits` of the bars that reach into the cone of directions at most `angle` (rad) aside of the unit `axis`. */
  scan(agent: Agent, axis: Vec3Like, angle: number, constraints: VelocityConstraints): void
}
