import type { Vec3Like } from 'three-steering'
import { REACH, YARD, type Plan } from './plan.js'

/** How a world is cut into cells: the number of a cell, or a plane with what is below and above it. */
export type Tree = number | Cut

export interface Cut {
  readonly axis: Axis
  readonly at: number
  readonly below: Tree
  readonly above: Tree
}

export type Axis = 'x' | 'y' | 'z'
export const SIDES: readonly Axis[] = ['x', 'y', 'z']

/** Where a cell is (m). */
export interface Box {
  readonly min: Readonly<Record<Axis, number>>
  readonly max: Readonly<Record<Axis, number>>
}

/**
 * Cells that are less than this apart (m) talk to each other: more than an agent sees, so that the ships of a wing
 * that are still beyond the border are seen, and less than a cell of the first cuts is long.
 */
const TALK = 2 * REACH

/** The cuts of a plan: all along x, then y, then z. A row of cells is numbered in its order. */
export function firstCuts({ grid, size }: Plan): Tree {
  const cut = (from: Vec3Like, to: Vec3Like): Tree => {
    const axis = SIDES.find((each) => to[each] - from[each] > 1)
    if (!axis) return from.x + grid[0] * (from.y + grid[1] * from.z)
    const middle = (from[axis] + to[axis]) >> 1
    const length = size[axis]
    return {
      axis,
      at: (middle / grid[SIDES.indexOf(axis)]!) * length - length / 2,
      below: cut(from, { ...to, [axis]: middle }),
      above: cut({ ...from, [axis]: middle }, to),
    }
  }
  return cut({ x: 0, y: 0, z: 0 }, { x: grid[0], y: grid[1], z: grid[2] })
}

/** The cell of a place. What is beyond an end of the world belongs to the cell there. */
export function cellAt(tree: Tree, place: Vec3Like): number {
  let at = tree
  while (typeof at === 'object') at = place[at.axis] < at.at ? at.below : at.above
  return at
}

/** The box of each cell that has a part of the world. */
export function boxesOf({ size: { x, y, z } }: Plan, tree: Tree): Map<number, Box> {
  const boxes = new Map<number, Box>()
  const visit = (part: Tree, box: Box): void => {
    if (typeof part === 'number') {
      boxes.set(part, box)
      return
    }
    const { above, at, axis, below } = part
    visit(below, { min: box.min, max: { ...box.max, [axis]: at } })
    visit(above, { min: { ...box.min, [axis]: at }, max: box.max })
  }
  visit(tree, { min: { x: -x / 2, y: -y / 2, z: -z / 2 }, max: { x: x / 2, y: y / 2, z: z / 2 } })
  return boxes
}

/** How far a place is from a box (m). */
export function gapTo({ max, min }: Box, { x, y, z }: Vec3Like): number {
  const dx = Math.max(min.x - x, 0, x - max.x)
  const dy = Math.max(min.y - y, 0, y - max.y)
  const dz = Math.max(min.z - z, 0, z - max.z)
  return Math.sqrt(dx * dx + dy * dy + dz * dz)
}

const apart = (a: Box, b: Box): number =>
  Math.max(...SIDES.map((axis) => Math.max(a.min[axis] - b.max[axis], b.min[axis] - a.max[axis])))

/** Whether cells talk to each other, see `TALK`. */
export const areNear = (a: Box, b: Box): boolean => apart(a, b) < TALK

/** Whether a cell has a part of the yard. All that have one talk to each other. */
export const hasYard = (box: Box): boolean => apart(box, YARD_BOX) <= 0

const YARD_BOX: Box = { min: { x: -YARD, y: -YARD, z: -YARD }, max: { x: YARD, y: YARD, z: YARD } }

/** The cells within `distance` (m) of a place. */
export function cellsNear(plan: Plan, tree: Tree, place: Vec3Like, distance: number): number[] {
  const near = [...boxesOf(plan, tree)].filter(([, box]) => gapTo(box, place) <= distance)
  return near.map(([cell]) => cell)
}
