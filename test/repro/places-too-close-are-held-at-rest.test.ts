import { expect, it } from 'vitest'
import { Arrive, ReciprocalAvoidance, SteeringWorld, within } from 'three-steering'
import { minus, norm, v } from '../support/geometry.js'
import { pilot } from '../support/pilot.js'
import { pick } from '../support/tier.js'

// Agents whose places are closer than their clearance pressed each other off them, and never came to rest.

const ROWS = [
  { spacing: 1.12, columns: 9, rate: 60 },
  { spacing: 1.05, columns: 3, rate: 30 },
  { spacing: 1.01, columns: 9, rate: 40 },
]
it.each(pick(ROWS.slice(0, 1), ROWS))(
  'nine agents $spacing m apart, in rows of $columns, stand, at $rate Hz',
  ({ spacing, columns, rate }) => {
    const world = new SteeringWorld()
    const agents = Array.from({ length: 9 }, (_, i) => {
      const position = v((i % columns) * spacing, 0, Math.floor(i / columns) * spacing)
      const behavior = within([new ReciprocalAvoidance()], new Arrive({ target: { ...position } }))
      const agent = pilot(behavior, { position, plane: v(0, 1, 0), maxSpeed: 4, maxForce: 10, radius: 0.5 })
      world.add(agent)
      return agent
    })
    let least = Infinity
    for (let i = 0; i < 70 * rate; i++) {
      world.step(1 / rate)
      if (i < 68 * rate) continue
      for (const one of agents) {
        expect(norm(one.velocity)).toBeLessThan(0.02)
        for (const other of agents)
          if (other !== one) least = Math.min(least, norm(minus(one.position, other.position)))
      }
    }
    expect(least).toBeGreaterThan(1)
  },
)
