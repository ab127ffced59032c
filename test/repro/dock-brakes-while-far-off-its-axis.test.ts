import { expect, it } from 'vitest'
import { flyDocking } from '../rigs/docking-trials.js'

/**
 * A ship that the axis of its port had left sideways put all its thrust into going back to the axis. None was
 * left to brake with, and it rammed the port that it could have stopped before.
 */
it.each([41, 46, 141, 152])('a ship stops before a port that turns away under it (seed %d)', (seed) => {
  const { contacts, docked, knockShare } = flyDocking(seed, { knock: 0.3, knockTime: 1 })
  expect(knockShare).toBeLessThan(0.8)
  expect(contacts).toBe(0)
  expect(docked).toBe(true)
})
