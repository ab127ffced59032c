import { expect, it } from 'vitest'
import { Arrive, ReciprocalAvoidance, SteeringWorld, within } from 'three-steering'
import { minus, norm, v } from '../support/geometry.js'
import { pilot } from '../support/pilot.js'
import { pick } from '../support/tier.js'

// Fast agents that pressed on gave up the clearance that they needed to respond, and ran into each other.

it('fast agents change places on a circle, and hardly touch', () => {
  let contacts = 0
  for (let seed = 1; seed <= pick(2, 8); seed++) {
    const world = new SteeringWorld({ seed })
    const agents = Array.from({ length: 14 }, (_, i) => {
      const angle = (2 * Math.PI * (i + 0.01 * seed * (i % 3))) / 14
      const position = v(8 * Math.cos(angle), 0, 8 * Math.sin(angle))
      const behavior = within(
        [new ReciprocalAvoidance()],
        new Arrive({ target: minus(v(0, 0, 0), position) }),
      )
      const limits = { plane: v(0, 1, 0), maxSpeed: 20, maxForce: 400, radius: 0.5 }
      const agent = pilot(behavior, { position, ...limits })
      world.add(agent)
      return agent
    })
    const touching = new Set<string>()
    for (let i = 0; i < 10 * 60; i++) {
      world.step(1 / 60)
      for (const [a, one] of agents.entries())
        for (const [b, other] of agents.slice(0, a).entries())
          if (norm(minus(one.position, other.position)) < 1) touching.add(`${a} ${b}`)
    }
    contacts += touching.size
  }
  expect(contacts).toBeLessThan(pick(1, 3))
})
