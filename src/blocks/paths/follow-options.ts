import type { Agent, NeighborSearch, PointSource } from '../../core/types.js'
import { requirePoint } from '../../core/control/target.js'
import type { Path } from './path.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'
import { requireObstacleSet } from '../../core/obstacles/obstacle-set.js'
import type { Obstacle } from '../../core/obstacles/obstacle.js'
import { refuse, requireFunction } from '../../core/math/require.js'

/**
 * How the path is followed (Green, Follow Path).
 * - `reprojection`: flies along the path from the point nearest to the agent.
 * - `future-reprojection`: as published. Projects the position that the agent will have on its present course
 *   onto the path, and seeks the point found. While that position is inside the tube, it flies straight on.
 * - `dog-on-a-string`: seeks a point (the dog) that runs ahead. It waits while the agent is far behind and
 *   runs faster while the agent is close.
 * - `grappling-hooks`: seeks one waypoint after the other in straight lines.
 */
export type PathTechnique = 'reprojection' | 'future-reprojection' | 'dog-on-a-string' | 'grappling-hooks'

/** Whether obstacles or agents at the end of the path are avoided or may be touched. */
export type EndContact = 'avoid' | 'ignore'

/** Returns the piece after `path`: a path, null for the end of the route, undefined while unknown. */
export type NextPiece = (agent: Agent, path: Path) => Path | null | undefined

export interface FollowPathOptions extends Options, OptionsOf<typeof FOLLOW_PATH> {
  /** Watches progress and helps agents in trouble; true only measures. Default off, at no cost. */
  pilot?: boolean | PilotOptions
}

const NOBODY: readonly PointSource[] = []

/** The options of `FollowPath`, without `pilot`. */
export const FOLLOW_PATH = {
  path: { kind: 'instance?', required: true, check: requirePath },
  /** Default `reprojection`. */
  technique: {
    kind: 'text',
    oneOf: ['reprojection', 'future-reprojection', 'dog-on-a-string', 'grappling-hooks'],
    default: 'reprojection',
  },
  /**
   * Speed along the path (m/s, > 0). In bends the speed is lower, as the lateral force and the brakes
   * require. Default the top speed of the agent.
   */
  speed: { kind: 'number', unit: 'm/s', above: 0, infinite: true },
  /**
   * For `dog-on-a-string`: distance of the dog ahead (m, > 0). For `future-reprojection`: distance to the
   * future position. Larger cuts corners more. Default the distance flown in half a second, and while a
   * vehicle that must turn to push does so; at least the agent's radius and one and a half turn radii of a
   * vehicle on wheels.
   */
  lookAhead: { kind: 'number', unit: 'm', above: 0 },
  /**
   * Where an agent that comes to the path begins: at the `nearest` point, or at the `first`, to which it then
   * flies before anything else. An agent with an own path begins in the first segment. Default `nearest`.
   */
  start: { kind: 'text', oneOf: ['nearest', 'first'], default: 'nearest' },
  /**
   * For `grappling-hooks`: others whose position counts as well, such as the members of a group. A waypoint
   * is reached as soon as the agent or any of them is near it (Green, Steering Formations: "you could
   * consider it reached when any one of the group is within range of it"). Default none.
   */
  group: { kind: ['point'], default: NOBODY, check: requireGroup },
  /** At the end of an open path: come to rest, or pass at full speed and fly straight on. Default `stop`. */
  end: { kind: 'text', oneOf: ['stop', 'pass'], default: 'stop' },
  /** 1 flies from the first point to the last, −1 the other way. Default 1. */
  direction: { kind: 'number', oneOf: [1, -1], default: 1 },
  /** Radius of the tube in which there is no pull to the middle (m, ≥ 0). Default the tube of the path. */
  tube: { kind: 'number', unit: 'm', atLeast: 0 },
  /**
   * For `grappling-hooks`: a waypoint is reached within this distance, in radii of the agent (> 0). So a
   * large vehicle passes at a larger distance than a small one. Default 2.
   */
  // Chosen by hand.
  closeness: { kind: 'number', above: 0, default: 2 },
  /**
   * Distance at which the end is reached, in radii of the agent (≥ 0): there the agent stops, or has passed.
   * With 0 it flies along the last section and stops exactly at the end (Green's ACCURATE_POSITIONING; above
   * 0 it is Green's LOOSE_POSITIONING). Default 0.
   */
  endCloseness: { kind: 'number', atLeast: 0, default: 0 },
  /**
   * Whether obstacles and other agents at the end of the path are avoided on the last section or may be
   * touched. It applies to `AvoidObstacles` (never to walls), and to `ReciprocalAvoidance` and `AvoidAgents`,
   * in the same `within`. Default `avoid` (Green's REPEL_… and IGNORE_END_OBSTACLES, REPEL_… and
   * IGNORE_FINAL_CREATURE).
   */
  endObstacles: { kind: 'text', oneOf: ['avoid', 'ignore'], default: 'avoid' },
  endAgents: { kind: 'text', oneOf: ['avoid', 'ignore'], default: 'avoid' },
  /**
   * Radius of the ball around the next waypoint in which other agents count as a crowd (m, > 0). Agents
   * within three radii are neighbors. Needs `neighborSearch`. Default none.
   */
  crowdRadius: { kind: 'number', unit: 'm', above: 0 },
  /**
   * The search for the agents of a crowd: `neighborSearch` of the package. So a program without crowds does
   * not contain it. Default none.
   */
  neighborSearch: { kind: 'shorthand', check: requireFunction<NeighborSearch> },
  /**
   * Share of the speed that is left when that ball is full, in (0, 1]. With 1 a crowd does not slow the
   * agent. Needs `crowdRadius`. Default 1.
   */
  crowdSpeed: { kind: 'number', above: 0, atMost: 1, default: 1 },
  /**
   * Angle in (0, π] (rad). The agent turns its nose to where it flies. It slows down when the nose is more
   * than half of this angle off, and almost stops at the whole angle. Default none: its attitude is free.
   */
  facing: { kind: 'number', unit: 'rad', above: 0, atMost: Math.PI },
  /**
   * Obstacles that the path may lead into. A waypoint or an end inside an obstacle counts as reached at the
   * nearest free point. A stuck agent returns to where it has a clear line to the path. Avoiding obstacles is
   * the task of `AvoidObstacles`. Default those of the constraints around it.
   */
  obstacles: { kind: 'instance', check: requireObstacleSet },
  /**
   * Called when the distance to the end of an open path is little more than the braking distance, so that the
   * agent need not slow down at the seam. After `undefined` it is called again a quarter of a second later. A
   * piece should be at least as long as the braking distance. Default none.
   */
  next: { kind: 'function', check: requireFunction<NextPiece> },
} as const satisfies AnyTable

