import type { Archive, Behavior, NeighborSearch } from '../../core/types.js'
import type { Agents } from '../../core/engine/agents.js'
import { partsOf } from '../../core/engine/states.js'
import type { Candidates } from '../../core/neighbors/candidates.js'
import type { Grid } from '../../core/neighbors/grid.js'
import type { NeighborLists } from '../../core/neighbors/neighbor-lists.js'
import type { GridSearch } from '../../core/neighbors/neighbor-search.js'
import { forged, isBelow, requireLength } from './snapshot-numbers.js'
import type { NamedTree } from './snapshot-trees.js'

/**
 * The neighbours of all agents, and their order, where a part of `trees` looks for neighbours. The agents
 * must have been restored before. @throws RangeError for numbers that cannot be.
 */
export function serializeNeighbors(archive: Archive, agents: Agents, trees: readonly NamedTree[]): void {
  const neighborSearch = searchOf(trees)
  // the world may not have it yet: a part that is switched off brings it when it is switched on
  if (neighborSearch !== undefined) agents.search ??= neighborSearch(agents as never) as GridSearch
  const search = agents.search as GridSearch | null
  if (search === null) return
  if (neighborSearch !== undefined) serializeCandidates(archive, search.candidates)
  // nothing looks for neighbours any more
  else if (archive.restoring) search.candidates.forget()
  if (archive.restoring) search.indexed = search.candidates.valid ? agents.version : -1
}

/** The search of the first part that has one, switched off or not; undefined for none. */
function searchOf(trees: readonly NamedTree[]): NeighborSearch | undefined {
  const walked = new Set<Behavior>()
  const find = (part: Behavior): NeighborSearch | undefined => {
    if (walked.has(part)) return undefined
    walked.add(part)
    let found = part.neighborSearch
    for (const child of partsOf(part)) found ??= find(child)
    return found
  }
  let found: NeighborSearch | undefined
  for (const { root } of trees) found ??= find(root)
  return found
}

/** The lists, in whose order neighbours are summed, with the grids that they belong to, while they hold. */
function serializeCandidates(archive: Archive, candidates: Candidates): void {
  const { agents, present } = candidates
  candidates.pause = archive.number(candidates.pause)
  candidates.arrangedSteps = archive.number(candidates.arrangedSteps)
  const holds = archive.boolean(candidates.valid && present.version === agents.version)
  const isBegun = archive.boolean(holds && candidates.isBegun)
  if (archive.restoring) {
    candidates.valid = holds
    candidates.isBegun = isBegun
  }
  if (!holds) return
  candidates.strayCount = archive.number(candidates.strayCount)
  requireLength('a list of neighbours', candidates.strayCount)
  candidates.reserveRows(agents.count)
  archive.integers(candidates.strays, 0, candidates.strayCount)
  serializeLists(archive, present, agents)
  if (isBegun) serializeLists(archive, candidates.next, agents)
  if (!archive.restoring) return
  if (present.made !== agents.count) throw forged('its lists of neighbours')
  candidates.markStrays()
}

function serializeLists(archive: Archive, lists: NeighborLists, { count, version }: Agents): void {
  for (const name of ['reach', 'widest', 'skin', 'age', 'end', 'made'] as const)
    lists[name] = archive.number(lists[name])
  requireLength('a list of neighbours', lists.end)
  requireLength('the age of its lists of neighbours', lists.age)
  const made = requireLength('a list of neighbours', lists.made)
  if (made > count) throw forged('its lists of neighbours')
  lists.reserveRows(count)
  lists.reserve(lists.end)
  for (const name of ['start', 'length', 'capacity'] as const) archive.integers(lists[name], 0, made)
  archive.integers(lists.list, 0, lists.end)
  archive.numbers(lists.range, 0, made)
  archive.numbers(lists.position, 0, 3 * count)
  serializeGrid(archive, lists.grid)
  if (!archive.restoring) return
  lists.version = version
  requireLists(lists, count)
}

function serializeGrid(archive: Archive, grid: Grid): void {
  grid.count = archive.number(grid.count)
  grid.hashed = archive.boolean(grid.hashed)
  for (const name of ['outside', 'smallest', 'largestInCells', 'largest'] as const)
    grid[name] = archive.number(grid[name])
  for (const name of ['length', 'width', 'nx', 'ny', 'nz', 'x0', 'y0', 'z0', 'mask'] as const)
    grid[name] = archive.number(grid[name])
  for (const size of [grid.length, grid.width])
    if (archive.restoring && !(size > 0 && size < Infinity)) throw forged(`a cell of its grid is ${size}`)
  const bounds = requireLength('a grid', grid.cells) + 1
  requireLength('a grid', grid.count)
  if (grid.start.length < bounds) grid.start = new Int32Array(bounds)
  const listed = requireLength('a grid', grid.count + grid.outside)
  if (grid.row.length < listed) grid.row = new Int32Array(listed)
  archive.integers(grid.start, 0, bounds)
  archive.integers(grid.row, 0, listed)
}

/**
 * @throws RangeError where lists of neighbours, or the grid they belong to, point outside the `count` rows.
 */
function requireLists(
  { end, grid, length, list, made, capacity, start }: NeighborLists,
  count: number,
): void {
  for (let row = 0; row < made; row++)
    if (
      !(
        start[row]! >= 0 &&
        length[row]! >= 0 &&
        capacity[row]! >= length[row]! &&
        start[row]! + capacity[row]! <= end
      )
    )
      throw forged('its lists of neighbours')
  for (let i = 0; i < made; i++)
    for (let n = start[i]!; n < start[i]! + length[i]!; n++)
      if (!isBelow(list[n]!, count)) throw forged('its lists of neighbours')
  if (!isSound(grid, count)) throw forged('its grid')
}

/** Whether all rows in the grid are below `count`, and each cell ends where the next one begins. */
function isSound(grid: Grid, count: number): boolean {
  const { hashed, largest, largestInCells, mask, nx, ny, nz, outside, row, smallest, start } = grid
  const { cells } = grid
  if (hashed && (cells & mask) !== 0) return false
  const listed = grid.count + outside
  if (!(outside >= 0) || listed > count || start[0] !== 0 || start[cells] !== grid.count) return false
  for (let c = 0; c < cells; c++) if (start[c]! > start[c + 1]!) return false
  for (let i = 0; i < listed; i++) if (!(row[i]! >= 0 && row[i]! < count)) return false
  return (
    [nx, ny, nz].every((n) => Number.isInteger(n) && n >= 0) &&
    Number.isFinite(grid.x0 + grid.y0 + grid.z0) &&
    [smallest, largestInCells, largest].every((radius) => radius >= 0)
  )
}
