import * as CANNON from 'cannon-es'
import { expect, it } from 'vitest'
import { Arrive, AvoidObstacles, BoxShape, Obstacles, SteeringController } from 'three-steering'
import { SteeringWorld, within } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { v } from '../support/geometry.js'

// What moved was seen by the ball of an agent only, not by its head, also where it moved sideways or upwards.

const HALF = v(3, 0.2, 0.5)

it.each([
  { velocity: v(1e-9, 0, 0), rate: 60 },
  { velocity: v(0.5, 0, 0), rate: 30 },
  { velocity: v(0, 0.02, 0), rate: 144 },
])('an agent goes round a beam at its head, which moves by $velocity', ({ velocity, rate }) => {
  const cannon = new CANNON.World()
  const body = new CANNON.Body({ mass: 1, angularFactor: new CANNON.Vec3(0, 0, 0) })
  body.addShape(new CANNON.Sphere(0.4))
  body.addShape(new CANNON.Sphere(0.3), new CANNON.Vec3(0, 1.2, 0))
  cannon.addBody(body)
  const world = new SteeringWorld()
  attachToCannon(world, cannon)
  const beam = { position: v(0, 1.2, 8), velocity }
  const obstacles = new Obstacles([{ shape: new BoxShape(HALF), at: beam }])
  world.add(
    new SteeringController(null, {
      body: cannonBody(body),
      radius: 0.5,
      plane: v(0, 1, 0),
      maxSpeed: 4,
      maxForce: 10,
      behavior: within([new AvoidObstacles({ obstacles })], new Arrive({ target: v(0, 0, 16) })),
    }),
  )
  let least = Infinity
  for (let i = 0; i < 12 * rate; i++) {
    for (const axis of ['x', 'y'] as const) beam.position[axis] += velocity[axis] / rate
    cannon.step(1 / rate)
    const { x, y, z } = body.position
    const across = Math.max(0, Math.abs(x - beam.position.x) - HALF.x)
    const along = Math.max(0, Math.abs(z - beam.position.z) - HALF.z)
    const high = Math.max(0, Math.abs(y + 1.2 - beam.position.y) - HALF.y)
    least = Math.min(least, Math.hypot(across, along, high) - 0.3)
  }
  expect(least).toBeGreaterThan(0.1)
  expect(body.position.z).toBeGreaterThan(15)
})
