import type { Vec3Like } from 'three-steering'
import { RATE, REACH, YARD, type Plan } from './plan.js'

/** How a world is cut into cells: the number of a cell, or a plane with what is below and above it. */
export type Tree = number | Cut

export interface Cut {
  readonly axis: Axis
  readonly at: number
  readonly below: Tree
  readonly above: Tree
}

/**
 * How a world is cut, and how it was before. Whoever knows the newest version counts: all change at the same step,
 * or without lock step at the same beat.
 */
export interface Cuts {
  /** 0 is that of the plan. */
  readonly version: number
  readonly tick: number
  readonly tree: Tree
  readonly before: Tree
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

/** @throws RangeError for a text that has no cuts of this plan. */
export function readCuts({ cells }: Plan, text: string): Cuts {
  const found = new Set<number>()
  const isTree = (tree: Tree | null | undefined, depth = 0): boolean => {
    if (typeof tree === 'number')
      return Number.isInteger(tree) && tree < cells && found.size < found.add(tree).size
    return (
      tree?.constructor === Object &&
      depth < 100 &&
      SIDES.includes(tree.axis) &&
      Number.isFinite(tree.at) &&
      isTree(tree.below, depth + 1) &&
      isTree(tree.above, depth + 1)
    )
  }
  let cuts: Cuts | null = null
  try {
    cuts = JSON.parse(text) as Cuts | null
  } catch {}
  const isWhole = Number.isInteger(cuts?.version) && Number.isInteger(cuts?.tick)
  const isSound = isWhole && [cuts!.tree, cuts!.before].every((tree) => (found.clear(), isTree(tree)))
  if (!isSound) throw new RangeError(`cuts: got ${text.slice(0, 100)}`)
  return cuts!
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

/** What a cell has to do: CPU time of a step (ms), and where some of its agents are, all with the same share of it. */
export interface Load {
  readonly time: number
  readonly places: readonly (readonly [number, number, number])[]
}

/** A cell with more to do than this (ms of CPU time in a step) is too full: half of a core. */
const FULL = 500 / RATE
/** Length of the shortest cell that is cut off (m). */
const LEAST = REACH
/** What a ghost costs in a crowd, as a share of an agent: it is seen, but does not think. */
const GHOST = 0.5
/** The cuts change if then each cell concerned has less than this share of what the fullest one has now. */
const WORTHWHILE = 0.8

/** An agent of a sample: where it is, and what it costs (ms). */
type Weight = readonly [x: number, y: number, z: number, time: number]
type Weights = ReadonlyMap<number, readonly Weight[]>

/**
 * A better way to cut the world: the fullest cell is cut in two, and another one takes a half. That is one without a
 * part of the world, or one whose part is left to what is on the other side of its last cut: where this is the
 * fullest cell itself, a border moves. Returns null where no cell is too full, or nothing is much better.
 */
export function betterCuts(plan: Plan, tree: Tree, loads: ReadonlyMap<number, Load>): Tree | null {
  const weights = new Map<number, readonly Weight[]>()
  for (const cell of boxesOf(plan, tree).keys()) {
    const { places = [], time = 0 } = loads.get(cell) ?? {}
    weights.set(
      cell,
      places.map((place) => [...place, time / places.length] as const),
    )
  }
  const fullest = fullestOf(weights)
  if (fullest.time < FULL) return null
  let best: { tree: Tree | null; time: number } = { tree: null, time: WORTHWHILE * fullest.time }
  const propose = (helper: number, merged: Tree): void => {
    const parts = new Map(weights)
    parts.delete(helper)
    let worst = 0
    for (const each of weights.get(helper) ?? []) {
      const heir = cellAt(merged, { x: each[0], y: each[1], z: each[2] })
      parts.set(heir, [...parts.get(heir)!, each])
      if (heir !== fullest.cell) worst = Math.max(worst, sum(parts.get(heir)!))
    }
    // others may be as full as the fullest one: their turn comes next
    const { at, axis, time } = halve(boxesOf(plan, merged).get(fullest.cell)!, parts.get(fullest.cell)!)
    if (Math.max(worst, time) >= best.time) return
    const halves = { axis, at, below: fullest.cell, above: helper }
    best = { tree: replace(merged, fullest.cell, halves), time: Math.max(worst, time) }
  }
  const spare = Array.from({ length: plan.cells }, (_, cell) => cell).find((cell) => !weights.has(cell))
  if (spare !== undefined) propose(spare, tree)
  const leaves = leavesOf(tree).filter(({ cell }) => cell !== fullest.cell)
  leaves.sort((a, b) => sum(weights.get(a.cell)!) - sum(weights.get(b.cell)!))
  const sister = leaves.find((each) => each.sister === fullest.cell)
  for (const leaf of [...leaves.slice(0, 3), sister])
    if (leaf) propose(leaf.cell, replace(tree, leaf.cut, leaf.sister))
  return best.tree
}

/** The cells of a tree, each with the last cut, and what is on the other side of it. */
function leavesOf(tree: Tree): { cell: number; cut: Cut; sister: Tree }[] {
  if (typeof tree === 'number') return []
  const { above, below } = tree
  const leaf = (cell: Tree, sister: Tree) =>
    typeof cell === 'number' ? [{ cell, cut: tree, sister }] : leavesOf(cell)
  return [...leaf(below, above), ...leaf(above, below)]
}

function fullestOf(weights: Weights): { cell: number; time: number } {
  let most = { cell: -1, time: 0 }
  for (const [cell, all] of weights) if (sum(all) >= most.time) most = { cell, time: sum(all) }
  return most
}

const sum = (weights: readonly Weight[]): number => weights.reduce((total, [, , , time]) => total + time, 0)

const replace = (tree: Tree, old: Tree, by: Tree): Tree =>
  tree === old
    ? by
    : typeof tree === 'number'
      ? tree
      : { ...tree, below: replace(tree.below, old, by), above: replace(tree.above, old, by) }

/** The cut through a box that leaves least to the fuller half, and how much that is. */
function halve(box: Box, weights: readonly Weight[]): { axis: Axis; at: number; time: number } {
  const total = sum(weights)
  let best = { axis: 'x' as Axis, at: 0, time: Infinity }
  for (const [i, axis] of SIDES.entries()) {
    const [min, max] = [box.min[axis] + LEAST, box.max[axis] - LEAST]
    if (min > max) continue
    const sorted = [...weights].sort((a, b) => a[i]! - b[i]!)
    let below = 0
    const middle = sorted.find(([, , , time]) => (below += time) >= total / 2)
    const at = Math.round(Math.min(max, Math.max(min, middle?.[i] ?? 0)))
    const part = (from: number, to: number): number =>
      sum(weights.filter((each) => each[i]! >= from && each[i]! < to))
    const time = Math.max(
      part(-Infinity, at) + GHOST * part(at, at + REACH),
      part(at, Infinity) + GHOST * part(at - REACH, at),
    )
    if (time < best.time) best = { axis, at, time }
  }
  return best
}
