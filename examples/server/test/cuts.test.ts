import { describe, expect, it } from 'vitest'
import { seeded } from 'three-steering/authoring'
import {
  betterCuts,
  boxesOf,
  cellAt,
  cellsNear,
  firstCuts,
  gapTo,
  type Load,
  type Tree,
} from '../src/world/cuts.js'
import { gridOf, planOf } from '../src/world/plan.js'

const row = planOf(4, 0)

/** What the cells have to do, where all agents cost the same (ms). */
function loadsOf(
  tree: Tree,
  places: readonly (readonly [number, number, number])[],
  cost: number,
): Map<number, Load> {
  const loads = new Map<number, Load>()
  for (let cell = 0; cell < row.cells; cell++) {
    const own = places.filter(([x, y, z]) => cellAt(tree, { x, y, z }) === cell)
    loads.set(cell, { time: cost * own.length, places: own })
  }
  return loads
}

describe('cuts of a world', () => {
  it('number a row of cells in its order, and have one cell for each place of a grid', () => {
    for (let cell = 0; cell < 4; cell++)
      expect(cellAt(firstCuts(row), { x: 240 * cell - 470, y: 500, z: -500 })).toBe(cell)
    const grid = planOf(gridOf('3x2x4'), 0)
    const boxes = boxesOf(grid, firstCuts(grid))
    expect([...boxes.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, i) => i))
    const random = seeded(1)
    for (let i = 0; i < 500; i++) {
      const place = { x: 720 * random() - 360, y: 240 * random() - 120, z: 960 * random() - 480 }
      const at = cellAt(firstCuts(grid), place)
      expect([...boxes].filter(([, box]) => gapTo(box, place) === 0).map(([cell]) => cell)).toEqual([at])
      expect(cellsNear(grid, firstCuts(grid), place, 0)).toEqual([at])
    }
    // at a corner eight cells meet
    expect(cellsNear(grid, firstCuts(grid), { x: 120, y: 0, z: 0 }, 1)).toHaveLength(8)
  })

  it.each(['0', '2x', '2x0x1', '1.5', 'NaN', '100x101x1'])('are refused for a grid of %s', (text) => {
    expect(() => planOf(gridOf(text), 0)).toThrow(RangeError)
  })

  it('stay while no cell is too full, and become better while one is, wherever a crowd gathers', () => {
    const random = seeded(2)
    expect(betterCuts(row, firstCuts(row), loadsOf(firstCuts(row), [[0, 0, 0]], 10))).toBe(null)
    for (let crowd = 0; crowd < 40; crowd++) {
      const [x, y, z, wide] = [
        700 * random() - 350,
        60 * random() - 30,
        100 * random() - 50,
        60 + 100 * random(),
      ]
      const spread = (): number => wide * (2 * random() - 1)
      const places = Array.from(
        { length: 400 },
        () => [x + spread(), y + spread() / 4, z + spread()] as const,
      )
      let tree = firstCuts(row)
      const most = (): number => Math.max(...[...loadsOf(tree, places, 0.1).values()].map(({ time }) => time))
      const before = most()
      for (let change = 0; change < 10; change++) {
        const better = betterCuts(row, tree, loadsOf(tree, places, 0.1))
        if (better === null) break
        const last = most()
        tree = better
        expect(most()).toBeLessThanOrEqual(last)
        expect(boxesOf(row, tree).size).toBe(4)
      }
      // none is too full, or it is not half as bad
      // none is too full, or it is half as bad
      if (most() > 16.7) expect(most()).toBeLessThan(0.51 * before)
    }
  })
})
