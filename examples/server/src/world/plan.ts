import type { Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'

/** Steps per second of every room, and after how many steps it sends what it shows. */
export const RATE = 30
export const STEPS_PER_FRAME = 3
export const DT = 1 / RATE

/** Start of the world's clock: time then fits into fewer digits than since 1970 (ms). */
export const EPOCH = Date.UTC(2026, 0, 1)

/** Half the height and half the width of the world (m). */
export const HALF_HEIGHT = 60
export const HALF_WIDTH = 120
/** Length of one cell by default (m). */
export const CELL_LENGTH = 240

/**
 * How far (m) agents look beyond a border: the largest `neighborDistance` of this world, the radii of two
 * freighters, and what both fly in a step.
 */
export const REACH = 36

/**
 * Half the size (m) of the room about the middle of the world where a station is, and its shuttles stay. It is
 * within two cells, however short they are.
 */
export const YARD = 32

/** Where a wing begins (m): x from the near end of the world. */
export const WING_PLACE = { x: 36, y: 30, z: 70 }

/** How far (m) a ship may be from a cell that its client has joined. */
export const VIEW = 150

/** What everybody must agree on: the world is a function of this. */
export interface Plan {
  readonly seed: number
  /** Extent along x (m), cut into `cells` of equal length. The world is centred at the origin. */
  readonly length: number
  readonly cells: number
  /** Agents that fly by themselves in the whole world. */
  readonly agents: number
}

export interface Rock {
  readonly position: Vec3Like
  readonly radius: number
}

/** Rocks per 100 m of length. */
const ROCKS_PER_100_M = 26
/** Free room (m) between any two rocks, and between a rock and the wall. */
const PASSAGE = 9
/** Free room about the middle of the world (`YARD`): out to the corners of the yard, and some more. */
const CLEAR = 1.8

/** Seed of the world. */
export const SEED = 7

/** @throws RangeError for values that make no world, or cells that are too short for their borders. */
export function planOf(cells: number, agents: number, seed = SEED, length = cells * CELL_LENGTH): Plan {
  const isWhole = (value: number, least: number, most: number): boolean =>
    Number.isInteger(value) && value >= least && value <= most
  if (!isWhole(cells, 1, 1000)) throw new RangeError(`cells: got ${cells}, must be whole, 1 to 1000`)
  if (!isWhole(agents, 0, 1e6)) throw new RangeError(`agents: got ${agents}, must be whole, 0 to a million`)
  if (!(length / cells >= 2 * REACH))
    throw new RangeError(
      `length: got ${length} for ${cells} cells, each must be at least ${2 * REACH} m long`,
    )
  return { seed, length, cells, agents }
}

/** Where a cell begins and ends along x (m). */
export function boundsOf({ length, cells }: Plan, cell: number): { from: number; to: number } {
  const size = length / cells
  return { from: cell * size - length / 2, to: (cell + 1) * size - length / 2 }
}

/** The cell of a place. What is beyond an end of the world belongs to its last cell. */
export function cellAt({ length, cells }: Plan, x: number): number {
  const cell = Math.floor(((x + length / 2) / length) * cells)
  return Math.min(cells - 1, Math.max(0, cell))
}

/** The cells within `distance` of a place. */
export function cellsNear(plan: Plan, x: number, distance: number): number[] {
  const first = cellAt(plan, x - distance)
  const last = cellAt(plan, x + distance)
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

/** The same rocks for everybody, with free room between any two. */
export function rocksOf({ seed, length }: Plan): Rock[] {
  const random = seeded(seed)
  const rocks: Rock[] = []
  const spread = (half: number): number => (2 * random() - 1) * half
  const wanted = Math.round((ROCKS_PER_100_M * length) / 100)
  for (let tries = 0; rocks.length < wanted && tries < 50 * wanted; tries++) {
    const radius = 2 + 9 * random() ** 3
    const position = {
      x: spread(length / 2 - radius - PASSAGE),
      y: spread(HALF_HEIGHT - radius - PASSAGE),
      z: spread(HALF_WIDTH - radius - PASSAGE),
    }
    const isFree =
      rocks.every((rock) => gap(rock, position) > radius + PASSAGE) &&
      Math.hypot(position.x, position.y, position.z) > radius + CLEAR * YARD &&
      Math.hypot(
        position.x + length / 2 - WING_PLACE.x,
        position.y - WING_PLACE.y,
        position.z - WING_PLACE.z,
      ) >
        radius + YARD
    if (isFree) rocks.push({ position, radius })
  }
  return rocks
}

/** Free distance (m) from the surface of a rock. */
export function gap(rock: Rock, { x, y, z }: Vec3Like): number {
  const { position, radius } = rock
  return Math.hypot(x - position.x, y - position.y, z - position.z) - radius
}
