import type { Vec3, Vec3Like } from '../../core/types.js'
import { arccos } from '../../core/math/scalar.js'
import { addScaled, copy, distance, dot, lerp, normalize, sub, vec3 } from '../../core/math/vec3.js'
import type { ObstacleMap } from '../../core/obstacles/obstacle-map.js'

// The numbers below are chosen by hand unless they say otherwise.

/** Most rounds of shortening. */
const ROUNDS = 12
/** Number of shares of a leg that are tried, each half of the one before. More: closer to a taut string. */
const HALVINGS = 6

/** Corners of less than this (rad) stay: around a curve they make a route 1 % longer. */
const LEAST_TURN = 0.35

/** A round that shortens a route by less than this share is the last one. */
const LEAST_GAIN = 1e-4

const pull = vec3()
const toNext = vec3()
const trial = vec3()
const other = vec3()

/**
 * Shortens a route of free legs as a taut string does, and keeps its legs free: places that are not needed
 * are left out, corners are cut, and the others slide along the obstacles that they touch.
 */
export function shorten(map: ObstacleMap, route: readonly Vec3Like[]): Vec3[] {
  let places = route.map((place) => copy(vec3(), place))
  let length = lengthOf(places)
  for (let round = 0; round < ROUNDS; round++) {
    places = leaveOut(map, places)
    for (let i = 1; i + 1 < places.length; i++) slide(map, places[i - 1]!, places[i]!, places[i + 1]!)
    places = leaveOut(map, places)
    const before = length
    length = lengthOf(places)
    if (!(length < (1 - LEAST_GAIN) * before)) break
    if (round + 1 < ROUNDS) places = cutCorners(map, places)
  }
  return places
}

export function lengthOf(places: readonly Vec3Like[]): number {
  let length = 0
  for (let i = 1; i < places.length; i++) length += distance(places[i - 1]!, places[i]!)
  return length
}

/** Leaves out the places between two that see each other. */
function leaveOut(map: ObstacleMap, places: readonly Vec3[]): Vec3[] {
  const kept = [places[0]!]
  for (let i = 0; i + 1 < places.length;) {
    let next = places.length - 1
    while (next > i + 1 && !map.isPathFree(places[i]!, places[next]!)) next--
    kept.push(places[next]!)
    i = next
  }
  return kept
}

/** Moves a place towards the line between its neighbours, out of obstacles, as far as its legs stay free. */
function slide(map: ObstacleMap, before: Vec3Like, place: Vec3, after: Vec3Like): void {
  const start = distance(before, place)
  const end = distance(place, after)
  normalize(pull, sub(pull, before, place))
  normalize(toNext, sub(toNext, after, place))
  addScaled(pull, pull, toNext, 1)
  let length = start + end
  let step = Math.min(start, end)
  for (let k = 0; k < HALVINGS; k++, step /= 2) {
    addScaled(trial, place, pull, step)
    map.freePlace(other, trial)
    const now = distance(before, other) + distance(other, after)
    if (!(now < length) || !map.isPathFree(before, other) || !map.isPathFree(other, after)) continue
    length = now
    copy(place, other)
  }
}

/** Replaces each corner by two places on its legs, as far from it as there is a free line between them. */
function cutCorners(map: ObstacleMap, places: readonly Vec3[]): Vec3[] {
  const cut = [places[0]!]
  for (let i = 1; i + 1 < places.length; i++) {
    const place = places[i]!
    if (!(turnAt(places[i - 1]!, place, places[i + 1]!) > LEAST_TURN)) {
      cut.push(place)
      continue
    }
    let share = 0.5
    for (let k = 0; k < HALVINGS; k++, share /= 2) {
      lerp(trial, place, places[i - 1]!, share)
      lerp(other, place, places[i + 1]!, share)
      if (map.isPathFree(trial, other)) break
    }
    if (share < 0.5 ** HALVINGS) cut.push(place)
    else cut.push(copy(vec3(), trial), copy(vec3(), other))
  }
  cut.push(places.at(-1)!)
  return cut
}

/** Angle by which a route turns at `place`, rad. */
function turnAt(before: Vec3Like, place: Vec3Like, after: Vec3Like): number {
  normalize(pull, sub(pull, place, before))
  normalize(toNext, sub(toNext, after, place))
  return arccos(dot(pull, toNext))
}
