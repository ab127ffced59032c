import { expect, it } from 'vitest'
import { Arrive, AvoidWalls, BoxShape, Obstacles, within, type Vec3Like } from 'three-steering'
import { norm, minus, v } from '../support/geometry.js'
import { fly, pilot, quietWorld } from '../support/pilot.js'

it('a route whose next waypoint has been closed off is given up for another one', () => {
  const obstacles = new Obstacles()
  const wall = (half: Vec3Like, at: Vec3Like): unknown => obstacles.add({ shape: new BoxShape(half), at })
  // a wall across the path, which ends 12 m to port and 28 m to starboard
  wall(v(0.5, 40, 20), v(10, 0, 8))
  const target = v(20, 0, 0)
  const { world } = quietWorld()
  const ship = pilot(within([new AvoidWalls({ obstacles })], new Arrive({ target })), {
    maxSpeed: 12,
    maxForce: 24,
    mass: 2,
    radius: 0.8,
  })
  world.add(ship)
  let side = 0
  fly({ world }, 40, 1 / 30, () => {
    const { z } = ship.position
    if (side === 0 && Math.abs(z) > 4) {
      side = Math.sign(z)
      wall(v(0.5, 40, 30), v(10, 0, -42))
    }
  })
  expect(side).toBe(-1)
  expect(norm(minus(ship.position, target))).toBeLessThan(0.1)
})
