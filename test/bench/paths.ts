import { type Waypoint } from 'three-steering'
import { ArcPath, dubins2d, dubins3d, reedsShepp } from 'three-steering/curves'
import { BAND_NAMES, posesOf } from '../rigs/dubins-cases.js'
import { ArcPath as OwnPath } from '../../src/blocks/curves/arc-path.js'
import { csc } from '../../src/blocks/curves/csc.js'

const path = new ArcPath()
/** `csc` is not public, so it is imported from the sources, with its path class. */
const own = new OwnPath()

/** Planners of shortest paths, with goals in the plane or in space. */
const PLANNERS: Record<
  string,
  { plan: (from: Waypoint, to: Waypoint, radius: number) => number; flat: boolean }
> = {
  dubins2d: { plan: (from, to, radius) => dubins2d(path, from, to, radius), flat: true },
  reedsShepp: { plan: (from, to, radius) => reedsShepp(path, from, to, radius), flat: true },
  csc: { plan: (from, to, radius) => csc(own, from, to, radius, radius), flat: false },
  dubins3d: { plan: (from, to, radius) => dubins3d(path, from, to, radius), flat: false },
}

export const PLANNER_NAMES: readonly string[] = Object.keys(PLANNERS)

/**
 * `path: <planner> <band>` for each planner: a step plans paths to `count` goals, so the time per agent is
 * that of one plan.
 */
export const PATH_MAKERS: Record<string, (count: number) => () => void> = {}

for (const [name, { plan, flat }] of Object.entries(PLANNERS))
  for (const band of BAND_NAMES)
    PATH_MAKERS[`path: ${name} ${band}`] = (count) => {
      const cases = Array.from({ length: count }, (_, seed) => posesOf(band, seed, flat))
      return () => {
        let sum = 0
        for (const { from, to } of cases) sum += plan(from, to, 1)
        // uses the result, so that the compiler cannot remove the work
        if (!(sum > 0)) throw new RangeError(`sum of lengths: got ${sum}, must be > 0`)
      }
    }
