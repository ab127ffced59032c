import { type Vec3, type Waypoint } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { direction, evenly, plus, vec, type Random } from '../../demo/scenarios/vectors.js'

/** Pairs of poses for a turn radius of 1 m, for tests and benchmarks of paths of bounded curvature. */

/** Ranges of the distance to the goal (m). Distances are uniform within a range. */
export const BANDS = { near: [0.5, 4], mid: [4, 10], far: [10, 50] } as const
export type Band = keyof typeof BANDS
export const BAND_NAMES: readonly Band[] = ['near', 'mid', 'far']

/** A start and a goal. */
export interface Poses {
  readonly from: Waypoint
  readonly to: Waypoint
}

/**
 * The pair of a seed: a start within 10 m of the origin, uniform headings and bearing of the goal. `flat`
 * puts all into the plane y = 0, exactly.
 */
export function posesOf(band: Band, seed: number, flat: boolean): Poses {
  const random = seeded(seed * 6 + 2 * BAND_NAMES.indexOf(band) + Number(flat))
  const [low, high] = BANDS[band]
  const any = flat ? flatDirection : direction
  const position = plus(vec(0, 0, 0), any(random), 10 * random())
  return {
    from: { position, heading: any(random) },
    to: { position: plus(position, any(random), evenly(random, low, high)), heading: any(random) },
  }
}

/** A uniform unit vector perpendicular to +Y. */
function flatDirection(random: Random): Vec3 {
  const angle = 2 * Math.PI * random()
  return vec(Math.cos(angle), 0, Math.sin(angle))
}
