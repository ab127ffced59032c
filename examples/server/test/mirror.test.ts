import { expect, it } from 'vitest'
import { costOfCell } from '../src/server/mirror.js'
import { REACH, type Grid } from '../src/world/plan.js'

it.each<[Grid, Grid]>([
  [
    [3, 1, 1],
    [160, 120, 240],
  ],
  [
    [3, 3, 3],
    [160, 100, 160],
  ],
])(
  'a cell in the middle of a world of %j has its agents, and as many ghosts as its borders are wide',
  async (shape, size) => {
    const cost = await costOfCell(shape, size, 50, 3, 40)
    expect(cost.agents).toBe(50)
    const around = size.map((side, i) => (shape[i]! > 1 ? 1 + (2 * REACH) / side : 1))
    // what is beyond an edge or a corner is nearer than 36 m in fewer places
    const most = 50 * (around[0]! * around[1]! * around[2]! - 1)
    expect(cost.ghosts / most).toBeGreaterThan(0.6)
    expect(cost.ghosts / most).toBeLessThan(1.2)
    expect(cost.crossed).toBeGreaterThan(0)
    expect(Math.min(cost.shown, cost.kept, cost.step)).toBeGreaterThan(0)
  },
  120_000,
)
