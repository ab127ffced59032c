import type { Vec3, Vec3Like } from '../../core/types.js'
import {
  requireFinite,
  requireVector,
  requireWhole,
  refuse,
  requireObject,
  outOfRange,
} from '../../core/math/require.js'
import { vec3 } from '../../core/math/vec3.js'
import { BoxShape } from '../../core/obstacles/box.js'
import { Obstacle } from '../../core/obstacles/obstacle.js'

export interface CellsOptions {
  /** Number of cells along x, y and z, whole, ≥ 1. */
  size: Vec3Like
  /** Edges of a cell (m), > 0. */
  cell: Vec3Like
  /** Corner with the least x, y and z of the grid (m). Default the origin. */
  origin?: Vec3Like
  /** Whether the cell with these indices, from 0, is solid. Called once for each cell. */
  isSolid: (x: number, y: number, z: number) => boolean
  /**
   * Whether a thin wall stands between the cell with these indices and the next one along `axis`. Called
   * once for each pair of cells that are not solid. Default none.
   */
  isWall?: (x: number, y: number, z: number, axis: 'x' | 'y' | 'z') => boolean
  /** Thickness of thin walls (m), > 0. Default 2 % of the least edge of a cell. */
  thickness?: number
}

/** Default of `thickness`, as a share of the least edge of a cell. Chosen by hand. */
const THIN = 0.02

const AXES = ['x', 'y', 'z'] as const

/** Most cells of a grid: some hundred megabytes would be needed for more. */
const MAX_CELLS = 2 ** 26

/**
 * Walls from an axis-aligned grid of cells (Green, Avoid Walls and Containment): one box for each block of
 * solid cells, so that a wall of a hundred cells is one obstacle, without inner edges at which an agent could
 * catch. Blocks are found by growing each solid cell along x, then y, then z as far as all cells are solid.
 * Thin walls between free cells (Green's one rule for each pair of tiles) become flat boxes in the same way.
 *
 * Green's shortcuts for such grids (the sign of the ray tells which two walls of a tile to test, the position
 * of a wall is a multiple of the tile, corners are circles) are those of the boxes and of the set of
 * obstacles: only boxes near the path are tested, and a ball meets a box with rounded corners.
 *
 * A grid of the world that can be dug into is remade with the new cells; `Obstacles` may change at any time.
 * @throws TypeError / RangeError naming the option.
 */
export function wallsFromCells(options: CellsOptions): Obstacle[] {
  const { size, cell, origin = vec3(), isSolid, isWall, thickness } = requireObject('wallsFromCells', options)
  requireVector('wallsFromCells.size', size)
  requireVector('wallsFromCells.cell', cell)
  requireVector('wallsFromCells.origin', origin)
  if (typeof isSolid !== 'function') refuse('wallsFromCells.isSolid', isSolid, 'must be a function')
  if (isWall !== undefined && typeof isWall !== 'function')
    refuse('wallsFromCells.isWall', isWall, 'must be a function')
  for (const axis of AXES) {
    requireWhole(`wallsFromCells.size.${axis}`, size[axis], 1, MAX_CELLS)
    if (!(cell[axis] > 0)) outOfRange(`wallsFromCells.cell.${axis}`, cell[axis], 'must be > 0')
  }
  const thin = thickness ?? THIN * Math.min(cell.x, cell.y, cell.z)
  requireFinite('wallsFromCells.thickness', thin, 0, true)
  const { x: nx, y: ny, z: nz } = size
  if (nx * ny * nz > MAX_CELLS)
    throw new RangeError(`wallsFromCells.size: got ${nx * ny * nz} cells, must be at most ${MAX_CELLS}`)
  const at = (x: number, y: number, z: number): number => x + nx * (y + ny * z)
  const solid = new Uint8Array(nx * ny * nz)
  fill(solid, size, isSolid)
  const free = solid.map((is) => 1 - is)
  const walls: Obstacle[] = []
  const add = (from: Vec3, to: Vec3, flat: 'x' | 'y' | 'z' | null): void => {
    const half = vec3()
    const middle = vec3()
    for (const axis of AXES) {
      // a thin wall lies at the end of its cells
      const low = axis === flat ? to[axis] : from[axis]
      half[axis] = axis === flat ? thin / 2 : ((to[axis] - low) / 2) * cell[axis]
      middle[axis] = origin[axis] + ((low + to[axis]) / 2) * cell[axis]
    }
    walls.push(new Obstacle({ shape: new BoxShape(half), at: middle }))
  }
  takeBlocks(solid, size, null, add)
  if (isWall === undefined) return walls
  for (const axis of AXES) {
    const next = axis === 'x' ? 1 : axis === 'y' ? nx : nx * ny
    const faces = new Uint8Array(nx * ny * nz)
    fill(faces, size, (x, y, z) => {
      const here = at(x, y, z)
      const isLast = axis === 'x' ? x === nx - 1 : axis === 'y' ? y === ny - 1 : z === nz - 1
      return !isLast && free[here] === 1 && free[here + next] === 1 && isWall(x, y, z, axis)
    })
    takeBlocks(faces, size, axis, add)
  }
  return walls
}

/** Writes 1 for each cell of which `is` says so, else 0. */
function fill(
  cells: Uint8Array,
  { x: nx, y: ny, z: nz }: Vec3Like,
  is: (x: number, y: number, z: number) => boolean,
): void {
  let i = 0
  for (let z = 0; z < nz; z++)
    for (let y = 0; y < ny; y++) for (let x = 0; x < nx; x++) cells[i++] = is(x, y, z) ? 1 : 0
}

/**
 * Calls `add` with the first and the end indices of blocks that hold each cell with a 1 exactly once, and
 * clears `cells`. Blocks are one cell thick along `flat`.
 */
function takeBlocks(
  cells: Uint8Array,
  { x: nx, y: ny, z: nz }: Vec3Like,
  flat: 'x' | 'y' | 'z' | null,
  add: (from: Vec3, to: Vec3, flat: 'x' | 'y' | 'z' | null) => void,
): void {
  const at = (x: number, y: number, z: number): number => x + nx * (y + ny * z)
  /** Whether all cells of a block have a 1. */
  const isFull = (x0: number, x1: number, y0: number, y1: number, z0: number, z1: number): boolean => {
    for (let z = z0; z < z1; z++)
      for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) if (cells[at(x, y, z)] === 0) return false
    return true
  }
  for (let z = 0; z < nz; z++)
    for (let y = 0; y < ny; y++)
      for (let x = 0; x < nx; x++) {
        if (cells[at(x, y, z)] === 0) continue
        const endX = flat === 'x' ? x + 1 : nx
        let x1 = x + 1
        while (x1 < endX && cells[at(x1, y, z)] === 1) x1++
        const endY = flat === 'y' ? y + 1 : ny
        let y1 = y + 1
        while (y1 < endY && isFull(x, x1, y1, y1 + 1, z, z + 1)) y1++
        const endZ = flat === 'z' ? z + 1 : nz
        let z1 = z + 1
        while (z1 < endZ && isFull(x, x1, y, y1, z1, z1 + 1)) z1++
        for (let k = z; k < z1; k++) for (let j = y; j < y1; j++) cells.fill(0, at(x, j, k), at(x1, j, k))
        add(vec3(x, y, z), vec3(x1, y1, z1), flat)
      }
}
