import { type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { direction, inner, outer, unit, vec } from './vectors.js'

/** Mean radius of the asteroid, and distance of the pads from its centre (m). */
export const ASTEROID_RADIUS = 25
export const PAD_LEVEL = 26.2
/** Radius of a pad, m. */
export const PAD_RADIUS = 4

/** Least and greatest distance of the ground from the centre (m). Physics and routes use these bounds. */
export const GROUND_LOW = 19
export const GROUND_HIGH = 29.5

/** Directions of the pads in the axes of the asteroid, unit: one near the pole, the others lower. */
export const PADS: readonly Vec3Like[] = [
  unit(vec(0.12, 0.97, 0.22)),
  unit(vec(0.95, 0.52, 0.1)),
  unit(vec(-0.55, 0.5, 0.85)),
  unit(vec(-0.5, 0.45, -0.8)),
]

/** Direction of the arrow on a pad, perpendicular to the pad's direction, unit. */
export function padNorth(index: number): Vec3Like {
  return unit(outer(outer(PADS[index]!, vec(0, 0, -1)), PADS[index]!))
}

interface Hollow {
  readonly at: Vec3Like
  readonly size: number
}

const random = seeded(77)
const CRATERS: readonly Hollow[] = Array.from({ length: 110 }, () => ({
  at: direction(random),
  size: 0.06 + 0.36 * random() ** 2.6,
}))
const WAVES = Array.from({ length: 12 }, (_, k) => ({
  direction: direction(random),
  turns: 3.4 * 1.3 ** k,
  phase: 7 * random(),
  high: 1.3 / 1.36 ** k,
}))

/**
 * Distance from the direction of a pad (chord on the unit sphere) at which the flat apron ends, and the width
 * of the slope around it.
 */
const APRON = 0.2
const SLOPE = 0.2

/** Distance (m) of the ground from the centre in a unit direction, in the axes of the asteroid. */
export function groundAt({ x, y, z }: Vec3Like): number {
  // an ellipsoid, longer than high
  let height = ASTEROID_RADIUS * (1 + 0.07 * x * x - 0.1 * y * y)
  for (const { direction, turns, phase, high } of WAVES) {
    const at = x * direction.x + y * direction.y + z * direction.z
    const across = x * direction.y + y * direction.z + z * direction.x
    height += high * Math.sin(turns * at + phase) * Math.cos(0.8 * turns * across + 2 * phase)
  }
  for (const { at, size } of CRATERS) {
    const apartSq = 2 - 2 * (x * at.x + y * at.y + z * at.z)
    if (apartSq > 2.25 * size * size) continue
    const d = Math.sqrt(Math.max(0, apartSq)) / size
    // a bowl with a rim
    height += 26 * size * (d < 1 ? 0.3 * (d * d - 1) + 0.08 : 0.08 * (1 - (d - 1) / 0.5) ** 2)
  }
  for (const pad of PADS) {
    const apart = Math.hypot(x - pad.x, y - pad.y, z - pad.z)
    const share = Math.min(1, Math.max(0, (apart - APRON) / SLOPE))
    // flat under the pad, a little below its surface
    const level = (PAD_LEVEL - 0.55) / Math.max(0.5, inner(pad, { x, y, z }))
    height = level + (height - level) * share * share * (3 - 2 * share)
  }
  return Math.min(GROUND_HIGH, Math.max(GROUND_LOW, height))
}
