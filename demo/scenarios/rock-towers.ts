import { type Path, type Vec3 } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { evenly, vec } from './vectors.js'

/**
 * Towers of rock above the clouds, and the paths of the current of birds among them. SI units. The clouds lie
 * at height 0.
 */

/** An upright pillar with a rounded top. */
export interface Tower {
  /** Centre of its foot, below the clouds (m). */
  readonly foot: Vec3
  readonly radius: number
  /** Height of the top above the clouds (m). */
  readonly top: number
}

/** Depth of the foot below the clouds (m). */
export const DEPTH = 45
/** Mean height of the current (m). */
export const LEVEL = 36
/** Half sizes of the land (m). */
export const LAND = { x: 150, z: 120 } as const

/** A wide, winding loop. */
export function ringPoints(): Vec3[] {
  return Array.from({ length: 18 }, (_, k) => {
    const angle = (2 * Math.PI * k) / 18
    const out = 84 + 20 * Math.sin(3 * angle + 0.6) + 7 * Math.sin(5 * angle)
    return vec(
      1.22 * out * Math.cos(angle),
      LEVEL + 11 * Math.sin(2 * angle + 0.4),
      0.86 * out * Math.sin(angle),
    )
  })
}

/** A figure of eight that crosses itself. */
export function eightPoints(): Vec3[] {
  return Array.from({ length: 20 }, (_, k) => {
    const angle = (2 * Math.PI * (k + 0.5)) / 20
    return vec(112 * Math.sin(angle), LEVEL + 15 * Math.cos(angle), 62 * Math.sin(2 * angle))
  })
}

/**
 * Groups of towers beside the paths, and some slim towers on the first path, around which the current
 * divides.
 */
export function placeTowers(paths: readonly [Path, ...Path[]], seed: number): Tower[] {
  const random = seeded(seed)
  const towers: Tower[] = []
  const [path] = paths
  const spot = vec(0, 0, 0)
  const put = (x: number, z: number, radius: number, top: number): void => {
    towers.push({ foot: vec(x, -DEPTH, z), radius, top })
  }
  for (const share of [0.06, 0.3, 0.56, 0.8]) {
    const { x, z } = path.pointAt(spot, share * path.length)
    const radius = evenly(random, 5, 6.5)
    put(x, z, radius, evenly(random, 48, 62))
    put(x + 0.6 * radius, z - 0.45 * radius, 0.75 * radius, evenly(random, 26, 38))
  }
  // a massif in the middle, and a ring of towers all around: low in front, high behind
  const groups: [number, number, number][] = [
    [-52, -4, 0.8],
    [50, -8, 0.75],
  ]
  for (let k = 0; k < 12; k++) {
    const angle = (2 * Math.PI * (k + evenly(random, 0.15, 0.75))) / 12
    const front = Math.sin(angle) > 0.2
    // the camera is on this side
    if (Math.sin(angle) > 0.6) continue
    groups.push([172 * Math.cos(angle), 132 * Math.sin(angle), front ? 0.42 : evenly(random, 0.8, 1.15)])
  }
  for (const [x, z, size] of groups) {
    const count = size > 0.6 ? 4 : 2
    const main = size * evenly(random, 14, 18)
    for (let k = 0; k < count; k++) {
      const turn = 2 * Math.PI * random()
      const offset = k === 0 ? 0 : evenly(random, 0.7, 1.15) * main
      const radius = main * (k === 0 ? 1 : evenly(random, 0.4, 0.75))
      const top = size * (k === 0 ? evenly(random, 70, 92) : evenly(random, 26, 66))
      const tower = {
        foot: vec(x + offset * Math.cos(turn), -DEPTH, z + offset * Math.sin(turn)),
        radius,
        top,
      }
      if (paths.every((path) => clearOf(path, tower))) towers.push(tower)
    }
  }
  return towers
}

/** Whether a path keeps clear of a tower. */
function clearOf(path: Path, { foot, radius }: Tower): boolean {
  const spot = vec(0, 0, 0)
  for (let k = 0; k < 200; k++) {
    const { x, z } = path.pointAt(spot, (path.length * k) / 200)
    if (Math.hypot(x - foot.x, z - foot.z) < radius + 14) return false
  }
  return true
}
