import { describe, expect, it } from 'vitest'
import {
  AvoidObstacles,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
  type Behavior,
  type Vec3Like,
} from 'three-steering'
import type { Constraint } from 'three-steering/authoring'

// A fish that wanted to stop was pushed into a coral by its neighbours: it counted on turning away with its
// full force, though it wanted to fly slowly.

const RESPONSE = 0.3

const wants = ({ x, y, z }: Vec3Like): Behavior => ({
  steer({ mass, velocity }, _step, { force }) {
    force.x += (mass * (x - velocity.x)) / RESPONSE
    force.y += (mass * (y - velocity.y)) / RESPONSE
    force.z += (mass * (z - velocity.z)) / RESPONSE
  },
})

/** Demands to fly along +Z, as another agent behind would. */
const push = (): Constraint => ({
  steer() {},
  constrain(_agent, _step, limits) {
    limits.addHalfSpace({ x: 0, y: 0, z: 1 }, 2, true)
  },
})

describe('an agent that wants to fly slowly', () => {
  it.each([
    { x: 0.2, y: 0, z: 0.2 },
    { x: 0.3, y: 0.1, z: 0.5 },
    { x: 0.5, y: 0, z: 0.3 },
    { x: 0.1, y: 0, z: 0.6 },
  ])('is not pushed into an obstacle by another agent (wish $x, $y, $z m/s)', (wish) => {
    const obstacles = [{ shape: new SphereShape(3), at: { x: 0, y: 0, z: 0 } }]
    const pilot = new SteeringController(null, {
      behavior: within([new AvoidObstacles({ obstacles, clearance: 0.2 }), push()], wants(wish)),
      position: { x: 0, y: 0, z: -6 },
      radius: 0.75,
      maxSpeed: 6,
      maxForce: 16,
      responseTime: RESPONSE,
    })
    const world = new SteeringWorld()
    world.add(pilot)
    let least = Infinity
    for (let k = 0; k < 240; k++) {
      world.step(1 / 60)
      const { x, y, z } = pilot.position
      least = Math.min(least, Math.hypot(x, y, z) - 3.75)
    }
    expect(least).toBeGreaterThan(0)
    world.dispose()
  })
})
