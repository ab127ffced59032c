import type { QuatLike, Vec3Like } from 'three-steering'
import { conjugate, inner, minus, plus, times, turned } from '../../demo/scenarios/vectors.js'

/** Test scenes with obstacles as data: pilots, blocks, bounds and duration. SI units, world axes. */

/**
 * A solid in its own axes. Round ones are symmetric about y. `length` of a capsule is that of its cylinder.
 */
export type Form =
  | { readonly kind: 'sphere'; readonly radius: number }
  | { readonly kind: 'box'; readonly half: Vec3Like }
  | { readonly kind: 'capsule'; readonly radius: number; readonly length: number }
  | { readonly kind: 'cylinder'; readonly radius: number; readonly height: number }
  /** Solid below y = 0. */
  | { readonly kind: 'halfSpace' }

/** A form at a position. With a velocity it drifts in a straight line. */
export interface Block {
  readonly form: Form
  readonly at: Vec3Like
  readonly turn?: QuatLike
  readonly velocity?: Vec3Like
}

/** Abilities of a pilot. SI units. */
export interface Craft {
  readonly radius: number
  readonly mass: number
  readonly maxSpeed: number
  readonly maxForce: number
}

export interface Pilot extends Craft {
  readonly start: Vec3Like
  readonly velocity: Vec3Like
  /** Goal, by way of `route`. Null for a wandering pilot. */
  readonly goal: Vec3Like | null
  readonly route?: readonly Vec3Like[]
  /** Flies straight on at its velocity and avoids nothing. */
  readonly blind?: boolean
  /** Distance within which a point of the route counts as passed (m). Default 3 radii. */
  readonly near?: number
  /**
   * Length of the shortest path to the goal (m), if it is longer than the straight line. Default the straight
   * line.
   */
  readonly shortest?: number
}

export interface Course {
  readonly name: string
  readonly seed: number
  /**
   * Task of the pilots: come to rest at their goals; the same by way of the points of their routes, at full
   * speed or ready to stop at each; wander; or hide from the patrol.
   */
  readonly task: 'arrive' | 'route' | 'stops' | 'wander' | 'hide'
  readonly pilots: readonly Pilot[]
  readonly blocks: readonly Block[]
  /** The pilots must stay inside each bound, or above a half-space. */
  readonly bounds: readonly Block[]
  /** End of the flight (s). Flights with goals end when all pilots have settled. */
  readonly limit: number
  readonly patrol?: Patrol
}

/** A seeker that flies around its posts at constant speed (m/s). It sees everything that no sphere hides. */
export interface Patrol {
  readonly posts: readonly Vec3Like[]
  readonly speed: number
}

/** Position of a block at a time (m). */
export function placeOf({ at, velocity }: Block, time: number): Vec3Like {
  return velocity === undefined ? at : plus(at, velocity, time)
}

/**
 * Distance (m) from a point to the surface of a block, negative inside. Independent of the shapes of the
 * package, so that the test does not share their mistakes.
 */
export function distanceTo(block: Block, point: Vec3Like, time = 0): number {
  const { form, turn } = block
  const place = placeOf(block, time)
  // most blocks are spheres, so they come first and need no rotation
  if (form.kind === 'sphere')
    return lengthOf(point.x - place.x, point.y - place.y, point.z - place.z) - form.radius
  const offset = minus(point, place)
  const { x, y, z } = turn === undefined ? offset : turned(conjugate(turn), offset)
  switch (form.kind) {
    case 'box':
      return boxDistance(Math.abs(x) - form.half.x, Math.abs(y) - form.half.y, Math.abs(z) - form.half.z)
    case 'capsule':
      return lengthOf(x, Math.max(0, Math.abs(y) - form.length / 2), z) - form.radius
    case 'cylinder':
      return boxDistance(lengthOf(x, z) - form.radius, Math.abs(y) - form.height / 2, -Infinity)
    default:
      return y
  }
}

function boxDistance(x: number, y: number, z: number): number {
  return lengthOf(Math.max(0, x), Math.max(0, y), Math.max(0, z)) + Math.min(0, Math.max(x, y, z))
}

/** Distance (m) from a point to the nearest surface of the blocks, negative inside. */
export function clearance(blocks: readonly Block[], point: Vec3Like, time = 0): number {
  let least = Infinity
  for (const block of blocks) least = Math.min(least, distanceTo(block, point, time))
  return least
}

/** Distance (m) from a point inside to the walls of a bound, negative outside. */
export function roomIn(bound: Block, point: Vec3Like): number {
  return bound.form.kind === 'halfSpace' ? distanceTo(bound, point) : -distanceTo(bound, point)
}

/** Position (m) and velocity (m/s) of a patrol at a time. */
export function patrolAt({ posts, speed }: Patrol, time: number): { position: Vec3Like; velocity: Vec3Like } {
  const legs = posts.map((post, i) => minus(posts[(i + 1) % posts.length]!, post))
  const lengths = legs.map(({ x, y, z }) => lengthOf(x, y, z))
  let distance = (speed * time) % lengths.reduce((sum, length) => sum + length, 0)
  let i = 0
  while (distance > lengths[i]!) distance -= lengths[i++]!
  const along = times(legs[i]!, 1 / lengths[i]!)
  return { position: plus(posts[i]!, along, distance), velocity: times(along, speed) }
}

/** Whether no block hides one point from the other. Exact for spheres. */
export function sees(blocks: readonly Block[], eye: Vec3Like, point: Vec3Like): boolean {
  const ray = minus(point, eye)
  const lengthSq = inner(ray, ray)
  return blocks.every((block) => {
    const share = lengthSq > 0 ? inner(minus(block.at, eye), ray) / lengthSq : 0
    return distanceTo(block, plus(eye, ray, Math.min(1, Math.max(0, share)))) > 0
  })
}

/** Length of a vector (m). Much faster than `Math.hypot`. */
function lengthOf(x: number, y: number, z = 0): number {
  return Math.sqrt(x * x + y * y + z * z)
}
