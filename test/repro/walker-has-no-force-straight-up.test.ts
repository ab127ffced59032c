import { expect, it } from 'vitest'
import { Walker } from 'three-steering'
import type { Agent } from 'three-steering/authoring'
import { seeded } from '../../src/core/math/random.js'

// Straight up a walker had a force of some 1e-16 N, by rounding. Land divides by it, so its demand depended
// on how the scene was turned.

it('a walker has exactly no force along its own up axis, whatever its attitude', () => {
  const random = seeded(5)
  const walker = new Walker()
  for (let i = 0; i < 200; i++) {
    const [x, y, z] = [random() - 0.5, random() - 0.5, random() - 0.5]
    const size = Math.hypot(x, y, z)
    const up = { x: x / size, y: y / size, z: z / size }
    const nothing = { x: 0, y: 0, z: 0 }
    const agent = { attitude: { y: up }, plane: nothing, maxForce: 300, gravity: nothing, velocity: nothing }
    expect(walker.forceAlong(agent as unknown as Agent, up.x, up.y, up.z)).toBe(0)
  }
})
