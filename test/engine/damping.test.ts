import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import { Flock, Hover, SteeringController, SteeringWorld } from 'three-steering'
import type { Behavior, Locomotion, Wrench } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { minus, norm, v } from '../support/geometry.js'

/** A force and a torque that do not depend on the state. */
const push: Behavior = {
  steer(_agent, _step, { force, torque }: Wrench) {
    Object.assign(force, v(0.4, -0.2, 0.7))
    Object.assign(torque, v(0.01, 0.03, -0.02))
  },
}
/** Gives what is wanted, and what compensation takes. */
const engines = new Hover()
const free: Locomotion = {
  forceAlong: (agent, x, y, z) => engines.forceAlong(agent, x, y, z),
  actuate(agent, demand, step, out) {
    engines.actuate(agent, demand, step, out)
    Object.assign(out.torque, demand.torque)
  },
}
const LIMITS = {
  locomotion: free,
  behavior: push,
  maxSpeed: Infinity,
  maxForce: 100,
  maxTurnRate: Infinity,
  radius: 0.5,
}

describe.each([0.01, 0.3, 0.9])(
  'an agent without a body that loses %d of its velocity in a second',
  (loss) => {
    it.each([30, 60, 240])('flies and turns as a body of cannon-es at %d Hz', (hz) => {
      const damping = { linearDamping: loss, angularDamping: loss / 2 }
      for (const compensateDamping of [false, true]) {
        const engine = new CANNON.World()
        const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(0.5), ...damping })
        body.velocity.set(3, 1, -8)
        body.angularVelocity.set(0.3, -1, 0.4)
        engine.addBody(body)
        const world = new SteeringWorld()
        attachToCannon(world, engine)
        world.add(
          new SteeringController(null, {
            ...LIMITS,
            behavior: { ...push },
            compensateDamping,
            body: cannonBody(body),
          }),
        )
        const own = new SteeringWorld()
        const agent = new SteeringController(null, {
          ...LIMITS,
          compensateDamping,
          ...damping,
          // that of the box around the ball
          inertia: v(1 / 6, 1 / 6, 1 / 6),
          velocity: v(3, 1, -8),
          angularVelocity: v(0.3, -1, 0.4),
        })
        own.add(agent)
        for (let i = 0; i < 10 * hz; i++) {
          engine.step(1 / hz)
          own.step(1 / hz)
        }
        expect(norm(minus(agent.velocity, body.velocity))).toBeLessThan(1e-9)
        expect(norm(minus(agent.position, body.position))).toBeLessThan(1e-8)
        expect(norm(minus(agent.angularVelocity, body.angularVelocity))).toBeLessThan(1e-9)
        const kept = norm(minus(agent.velocity, v(4, -2, 7)))
        if (compensateDamping) expect(norm(minus(agent.velocity, v(7, -1, -1)))).toBeLessThan(1e-9)
        else expect(kept).toBeGreaterThan(1)
      }
    })
  },
)

it('a flock with drag flies as its members alone', () => {
  const options = { ...LIMITS, linearDamping: 0.4, angularDamping: 0.2 }
  const world = new SteeringWorld()
  const flock = new Flock({
    ...options,
    count: 40,
    spawn: (i, state) => {
      Object.assign(state.position, v(i, 0, 0))
      Object.assign(state.velocity, v(0, i / 10, 1))
    },
  })
  world.add(flock)
  const alone = new SteeringWorld()
  const one = new SteeringController(null, { ...options, position: v(7, 0, 0), velocity: v(0, 0.7, 1) })
  alone.add(one)
  for (let i = 0; i < 200; i++) {
    world.step(1 / 60)
    alone.step(1 / 60)
  }
  const { x, y, z } = one.position
  expect(flock.position(7, v(0, 0, 0))).toEqual({ x, y, z })
})

it.each(['linearDamping', 'angularDamping'] as const)('%s of an agent with a body is refused', (name) => {
  const body = (): ReturnType<typeof cannonBody> =>
    cannonBody(new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1) }))
  const refusal = `${name}: got 0.1, must be left out of an agent with a body: set the ${name} of the body`
  expect(() => new SteeringController(null, { ...LIMITS, [name]: 0.1, body: body() })).toThrow(refusal)
  expect(() => new Flock({ ...LIMITS, [name]: 0.1, count: 3, body })).toThrow(refusal)
  expect(() => new SteeringController(null, { ...LIMITS, [name]: 1.1 })).toThrow(`${name}: got 1.1, must be`)
})
