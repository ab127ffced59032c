import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  CapsuleShape,
  CylinderShape,
  HalfSpaceShape,
  Obstacle,
  SphereShape,
  SteeringWorld,
  Thrusters,
  within,
  type Shape,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { directions } from '../../src/core/math/directions.js'
import { minus, norm, plus, times, unit, v } from '../support/geometry.js'
import { ask, fly, pilot } from '../support/pilot.js'
import { knownHull, knownPrism, PLANS } from '../obstacles/kit.js'
import { unitQuat } from './kit.js'
import { pick } from '../support/tier.js'

// An agent inside an obstacle leaves it by an exit that is good for its goal: the path out and the rest of
// the path to the goal together are at most a tenth longer than the best.

const RADIUS = 0.5
/** Radius of the sphere that must be clear (m), see `SHALLOW` in AvoidObstacles. */
const BALL = RADIUS / 2
const WORST = 1.1
/**
 * Share of cases that may exceed `WORST`: only 27 directions and those near the best are tried. With several
 * obstacles such a case may be up to `WORST_OF_CLUMPS`, because a blocked path after the exit counts as half
 * a circle.
 */
const MISSED = 0.03
const WORST_OF_CLUMPS = 1.6

type Random = () => number

function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random()
}

/** A size between 1 and 16 m, half of them below 4 m. */
function size(random: Random): number {
  return 4 ** between(random, 0, 2)
}

function anywhere(random: Random): Vec3 {
  for (;;) {
    const p = v(2 * random() - 1, 2 * random() - 1, 2 * random() - 1)
    if (norm(p) < 1 && norm(p) > 0.1) return unit(p)
  }
}

const SHAPES: Record<string, (random: Random) => Shape> = {
  sphere: (random) => new SphereShape(size(random)),
  box: (random) => new BoxShape(v(size(random), size(random), size(random))),
  plate: (random) => new BoxShape(v(8 * size(random), 0.5 + size(random) / 8, 8 * size(random))),
  capsule: (random) => new CapsuleShape(size(random), size(random)),
  cylinder: (random) => new CylinderShape(size(random), size(random)),
  hull: (random) =>
    knownHull(
      Array.from({ length: 9 }, () => anywhere(random)),
      v(size(random), size(random), size(random)),
      v(0, 0, 0),
    ).shape,
  prism: (random) => {
    const [halfX, halfZ] = [size(random), size(random)]
    const plan = Array.from({ length: 5 }, (_, i) => {
      const angle = ((i + 0.6 * random()) / 5) * 2 * Math.PI
      return { x: halfX * Math.cos(angle), z: halfZ * Math.sin(angle) }
    })
    return knownPrism(plan, size(random)).shape
  },
  'concave prism': (random) => {
    const scale = size(random)
    const plan = PLANS['ell']!.map(({ x, z }) => ({ x: scale * x, z: scale * z }))
    return knownPrism(plan, 2 * size(random)).shape
  },
}

interface Case {
  readonly obstacles: Obstacle[]
  readonly start: Vec3
  readonly goal: Vec3
}

/** Overlapping obstacles, a start deep inside the first one, and a goal well outside all. */
function makeCase(random: Random, count: number, make: (random: Random) => Shape): Case {
  const scratch = v(0, 0, 0)
  for (;;) {
    const obstacles = Array.from({ length: count }, () => {
      const turn = unitQuat(random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5)
      const at = times(anywhere(random), count === 1 ? 100 : 2)
      return new Obstacle({ shape: make(random), at, turn })
    })
    const [first] = obstacles
    for (let tries = 0; tries < 50; tries++) {
      const start = plus(first!.position, anywhere(random), between(random, 0, 16))
      if (first!.distance(start, scratch) > -BALL * 1.01) continue
      const goal = plus(start, anywhere(random), between(random, 5, 80))
      if (obstacles.some((each) => each.distance(goal, scratch) < 2 * RADIUS)) continue
      return { obstacles, start, goal }
    }
  }
}

/**
 * Length (m) of the path out along a direction and then straight to the goal. If that is blocked, half a
 * circle to the goal, or Infinity with one obstacle alone.
 */
function pathLength(direction: Vec3Like, { obstacles, start, goal }: Case): number {
  let out = 0
  for (let round = 0; round < 20; round++) {
    const before = out
    for (const each of obstacles) out += each.leave(plus(start, direction, out), direction, BALL)
    if (!(out < Infinity)) return Infinity
    if (out - before < 1e-9) break
  }
  const exit = plus(start, direction, out)
  const left = norm(minus(goal, exit))
  const ahead = unit(minus(goal, exit))
  const blocked = obstacles.some((each) => each.sweep(exit, ahead, 0, left) < left)
  if (!blocked) return out + left
  return obstacles.length === 1 ? Infinity : out + (left * Math.PI) / 2
}

const fan = directions(400)

function shortestLength(scene: Case): number {
  let best = pathLength(unit(minus(scene.goal, scene.start)), scene)
  for (let i = 0; i < fan.length; i += 3)
    best = Math.min(best, pathLength(v(fan[i]!, fan[i + 1]!, fan[i + 2]!), scene))
  return best
}

const pilotFor = ({ obstacles, goal }: Case): ReturnType<typeof within> =>
  within([new AvoidObstacles({ obstacles })], new Arrive({ target: goal }))

