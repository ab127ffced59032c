import { describe, expect, it } from 'vitest'
import { Progress, Standing } from '../support/progress.js'

// The measures of long scenes must notice a scene without progress.

describe('progress', () => {
  it('is measured as the longest time without an achievement, also at the start and at the end', () => {
    const spans = (deeds: readonly number[], until: number): number => {
      const progress = new Progress()
      for (let time = 1; time <= until; time++)
        progress.update(time, deeds.filter((deed) => deed <= time).length)
      return progress.longest
    }
    expect(spans([], 90)).toBe(90)
    expect(spans([10, 30, 40], 50)).toBe(20)
    expect(spans([10, 20], 90)).toBe(70)
    expect(spans([70], 80)).toBe(70)
  })

  it('may start at another time and count', () => {
    const progress = new Progress(100, 7)
    progress.update(103, 7)
    expect(progress.longest).toBe(3)
  })
})

describe('a standing agent', () => {
  it('is one that stays within a distance of one place, at rest, trembling or circling', () => {
    for (const wave of [0, 0.2]) {
      const standing = new Standing(1)
      for (let time = 0; time <= 30; time += 0.5) {
        standing.update(time, 0, { x: time, y: 0, z: 0 })
        standing.update(time, 1, { x: 4 + wave * Math.sin(5 * time), y: wave * Math.cos(5 * time), z: 1 })
      }
      expect(standing.longest).toBe(30)
    }
  })

  it('is not one that flies on slowly', () => {
    const standing = new Standing(1)
    for (let time = 0; time <= 60; time += 0.5) standing.update(time, 0, { x: 0.3 * time, y: 0, z: 0 })
    expect(standing.longest).toBeLessThan(4)
  })

  it('may stand for a reason, which is not counted', () => {
    const standing = new Standing(1)
    for (let time = 0; time <= 30; time++)
      if (time === 10) standing.excuse(0)
      else standing.update(time, 0, { x: 0, y: 0, z: 0 })
    expect(standing.longest).toBe(19)
  })
})
