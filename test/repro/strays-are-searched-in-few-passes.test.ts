import { afterEach, expect, it, vi } from 'vitest'
import { neighborSearch } from 'three-steering'
import { Candidates } from '../../src/core/neighbors/candidates.js'
import { Scan } from '../../src/core/neighbors/scan.js'
import { FLOCK_3D, flock3d } from '../rigs/flock-3d.js'
import { pick } from '../support/tier.js'

// Agents that re-enter a box at the opposite side stray from their neighbour lists. Each of them was compared
// with the result one by one, so a long run became slower and slower.

afterEach(() => vi.restoreAllMocks())

it('strays are searched in few passes, however many there are', () => {
  const { flock, world } = flock3d(pick(1000, 1500, 1500), 7)
  const flocking = flock.behavior
  // a root that does not show its part, so that the agents look for neighbours one by one
  flock.behavior = {
    neighborSearch,
    reach: FLOCK_3D.radius,
    reachTo: 'center',
    steer: (agent, step, out) => flocking.steer(agent, step, out),
  }
  for (let i = 0; i < 100; i++) world.step(FLOCK_3D.dt)
  const finds = vi.spyOn(Candidates.prototype, 'find')
  const relists = vi.spyOn(Candidates.prototype as unknown as { relist: () => boolean }, 'relist')
  const passes = vi.spyOn(Scan.prototype, 'list')
  for (let i = 0; i < 30; i++) world.step(FLOCK_3D.dt)
  const lists = relists.mock.contexts.at(-1) as Candidates
  expect(lists.strayCount).toBeGreaterThan(20)
  expect(relists.mock.calls.length).toBeGreaterThan(60)
  // one pass over the list of each agent that looks, and some over the strays for each that is listed again
  const perRelist = (passes.mock.calls.length - finds.mock.calls.length) / relists.mock.calls.length
  expect(perRelist).toBeLessThan(5)
})
