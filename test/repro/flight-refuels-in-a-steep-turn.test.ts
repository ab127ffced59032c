import { expect, it } from 'vitest'
import { flyRefuel } from '../rigs/refuel-trials.js'

/**
 * Behind a tanker that turned with 6 m/s² an aircraft rolled to and fro without end. The force that kept it
 * on the axis of the approach changed its direction faster than the wings could roll, so it left the cone
 * before the tanker each time it closed in, and never made contact.
 */
it.each([41, 62, 86, 91])('an aircraft makes contact with a tanker in a steep turn (seed %d)', (seed) => {
  const { filled, stages } = flyRefuel(seed, { receiver: 'flight', refuel: { attitude: 'own' } })
  expect(stages).toEqual(['approach', 'precontact', 'closing', 'contact'])
  expect(filled).toBe(true)
})