/** The options of a `FollowPath` with their defaults. They may be changed at any time. */
export type FollowSettings = Readonly<Omit<FieldsOf<typeof FOLLOW_PATH>, 'path'>>

/** @throws TypeError for a value that is not a Path; `others` adds other allowed values to the message. */
export function requirePath(what: string, value: Path, others = ''): Path {
  if (typeof (value as Partial<Path> | null | undefined)?.curvatureAt !== 'function')
    refuse(what, value, `must be a Path${others}`)
  return value
}

/** @throws TypeError / RangeError unless it is a list of points or things with a position. */
function requireGroup(what: string, value: readonly PointSource[]): readonly PointSource[] {
  if (!Array.isArray(value)) refuse(what, value, 'must be an array')
  for (const [i, member] of value.entries()) requirePoint<PointSource>(`${what}[${i}]`, member)
  return value
}

/** Progress of an agent on its path, dimensionless, 0 … 1 (Green, Follow Path, the pilot metrics). */
export interface PilotMetrics {
  /**
   * Share of the last window without progress; 1 while the agent is held or pushed back all the time. It
   * falls only when the agent has come farther than ever before. An attempt to get free does not lower it.
   */
  readonly stuck: number
  /** 1 − remaining distance / total distance; on an endless path per lap. 1 at rest at the end. */
  readonly finished: number
  /**
   * How full the ball around the next waypoint is of other agents, see `isCrowded`. 0 without a
   * `crowdRadius`.
   */
  readonly crowded: number
  /** Turns of the course since the agent last advanced by one radius, as a share of two full turns. */
  readonly circling: number
}

/** Describes the trouble of an agent that needs another path. Valid only during the call. */
export interface BlockedPath {
  readonly why: 'stuck' | 'circling'
  readonly path: Path
  /** Station of the agent (m). */
  readonly place: number
  /** Indices in `path`: the waypoint at the end of the blocked segment, and that segment. */
  readonly waypoint: number
  readonly segment: number
  /** The known obstacle that blocks this segment, else the one on the line to the target; null for none. */
  readonly obstacle: Obstacle | null
  /** How crowded that waypoint is, see `PilotMetrics`. */
  readonly crowded: number
  /** Number of earlier calls since the agent last advanced. */
  readonly tries: number
}

export interface PilotOptions extends Options, OptionsOf<typeof PILOT> {}

/** The options of the pilot. */
export const PILOT = {
  /**
   * Time window of the metrics (s, > 0), whatever the step length. Shorter detects trouble sooner, but also
   * where there is none. Default 3.
   */
  // Braking for a corner takes a few seconds, so a shorter window would report it as trouble. A longer window
  // reports trouble late.
  window: { kind: 'number', unit: 's', above: 0, default: 3 },
  /**
   * An agent is stuck, or circles, from this share on, in (0, 1]. Green's `is_stuck_threshold`. Default 0.75.
   */
  // Chosen by hand.
  threshold: { kind: 'number', above: 0, atMost: 1, default: 0.75 },
  /**
   * Called for another path when an agent is stuck or circles, at most once per time it takes to be stuck
   * again. Only this agent flies the result, from its start. Null or undefined: no path, or not yet (see
   * `FollowPath.setPathOf`).
   */
  renavigate: { kind: 'function', check: requireFunction<AskForPath> },
  /**
   * Whether a stuck agent without another path tries to get free. With known obstacles it returns to the last
   * waypoint that it has a clear line to; else it backs off to a side, farther each time. A circling agent
   * takes the waypoint for reached. Not in a crowd. Default false.
   */
  escape: { kind: 'boolean', default: false },
} as const satisfies AnyTable

type AskForPath = (agent: Agent, blocked: BlockedPath) => Path | null | undefined
