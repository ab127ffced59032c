import type { Agent } from '../../types.js'
import type { Path } from './path.js'
import { requireFinite, requireNumber } from '../../math/require.js'
import { requireObstacles, type ObstacleSource } from '../avoidance/surroundings.js'
import type { Obstacle } from '../../obstacles/obstacle.js'

/**
 * How it is followed (Green, Follow Path).
 * - `reprojection`: keeps to the point of the path nearest to it.
 * - `dog-on-a-string`: seeks a point that runs ahead, waits where it pulls hard and runs where it does not.
 * - `grappling-hooks`: seeks waypoint after waypoint, straight on.
 */
export type PathTechnique = 'reprojection' | 'dog-on-a-string' | 'grappling-hooks'

/** Whether what stands in the place it flies to is kept off there, or touched. */
export type EndContact = 'avoid' | 'ignore'

/** What comes after `path`: a piece to go on with, null where that was the last, or undefined where that is not known yet. */
export type NextPiece = (agent: Agent, path: Path) => Path | null | undefined

export interface FollowPathOptions {
  path: Path
  /** Default `reprojection`. */
  technique?: PathTechnique
  /** Speed on the way, m/s, > 0; less where the path bends, as the agent's force across and its brakes make it. Default its top speed. */
  speed?: number
  /** Of `dog-on-a-string`: how far ahead the dog is, m, > 0: the farther, the more corners are cut. Default the way of half a second. */
  lookAhead?: number
  /** What it does at the end of an open path: come to rest, or pass at full speed and fly straight on. Default `stop`. */
  end?: 'stop' | 'pass'
  /** 1 from the first point to the last, −1 the other way. Default 1. */
  direction?: 1 | -1
  /** Radius (m, ≥ 0) of the tube in which there is no pull to the middle. Default that of the path. */
  tube?: number
  /**
   * Of `grappling-hooks`: a waypoint is reached within so many radii of the agent, > 0, dimensionless: large vehicles are sloppy, tiny ones fiddly.
   * Default 2.
   */
  closeness?: number
  /**
   * The end is reached within so many radii, ≥ 0, dimensionless: there it stops, or has passed. Default 0: along the last section, and on the
   * spot (Green's ACCURATE_POSITIONING; with more it is his LOOSE_POSITIONING).
   */
  endCloseness?: number
  /**
   * Whether, on the last section, what stands in the place at the end is kept off, or touched: obstacles, as `AvoidObstacles` in the same
   * `within` has them (never walls), and other agents, as `ReciprocalAvoidance` and `AvoidAgents` have them. Default `avoid` (Green's REPEL_… and
   * IGNORE_END_OBSTACLES, REPEL_… and IGNORE_FINAL_CREATURE).
   */
  endObstacles?: EndContact
  endAgents?: EndContact
  /** Ball (m, > 0) around the next waypoint in which others count as a crowd. Within three of them from the agent they are seen. Default none. */
  crowdRadius?: number
  /** Share of the speed that is left where that ball is full, in (0, 1]. Default 1: a crowd does not slow it. Needs `crowdRadius`. */
  crowdSpeed?: number
  /**
   * Turns its nose to where it wants to go, and slows down when that is more than half of this angle (rad, in (0, π]) aside, to hardly
   * anything at all of it. Default none: it flies any way up.
   */
  facing?: number
  /**
   * What the path may lead into. A waypoint, or an end, inside of an obstacle counts as reached as near as that lets it come; who is stuck goes
   * back to where it sees the path. Default unknown. It does not avoid them: that is for `AvoidObstacles`.
   */
  obstacles?: ObstacleSource
  /** The pilot metrics, and what is done about trouble: true for the metrics alone. Default off, and free of cost. */
  pilot?: boolean | PilotOptions
  /**
   * Asked when an agent nears the end of its open path by little more than its braking distance, so that it does not slow down for
   * the seam; `undefined` is asked again after a quarter of a second. Pieces should be as long as that. Default none.
   */
  next?: NextPiece
}

const TECHNIQUES: readonly unknown[] = [
  'reprojection',
  'dog-on-a-string',
  'grappling-hooks',
] satisfies PathTechnique[]

const DEFAULT_CLOSENESS = 2

/** Reads all but the pilot. @throws TypeError / RangeError naming the option. */
export function readFollowPath(options: FollowPathOptions) {
  const { technique = 'reprojection', direction = 1, speed, lookAhead, tube, crowdRadius, facing } = options
  const { closeness = DEFAULT_CLOSENESS, endCloseness = 0, crowdSpeed = 1, obstacles, next } = options
  if (!TECHNIQUES.includes(technique))
    throw new RangeError(`FollowPath.technique: got '${technique}', allowed are '${TECHNIQUES.join("', '")}'`)
  if (direction !== 1 && direction !== -1)
    throw new RangeError(`FollowPath.direction: got ${String(direction)}, must be 1 or -1`)
  if (speed !== undefined) requireNumber('FollowPath.speed', speed, 0, true)
  if (lookAhead !== undefined) requireFinite('FollowPath.lookAhead', lookAhead, 0, true)
  if (tube !== undefined) requireFinite('FollowPath.tube', tube, 0, false)
  if (crowdRadius !== undefined) requireFinite('FollowPath.crowdRadius', crowdRadius, 0, true)
  if (crowdSpeed < 1 && crowdRadius === undefined)
    throw new TypeError(`FollowPath.crowdSpeed: got ${crowdSpeed} without a crowdRadius, must have one`)
  if (facing !== undefined) requireNumber('FollowPath.facing', facing, 0, true, Math.PI)
  if (next !== undefined && typeof next !== 'function')
    throw new TypeError(`FollowPath.next: got ${String(next)}, must be a function`)
  return {
    path: requirePath('FollowPath.path', options.path),
    technique,
    direction,
    speed,
    lookAhead,
    tube,
    crowdRadius,
    facing,
    next,
    end: requireOneOf('FollowPath.end', options.end ?? 'stop', 'stop', 'pass'),
    endObstacles: requireOneOf('FollowPath.endObstacles', options.endObstacles ?? 'avoid', 'avoid', 'ignore'),
    endAgents: requireOneOf('FollowPath.endAgents', options.endAgents ?? 'avoid', 'avoid', 'ignore'),
    closeness: requireFinite('FollowPath.closeness', closeness, 0, true),
    endCloseness: requireFinite('FollowPath.endCloseness', endCloseness, 0, false),
    crowdSpeed: requireNumber('FollowPath.crowdSpeed', crowdSpeed, 0, true, 1),
    obstacles: obstacles === undefined ? undefined : requireObstacles('FollowPath.obstacles', obstacles),
  } as const
}

/** The options of a `FollowPath` with their defaults, without `path` and `pilot`. They may be changed at any time. */
export type FollowSettings = Readonly<Omit<ReturnType<typeof readFollowPath>, 'path'>>

/** @throws TypeError for what is no path; `others` says what else is allowed. */
export function requirePath(what: string, value: Path, others = ''): Path {
  if (typeof (value as Partial<Path> | null | undefined)?.curvatureAt !== 'function')
    throw new TypeError(`${what}: got ${String(value)}, must be a Path${others}`)
  return value
}

function requireOneOf<T extends string>(what: string, value: T, one: T, other: T): T {
  if (value !== one && value !== other)
    throw new RangeError(`${what}: got '${value}', allowed are '${one}', '${other}'`)
  return value
}

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
