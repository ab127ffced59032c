import type { Vec3, Vec3Like } from 'three-steering'
import { aside, direction, evenly, plus, times, unit, vec, type Random } from './vectors.js'

/** Start and goal of a course, with headings (unit), m, m/s. */
export interface Course {
  readonly name: string
  readonly start: { readonly position: Vec3; readonly heading: Vec3 }
  readonly goal: { readonly position: Vec3; readonly heading: Vec3; readonly velocity: Vec3 }
  readonly moves: boolean
  /** Normal of the plane in which a planar course lies. Null in space. */
  readonly plane: Vec3Like | null
}

/** Speed of a moving waypoint, as a share of the speed of the craft. */
export const DRIFT = 0.35

/** Courses that the visitor can choose. Lengths are in turn radii. */
export const PRESETS = [
  'near',
  'mid',
  'far',
  'planar',
  'abreast, opposite',
  'behind',
  'straight up',
  'moving waypoint',
] as const

export type Preset = (typeof PRESETS)[number]

/** Order of the courses while the visitor does not choose. */
export const TOUR: readonly Preset[] = [
  'near',
  'planar',
  'near',
  'moving waypoint',
  'mid',
  'straight up',
  'far',
  'near',
  'abreast, opposite',
  'behind',
]

/** A random course of a kind, for craft with a turn radius of `radius` m and a speed of `speed` m/s. */
export function courseOf(preset: Preset, random: Random, radius: number, speed: number): Course {
  const { offset, from, to, drift, plane } = MAKERS[preset](random)
  return {
    name: preset,
    start: { position: times(offset, -radius / 2), heading: { ...from } },
    goal: {
      position: times(offset, radius / 2),
      heading: { ...to },
      velocity: times(drift ?? vec(0, 0, 0), DRIFT * speed),
    },
    moves: drift !== undefined,
    plane: plane ?? null,
  }
}

interface Sketch {
  /** Vector from start to goal, in turn radii. */
  readonly offset: Vec3Like
  readonly from: Vec3Like
  readonly to: Vec3Like
  /** Direction in which the goal moves. */
  readonly drift?: Vec3Like
  readonly plane?: Vec3Like
}

const UP = vec(0, 1, 0)

const MAKERS: Record<Preset, (random: Random) => Sketch> = {
  near: (random) => randomSketch(random, 0.5, 4),
  mid: (random) => randomSketch(random, 4, 10),
  far: (random) => randomSketch(random, 10, 18),
  planar: (random) => {
    const level = (): Vec3 => {
      const angle = evenly(random, 0, 2 * Math.PI)
      return vec(Math.cos(angle), 0, Math.sin(angle))
    }
    return { offset: times(level(), evenly(random, 1.5, 7)), from: level(), to: level(), plane: UP }
  },
  'abreast, opposite': (random) => {
    const heading = direction(random)
    return { offset: times(aside(random, heading), 2), from: heading, to: times(heading, -1) }
  },
  behind: (random) => {
    const heading = flatter(direction(random))
    return { offset: times(heading, -5), from: heading, to: heading }
  },
  'straight up': (random) => ({ offset: plus(vec(0, 7, 0), aside(random, UP), 2.5), from: UP, to: UP }),
  'moving waypoint': (random) => ({ ...randomSketch(random, 4, 8), drift: flatter(direction(random)) }),
}

function randomSketch(random: Random, low: number, high: number): Sketch {
  // not too steep, so that most of the path can be seen from the side
  const offset = times(flatter(direction(random)), evenly(random, low, high))
  return { offset, from: direction(random), to: direction(random) }
}

function flatter({ x, y, z }: Vec3Like): Vec3 {
  return unit(vec(x, 0.5 * y, z))
}
