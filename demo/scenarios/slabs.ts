import {
  HullShape,
  type HullOptions,
  type Obstacles,
  type Quat,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import type { FollowedBody } from 'three-steering/authoring'
import { plus, turned, vec } from './vectors.js'

/** Corner in the plane of a slab (m): x to port, y up, seen along the slab's +z. */
export type Corner = readonly [x: number, y: number]

/** A flat convex stone, optionally with a convex opening inside of its outline. Both are counterclockwise. */
export interface Slab {
  readonly outline: readonly Corner[]
  readonly opening?: readonly Corner[]
  /** Thickness along z (m). */
  readonly thick: number
  /** Pose of its centre. The slab moves if it has a velocity or an angular velocity. */
  readonly at: FollowedBody & { readonly position: Vec3; readonly quaternion: Quat }
}

/** Adds a slab to a set of obstacles. */
export function addSlab(obstacles: Obstacles, slab: Slab): void {
  const { position, quaternion, velocity, angularVelocity } = slab.at
  const moves = velocity !== undefined || angularVelocity !== undefined
  for (const shape of solidsOf(slab))
    obstacles.add(moves ? { shape, at: slab.at } : { shape, at: position, turn: quaternion })
}

/**
 * The convex prisms that make up a slab, in its own axes. A slab with an opening needs several, since it is
 * not convex.
 */
export function solidsOf({ outline, opening, thick }: Slab): HullShape[] {
  const cells = opening === undefined ? [outline] : cellsAround(outline, opening)
  return cells.map((cell) => new HullShape(prism(cell, thick)))
}

/** A corner of a slab in world axes, moved by `along` (m) along its z axis. */
export function cornerAt({ at }: Pick<Slab, 'at'>, [x, y]: Corner, along = 0): Vec3 {
  return plus(at.position, turned(at.quaternion, vec(x, y, along)))
}

export function standing(position: Vec3Like, quaternion: Quat): Slab['at'] {
  return { position: { ...position }, quaternion: { ...quaternion } }
}

export function rectangle(halfWidth: number, halfHeight: number): Corner[] {
  return [
    [halfWidth, halfHeight],
    [-halfWidth, halfHeight],
    [-halfWidth, -halfHeight],
    [halfWidth, -halfHeight],
  ]
}

/**
 * Outline of a standing stone that tapers from its foot to a rounded head. Heights are relative to its centre
 * (m).
 */
export function monolith(foot: number, head: number, top: number, bottom: number, sides = 12): Corner[] {
  const middle = top - head
  // the flanks are tangents of the head
  const first = Math.acos(head / Math.hypot(foot, middle - bottom)) - Math.atan2(middle - bottom, foot)
  const crown = Array.from({ length: sides + 1 }, (_, k): Corner => {
    const angle = first + ((Math.PI - 2 * first) * k) / sides
    return [head * Math.cos(angle), middle + head * Math.sin(angle)]
  })
  return [[foot, bottom], ...crown, [-foot, bottom]]
}

/** Outline of an ellipse. */
export function oval(halfWidth: number, halfHeight: number, sides = 20): Corner[] {
  return Array.from({ length: sides }, (_, k) => {
    const angle = (2 * Math.PI * (k + 0.5)) / sides
    return [halfWidth * Math.cos(angle), halfHeight * Math.sin(angle)]
  })
}

/** Two circular arcs that meet in points at top and bottom, like the eye of a needle. */
export function almond(halfWidth: number, halfHeight: number, sides = 20): Corner[] {
  const radius = (halfWidth ** 2 + halfHeight ** 2) / (2 * halfWidth)
  const reach = Math.asin(halfHeight / radius)
  const half = sides / 2
  return [1, -1].flatMap((side) =>
    Array.from({ length: half }, (_, k): Corner => {
      const angle = reach * ((2 * k) / half - 1)
      return [side * (radius * Math.cos(angle) - radius + halfWidth), side * radius * Math.sin(angle)]
    }),
  )
}

/** The area between an outline and an opening, cut along rays through the corners of the opening. */
function cellsAround(outline: readonly Corner[], opening: readonly Corner[]): Corner[][] {
  const middle: Corner = [mean(opening.map(([x]) => x)), mean(opening.map(([, y]) => y))]
  return opening.map((a, k) => {
    const b = opening[(k + 1) % opening.length]!
    // outside of the edge, and between the rays through its ends
    const beyond = keepLeft(outline, b, a)
    return keepLeft(keepLeft(beyond, middle, a), b, middle)
  })
}

/** The part of a convex polygon that lies to the left of the line from `a` to `b`. */
function keepLeft(polygon: readonly Corner[], a: Corner, b: Corner): Corner[] {
  const heightOf = ([x, y]: Corner): number => (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
  const kept: Corner[] = []
  const add = (corner: Corner): void => {
    const last = kept.at(-1) ?? [Infinity, Infinity]
    if (Math.hypot(corner[0] - last[0], corner[1] - last[1]) > SAME) kept.push(corner)
  }
  polygon.forEach((corner, k) => {
    const next = polygon[(k + 1) % polygon.length]!
    const [heightHere, heightThere] = [heightOf(corner), heightOf(next)]
    if (heightHere >= 0) add(corner)
    if (heightHere >= 0 === heightThere >= 0) return
    const share = heightHere / (heightHere - heightThere)
    add([corner[0] + share * (next[0] - corner[0]), corner[1] + share * (next[1] - corner[1])])
  })
  const [first, last] = [kept[0]!, kept.at(-1)!]
  if (Math.hypot(first[0] - last[0], first[1] - last[1]) <= SAME) kept.pop()
  return kept
}

/** Corners closer than this count as one (m). */
const SAME = 1e-6

function prism(cell: readonly Corner[], thick: number): HullOptions {
  const count = cell.length
  const ends = [thick / 2, -thick / 2]
  const vertices = ends.flatMap((z) => cell.map(([x, y]) => vec(x, y, z)))
  const front = cell.map((_, k) => k)
  const back = front.map((k) => 2 * count - 1 - k)
  const sides = front.map((k) => {
    const next = (k + 1) % count
    return [k, count + k, count + next, next]
  })
  return { vertices, faces: [front, back, ...sides] }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
