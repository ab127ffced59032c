import { expect, it } from 'vitest'
import { Obstacles, SphereShape } from 'three-steering'
import { v } from '../support/geometry.js'

// A set that had been built anew from 64 shots named 81 that come, 16 of them undefined.
it('all shots that come are named, also those that were added after the set was built', () => {
  const obstacles = new Obstacles()
  const shape = new SphereShape(0.2)
  const arrival = { beyond: -Infinity, radius: 1, time: 10, distance: 100, velocities: new Float64Array(9) }
  for (const more of [32, 32, 17]) {
    for (let i = 0; i < more; i++) {
      const [x, y] = [Math.cos(i), Math.sin(i)]
      obstacles.add({ shape, at: { position: v(40 * x, 40 * y, 0), velocity: v(-20 * x, -20 * y, 0) } })
    }
    const out: NonNullable<ReturnType<Obstacles['sweep']>>['obstacle'][] = []
    expect(obstacles.coming(v(0, 0, 0), arrival, out, 0)).toBe(obstacles.size)
    expect(out.includes(undefined as never)).toBe(false)
  }
})
