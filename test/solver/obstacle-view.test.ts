import { describe, expect, it } from 'vitest'
import { Obstacle, SphereShape } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { ObstacleView } from '../../src/solver/obstacle-view.js'
import { about, crossOf, plus, times, turned, unit, v } from '../support/geometry.js'

describe('a ball outside of a cone of directions', () => {
  it.each([
    ['stands still', 0],
    ['drifts', 0.6],
    ['is almost as fast as the agent', 0.98],
  ])('blocks none of them: one that %s', (_, share) => {
    const random = seeded(1987)
    const within = (size: number): number => size * (2 * random() - 1)
    const any = () => unit(v(within(1) + 1e-9, within(1), within(1)))
    const speed = 10
    let aside = 0
    for (let i = 0; i < 4000; i++) {
      const position = times(any(), 3 + 40 * random())
      const velocity = times(any(), share * speed)
      const ball = new Obstacle({ shape: new SphereShape(0.5 + 2 * random()), at: { position, velocity } })
      const bar = new ObstacleView(ball)
      bar.set(ball, 1e3, 0.5, 0.3)
      bar.update(v(0, 0, 0), v(0, 0, 0), { speed: 1, lag: 0 })
      const axis = any()
      const angle = 1.2 * random()
      if (!bar.isAside(axis, angle, speed)) continue
      aside++
      // the edge of the cone, and some directions inside
      const side = unit(crossOf(axis, any()))
      let least = Infinity
      for (let k = 0; k < 24; k++) {
        const tip = turned(about(side, angle * (k % 3 === 0 ? random() : 1)), axis)
        const direction = turned(about(axis, (k * Math.PI) / 12), tip)
        least = Math.min(least, bar.distanceToOutline(direction, { speed, lag: 0 }))
      }
      expect(least).toBe(Infinity)
    }
    // the test is not empty
    expect(aside).toBeGreaterThan(share < 0.9 ? 1000 : 100)
  })

  it('it is passed at the point of the path nearest to it', () => {
    const ball = new Obstacle({ shape: new SphereShape(1), at: v(6, 3, 0) })
    const bar = new ObstacleView(ball)
    bar.set(ball, 100, 0.5, 0.3)
    bar.update(v(0, 0, 0), v(0, 0, 0), { speed: 1, lag: 0 })
    bar.measureAbreast(unit(plus(v(1, 0, 0), v(0, 1, 0))))
    expect(bar.abreast).toBeCloseTo(9 / Math.SQRT2, 9)
  })
})
