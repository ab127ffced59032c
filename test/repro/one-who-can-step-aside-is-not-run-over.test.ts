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
} from 'three-steering'

// An agent at rest at its goal began to step aside from what flew at it, was pulled back by its wish as soon
// as its velocity led past, and was hit in the middle. A nimble agent looked only as far as it needs to stop.

/** Least gap (m) between an agent at rest at its goal and what flies at it with `speed` (m/s). */
function leastGap(shape: Shape, speed: number, maxForce: number, isPlanar: boolean): number {
  const dt = 1 / 60
  const rock = { position: { x: 8 * speed, y: 0, z: 0 }, velocity: { x: -speed, y: 0, z: 0 } }
  const obstacles = new Obstacles([{ shape, at: rock }])
  const agent = new SteeringController(null, {
    radius: 0.5,
    maxSpeed: 5,
    maxForce,
    ...(isPlanar ? { plane: { x: 0, y: 1, z: 0 } } : {}),
    behavior: within([new AvoidObstacles({ obstacles })], new Arrive({ target: { x: 0, y: 0, z: 0 } })),
  })
  const world = new SteeringWorld()
  world.add(agent)
  let least = Infinity
  for (let i = 0; i < 10 / dt; i++) {
    world.step(dt)
    rock.position.x -= speed * dt
    obstacles.refresh()
    least = Math.min(least, obstacles.distance(agent.position, { x: 0, y: 0, z: 0 }) - 0.5)
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
            leastGap(shape(size), speed, maxForce, isPlanar),
            `${size} m, ${maxForce} N, ${speed} m/s, ${isPlanar}`,
          ).toBeGreaterThan(0)
})
