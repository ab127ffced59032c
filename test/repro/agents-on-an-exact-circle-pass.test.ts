import { expect, it } from 'vitest'
import { Arrive, ReciprocalAvoidance, SteeringController, SteeringWorld, within } from 'three-steering'
import { minus, norm, v } from '../support/geometry.js'
import { pick } from '../support/tier.js'

/**
 * Agents on an exact circle in a plane that go to the places opposite leaned on each other like the stones of
 * an arch, and stood for good: slow ones with a large force more than others.
 */

const CASES = [
  { count: 8, maxSpeed: 2, maxForce: 30 },
  { count: 16, maxSpeed: 2, maxForce: 10 },
  { count: 16, maxSpeed: 4, maxForce: 40 },
]
const MORE = [
  ...CASES,
  { count: 16, maxSpeed: 1.4, maxForce: 5 },
  { count: 16, maxSpeed: 2, maxForce: 30 },
  { count: 24, maxSpeed: 4, maxForce: 30 },
  { count: 32, maxSpeed: 2, maxForce: 10 },
]

it.each(pick(CASES, MORE))('$count at $maxSpeed m/s with $maxForce N', ({ count, ...limits }) => {
  const world = new SteeringWorld()
  const others = new ReciprocalAvoidance()
  const radius = 1.25 * Math.max(count, 12)
  const agents = Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count
    const target = v(-radius * Math.cos(angle), 0, -radius * Math.sin(angle))
    const agent = new SteeringController(null, {
      ...limits,
      position: v(-target.x, 0, -target.z),
      radius: 0.5,
      plane: v(0, 1, 0),
      behavior: within([others], new Arrive({ target })),
    })
    world.add(agent)
    return { agent, target }
  })
  const isThere = ({ agent, target }: (typeof agents)[0]): boolean =>
    norm(minus(agent.position, target)) < 0.1
  for (let s = 0; s < 60 && !agents.every(isThere); s++) {
    for (let i = 0; i < 30; i++) world.step(1 / 30)
  }
  expect(agents.filter(isThere).length).toBe(count)
})
