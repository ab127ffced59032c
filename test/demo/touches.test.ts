import { describe, expect, it } from 'vitest'
import { Touches } from '../../demo/scenarios/touches.js'

/** Counts for two balls of 1 m radius with these gaps (m), one after another. */
function counted(touches: Touches, gaps: readonly number[]): [contacts: number, near: number] {
  for (const gap of gaps)
    touches.see([
      { key: 0, radius: 1, position: { x: 0, y: 0, z: 0 } },
      { key: 1, radius: 1, position: { x: 2 + gap, y: 0, z: 0 } },
    ])
  return [touches.contacts, touches.near]
}

describe('Touches', () => {
  it('counts a pair that bounces within the skin as one contact, with and without a margin', () => {
    const bounces = [1, -1e-3, 1e-3, -1e-3, 0.019, -1e-3, 1]
    expect(counted(new Touches(), bounces)).toEqual([1, 1])
    expect(counted(new Touches(0.1), bounces)).toEqual([1, 1])
  })

  it('counts a second contact after the pair was apart', () => {
    expect(counted(new Touches(), [1, -1e-3, 0.021, -1e-3])).toEqual([2, 2])
    expect(counted(new Touches(0.1), [1, -1e-3, 0.021, -1e-3])).toEqual([2, 1])
  })

  it('counts passes within the margin, which are no contacts', () => {
    expect(counted(new Touches(0.1), [1, 0.05, 1, 0.09, 0.2])).toEqual([0, 2])
    expect(counted(new Touches(), [1, 0.05, 1])).toEqual([0, 0])
  })
})
