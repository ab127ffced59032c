import { expect, it } from 'vitest'
import { SteeringWorld, Walker } from 'three-steering'
import { pilot } from '../support/pilot.js'

/**
 * A walker in the air that rose, and wanted to go down and aside at once: the speed limit left a force
 * down and aside, of which a walker gives only the part aside. It became faster than its top speed.
 */
it.each([1, 30])(
  'a walker that rises near its top speed does not become faster, with a force of %i × 60 N',
  (eager) => {
    const velocity = { x: -6.869466483666481, y: 6.429907718897681, z: 7.428247502354971 }
    const force = { x: 1.2170487872513858, y: -57.03313619391713, z: 18.59408960222439 }
    const walker = pilot(
      { steer: (_agent, _step, out) => void Object.assign(out.force, force) },
      {
        velocity,
        mass: 2.5,
        maxSpeed: 12,
        maxForce: 60 * eager,
        responseTime: 0.15,
        locomotion: new Walker(),
      },
    )
    new SteeringWorld().add(walker).step(1 / 60)
    const { x, y, z } = walker.velocity
    expect(Math.hypot(x, y, z)).toBeLessThanOrEqual(12 * (1 + 1e-12))
    expect(x !== velocity.x && z !== velocity.z).toBe(true)
  },
)
