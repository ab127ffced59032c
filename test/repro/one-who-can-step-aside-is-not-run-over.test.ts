import { expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  Obstacles,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
  type Shape,
  type Vec3,
} from 'three-steering'
import { norm, plus, times, v } from '../support/geometry.js'

// An agent at rest at its goal began to step aside from what flew at it, was pulled back by its wish as soon
// as its velocity led past, and was hit in the middle. A nimble agent looked only as far as it needs to stop.

/** Least gap (m) between an agent at rest at its goal and what comes along `way` at `speed` (m/s). */
function leastGap(shape: Shape, speed: number, maxForce: number, isPlanar: boolean, way: Vec3): number {
  const dt = 1 / 60
  const before = 5 * speed + shape.support(way) + 1
  const rock = { position: times(way, -before), velocity: times(way, speed) }
  const obstacles = new Obstacles([{ shape, at: rock }])
  const agent = new SteeringController(null, {
    radius: 0.5,
    maxSpeed: 5,
    maxForce,
    ...(isPlanar ? { plane: v(0, 1, 0) } : {}),
    behavior: within([new AvoidObstacles({ obstacles })], new Arrive({ target: v(0, 0, 0) })),
  })
  const world = new SteeringWorld()
  world.add(agent)
  let least = Infinity
  for (let time = 0; time < (2 * before) / speed; time += dt) {
    world.step(dt)
    rock.position = plus(rock.position, times(rock.velocity, dt))
    obstacles.refresh()
    least = Math.min(least, obstacles.distance(agent.position, v(0, 0, 0)) - 0.5)
  }
  return least
}

it.each([
  ['a ball', (size: number) => new SphereShape(size)],
  ['a bar', (size: number) => new BoxShape({ x: size / 4, y: size, z: size / 4 })],
])('%s that flies at an agent at its goal passes it, whatever its size and speed', (_name, shape) => {
  for (const size of [1, 4, 8])
    for (const maxForce of [5, 15])
      for (const speed of [6, 13])
        for (const isPlanar of [false, true])
          expect(
            leastGap(shape(size), speed, maxForce, isPlanar, v(-1, 0, 0)),
            `${size} m, ${maxForce} N, ${speed} m/s, ${isPlanar}`,
          ).toBeGreaterThan(0)
})

// Of what came from above or aslant an agent in a plane knew only the lower face, which no velocity in its
// plane leads past: below a large box it stood still until it was hit. What was slower than its own step
// aside it forgot as soon as it moved.

const SLANT = v(-0.6, -0.28, 0.75)

it.each([
  ['sinks', 0.2, v(0, -1, 0)],
  ['sinks', 2, v(0, -1, 0)],
  ['comes aslant', 0.5, times(SLANT, 1 / norm(SLANT))],
  ['comes aslant', 10, times(SLANT, 1 / norm(SLANT))],
])('a box that %s at %d m/s passes an agent in a plane', (_name, speed, way) => {
  for (const size of [1, 4])
    for (const high of [0.5, 2])
      for (const maxForce of [3, 10])
        expect(
          leastGap(new BoxShape(v(size, high, size)), speed, maxForce, true, way),
          `${size} m, ${high} m, ${maxForce} N`,
        ).toBeGreaterThan(0)
})
