import {
  BoxShape,
  CylinderShape,
  Obstacles,
  SphereShape,
  type Quat,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { inner, minus, outer, plus, product, times, turnAbout, turned, vec } from './vectors.js'
import { distance } from './metrics.js'
import { wave } from './scalars.js'

/** A runway. Lengths in metres. */
export interface Runway {
  readonly name: string
  /** Middle of its surface. */
  readonly middle: Vec3Like
  /** Direction of landing and take-off, and the normal of the surface, unit. */
  readonly ahead: Vec3Like
  readonly up: Vec3Like
  /** Rotation that takes +Z to `ahead` and +Y to `up`. */
  readonly turn: Quat
  readonly length: number
  readonly half: number
}

const DEGREE = Math.PI / 180

/** `bearing` is the angle from +Z towards +X, `slope` is uphill, both in degrees. */
function makeRunway(
  name: string,
  middle: Vec3,
  bearing: number,
  slope: number,
  length: number,
  half: number,
): Runway {
  const turn = product(turnAbout(vec(0, 1, 0), bearing * DEGREE), turnAbout(vec(1, 0, 0), -slope * DEGREE))
  const [b, s] = [bearing * DEGREE, slope * DEGREE]
  const ahead = vec(Math.cos(s) * Math.sin(b), Math.sin(s), Math.cos(s) * Math.cos(b))
  const side = vec(Math.cos(b), 0, -Math.sin(b))
  return { name, middle, ahead, up: outer(ahead, side), turn, length, half }
}

/** On the island, on a table mountain, on a ship, and on a platform below balloons. */
export const RUNWAYS: readonly Runway[] = [
  makeRunway('island', vec(-62, 5, 52), 112, 0, 150, 10),
  makeRunway('mesa', vec(112, 47, -92), 205, 6, 138, 10),
  makeRunway('ship', vec(98, 12, 112), -68, 0, 132, 10),
  makeRunway('sky deck', vec(-132, 84, -112), 40, 15, 124, 9.5),
]

/** Radii of the island along x and z, and its centre. */
const ISLAND = { x: -58, z: 30, a: 132, b: 92 }
const HILL = { x: -108, z: -8, radius: 42, height: 44 }

/** Height of the island above the sea (m). Negative values are below the sea. */
export function heightAt(x: number, z: number): number {
  const [u, v] = [(x - ISLAND.x) / ISLAND.a, (z - ISLAND.z) / ISLAND.b]
  const rim = 1 - Math.hypot(u, v) + 0.1 * wave(x / 31, 3, z / 31) + 0.04 * wave(x / 11, 7, z / 11)
  const shore = rim < 0 ? 40 * rim : Math.min(5, 34 * rim)
  const away = Math.hypot(x - HILL.x, z - HILL.z) / HILL.radius
  const bump = Math.max(0, 1 - away * away)
  const rough = 1 + 0.22 * wave(x / 15, 1, z / 15) + 0.09 * wave(x / 5, 4, z / 5)
  const flat = smooth((Math.abs(offRunway(x, z)) - 16) / 14)
  const rolling = 1.6 * Math.max(0, wave(x / 24, 5, z / 24)) * smooth(12 * rim - 1)
  return shore + flat * (HILL.height * bump * bump * rough + rolling)
}

/** Distance (m) from the centre line of the runway on the island. */
function offRunway(x: number, z: number): number {
  const { middle, ahead } = RUNWAYS[0]!
  return (x - middle.x) * ahead.z - (z - middle.z) * ahead.x
}

function smooth(t: number): number {
  const at = Math.min(1, Math.max(0, t))
  return at * at * (3 - 2 * at)
}

/** Solid blocks under the runways: half sizes in the axes of the runway, and depth below its surface. */
const BLOCKS: readonly { runway: number; half: Vec3; below: number }[] = [
  { runway: 1, half: vec(19, 24, 69), below: 24 },
  { runway: 2, half: vec(12, 6, 66), below: 6 },
  { runway: 3, half: vec(10.5, 1.2, 62), below: 1.2 },
]

/** The bridge of the ship, in the axes of its runway: x to port, y up, z ahead. */
export const BRIDGE = { at: vec(-16.5, 6, 2), half: vec(3.5, 9, 11) }

/** Balloons that hold the sky deck, in the axes of its runway. */
export const BALLOONS = [
  { at: vec(29, 29, 34), radius: 11 },
  { at: vec(-29, 29, 34), radius: 11 },
  { at: vec(29, 27, -34), radius: 11 },
  { at: vec(-29, 27, -34), radius: 11 },
] as const

/**
 * What aircraft avoid on the way to the runway `goal`, or to none (−1): they are seen as balls, so what is
 * below and beside their own runway is left out.
 */
export function makeObstacles(goal: number): Obstacles {
  const blocks = BLOCKS.filter(({ runway }) => runway !== goal).map(({ runway, half, below }) => {
    const { middle, up, turn } = RUNWAYS[runway]!
    return { shape: new BoxShape(half), at: plus(middle, up, -below), turn }
  })
  const [deck, sky] = [RUNWAYS[2]!, RUNWAYS[3]!]
  const bridge = { shape: new BoxShape(BRIDGE.half), at: besideRunway(deck, BRIDGE.at), turn: deck.turn }
  const balloons = BALLOONS.map(({ at, radius }) => ({
    shape: new SphereShape(1.15 * radius),
    at: besideRunway(sky, at),
  }))
  const hill = { shape: new CylinderShape(0.75 * HILL.radius, 48), at: vec(HILL.x, 22, HILL.z) }
  // they may fly lower than the radius of their ball
  const sea = { shape: new BoxShape(vec(3000, 500, 3000)), at: vec(0, -508, 0) }
  const beside = [...(goal === 2 ? [] : [bridge]), ...(goal === 3 ? [] : balloons)]
  return new Obstacles([...blocks, ...beside, hill, sea])
}

/** World coordinates of a point in the axes of a runway. */
function besideRunway({ middle, turn }: Runway, point: Vec3Like): Vec3 {
  return plus(middle, turned(turn, point))
}

/** A point in the axes of a runway (m): x to its port side, y above it, z along it from its middle. */
export function onRunway({ middle, ahead, up }: Runway, point: Vec3Like): Vec3 {
  const offset = minus(point, middle)
  return vec(inner(offset, outer(up, ahead)), inner(offset, up), inner(offset, ahead))
}

/** A point of a runway: `station` along it from its middle, `height` above it (m). */
export function runwayPoint({ middle, ahead, up }: Runway, station: number, height: number): Vec3 {
  return plus(plus(middle, ahead, station), up, height)
}

/** The direction of a runway, raised by `angle` (rad). */
export function raised({ ahead, up }: Runway, angle: number): Vec3 {
  return plus(times(ahead, Math.cos(angle)), up, Math.sin(angle))
}

/**
 * Free height (m) under a point, over land, sea, and the blocks of the runways, which are wider by `margin`
 * (m). Negative inside of one.
 */
export function heightAbove(point: Vec3Like, margin = 0): number {
  let least = point.y - Math.max(0, heightAt(point.x, point.z))
  for (const { runway, half, below } of BLOCKS) {
    const { x, y, z } = onRunway(RUNWAYS[runway]!, point)
    const isBeside = Math.abs(x) > half.x + margin || Math.abs(z) > half.z + margin
    if (!isBeside && y > -2 * below - margin) least = Math.min(least, y)
  }
  const bridge = onRunway(RUNWAYS[2]!, point)
  const { at, half } = BRIDGE
  if (Math.abs(bridge.x - at.x) < half.x + margin && Math.abs(bridge.z - at.z) < half.z + margin)
    least = Math.min(least, bridge.y - at.y - half.y)
  for (const { at: center, radius } of BALLOONS) {
    least = Math.min(least, distance(onRunway(RUNWAYS[3]!, point), center) - radius - margin)
  }
  return least
}
