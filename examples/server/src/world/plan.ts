import type { Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'

/** Steps per second of every room, and after how many steps it sends what it shows. */
export const RATE = 30
export const STEPS_PER_FRAME = 3
export const DT = 1 / RATE

/** Start of the world's clock: time then fits into fewer digits than since 1970 (ms). */
export const EPOCH = Date.UTC(2026, 0, 1)

/** Size of one cell by default (m). */
export const CELL_SIZE = { x: 240, y: 120, z: 240 }

/**
 * How far (m) agents look beyond a border: the largest `neighborDistance` of this world, the radii of two
 * freighters, and what both fly in a step.
 */
export const REACH = 36

/** Half the size (m) of the room about the middle of the world where a station is, and its shuttles stay. */
export const YARD = 32

/** Where a wing begins (m): x from the near end of the world, the others from its middle. */
export const WING_PLACE = { x: 36, y: 30, z: 70 }

/** How far (m) a ship may be from a cell that its client has joined. */
export const VIEW = 150

/** What everybody must agree on: the world is a function of this. */
export interface Plan {
  readonly seed: number
  /** Extent of the world (m), which is centred at the origin. */
  readonly size: Vec3Like
  /** Into how many cells of equal size it is cut along x, y and z, at first. */
  readonly grid: Grid
  /** All of them. */
  readonly cells: number
  /** Agents that fly by themselves in the whole world. */
  readonly agents: number
}

/** Three numbers, along x, y and z. */
export type Grid = readonly [number, number, number]

export interface Rock {
  readonly position: Vec3Like
  readonly radius: number
}

/** Rocks in a million cubic metres. */
const ROCKS = 9.03
/** Free room (m) between any two rocks, and between a rock and the wall. */
const PASSAGE = 9
/** Free room about the middle of the world (`YARD`): out to the corners of the yard, and some more. */
const CLEAR = 1.8

/** Seed of the world. */
export const SEED = 7

/**
 * `cells` and `size` are along x, or along each axis.
 * @throws RangeError for values that make no world, or cells that are too small for their borders.
 */
export function planOf(cells: number | Grid, agents: number, seed = SEED, size?: number | Grid): Plan {
  const isWhole = (value: number, least: number, most: number): boolean =>
    Number.isInteger(value) && value >= least && value <= most
  const grid: Grid = typeof cells === 'number' ? [cells, 1, 1] : cells
  const { x, y, z } = CELL_SIZE
  const [a, b, c] = grid
  const sides = typeof size === 'object' ? size : [size ?? a * x, b * y, c * z]
  const all = a * b * c
  if (!grid.every((count) => isWhole(count, 1, 10_000)) || all > 10_000)
    throw new RangeError(`cells: got ${grid.join('x')}, must be whole, 1 to 10,000 in all`)
  if (!isWhole(agents, 0, 1e7)) throw new RangeError(`agents: got ${agents}, must be whole, 0 to ten million`)
  for (const [i, side] of sides.entries())
    if (!(side / grid[i]! >= 2 * REACH))
      throw new RangeError(
        `length: got ${side} for ${grid[i]} cells, each must be at least ${2 * REACH} m long`,
      )
  return { seed, size: { x: sides[0]!, y: sides[1]!, z: sides[2]! }, grid, cells: all, agents }
}

/** `3`, or `2x3x1`. */
export const gridOf = (text: string): Grid => {
  const [x = NaN, y = 1, z = 1] = text.split('x').map(Number)
  return [x, y, z]
}

/** The same rocks for everybody, with free room between any two. */
export function rocksOf({ seed, size }: Plan): Rock[] {
  const random = seeded(seed)
  const rocks: Rock[] = []
  const spread = (half: number): number => (2 * random() - 1) * half
  const wanted = Math.round((ROCKS * size.x * size.y * size.z) / 1e6)
  for (let tries = 0; rocks.length < wanted && tries < 50 * wanted; tries++) {
    const radius = 2 + 9 * random() ** 3
    const position = {
      x: spread(size.x / 2 - radius - PASSAGE),
      y: spread(size.y / 2 - radius - PASSAGE),
      z: spread(size.z / 2 - radius - PASSAGE),
    }
    const isFree =
      rocks.every((rock) => gap(rock, position) > radius + PASSAGE) &&
      Math.hypot(position.x, position.y, position.z) > radius + CLEAR * YARD &&
      apart(position, { ...WING_PLACE, x: WING_PLACE.x - size.x / 2 }) > radius + YARD
    if (isFree) rocks.push({ position, radius })
  }
  return rocks
}

/** Free distance (m) from the surface of a rock. */
export const gap = ({ position, radius }: Rock, place: Vec3Like): number => apart(place, position) - radius

/** Distance (m) of two places. */
export const apart = (a: Vec3Like, b: Vec3Like): number => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
