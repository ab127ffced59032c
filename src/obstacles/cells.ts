import type { Vec3Like } from '../types.js'
import { requireVector, requireWhole, refuse, requireObject, outOfRange } from '../math/require.js'
import { vec3 } from '../math/vec3.js'
import { BoxShape } from './box.js'
import { Obstacle } from './obstacle.js'

export interface CellsOptions {
  /** Number of cells along x, y and z, whole, ≥ 1. */
  size: Vec3Like
  /** Edges of a cell (m), > 0. */
  cell: Vec3Like
  /** Corner with the least x, y and z of the grid (m). Default the origin. */
  origin?: Vec3Like
  /** Whether the cell with these indices, from 0, is solid. Called once for each cell. */
  isSolid: (x: number, y: number, z: number) => boolean
}

/** Most cells of a grid: some hundred megabytes would be needed for more. */
const MAX_CELLS = 2 ** 26

/**
 * Walls from an axis-aligned grid of cells (Green, Avoid Walls and Containment): one box for each block of
 * solid cells, so that a wall of a hundred cells is one obstacle, without inner edges at which an agent could
 * catch. Blocks are found by growing each solid cell along x, then y, then z as far as all cells are solid.
 *
 * Green's shortcuts for such grids (the sign of the ray tells which two walls of a tile to test, the position
 * of a wall is a multiple of the tile, corners are circles) are those of the boxes and of the set of
 * obstacles: only boxes near the path are tested, and a ball meets a box with rounded corners.
 *
 * A grid of the world that can be dug into is remade with the new cells; `Obstacles` may change at any time.
 * @throws TypeError / RangeError naming the option.
 */
export function wallsFromCells(options: CellsOptions): Obstacle[] {
  const { size, cell, origin = vec3(), isSolid } = requireObject('wallsFromCells', options)
  requireVector('wallsFromCells.size', size)
  requireVector('wallsFromCells.cell', cell)
  requireVector('wallsFromCells.origin', origin)
  if (typeof isSolid !== 'function') refuse('wallsFromCells.isSolid', isSolid, 'must be a function')
  for (const axis of ['x', 'y', 'z'] as const) {
    requireWhole(`wallsFromCells.size.${axis}`, size[axis], 1, MAX_CELLS)
    if (!(cell[axis] > 0)) outOfRange(`wallsFromCells.cell.${axis}`, cell[axis], 'must be > 0')
  }
  const { x: nx, y: ny, z: nz } = size
  if (nx * ny * nz > MAX_CELLS)
    throw new RangeError(`wallsFromCells.size: got ${nx * ny * nz} cells, must be at most ${MAX_CELLS}`)
  const solid = new Uint8Array(nx * ny * nz)
  const at = (x: number, y: number, z: number): number => x + nx * (y + ny * z)
  for (let z = 0; z < nz; z++)
    for (let y = 0; y < ny; y++) for (let x = 0; x < nx; x++) solid[at(x, y, z)] = isSolid(x, y, z) ? 1 : 0
  /** Whether all cells of a block are solid and in no box yet. */
  const isFull = (x0: number, x1: number, y0: number, y1: number, z0: number, z1: number): boolean => {
    for (let z = z0; z < z1; z++)
      for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) if (solid[at(x, y, z)] === 0) return false
    return true
  }
  const walls: Obstacle[] = []
  for (let z = 0; z < nz; z++)
    for (let y = 0; y < ny; y++)
      for (let x = 0; x < nx; x++) {
        if (solid[at(x, y, z)] === 0) continue
        let x1 = x + 1
        while (x1 < nx && solid[at(x1, y, z)] === 1) x1++
        let y1 = y + 1
        while (y1 < ny && isFull(x, x1, y1, y1 + 1, z, z + 1)) y1++
        let z1 = z + 1
        while (z1 < nz && isFull(x, x1, y, y1, z1, z1 + 1)) z1++
        for (let k = z; k < z1; k++) for (let j = y; j < y1; j++) solid.fill(0, at(x, j, k), at(x1, j, k))
        walls.push(
          new Obstacle({
            shape: new BoxShape({
              x: ((x1 - x) / 2) * cell.x,
              y: ((y1 - y) / 2) * cell.y,
              z: ((z1 - z) / 2) * cell.z,
            }),
            at: {
              x: origin.x + ((x + x1) / 2) * cell.x,
              y: origin.y + ((y + y1) / 2) * cell.y,
              z: origin.z + ((z + z1) / 2) * cell.z,
            },
          }),
        )
      }
  return walls
}
