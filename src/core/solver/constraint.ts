import type { Agent, Behavior, Exemption, Step, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { ObstacleFilter, Obstacles } from '../obstacles/obstacles.js'
import type { Footing } from './footing.js'

/**
 * A behaviour that limits the velocity that other behaviours want: walls, obstacles, bounds, other agents.
 * `within` collects the demands of all its constraints and solves them together. Used alone, as a plain
 * behaviour, a constraint returns the force that meets its own demands only.
 */
export interface Constraint extends Behavior {
  /** Adds the obstacles at rest that it keeps clear of (`addToMap`), before the wish is collected. */
  survey?(agent: Agent, step: Step, constraints: VelocityConstraints): void
  /** Adds its demands on the velocity of the agent. */
  constrain(agent: Agent, step: Step, constraints: VelocityConstraints): void
}

/** The order of a queue, for agents that avoid each other in it. */
export interface QueueOrder {
  /**
   * 1: the agent in `row` of the neighbours goes before the agent; −1: after it; 0: one of the two neither
   * queues nor has just queued.
   */
  rank(agent: Agent, row: number): number
}

/** Collects the demands on the velocity of one agent in one step. */
export interface VelocityConstraints {
  /**
   * The wanted velocity (m/s), to the goal or to the next waypoint of a route to it, and the distance (m)
   * beyond which obstacles are ignored. Read only.
   */
  readonly wantedVelocity: Vec3Like
  readonly goalDistance: number
  /** The order of two agents in a queue, if there is one. Set by `survey`. */
  queueOrder?: QueueOrder | undefined
  /**
   * Whether the wanted velocity is the input of a player, see `Wish`: demands of a motion that it does not
   * ask for are ignored, so a constraint should limit the approach only. Read only.
   */
  readonly isManual?: boolean
  /** Share of its clearance from other agents that it gives up, since it was held up for long. Read only. */
  readonly pressure?: number
  /** Obstacles and agents that need not be avoided. Read only. */
  readonly exemption?: Exemption | undefined
  /**
   * What behaviours need while the demands of one agent are collected, kept for the next agent; and a number
   * that grows with each agent. @internal
   */
  lookouts?: object
  readonly round?: number
  /** Whether the demands are collected to draw them: nothing is remembered. @internal */
  readonly isDrawn?: boolean
  /**
   * Adds obstacles to the map in which routes to the goal are found. The hull of the agent (radius, m) must
   * not touch them; `clearance` (m) is kept in addition where there is space. Obstacles for which `ignore`
   * returns true are left out, and what the agent walks on by its `footing`. Called by `survey`.
   */
  addToMap(
    obstacles: Obstacles,
    hull: number,
    clearance: number,
    ignore?: ObstacleFilter,
    footing?: Footing,
  ): void
  /**
   * Adds bounds that the hull of the agent (radius, m) must stay inside of: a goal outside of them is
   * approached as near as they let it. Called by `survey`.
   */
  addBounds?(bounds: Obstacles, hull: number, footing?: Footing): void
  /**
   * Demands velocity · normal ≥ least (m/s). `normal` is a unit vector that points to the free side, and is
   * copied. If not all demands can be met, those that yield give way before those that do not. Only demands
   * of walls and bodies must not yield. A demand that exists because of another agent, which can move aside
   * as well, or for the sake of a task must yield, or it pushes the agent into a wall. Default false.
   */
  addHalfSpace(normal: Vec3Like, least: number, yields?: boolean): void
  /**
   * Adds an obstacle, which counts up to the distance `horizon` (m). The direction of flight is chosen so
   * that a ball of radius `hull + clearance` (m) passes all obstacles, and the speed so that a ball of radius
   * `hull` (m) can stop or turn away before it touches. What the agent walks on by its `footing` is left out.
   */
  addObstacle(obstacle: Obstacle, horizon: number, hull: number, clearance: number, footing?: Footing): void
  /**
   * Adds the obstacles at rest of a set that are too many for `addObstacle`: only those that block a
   * direction are looked at, and none of them causes the agent to brake before it is added by `addObstacle`.
   * Obstacles for which `ignore` returns true are left out. Called by `Scanner.scan`.
   */
  addMany?(
    obstacles: Obstacles,
    horizon: number,
    hull: number,
    clearance: number,
    ignore?: ObstacleFilter,
    footing?: Footing,
  ): void
  /** Asks `scanner` for more obstacles when a direction must be chosen. */
  addScanner(scanner: Scanner): void
  /**
   * Adds a wall whose approach is limited by `addHalfSpace`. An agent without a goal is turned away from it,
   * so that it does not stop in a corner. An agent with a goal slides along it; only if the agent must pass
   * an obstacle, a direction that ends at the wall within `horizon` (m) counts as blocked.
   */
  addWall(obstacle: Obstacle, horizon: number, hull: number, footing?: Footing): void
  /** The agent cannot rise from the ground with this unit normal: it evades to the sides only. */
  stayOn?(ground: Vec3Like): void
  /**
   * The wanted direction is free of the last `count` obstacles that were added: unless something else is in
   * the way, no direction is chosen.
   */
  noteClear?(count: number): void
  /** The ground ends ahead of the agent. A search of ways knows no edges, so none is searched. */
  noteEdge?(): void
  /** Demands to leave first along unit `direction`, at most at `maxSpeed` (m/s; default full speed). */
  setExit(direction: Vec3Like, maxSpeed?: number): void
}

/**
 * Finds obstacles in one part of the surroundings at a time, so that obstacles far from every useful
 * direction are not examined.
 */
export interface Scanner {
  /**
   * Adds the obstacles that reach into the cone of directions at most `angle` (rad) from the unit `axis`. At
   * an angle of 0 it may add a set of them by `addMany`, as only the line is of interest.
   */
  scan(agent: Agent, axis: Vec3Like, angle: number, constraints: VelocityConstraints): void
}
