import { Path, type Vec3Like } from 'three-steering'
import { plus, times, vec } from './vectors.js'

/** Roads, lanes and pavements of a small town: four streets that meet at a roundabout. SI units. */

/** Distance of a lane from the middle of its street, half the width of a street, width of a pavement (m). */
export const LANE = 2.4
export const ROAD = 4.8
export const PAVEMENT = 3.2
/** Radius of the lane of the roundabout, and half its width (m). */
export const RING = 9.5
export const RING_HALF = 2.7
/** Distance from the centre at which cars give way, and of the middle of the zebra crossing (m). */
export const YIELD = 15.5
export const ZEBRA = 23
export const ZEBRA_HALF = 2
/** Distance of the town gates, where cars come from and go to (m). */
export const LENGTHS = [56, 42, 56, 42] as const

/** Radius of the bends from a street to the roundabout (m), and angle (rad) at which they end there. */
const BEND = 6.8
const JOIN = (35 * Math.PI) / 180

/** Angle (rad) of street `arm`, counter-clockwise seen from above: +x, −z, −x, +z. */
export function angleOf(arm: number): number {
  return (arm * Math.PI) / 2
}

/** A place at this angle (rad) and distance (m) from the centre. */
export function around(angle: number, far: number): Vec3Like {
  return vec(far * Math.cos(angle), 0, -far * Math.sin(angle))
}

/** A place on street `arm`: `along` from the centre, `aside` to the right of who drives outwards (m). */
export function onArm(arm: number, along: number, aside: number): Vec3Like {
  const out = around(angleOf(arm), 1)
  return plus(times(out, along), vec(-out.z, 0, out.x), aside)
}

/** Where a route crosses a zebra crossing: its street, its station (m), and the lateral place of the lane. */
export interface Zebra {
  readonly arm: number
  readonly station: number
  readonly aside: number
}

/** The way of a car: in by one street, counter-clockwise round, and out by another, or by the same one. */
export interface Route {
  readonly from: number
  readonly to: number
  readonly path: Path
  /** Stations (m) of the line where it gives way, and of the zebra crossings on its way in and out. */
  readonly yieldAt: number
  readonly zebras: readonly Zebra[]
}

export function makeRoute(from: number, to: number): Route {
  const start = angleOf(from) + JOIN
  let end = angleOf(to) - JOIN
  while (end < start) end += 2 * Math.PI
  const parts = Math.ceil((end - start) / (Math.PI / 4))
  const half = (end - start) / parts / 2
  // where the lanes meet the tangents of the ring
  const corner = cornerOf()
  const points = [onArm(from, LENGTHS[from]! + 4, -LANE), onArm(from, corner, -LANE)]
  const radius = [0, BEND]
  for (let k = 0; k < parts; k++) {
    points.push(around(start + (2 * k + 1) * half, RING / Math.cos(half)))
    radius.push(RING)
  }
  points.push(onArm(to, corner, LANE), onArm(to, LENGTHS[to]! + 4, LANE))
  radius.push(BEND, 0)
  const path = new Path({ points, radius, curve: 'arcs' })
  const way = LENGTHS[from]! + 4
  return {
    from,
    to,
    path,
    yieldAt: way - YIELD,
    zebras: [
      { arm: from, station: way - ZEBRA, aside: -LANE },
      { arm: to, station: path.length - (LENGTHS[to]! + 4 - ZEBRA), aside: LANE },
    ],
  }
}

/** Distance from the centre at which a lane meets the tangent of the ring at the angle `JOIN`. */
function cornerOf(): number {
  const back = (RING * Math.sin(JOIN) - LANE) / Math.cos(JOIN)
  return RING * Math.cos(JOIN) + back * Math.sin(JOIN)
}

/** A node of the pavements. */
export interface Node {
  readonly at: Vec3Like
  /** Nodes to which one can walk. */
  readonly next: readonly number[]
  /** At a kerb: the street that is crossed from here, and the node at the other side. */
  readonly crossing?: { readonly arm: number; readonly over: number }
}

/** Lateral distance of the middle of a pavement from the middle of its street (m). */
export const WALK = ROAD + 0.5 * PAVEMENT

/**
 * The pavements: for each street and side (0: to the right of who drives outwards) a node at the zebra
 * crossing and one at its end; a corner between two streets.
 */
export function makePavements(): Node[] {
  const kerb = (arm: number, side: number): number => 2 * (arm % 4) + side
  const end = (arm: number, side: number): number => 8 + kerb(arm, side)
  const corner = (arm: number): number => 16 + (arm % 4)
  const nodes: Node[] = []
  const hand = [1, -1] as const
  for (let arm = 0; arm < 4; arm++)
    for (const side of [0, 1])
      nodes.push({
        at: onArm(arm, ZEBRA, hand[side]! * WALK),
        // the corner on the left of street `arm` lies between it and the next one
        next: [end(arm, side), corner(side === 1 ? arm : arm + 3)],
        crossing: { arm, over: kerb(arm, 1 - side) },
      })
  for (let arm = 0; arm < 4; arm++)
    for (const side of [0, 1])
      nodes.push({ at: onArm(arm, LENGTHS[arm]! - 7, hand[side]! * WALK), next: [kerb(arm, side)] })
  for (let arm = 0; arm < 4; arm++)
    nodes.push({
      at: around(angleOf(arm) + Math.PI / 4, 14.4),
      next: [kerb(arm, 1), kerb(arm + 1, 0)],
    })
  return nodes
}
