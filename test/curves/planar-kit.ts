import { expect } from 'vitest'
import type { Vec3, Vec3Like, Waypoint } from 'three-steering'
import type { ArcPath } from 'three-steering/curves'
import type { Poses } from '../rigs/dubins-cases.js'
import {
  anyTurn,
  direction,
  inner,
  outer,
  plus,
  times,
  turned,
  vec,
  type Random,
} from '../../demo/scenarios/vectors.js'

/** Directions in the plane y = 0, seen from above. */
export const AHEAD: Vec3Like = vec(1, 0, 0)
export const BACK: Vec3Like = vec(-1, 0, 0)
export const LEFT: Vec3Like = vec(0, 0, -1)
export const START: Waypoint = { position: vec(0, 0, 0), heading: AHEAD }

/** Degenerate goals, seen from {@link START} with a radius of 1. */
export interface Row {
  readonly name: string
  readonly to: Waypoint
  /** Length of the forward-only path, derived by hand. */
  readonly length: number
  /** Number of its pieces. */
  readonly count: number
}

const at = (x: number, left: number, heading: Vec3Like): Waypoint => ({ position: vec(x, 0, -left), heading })
const { PI, acos, atan2, sqrt } = Math

export const ROWS: readonly Row[] = [
  { name: 'the same pose', to: at(0, 0, AHEAD), length: 0, count: 0 },
  { name: 'turned about on the spot', to: at(0, 0, BACK), length: (7 * PI) / 3, count: 3 },
  { name: 'turned aside on the spot', to: at(0, 0, LEFT), length: PI / 2 + 4 * acos(sqrt(2) / 4), count: 3 },
  { name: 'straight ahead', to: at(5, 0, AHEAD), length: 5, count: 1 },
  { name: 'one step ahead', to: at(1 / 60, 0, AHEAD), length: 1 / 60, count: 1 },
  { name: 'far ahead', to: at(1e6, 0, AHEAD), length: 1e6, count: 1 },
  {
    name: 'ahead, oncoming',
    to: at(5, 0, BACK),
    length: sqrt(21) + PI + 2 * atan2(2, sqrt(21)),
    count: 3,
  },
  {
    name: 'behind, facing away',
    to: at(-5, 0, BACK),
    length: sqrt(21) + PI + 2 * atan2(2, sqrt(21)),
    count: 3,
  },
  { name: 'behind, same heading', to: at(-5, 0, AHEAD), length: 2 * PI + 5, count: 3 },
  { name: 'a little behind, same heading', to: at(-0.1, 0, AHEAD), length: 2 * PI + 0.1, count: 3 },
  { name: 'abreast, opposite, on the same circle', to: at(0, 2, BACK), length: PI, count: 1 },
  { name: 'a quarter turn', to: at(1, 1, LEFT), length: PI / 2, count: 1 },
  { name: 'two quarter turns', to: at(2, 2, AHEAD), length: PI, count: 2 },
  { name: 'abreast, opposite, close', to: at(0, 0.5, BACK), length: PI + 4 * acos(2.5 / 4), count: 3 },
  { name: 'abreast, opposite, half as far', to: at(0, 1, BACK), length: PI + 4 * acos(3 / 4), count: 3 },
  { name: 'abreast, same heading', to: at(0, 2, AHEAD), length: 2 * PI + 2, count: 3 },
]

/** The row with start and goal moved and turned by up to `amount`, in the plane. */
export function perturbed({ to }: Row, amount: number, random: Random): Poses {
  const part = (): number => amount * (2 * random() - 1)
  const push = (v: Vec3Like): Vec3 => vec(v.x + part(), 0, v.z + part())
  const nudge = (a: Waypoint): Waypoint => ({ position: push(a.position), heading: push(a.heading) })
  return { from: nudge(START), to: nudge(to) }
}

/** Errors of both ends of a path (m; for headings rad times the radius). NaN where the path is not finite. */
export function missOf(path: ArcPath, from: Waypoint, to: Waypoint, radius: number): number {
  const end = path.length
  return Math.max(
    gap(path.pointAt(vec(0, 0, 0), 0), from.position),
    gap(path.pointAt(vec(0, 0, 0), end), to.position),
    radius * bend(times(path.tangentAt(vec(0, 0, 0), 0), path.gearAt(0)), from.heading),
    radius * bend(times(path.tangentAt(vec(0, 0, 0), end), path.gearAt(end)), to.heading),
  )
}

/** The pieces of a path seen from `up`: L, R, S for left, right and straight, in lower case astern. */
export function spelled(path: ArcPath, up: Vec3Like): string {
  let word = ''
  for (let i = 0; i < path.count; i++) {
    const s = (path.startOf(i) + path.startOf(i + 1)) / 2
    const side = inner(outer(path.tangentAt(vec(0, 0, 0), s), path.curvatureAt(vec(0, 0, 0), s)), up)
    const ahead = path.gearAt(s) === 1
    // astern left and right are exchanged
    const turn = side === 0 ? 'S' : side > 0 === ahead ? 'L' : 'R'
    word += ahead ? turn : turn.toLowerCase()
  }
  return word
}

function gap(a: Vec3Like, b: Vec3Like): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
}

function bend(a: Vec3Like, b: Vec3Like): number {
  const size = Math.hypot(b.x, b.y, b.z)
  return size > 0 ? gap(a, times(b, 1 / size)) : 0
}

/**
 * Images of a pair of poses under which the length of a shortest path must not change, and the normal of
 * their plane.
 */
export function images({ from, to }: Poses, random: Random): Record<string, Poses & { up: Vec3 }> {
  const q = anyTurn(random)
  const shift = times(direction(random), 20)
  const Y = vec(0, 1, 0)
  const pose = (a: Waypoint, move: (v: Vec3Like) => Vec3, by = vec(0, 0, 0), heading = 1): Waypoint => ({
    position: plus(move(a.position), by),
    heading: times(move(a.heading), heading),
  })
  const both = (move: (v: Vec3Like) => Vec3, by?: Vec3, up = Y): Poses & { up: Vec3 } => ({
    from: pose(from, move, by),
    to: pose(to, move, by),
    up,
  })
  const same = (v: Vec3Like): Vec3 => vec(v.x, v.y, v.z)
  return {
    moved: both((v) => turned(q, v), shift, turned(q, Y)),
    mirrored: both((v) => vec(v.x, v.y, -v.z)),
    'seen from below': both(same, undefined, vec(0, -2, 0)),
    'flown backwards in time': {
      from: pose(to, same, undefined, -1),
      to: pose(from, same, undefined, -1),
      up: Y,
    },
  }
}

/** `poses` scaled by `k` about the origin. */
export function grown({ from, to }: Poses, k: number): Poses {
  return {
    from: { position: times(from.position, k), heading: from.heading },
    to: { position: times(to.position, k), heading: to.heading },
  }
}

export function expectSame(name: string, length: number, wanted: number, share = 1e-9): void {
  expect(
    Math.abs(length - wanted) / Math.max(wanted, 1e-300),
    `${name}: ${length} for ${wanted}`,
  ).toBeLessThan(share)
}
