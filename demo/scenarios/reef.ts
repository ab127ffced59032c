import { CylinderShape, Obstacles, SphereShape, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { evenly, vec } from './vectors.js'

/** Radius of the lagoon, and depth of the water (m). */
export const LAGOON = 29
export const DEPTH = 13

/** A rounded coral half sunk in the sand, or a column. */
export interface Coral {
  readonly kind: 'head' | 'column'
  readonly at: Vec3Like
  readonly radius: number
  /** Height of a column (m). */
  readonly height: number
}

const HEADS = 15
const COLUMNS = 9
/** Clearance between two corals (m). */
const CLEARANCE = 2.6

/** Round corals and columns in a lagoon. Fewer than asked for if there is not enough space. */
export function makeReef(seed: number, heads = HEADS, columns = COLUMNS): Coral[] {
  const random = seeded(seed)
  const corals: Coral[] = []
  for (let tries = 0; corals.length < heads + columns && tries < 4000; tries++) {
    const isHead = corals.length < heads
    const radius = isHead ? evenly(random, 1.8, 3.8) : evenly(random, 0.8, 1.35)
    const out = (LAGOON - 4.5) * Math.sqrt(random())
    const turn = 2 * Math.PI * random()
    const [x, z] = [out * Math.cos(turn), out * Math.sin(turn)]
    if (corals.some(({ at, radius: other }) => Math.hypot(at.x - x, at.z - z) < radius + other + CLEARANCE))
      continue
    const height = evenly(random, 7, 11.5)
    const y = isHead ? radius * evenly(random, 0.3, 0.6) : height / 2 - 0.4
    corals.push({ kind: isHead ? 'head' : 'column', at: vec(x, y, z), radius, height })
  }
  return corals
}

export function reefObstacles(corals: readonly Coral[]): Obstacles {
  return new Obstacles(
    corals.map(({ kind, at, radius, height }) => ({
      shape: kind === 'head' ? new SphereShape(radius) : new CylinderShape(radius, height),
      at,
    })),
  )
}
