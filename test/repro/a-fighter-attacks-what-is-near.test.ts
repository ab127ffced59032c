import { expect, it } from 'vitest'
import { AttackRun, SteeringController } from 'three-steering'
import { fighter } from 'three-steering/vehicles'
import { apart } from '../laws/kit.js'
import { quietWorld } from '../support/pilot.js'
import { v } from '../support/geometry.js'
import { pick } from '../support/tier.js'

// Two turn radii of a fighter at its top speed are 10.7 km. By default it broke off at once, flew 17 km away,
// and had not attacked after three minutes.

it.each(
  pick(
    [[200, 500, 0]],
    [
      [200, 500, 0],
      [200, 500, 200],
      [200, 3000, 200],
    ],
  ),
)(
  'a fighter with a range of %i m attacks what is %i m ahead, at %i m/s, again and again',
  (range, z, speed) => {
    const { world } = quietWorld()
    const target = { position: v(0, 0, z), velocity: v(0, 0, 0) }
    const pilot = new SteeringController(null, {
      ...fighter(),
      velocity: v(0, 0, speed),
      behavior: new AttackRun({ target, range }),
    })
    world.add(pilot)
    let attacks = 0
    pilot.addEventListener('stage', ({ stage }) => (attacks += stage === 'attack' ? 1 : 0))
    let farthest = 0
    for (let i = 0; i < 180 * 60; i++) {
      world.step(1 / 60)
      farthest = Math.max(farthest, apart(pilot.position, target.position))
    }
    expect(attacks).toBeGreaterThanOrEqual(3)
    expect(farthest).toBeLessThan(Math.max(z, 1000) + 1)
  },
)
