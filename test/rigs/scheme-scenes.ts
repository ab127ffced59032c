import type { Course } from '../../demo/scenarios/course.js'
import { COURSES } from './courses.js'
import { FLOCK_SCENES, type FlockScene } from './flock-scenes.js'
import type { SchemeFigures } from './schemes.js'
import { corridorStream, doorway } from './streams.js'
import { TRAFFIC } from '../../demo/scenarios/traffic.js'

/** Scenes with two concerns or more, for the comparison of schemes. */

/** What must hold of a run, see {@link SchemeFigures}. Nothing is ever hit. */
export interface Bar {
  /** At least. */
  readonly done: number
  /** At most. */
  readonly ratio: number
  readonly jitter: number
  /** Two may touch each other so deep, over the smaller radius. Default not at all. */
  readonly depth?: number
  /** As near to the limit as it is known to go. */
  readonly near?: { readonly ratio: number; readonly jitter?: number }
}

export interface SchemeScene {
  readonly make: (seed: number) => Course | FlockScene
  /** A smaller one of the same kind, for tests that must not take long. */
  readonly small?: (seed: number) => Course | FlockScene
  readonly bar: Bar
  /** How many seeds the table flies, and how many an ordinary test does. */
  readonly seeds: number
  readonly few: number
}

function flock(seed: number, count: number, seconds: number): FlockScene {
  return { ...FLOCK_SCENES.boxFlock(seed, count), from: seconds / 2, limit: seconds }
}

/** A room for a shorter time: then not all of it is seen. */
function shortRoom(seed: number): Course {
  return { ...COURSES.boxAndSpheres(seed), limit: 15 }
}

/** The bars are those of the project's list of scenes; 1 / 0.5 is half of the full speed. */
export const SCHEME_SCENES: Readonly<Record<string, SchemeScene>> = {
  'keep-out sphere': {
    make: COURSES.keepOut,
    bar: { done: 1, ratio: 1.4, jitter: 2, near: { ratio: 1.15 } },
    seeds: 6,
    few: 4,
  },
  clump: {
    make: COURSES.clump,
    bar: { done: 1, ratio: 1.4, jitter: 2, near: { ratio: 1.03 } },
    seeds: 6,
    few: 2,
  },
  'sphere field, 20': {
    make: COURSES.field,
    small: COURSES.smallField,
    bar: { done: 1, ratio: 1.25, jitter: 2, near: { ratio: 1.02, jitter: 0.4 } },
    seeds: 1,
    few: 1,
  },
  corridor: {
    make: COURSES.corridor,
    bar: { done: 1, ratio: 1.5, jitter: 2, near: { ratio: 1.06, jitter: 0.4 } },
    seeds: 2,
    few: 2,
  },
  'corridor stream, 8': {
    // schemes that get stuck in it take minutes with more
    make: (seed) => corridorStream(seed, 2),
    bar: { done: 1, ratio: 1.5, jitter: 2, near: { ratio: 1.06, jitter: 0.4 } },
    seeds: 1,
    few: 1,
  },
  'doorway, 24': {
    make: (seed) => doorway(seed),
    small: (seed) => doorway(seed, 12),
    // all of them in 60 s, which is the end of the run; how deep they touch is for the door, and not for the rest
    bar: { done: 1, ratio: Infinity, jitter: 2, depth: 0.2 },
    seeds: 2,
    few: 1,
  },
  traffic: {
    make: TRAFFIC.blind,
    bar: { done: 1, ratio: 1.3, jitter: 2, near: { ratio: 1.02 } },
    seeds: 1,
    few: 1,
  },
  'head on': {
    make: TRAFFIC.headOn,
    bar: { done: 1, ratio: 1.6, jitter: 2, near: { ratio: 1.03, jitter: 0.2 } },
    seeds: 7,
    few: 4,
  },
  ring: {
    make: TRAFFIC.ring,
    bar: { done: 1, ratio: 1.6, jitter: 2, near: { ratio: 1.03, jitter: 0.2 } },
    seeds: 7,
    few: 4,
  },
  'two streams': {
    make: (seed) => TRAFFIC.crossing(seed, 2),
    bar: { done: 1, ratio: 1.3, jitter: 2, near: { ratio: 1.02, jitter: 0.2 } },
    seeds: 1,
    few: 1,
  },
  'room with spheres, 6': {
    make: COURSES.boxAndSpheres,
    small: shortRoom,
    bar: { done: 0.75, ratio: 1 / 0.5, jitter: 2, near: { ratio: 1 / 0.85 } },
    seeds: 1,
    few: 1,
  },
  'box flock, 60': {
    make: (seed) => flock(seed, 60, 30),
    small: (seed) => flock(seed, 30, 16),
    bar: { done: 0.9, ratio: 1 / 0.5, jitter: Infinity, near: { ratio: 1 / 0.85 } },
    seeds: 1,
    few: 1,
  },
}

/** What a run lacks, as text; nothing when it holds. `part`: of a small scene, of which less can be seen. */
export function shortfalls(figures: SchemeFigures, bar: Bar, part = 1): string[] {
  const { hits, touches, depth, done, ratio, jitter, parts, voids } = figures
  const flaws: string[] = []
  if (hits > 0) flaws.push(`${hits} hits`)
  if (touches > 0 && !(depth <= (bar.depth ?? 0)))
    flaws.push(`${touches} touches, ${depth.toFixed(2)} r deep`)
  if (!(done >= part * bar.done)) flaws.push(`${done.toFixed(2)} done`)
  // when nobody arrives there is no ratio
  if (ratio > bar.ratio) flaws.push(`TR ${ratio.toFixed(2)}`)
  if (!(jitter <= bar.jitter)) flaws.push(`J ${jitter.toFixed(2)}`)
  if (parts > 1) flaws.push(`${parts} flocks`)
  if (voids > 0) flaws.push(`${voids} void`)
  return flaws
}
