import { expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  DirectedSeek,
  FollowPath,
  Obstacles,
  Path,
  SteeringController,
  SteeringWorld,
  Walker,
  within,
  type Behavior,
  type ControllerOptions,
  type Vec3,
} from 'three-steering'
import { car } from 'three-steering/vehicles'
import { minus, norm, v } from '../support/geometry.js'

const CAR = { ...car(), maxSpeed: 6, radius: 1.2 }
const WALKER = { mass: 70, maxSpeed: 2.5, maxForce: 400, radius: 0.4, locomotion: new Walker() }

const along = (end: Vec3): Behavior =>
  new FollowPath({ path: new Path({ points: [v(-8, 0, 0), end], curve: 'polyline' }) })

const KINDS: Record<
  string,
  { options: Omit<ControllerOptions, 'behavior'>; size: number; wish: (to: Vec3) => Behavior }
> = {
  'a car that arrives': {
    options: CAR,
    size: 12,
    wish: (target) => new Arrive({ target }),
  },
  'a car that parks': {
    options: CAR,
    size: 12,
    wish: (position) =>
      new DirectedSeek({ target: { position, heading: v(1, 0, 0) }, arrivalSpeed: 0, reverse: true }),
  },
  'a walker that arrives with a heading': {
    options: WALKER,
    size: 6,
    wish: (position) => new DirectedSeek({ target: { position, heading: v(1, 0, 0) }, arrivalSpeed: 0 }),
  },
  'a drone on a path': { options: { mass: 2, maxSpeed: 6, maxForce: 40, radius: 0.4 }, size: 6, wish: along },
  'a walker on a path': { options: WALKER, size: 6, wish: along },
  'a car on a path': { options: CAR, size: 12, wish: along },
}

// They were told that no way leads out of the room, and rested until the straight line to their goal was
// free: for good, where another wall went. On a path the walker and the car then turned back half-way round:
// the walker took a place half a lap ahead, in the room, for the one that it seeks a route to, and the car
// was cut off from the path that it had left. A car that parks looked only as far round as one search does.
// Where that wall is a body that slides aside, no obstacle comes or goes, and all of them rested for good.
it.each(
  Object.keys(KINDS).flatMap((name) => [
    [name, 'is taken away'],
    [name, 'slides aside'],
  ]),
)('%s leaves a room, one wall of which %s', (name, how) => {
  const { options, size, wish } = KINDS[name]!
  const world = new SteeringWorld({ seed: 1 })
  const wall = (x: number, z: number) => ({
    shape: new BoxShape(v(x === 0 ? size : 0.3, 3, z === 0 ? size : 0.3)),
    at: v(x, 0, z),
  })
  const obstacles = new Obstacles([wall(size, 0), wall(0, size), wall(0, -size)])
  const { shape, at: position } = wall(-size, 0)
  const body = { position, velocity: v(0, 0, 0) }
  const gate = obstacles.add({ shape, at: body })
  const goal = v(2.3 * size, 0, 0.3)
  const agent = new SteeringController(null, {
    plane: v(0, 1, 0),
    position: v(0.4, 0, 1.2),
    ...options,
    behavior: within([new AvoidObstacles({ obstacles })], wish(goal)),
  })
  world.add(agent)
  for (let n = 0; n < 50 * 60; n++) world.step(1 / 60)
  expect(norm(agent.velocity)).toBeLessThan(0.01)
  if (how === 'is taken away') obstacles.remove(gate)
  body.velocity.z = size
  let isThere = false
  for (let n = 0; n < 60 * 60 && !isThere; n++) {
    world.step(1 / 60)
    position.z += body.velocity.z / 60
    if (n === 130) body.velocity.z = 0
    isThere = norm(minus(agent.position, goal)) < 1.5
  }
  expect(isThere).toBe(true)
})
