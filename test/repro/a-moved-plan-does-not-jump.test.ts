import { expect, it } from 'vitest'
import { directed, flySeeks } from '../acceptance/directed-seek-kit.js'

// A plan that was moved to where a waypoint is now expected lay beside its agent. The agent turned to it at
// once, was found off its plan, and planned anew: it turned to and fro up to 17 times on its way. A plan is
// no longer moved: it is adjusted, or searched anew.
it.each([1386, 1416, 1467, 1550])(
  'a plan that follows its waypoint does not jump under its agent: seed %i',
  (seed) => {
    const method = { name: 'planned', space: '3D', make: directed('planned') } as const
    const [flight] = flySeeks(method, 'near', false, 1, { uneven: 'accelerates' }, undefined, seed)
    expect(flight!.success).toBe(true)
    expect(flight!.flips).toBeLessThanOrEqual(3)
  },
)
