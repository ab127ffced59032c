import { describe, expect, it } from 'vitest'
import { Progress, Standing } from '../support/progress.js'

// The measures by which long scenes are judged must notice a scene that has come to a stand.

describe('progress', () => {
  it('is the longest time without a deed, at the start and at the end as well', () => {
    const spans = (deeds: readonly number[], until: number): number => {
      const progress = new Progress()
      for (let time = 1; time <= until; time++)
        progress.see(time, deeds.filter((deed) => deed <= time).length)
      return progress.longest
    }
    expect(spans([], 90)).toBe(90)
    expect(spans([10, 30, 40], 50)).toBe(20)
    expect(spans([10, 20], 90)).toBe(70)
    expect(spans([70], 80)).toBe(70)
  })

  it('counts from a start of its own', () => {
    const progress = new Progress(100, 7)
    progress.see(103, 7)
    expect(progress.longest).toBe(3)
  })
})

describe('standing', () => {
  it('is to stay within a reach of one place, still, trembling or circling', () => {
    for (const wave of [0, 0.2]) {
      const standing = new Standing(1)
      for (let time = 0; time <= 30; time += 0.5) {
        standing.see(time, 0, { x: time, y: 0, z: 0 })
        standing.see(time, 1, { x: 4 + wave * Math.sin(5 * time), y: wave * Math.cos(5 * time), z: 1 })
      }
      expect(standing.longest).toBe(30)
    }
  })

  it('is not to fly on, however slowly', () => {
    const standing = new Standing(1)
    for (let time = 0; time <= 60; time += 0.5) standing.see(time, 0, { x: 0.3 * time, y: 0, z: 0 })
    expect(standing.longest).toBeLessThan(4)
  })
})
