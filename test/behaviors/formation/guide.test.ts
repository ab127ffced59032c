import { describe, expect, it } from 'vitest'
import type { Step, Vec3 } from 'three-steering'
import { Guide } from '../../../src/blocks/formation/guide.js'
import { rotate } from '../../../src/core/math/quat.js'

const DT = 1 / 60
const step = (tick: number): Step => ({
  dt: DT,
  time: tick * DT,
  tick,
  up: { x: 0, y: 1, z: 0 },
  emit: () => undefined,
})

describe('the level frame of a formation', () => {
  it('rolls upright at a limited rate after its leader has flown half a loop', () => {
    const guide = new Guide()
    const leader = { position: { x: 0, y: 0, z: 0 }, velocity: { x: 10, y: 0, z: 0 } }
    const top = (): Vec3 => rotate({ x: 0, y: 0, z: 0 }, guide.attitude, { x: 0, y: 1, z: 0 })
    let last: Vec3 | null = null
    let fastest = 0
    // half a loop in three seconds, then four seconds straight on, the other way
    for (let tick = 0; tick < 420; tick++) {
      const angle = Math.min((tick * DT * Math.PI) / 3, Math.PI)
      leader.velocity.x = 10 * Math.cos(angle)
      leader.velocity.y = 10 * Math.sin(angle)
      expect(guide.update(leader, 'level', step(tick))).toBe(true)
      const now = top()
      if (last !== null)
        fastest = Math.max(fastest, Math.hypot(now.x - last.x, now.y - last.y, now.z - last.z) / DT)
      last = now
    }
    expect(fastest).toBeGreaterThan(0.5)
    expect(fastest).toBeLessThan(6)
    expect(last!.y).toBeGreaterThan(0.99)
  })
})
