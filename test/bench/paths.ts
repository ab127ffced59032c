import { ArcPath, dubins2d, dubins3d, reedsShepp, type Waypoint } from 'three-steering'
import { BAND_NAMES, posesOf } from '../../demo/scenarios/dubins-cases.js'
import { csc } from '../../src/path/csc.js'

/** Planners of shortest paths, timed on goals in the plane or all around. */
const PLANNERS: Record<
  string,
  { plan: (path: ArcPath, from: Waypoint, to: Waypoint, radius: number) => number; flat: boolean }
> = {
  dubins2d: { plan: dubins2d, flat: true },
  reedsShepp: { plan: reedsShepp, flat: true },
  csc: { plan: (path, from, to, radius) => csc(path, from, to, radius, radius), flat: false },
  dubins3d: { plan: dubins3d, flat: false },
}

export const PLANNER_NAMES: readonly string[] = Object.keys(PLANNERS)

/** `path: <planner> <band>` for each: a step plans `count` goals, so that the time per agent is that of one plan. */
export const PATH_MAKERS: Record<string, (count: number) => () => void> = {}

for (const [name, { plan, flat }] of Object.entries(PLANNERS))
  for (const band of BAND_NAMES)
    PATH_MAKERS[`path: ${name} ${band}`] = (count) => {
      const path = new ArcPath()
      const cases = Array.from({ length: count }, (_, seed) => posesOf(band, seed, flat))
      return () => {
        let sum = 0
        for (const { from, to } of cases) sum += plan(path, from, to, 1)
        // a use, so that no compiler leaves the work out
        if (!(sum > 0)) throw new RangeError(`sum of lengths: got ${sum}`)
      }
    }
