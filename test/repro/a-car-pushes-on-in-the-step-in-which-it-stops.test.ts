import { expect, it } from 'vitest'
import { SteeringController, SteeringWorld, Stick, Wheels } from 'three-steering'
import type { SteeringBody } from 'three-steering/authoring'
import { v } from '../support/geometry.js'

// The brakes of a car whose engine is weaker than they are stopped it in one step, and the engine pushed in
// the next one. A body that an engine of physics left with a trace of speed was stopped in each step, and
// never left.

it.each([30, 60, 240])('also a body that keeps a trace of speed, at %d Hz', (rate) => {
  for (const trace of [1e-9, 5e-6, 1e-3]) {
    const mass = 1000
    let pushed = 0
    const body: SteeringBody = {
      read(out) {
        for (const none of [out.position, out.velocity, out.angularVelocity, out.center, out.gravity])
          Object.assign(none, v(0, 0, 0))
        out.velocity.z = trace
        out.mass = mass
        out.linearDamping = out.angularDamping = 0
        Object.assign(out.inertia, v(1500, 1500, 400))
        Object.assign(out.quaternion, { x: 0, y: 0, z: 0, w: 1 })
      },
      apply: ({ force }) => void (pushed = force.z),
    }
    const world = new SteeringWorld()
    world.add(
      new SteeringController(null, {
        body,
        plane: v(0, 1, 0),
        forward: v(0, 0, 1),
        up: v(0, 1, 0),
        maxSpeed: 15,
        maxForce: 8000,
        locomotion: new Wheels({ wheelbase: 2, thrust: 3000, grip: 100 }),
        behavior: new Stick({ ahead: -1 }),
      }),
    )
    for (let i = 0; i < 10; i++) world.step(1 / rate)
    // what stops it, and then the engine, for the rest of the step
    const stop = mass * trace * rate
    expect(pushed).toBeLessThan(-stop - 2900 * (1 - stop / 8000))
    expect(pushed).toBeGreaterThan(-stop - 3000)
  }
})
