import { expect, it } from 'vitest'
import { flyLanding } from '../rigs/landing-trials.js'

// The flight to the pad was planned with the least force in any direction. A lander with weak jets to the
// sides planned so slowly that it never met a deck that moves, and hung beside it for good.
it.each([
  ['deck', 'jets', 308],
  // it neither begins before it can stop across, nor comes down too fast where gravity grows
  ['deck', 'jets', 303],
  ['asteroid', 'weak', 301],
] as const)('%s, %s engines, seed %i: it lands without losing a stage', (field, engines, seed) => {
  const compensateGravity = seed === 308
  const { stages, time } = flyLanding(seed, { field, engines, compensateGravity, rest: 1 })
  expect(stages).toEqual(['approach', 'align', 'final', 'landed'])
  expect(time).toBeLessThan(30)
})
