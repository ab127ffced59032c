import { TAU } from '../math/scalar.js'
import type { ChainEnds } from './arc-chain.js'

/**
 * Planes: how much of the goal's place and of its heading they hold. Back to the start, heading the other way, any plane will do, and
 * of a goal close to that only the last two or their mirror images can be bent into the solution.
 */
const PLANES = [
  [1, 0],
  [0, 1],
  [Math.sqrt(3), -1],
  [Math.sqrt(3), 1],
] as const

/** Planes × first turn to either side × middle circle on either side of the others. */
export const PLANAR_KINDS: number = 4 * PLANES.length

/**
 * Three arcs of a plane, first and last to one side, the middle one to the other (Dubins 1957), as unknowns of a chain of three links:
 * exact where the poses lie in that plane, else for their image there. The plane holds the first heading. False where there are no
 * such arcs.
 */
export function planarCcc(unknowns: Float64Array, ends: ChainEnds, kind: number): boolean {
  const { headingA: a, sideA: n, headingB: b, position: p } = ends
  // the goal, along the first heading, to its side, and above
  const ahead = dot(b, a)
  const aside = dot(b, n)
  const above =
    b[0]! * (a[1]! * n[2]! - a[2]! * n[1]!) +
    b[1]! * (a[2]! * n[0]! - a[0]! * n[2]!) +
    b[2]! * (a[0]! * n[1]! - a[1]! * n[0]!)
  const plane = PLANES[kind >> 2]!
  const roll = Math.atan2(plane[1] * above, plane[0] * dot(p, n) + plane[1] * aside)
  // the first plane once more
  if (kind > 3 && Math.abs(above) < 1e-12) return false
  const across = aside * Math.cos(roll) + above * Math.sin(roll)
  const size = Math.sqrt(ahead * ahead + across * across)
  const side = kind & 1 ? 1 : -1
  // from the first centre to the last; all of the goal's place lies in the plane of a and n
  const x = dot(p, a) - (side * across) / size
  const y = dot(p, n) * Math.cos(roll) + side * (ahead / size - 1)
  const away = Math.sqrt(x * x + y * y)
  if (!(away <= 4)) return false
  const apart = (kind & 2 ? 1 : -1) * Math.acos(away / 4)
  const toMiddle = Math.atan2(y, x) + apart
  const fromMiddle = toMiddle - 2 * apart
  const started = (-side * Math.PI) / 2
  const ended = Math.atan2(-side * ahead, side * across)
  unknowns[0] = side > 0 ? roll : roll + Math.PI
  unknowns[1] = unknowns[2] = Math.PI
  unknowns[3] = turn(side * (toMiddle - started))
  unknowns[4] = turn(-side * (fromMiddle - toMiddle - Math.PI))
  unknowns[5] = turn(side * (ended - fromMiddle - Math.PI))
  return true
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!
}

/** The angle, between a hair and a full turn: a chain cannot do without a link. */
function turn(angle: number): number {
  return Math.max(angle - TAU * Math.floor(angle / TAU), 1e-9)
}