/**
 * Flies a ship from inside an obstacle to `goal`. Returns its final distance from the obstacle and from the
 * goal, and the distance flown (m).
 */
function flyOut(shape: Shape, start: Vec3Like, goal: Vec3Like): { out: number; left: number; way: number } {
  const world = new SteeringWorld()
  const obstacle = new Obstacle({ shape })
  const behavior = within([new AvoidObstacles({ obstacles: [obstacle] })], new Arrive({ target: goal }))
  const ship = pilot(behavior, { position: start, radius: RADIUS, maxForce: 20 })
  world.add(ship)
  let way = 0
  let last = { ...start }
  fly({ world }, 30, 1 / 60, () => {
    way += norm(minus(ship.position, last))
    last = { ...ship.position }
  })
  return { out: obstacle.distance(last, v(0, 0, 0)), left: norm(minus(goal, last)), way }
}

describe('without a free straight path', () => {
  it('to a goal in the same sphere, a ship comes out and stays as near as allowed', () => {
    for (const start of [v(-5, 2, 0), v(3, -3, 3), v(0, 0, 0)]) {
      const { left, out } = flyOut(new SphereShape(10), start, v(7, 0, 0))
      expect(out).toBeGreaterThan(RADIUS * 0.99)
      expect(left).toBeLessThan(3.8)
    }
  })

  it('below an infinite surface, a ship with a goal along it comes up soon', () => {
    const { left, way } = flyOut(new HalfSpaceShape(v(0, 1, 0)), v(0, -4, 0), v(60, 2, 0))
    expect(left).toBeLessThan(0.1)
    expect(way).toBeLessThan(WORST * Math.hypot(60, 6))
  })

  it('just below a surface, a ship leaves on the near side, even with a goal on the other side', () => {
    const wall = new Obstacle({ shape: new BoxShape(v(20, 20, 1)) })
    const avoid = new AvoidObstacles({ obstacles: [wall] })
    const { force } = ask(within([avoid], new Arrive({ target: v(0, 0, 30) })), {
      position: v(1, 2, -0.9),
      radius: RADIUS,
    })
    expect(unit(force).z).toBeLessThan(-0.99)
  })
})

it('a ship without brakes comes out, too', () => {
  const obstacle = new Obstacle({ shape: new SphereShape(4) })
  const world = new SteeringWorld()
  const behavior = within(
    [new AvoidObstacles({ obstacles: [obstacle] })],
    new Arrive({ target: v(0, 0, 30) }),
  )
  const locomotion = new Thrusters({ ahead: 20, astern: 0, up: 0, down: 0, port: 0, starboard: 0 })
  const ship = pilot(behavior, { position: v(0, 0, -2), radius: RADIUS, locomotion })
  world.add(ship)
  let out = false
  fly({ world }, 8, 1 / 60, () => {
    out ||= obstacle.distance(ship.position, v(0, 0, 0)) > RADIUS
  })
  expect(out).toBe(true)
})

describe.each(Object.entries(SHAPES))('out of a %s', (_name, make) => {
  for (const count of [1, 3])
    it(`${count === 1 ? 'alone' : 'merged with others'}, from rest, the path is hardly longer than the best`, () => {
      const random = seeded(15 + count)
      const cases = pick(5, 30, 600)
      let missed = 0
      for (let i = 0; i < cases; i++) {
        const scene = makeCase(random, count, make)
        const best = shortestLength(scene)
        if (best === Infinity) continue
        const { force } = ask(pilotFor(scene), { position: scene.start, radius: RADIUS, maxForce: 20 })
        const ratio = pathLength(unit(force), scene) / best
        if (ratio > WORST) missed++
        expect(ratio, `case ${i}: ${JSON.stringify([scene.start, scene.goal])}`).toBeLessThanOrEqual(
          count === 1 ? WORST : WORST_OF_CLUMPS,
        )
      }
      expect(missed).toBeLessThanOrEqual(Math.ceil(MISSED * cases))
    })

  it('from a drift in any direction, the flight takes little longer than without the obstacle', () => {
    const random = seeded(5)
    const cases = pick(2, 8, 150)
    for (let i = 0; i < cases; i++) {
      const scene = makeCase(random, 1, make)
      const dt = [1 / 30, 1 / 60, 1 / 120][i % 3]!
      const velocity = times(anywhere(random), i % 2 === 0 ? 0 : 2 * random())
      const time = timeToArrive(scene, velocity, true, dt)
      const ratio = time / timeToArrive(scene, velocity, false, dt)
      expect(ratio, `case ${i}, ${dt} s`).toBeLessThan(1.2)
    }
  })
})

/** Time until the ship is at its goal (s); Infinity when it takes more than a minute. */
function timeToArrive(scene: Case, velocity: Vec3Like, avoids: boolean, dt: number): number {
  const { goal, start: position } = scene
  const world = new SteeringWorld()
  const ship = pilot(avoids ? pilotFor(scene) : new Arrive({ target: goal }), {
    position,
    velocity,
    radius: RADIUS,
    maxForce: 20,
  })
  world.add(ship)
  let arrived = Infinity
  fly({ world }, 60, dt, () => {
    if (arrived === Infinity && norm(minus(goal, ship.position)) < 0.1) arrived = world.time
  })
  return arrived
}
