import { expect, it } from 'vitest'
import {
  AvoidObstacles,
  Hide,
  Obstacles,
  ReciprocalAvoidance,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { minus, norm, v } from '../support/geometry.js'

/**
 * Agents behind one rock spread as soon as another one was near, which brought them so far apart that none
 * was near any more: each went back to the middle, and so on for ever.
 */
it.each([
  { count: 2, radius: 2, rate: 60 },
  { count: 2, radius: 4, rate: 30 },
  { count: 2, radius: 4, rate: 144 },
  { count: 4, radius: 3, rate: 60 },
  { count: 6, radius: 4, rate: 60 },
  { count: 2, radius: 40, rate: 30 },
  { count: 6, radius: 4, rate: 30, flat: true },
  { count: 8, radius: 6, rate: 30, flat: true },
])(
  '$count behind a rock of $radius m take places of their own, at $rate Hz',
  ({ count, radius, rate, flat = false }) => {
    const obstacles = new Obstacles()
    obstacles.add({ at: v(0, 0, 0), shape: new SphereShape(radius) })
    const seeker = v(0, 0, -20 - radius)
    const world = new SteeringWorld()
    const agents = Array.from({ length: count }, (_, i) => {
      const agent = new SteeringController(null, {
        position: v(3 * i - 4, flat ? 0 : 1 + i, radius + 10 + 2 * i),
        ...(flat && { plane: v(0, 1, 0) }),
        maxSpeed: 4,
        maxForce: 10,
        radius: 0.5,
        behavior: within(
          [new AvoidObstacles({ obstacles }), ...(flat ? [new ReciprocalAvoidance()] : [])],
          new Hide({ target: seeker, obstacles }),
        ),
      })
      world.add(agent)
      return agent
    })
    for (let i = 0; i < 15 * rate; i++) world.step(1 / rate)
    for (const [i, one] of agents.entries()) {
      expect(norm(one.velocity)).toBeLessThan(1e-3)
      expect(obstacles.sees(seeker, one.position)).toBe(false)
      for (const other of agents.slice(0, i))
        expect(norm(minus(one.position, other.position))).toBeGreaterThan(flat ? 1.15 : 1.2)
    }
  },
)

/** Crowds in a plane jostled for good: each was pushed off its place by others who were pushed off theirs. */
it.each([
  { count: 10, radius: 2.5 },
  { count: 16, radius: 5 },
])('a crowd of $count in a plane rests, and is told', ({ count, radius }) => {
  const obstacles = new Obstacles([{ at: v(0, 0, 0), shape: new SphereShape(radius) }])
  const world = new SteeringWorld()
  const random = seeded(count)
  const told = new Set<SteeringController>()
  const agents = Array.from({ length: count }, () => {
    const agent = new SteeringController(null, {
      position: v(24 * (random() - 0.5), 0, radius + 5 + 15 * random()),
      plane: v(0, 1, 0),
      maxSpeed: 4,
      maxForce: 8,
      radius: 0.5,
      behavior: within(
        [new AvoidObstacles({ obstacles }), new ReciprocalAvoidance()],
        new Hide({ target: v(1, 0, -40), obstacles }),
      ),
    })
    agent.addEventListener('arrive', () => told.add(agent))
    agent.addEventListener('leave', () => told.delete(agent))
    world.add(agent)
    return agent
  })
  for (let i = 0; i < 35 * 30; i++) world.step(1 / 30)
  for (const [i, one] of agents.entries()) {
    expect(norm(one.velocity)).toBeLessThan(1e-3)
    for (const other of agents.slice(0, i))
      expect(norm(minus(one.position, other.position))).toBeGreaterThan(1)
  }
  expect(told.size).toBe(count)
})
