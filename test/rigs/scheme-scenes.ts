import type { Course } from './course.js'
import { COURSES } from './courses.js'
import { FLOCK_SCENES, type FlockScene } from './flock-scenes.js'
import type { SchemeFigures } from './schemes.js'
import { corridorStream, doorway } from './streams.js'
import { TRAFFIC } from './traffic.js'

/** Scenes with two or more constraints, for the comparison of combination schemes. */

/** The required figures of a run, see {@link SchemeFigures}. Hits are never accepted. */
export interface Criteria {
  /** Smallest accepted value. */
  readonly done: number
  /** Greatest accepted value. */
  readonly ratio: number
  readonly jitter: number
  /** Greatest accepted depth of a contact between agents, over the smaller radius. Default 0. */
  readonly depth?: number
  /** The best known figures, near the physical limit. */
  readonly near?: { readonly ratio: number; readonly jitter?: number }
}

export interface SchemeScene {
  readonly make: (seed: number) => Course | FlockScene
  /** A smaller scene of the same kind, for quick tests. */
  readonly small?: (seed: number) => Course | FlockScene
  readonly criteria: Criteria
  /** Number of seeds in the table, and in an ordinary test. */
  readonly seeds: number
  readonly few: number
}

function flock(seed: number, count: number, seconds: number): FlockScene {
  return { ...FLOCK_SCENES.boxFlock(seed, count), from: seconds / 2, limit: seconds }
}

/** A room for a shorter time, in which not all of it is visited. */
function shortRoom(seed: number): Course {
  return { ...COURSES.boxAndSpheres(seed), limit: 15 }
}

/** The scenes and their required figures. A ratio of 1 / 0.5 is half of the full speed. */
export const SCHEME_SCENES: Readonly<Record<string, SchemeScene>> = {
  'keep-out sphere': {
    make: COURSES.keepOut,
    criteria: { done: 1, ratio: 1.4, jitter: 2, near: { ratio: 1.15 } },
    seeds: 6,
    few: 4,
  },
  clump: {
    make: COURSES.clump,
    criteria: { done: 1, ratio: 1.4, jitter: 2, near: { ratio: 1.03 } },
    seeds: 6,
    few: 2,
  },
  'sphere field, 20': {
    make: COURSES.field,
    small: COURSES.smallField,
    criteria: { done: 1, ratio: 1.25, jitter: 2, near: { ratio: 1.02, jitter: 0.4 } },
    seeds: 1,
    few: 1,
  },
  corridor: {
    make: COURSES.corridor,
    criteria: { done: 1, ratio: 1.5, jitter: 2, near: { ratio: 1.06, jitter: 0.4 } },
    seeds: 2,
    few: 2,
  },
  'corridor stream, 8': {
    // with more pilots, schemes that get stuck take minutes
    make: (seed) => corridorStream(seed, 2),
    criteria: { done: 1, ratio: 1.5, jitter: 2, near: { ratio: 1.06, jitter: 0.4 } },
    seeds: 1,
    few: 1,
  },
  'doorway, 24': {
    make: (seed) => doorway(seed),
    small: (seed) => doorway(seed, 12),
    // all must be through in 60 s, the end of the run; the accepted depth is for contacts at the door
    criteria: { done: 1, ratio: Infinity, jitter: 2, depth: 0.2 },
    seeds: 2,
    few: 1,
  },
  traffic: {
    make: TRAFFIC.blind,
    criteria: { done: 1, ratio: 1.3, jitter: 2, near: { ratio: 1.02 } },
    seeds: 1,
    few: 1,
  },
  'head on': {
    make: TRAFFIC.headOn,
    criteria: { done: 1, ratio: 1.6, jitter: 2, near: { ratio: 1.03, jitter: 0.2 } },
    seeds: 7,
    few: 4,
  },
  ring: {
    make: TRAFFIC.ring,
    criteria: { done: 1, ratio: 1.6, jitter: 2, near: { ratio: 1.03, jitter: 0.2 } },
    seeds: 7,
    few: 4,
  },
  'two streams': {
    make: (seed) => TRAFFIC.crossing(seed, 2),
    criteria: { done: 1, ratio: 1.3, jitter: 2, near: { ratio: 1.02, jitter: 0.2 } },
    seeds: 1,
    few: 1,
  },
  'room with spheres, 6': {
    make: COURSES.boxAndSpheres,
    small: shortRoom,
    criteria: { done: 0.75, ratio: 1 / 0.5, jitter: 2, near: { ratio: 1 / 0.85 } },
    seeds: 1,
    few: 1,
  },
  'box flock, 60': {
    make: (seed) => flock(seed, 60, 30),
    small: (seed) => flock(seed, 30, 16),
    criteria: { done: 0.9, ratio: 1 / 0.5, jitter: Infinity, near: { ratio: 1 / 0.85 } },
    seeds: 1,
    few: 1,
  },
}

/**
 * The failed criteria of a run, as text. `part`: share of `done` required in a small scene, of which less can
 * be visited.
 */
export function shortfalls(figures: SchemeFigures, criteria: Criteria, part = 1): string[] {
  const { hits, touches, depth, done, ratio, jitter, parts, voids } = figures
  const flaws: string[] = []
  if (hits > 0) flaws.push(`${hits} hits`)
  if (touches > 0 && !(depth <= (criteria.depth ?? 0)))
    flaws.push(`${touches} touches, ${depth.toFixed(2)} r deep`)
  if (!(done >= part * criteria.done)) flaws.push(`${done.toFixed(2)} done`)
  // without arrivals there is no ratio
  if (ratio > criteria.ratio) flaws.push(`TR ${ratio.toFixed(2)}`)
  if (!(jitter <= criteria.jitter)) flaws.push(`J ${jitter.toFixed(2)}`)
  if (parts > 1) flaws.push(`${parts} flocks`)
  if (voids > 0) flaws.push(`${voids} void`)
  return flaws
}
