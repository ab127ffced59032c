import { expect, it } from 'vitest'
import {
  Flocking,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  Wander,
  within,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { vec } from '../../demo/scenarios/vectors.js'

/**
 * A flock in a world in which other agents look for neighbours one by one: its agents were copied for the
 * batch before the lists of neighbours were made, which may arrange the rows of all agents. Then the flock
 * was steered by the sums of other agents: forces of at most 20 N were wrong by up to 34 N.
 */
it('each agent of a flock among other agents is steered by its own neighbours', () => {
  const random = seeded(17)
  const spread = (size: number): number => size * (2 * random() - 1)
  const starts = Array.from({ length: 40 }, (_, seed) => ({
    seed,
    position: vec(spread(30), spread(12), spread(12)),
    velocity: vec(spread(6), spread(3), spread(3)),
  }))
  const far = { neighborDistance: 12, weight: 0 }
  const flock = new Flocking({
    separation: { neighborDistance: 4 },
    alignment: far,
    cohesion: { ...far, emergency: false },
  })
  const traffic = within([new ReciprocalAvoidance({ neighborDistance: 12 })], new Wander())
  const world = new SteeringWorld({ seed: 3 })
  const agents = starts.map(({ seed, ...start }) => {
    const behavior = seed % 4 < 2 ? flock : traffic
    return new SteeringController(null, { ...start, seed, maxSpeed: 8, maxForce: 20, behavior })
  })
  for (const agent of agents) world.add(agent)
  world.step(1 / 30)
  let alone = 0
  for (const [i, { position }] of starts.entries()) {
    const gap = (other: { position: typeof position }): number =>
      Math.hypot(other.position.x - position.x, other.position.y - position.y, other.position.z - position.z)
    if (i % 4 > 1 || starts.some((other, k) => k !== i && gap(other) < 4)) continue
    alone++
    const { x, y, z } = agents[i]!.force
    expect(Math.hypot(x, y, z), `agent ${i} has no neighbour`).toBe(0)
  }
  expect(alone).toBeGreaterThan(3)
})
