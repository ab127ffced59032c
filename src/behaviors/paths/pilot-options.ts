import type { Agent } from '../../types.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { Path } from './path.js'

/** How it goes on its path, dimensionless, 0 … 1 (Green, Follow Path, the pilot metrics). */
export interface PilotMetrics {
  /**
   * Share of the last window without progress: 1 for an agent that is held or pushed back all the time. It does not fall until the agent has come
   * farther than it ever was, also when it has been told to try something else.
   */
  readonly stuck: number
  /** 1 less the way to go over the whole way; of a path without an end, of its lap. 1 at rest at the end. */
  readonly finished: number
  /** How full the next waypoint is of others, see `isCrowded`. 0 without a `crowdRadius`. */
  readonly crowded: number
  /** How often its course has turned round since it last got on by a radius, as a share of two rounds: a moth round a light. */
  readonly circling: number
}

/** Why an agent asks for another way. Valid during the call only. */
export interface BlockedPath {
  readonly why: 'stuck' | 'circling'
  readonly path: Path
  /** Where on it the agent is, m. */
  readonly place: number
  /** The segment it does not get along, and the waypoint at its end. Numbers of `path`. */
  readonly waypoint: number
  readonly segment: number
  /**
   * Of the obstacles that the `FollowPath` was given, what stands in this segment, else in the straight way to where the agent heads; null for
   * nothing.
   */
  readonly obstacle: Obstacle | null
  /** How crowded that waypoint is, see `PilotMetrics`. */
  readonly crowded: number
  /** How often this was asked before, since it last got on. */
  readonly tries: number
}

export interface PilotOptions {
  /** The metrics are of so much time, s, > 0, however long the steps are. Shorter sees trouble sooner, and where there is none. Default 3. */
  window?: number
  /** Stuck, or circling, from this share on, in (0, 1]. Green's `is_stuck_threshold`. Default 0.75. */
  threshold?: number
  /**
   * Asked for another way by who is stuck or circles, no more often than it takes to be stuck again. What it returns is flown by this agent alone, from its start;
   * null or undefined: there is none, or not yet (see `FollowPath.setPathOf`).
   */
  renavigate?: (agent: Agent, blocked: BlockedPath) => Path | null | undefined
  /**
   * Whether who is stuck gets no other way tries to get free: back to the last waypoint that it sees, where the obstacles are known; else backs off
   * to a side, each time farther. Who circles takes the waypoint for reached. Not in a crowd. Default false.
   */
  escape?: boolean
}
