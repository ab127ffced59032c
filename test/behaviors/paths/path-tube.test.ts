import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  Contain,
  FollowPath,
  Obstacles,
  Path,
  PathTube,
  Pursue,
  Seek,
  SteeringController,
  SteeringWorld,
} from 'three-steering'
import { Stick, Wander, within, type Behavior, type PathOptions } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { minus, norm, plus, v } from '../../support/geometry.js'
import { pick } from '../../support/tier.js'

// Law: in `within`, an agent that `Contain` holds in a `PathTube` never leaves the tube, whatever it wants.

const RADIUS = 4
const BALL = 0.5
const points = [v(0, 0, 0), v(60, 20, 0), v(60, 20, 60), v(0, -20, 60)]
const PATHS: Record<string, PathOptions> = {
  'an open polyline': { points, curve: 'polyline' },
  'a closed spline': { points, ends: 'closed' },
  'arcs, there and back': { points, curve: 'arcs', radius: 12, ends: 'ping-pong' },
  'a zigzag with corners on top of each other': {
    points: [v(0, 0, 0), v(12, 8, 0), v(0, 16, 0), v(12, 24, 0), v(0, 32, 0)],
    curve: 'polyline',
  },
}
const prey = { position: v(0, 0, 0), velocity: v(0, 0, 0) }
const WISHES: Record<string, () => Behavior> = {
  Wander: () => new Wander(),
  Pursue: () => new Pursue({ target: prey }),
  Stick: () => new Stick({ ahead: 1, yaw: 0.05, pitch: -0.03 }),
  Seek: () => new Seek({ target: v(30, 60, 20) }),
}

const gap = (path: Path, p: CANNON.Vec3 | SteeringController['position']): number =>
  norm(minus(path.pointAt(v(0, 0, 0), path.nearest(p)), p))

describe.each(Object.keys(PATHS))('an agent in the tube of %s', (name) => {
  const path = new Path(PATHS[name]!)

  it.each(Object.keys(WISHES))('stays in it, with the wish %s', (wish) => {
    expect.hasAssertions()
    for (const [hz, hasBody, isOutside] of pick(
      [
        [60, true, false],
        [30, false, true],
      ] as const,
      [
        [30, true, true],
        [60, false, true],
        [60, true, false],
        [240, true, false],
      ] as const,
      [
        [30, true, true],
        [60, false, true],
        [60, true, false],
        [240, true, true],
      ] as const,
    )) {
      // nothing evades on behalf of a player, outside as little as inside
      if (isOutside && wish === 'Stick') continue
      const world = new SteeringWorld({ seed: 5 })
      const engine = new CANNON.World()
      attachToCannon(world, engine)
      const bounds = [{ shape: new PathTube(path, RADIUS) }]
      const position = plus(path.pointAt(v(0, 0, 0), 3), isOutside ? v(-20, 9, -4) : v(0, 0, 0))
      const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(BALL), linearDamping: 0 })
      body.position.set(position.x, position.y, position.z)
      if (hasBody) engine.addBody(body)
      const agent = new SteeringController(null, {
        ...(hasBody ? { body: cannonBody(body) } : { position }),
        behavior: within([new Contain({ bounds })], WISHES[wish]!()),
        radius: BALL,
        maxSpeed: 12,
        maxForce: 20,
      })
      world.add(agent)
      const seconds = pick(8, 20, 60)
      let worst = 0
      for (let i = 0; i < seconds * hz; i++) {
        path.pointAt(prey.position, (9 * i) / hz)
        prey.velocity = minus(path.pointAt(v(0, 0, 0), (9 * i) / hz + 9), prey.position)
        engine.step(1 / hz)
        if (!isOutside || i > 6 * hz) worst = Math.max(worst, gap(path, agent.position))
      }
      expect(worst).toBeLessThan(RADIUS - BALL)
    }
  })
})

it('a tube does not move with its path: each is shifted by its owner, once', () => {
  const path = new Path({ points, ends: 'closed' })
  const bounds = new Obstacles([{ shape: new PathTube(path, RADIUS) }])
  const world = new SteeringWorld()
  const agent = new SteeringController(null, {
    behavior: within([new Contain({ bounds })], new FollowPath({ path, speed: 8 })),
    radius: BALL,
    maxSpeed: 12,
    maxForce: 20,
  })
  world.add(agent)
  for (let i = 0; i < 600; i++) {
    if (i === 300) for (const each of [world, path, ...bounds]) each.shift(v(-500, 20, 70))
    world.step(1 / 60)
    expect(gap(path, agent.position)).toBeLessThan(RADIUS - BALL)
  }
  expect(norm(agent.velocity)).toBeGreaterThan(7)
})
