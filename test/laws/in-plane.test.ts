import { describe, expect, it } from 'vitest'
import { Hover, SteeringController, SteeringWorld, type Fault } from 'three-steering'
import { BEHAVIORS, idle, LOCOMOTIONS, randomScene } from './kit.js'
import { pick } from '../support/tier.js'

/** Every behaviour and combination keeps an agent in its plane, also on foot and on wheels. */

const PLANE = { x: 0, y: 1, z: 0 }
const STEPS = pick(5, 30, 240)
/** Rounding of numbers of up to 50 m (m). */
const OFF = 1e-9

describe.each(pick(['Wheels'], ['Walker', 'Wheels'], ['Hover', 'Walker', 'Wheels']))(
  'in a plane, by %s',
  (gait) => {
    const moved = new Map<string, number>()

    it.each(Object.keys(BEHAVIORS))('%s', (name) => {
      const scene = randomScene(4)
      const { self, others, traits } = scene
      const world = new SteeringWorld()
      const faults: Fault[] = []
      world.addEventListener('fault', (fault) => faults.push(fault))
      const { x, y, z } = self.position
      const agent = new SteeringController(null, {
        ...traits,
        position: { x, y, z },
        velocity: { ...self.velocity, y: 0 },
        quaternion: self.quaternion,
        plane: PLANE,
        behavior: BEHAVIORS[name]!(scene),
        locomotion: LOCOMOTIONS[gait]!(scene),
        seed: 7,
      })
      world.add(agent)
      const drift = { behavior: idle(), locomotion: new Hover({ attitude: null }), maxSpeed: 50, maxForce: 0 }
      for (const { position, velocity } of others)
        world.add(new SteeringController(null, { ...drift, position, velocity }))
      let work = 0
      for (let step = 0; step < STEPS; step++) {
        world.step(1 / 60)
        const { force, position, velocity } = agent
        work += Math.hypot(force.x, force.y, force.z)
        expect(Math.abs(position.y - y)).toBeLessThan(OFF)
        expect(Math.abs(velocity.y)).toBeLessThan(OFF)
      }
      expect(Number.isFinite(agent.position.x + agent.position.z)).toBe(true)
      expect(faults).toEqual([])
      moved.set(name, work)
    })

    it('nearly all of them push', () => {
      expect([...moved.values()].filter((work) => work > 0).length).toBeGreaterThan(0.9 * moved.size)
    })
  },
)
