import { describe, expect, it } from 'vitest'
import * as CANNON from 'cannon-es'
import {
  BoxShape,
  Guard,
  HalfSpaceShape,
  HollowShape,
  Obstacles,
  SphereShape,
  SteeringWorld,
  type Behavior,
  type ControllerOptions,
  type Shape,
  type SteeringController,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { drive, seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { expectVec, norm, v } from '../support/geometry.js'
import { idle, pilot } from '../support/pilot.js'
import { pick } from '../support/tier.js'

const NONE = v(0, 0, 0)

function flown(
  guard: Obstacles,
  options: Partial<ControllerOptions>,
  steps = 60,
  dt = 1 / 60,
  behavior: Behavior = idle(),
): SteeringController {
  const world = new SteeringWorld({ guard: new Guard(guard) })
  const one = pilot(behavior, options)
  world.add(one)
  for (let i = 0; i < steps; i++) world.step(dt)
  return one
}

function solid(shape: Shape, at: Vec3Like = NONE): Obstacles {
  return new Obstacles([{ shape, at }])
}
const wall = (): Obstacles => solid(new HalfSpaceShape(v(-1, 0, 0)), v(5, 0, 0))

describe('the guard of a world', () => {
  it('lets the agent slide along the surface without other losses', () => {
    const one = flown(wall(), { velocity: v(10, 2, -3) })
    expectVec(one.position, v(5, 2, -3), 1e-6)
    expectVec(one.velocity, v(0, 2, -3), 1e-9)
  })

  it('holds an agent in the corner of a room', () => {
    const push: Behavior = { steer: (agent, step, out) => drive(agent, step, v(9, 8, 7), out.force) }
    const one = flown(solid(new HollowShape(new BoxShape(v(4, 5, 6)))), {}, 300, 1 / 60, push)
    expectVec(one.position, v(4, 5, 6), 1e-6)
  })

  it('is not passed in one long step or through a thin wall', () => {
    const plate = solid(new BoxShape(v(0.01, 50, 50)), v(30, 0, 0))
    const one = flown(plate, { velocity: v(1000, 0, 0), maxSpeed: 1e4 }, 1, 1)
    expect(one.position.x).toBeCloseTo(29.99, 5)
  })

  it.each([30, 60, 240])('never lets a centre in, at 1/%i s', (rate) => {
    const random = seeded(8)
    const around = (size: number): number => size * (2 * random() - 1)
    const guard = new Obstacles()
    for (let i = 0; i < 12; i++)
      guard.add({
        shape:
          i % 2 === 0
            ? new SphereShape(1 + random())
            : new BoxShape(v(1 + random(), 1 + random(), 1 + random())),
        at: v(around(6), around(6), around(6)),
      })
    guard.add({ shape: new HollowShape(new SphereShape(9)) })
    const world = new SteeringWorld({ guard: new Guard(guard) })
    const normal = v(0, 0, 0)
    const mad: Behavior = {
      steer(agent, step, out) {
        drive(
          agent,
          step,
          v(agent.random() * 80 - 40, agent.random() * 80 - 40, agent.random() * 80 - 40),
          out.force,
        )
      },
    }
    const crowd: SteeringController[] = []
    while (crowd.length < 20) {
      const position = v(around(5), around(5), around(5))
      if (guard.distance(position, normal) > 0.01)
        crowd.push(pilot(mad, { position, maxSpeed: 40, maxForce: 400, seed: crowd.length }))
    }
    for (const each of crowd) world.add(each)
    let deepest = 0
    for (let i = 0; i < pick(3, 5) * rate; i++) {
      world.step(1 / rate)
      for (const { position } of crowd) deepest = Math.max(deepest, -guard.distance(position, normal))
    }
    expect(deepest).toBe(0)
  })

  it('lets an agent inside leave, but not go deeper, and does not move it', () => {
    const ball = (): Obstacles => solid(new SphereShape(5))
    const at = (velocity: Vec3): Vec3Like => flown(ball(), { position: v(3, 0, 0), velocity }, 1).position
    expectVec(at(NONE), v(3, 0, 0), 0)
    expectVec(at(v(6, 0, 0)), v(3.1, 0, 0), 1e-9)
    expectVec(at(v(-6, 0, 0)), v(3, 0, 0), 1e-6)
  })

  it('moves agents out of a moving wall', () => {
    const thing = { position: v(5, 0, 0), velocity: v(-3, 0, 0) }
    const guard = new Obstacles([{ shape: new HalfSpaceShape(v(-1, 0, 0)), at: thing }])
    const world = new SteeringWorld({ guard: new Guard(guard) })
    const one = pilot(idle(), { position: v(4, 0, 0), velocity: v(0, 1, 0) })
    world.add(one)
    for (let i = 0; i < 120; i++) {
      world.step(1 / 60)
      thing.position.x += thing.velocity.x / 60
    }
    // where the wall is at the end of the last step
    expect(one.position.x).toBeCloseTo(-1, 6)
    expectVec(one.velocity, v(-3, 1, 0), 1e-9)
  })

  it('may get other obstacles at any time', () => {
    const guard = wall()
    const world = new SteeringWorld({ guard: new Guard(guard) })
    const one = pilot(idle(), { velocity: v(10, 0, 0) })
    world.add(one)
    for (let i = 0; i < 20; i++) world.step(1 / 60)
    guard.clear()
    for (let i = 0; i < 40; i++) world.step(1 / 60)
    expect(one.position.x).toBeCloseTo(10, 9)
  })

  it('does not affect agents with bodies', () => {
    const physics = new CANNON.World()
    const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(0.5), linearDamping: 0 })
    body.velocity.set(10, 0, 0)
    physics.addBody(body)
    const world = new SteeringWorld({ guard: new Guard(wall()) })
    attachToCannon(world, physics)
    world.add(pilot(idle(), { body: cannonBody(body) }))
    for (let i = 0; i < 60; i++) physics.step(1 / 60)
    expect(body.position.x).toBeGreaterThan(9)
  })

  it('turns the course along the remaining velocity', () => {
    const one = flown(wall(), { velocity: v(10, 3, 0), position: v(4.9, 0, 0) }, 1)
    expect(norm(one.velocity)).toBeCloseTo(3, 9)
    expectVec(one.course.x, v(0, 1, 0), 1e-9)
  })

  it.each<[string, unknown, string]>([
    ['a list', [], 'Guard.obstacles: got an array of 0, must be a set of Obstacles'],
    [
      'a shape',
      new SphereShape(1),
      'Guard.obstacles: got an instance of SphereShape, must be a set of Obstacles',
    ],
    ['nothing', null, 'Guard.obstacles: got null, must be a set of Obstacles'],
  ])('refuses %s', (_, obstacles, message) => {
    expect(() => new Guard(obstacles as Obstacles)).toThrow(message)
  })

  it('is a Guard: a world names it where it gets the obstacles themselves', () => {
    const guard = wall() as unknown as Guard
    expect(() => new SteeringWorld({ guard })).toThrow(/must be a Guard, as new Guard\(obstacles\)/)
  })
})
