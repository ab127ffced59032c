import { describe, expect, it } from 'vitest'
import { TASKS, YourScene } from '../../demo/scenarios/your-scene.js'
import { pick } from '../support/tier.js'

const STEP = 1 / 60

function fly(scene: YourScene, seconds: number): void {
  for (let k = 0; k < seconds * 60; k++) scene.step(STEP)
}

describe('the ship of the visitor', () => {
  it.each([
    ['of usual form', { x: 2.2, y: 0.6, z: 2.5 }],
    ['as flat as a card', { x: 2.5, y: 0.15, z: 2.5 }],
    ['as tall as a tower', { x: 0.4, y: 2.5, z: 0.4 }],
  ])('%s arrives without a contact', (_, half) => {
    for (const seed of pick([2], [2, 3, 4], [2, 3, 4, 5, 6, 7, 8])) {
      const scene = new YourScene({ seed, half, task: 'arrive' })
      fly(scene, pick(11, 60, 120))
      expect(scene.arrivals).toBeGreaterThan(0)
      expect(scene.contacts).toBe(0)
      scene.dispose()
    }
  })

  it('docks, leaves, and obeys another order while it is docked', () => {
    const scene = new YourScene({ seed: 1, task: 'dock' })
    for (let k = 0; k < 60 * 60 && scene.leg !== 'docked'; k++) scene.step(STEP)
    expect(scene.leg).toBe('docked')
    fly(scene, 6)
    expect(scene.leg).toBe('undock')
    expect(scene.contacts).toBe(0)
    scene.task = 'arrive'
    fly(scene, 20)
    expect(scene.arrivals).toBeGreaterThan(0)
    scene.dispose()
  })

  it('is built anew where it is, in any task, and goes on', () => {
    for (const task of TASKS) {
      const scene = new YourScene({ seed: 2, task, count: 4 })
      fly(scene, 3)
      const { x, y, z } = scene.body.position
      scene.refit({ x: 0.5, y: 0.5, z: 2.5 }, null, null)
      expect(scene.body.position.toArray()).toEqual([x, y, z])
      expect(scene.world.bodies.filter(({ mass }) => mass === scene.body.mass)).toHaveLength(1)
      fly(scene, 1)
      expect(Math.hypot(...scene.body.velocity.toArray())).toBeGreaterThan(1)
      expect(scene.flock?.count ?? 0).toBe(task === 'lead a flock' ? 4 : 0)
      scene.dispose()
    }
  })

  it('leads its flock through the rocks', () => {
    const scene = new YourScene({ seed: 1, count: pick(8, 30, 60) })
    fly(scene, pick(12, 40, 80))
    const at = { x: 0, y: 0, z: 0 }
    for (let k = 0; k < scene.flock!.count; k++) {
      const { x, y, z } = scene.flock!.position(k, at)
      expect(
        Math.hypot(x - scene.body.position.x, y - scene.body.position.y, z - scene.body.position.z),
      ).toBeLessThan(40)
    }
    expect(scene.contacts).toBe(0)
    scene.dispose()
  })
})
