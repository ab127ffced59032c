import { expect, it } from 'vitest'
import { FollowPath, Path, SteeringController, SteeringWorld, Thrusters } from 'three-steering'
import { apart } from '../laws/kit.js'
import { v } from '../support/geometry.js'
import { ALL } from '../support/tier.js'

// Bends were planned with a main engine that was never turned in time: a capital ship with side engines of 5
// % of it flew 2.0 km past a bend (spline), or 8.3 km (corner), and one with 25 % 0.9 km.

const MASS = 1e9
const RADIUS = 500
const POINTS = [v(0, 0, 0), v(0, 0, 3000), v(800, 200, 2600)]

/** Time (s) of a ship on the path, and how far off it was at most (m). */
function fly(share: number, curve: 'polyline' | 'spline', rate: number) {
  const path = new Path({ points: POINTS, curve })
  const ahead = 2 * MASS
  const side = share * ahead
  const ship = new SteeringController(null, {
    mass: MASS,
    radius: RADIUS,
    maxSpeed: 60,
    maxForce: ahead,
    maxTorque: 20 * MASS,
    maxTurnRate: 0.05,
    locomotion: new Thrusters({
      ahead,
      astern: ahead / 4,
      up: side,
      down: side,
      port: side,
      starboard: side,
    }),
    behavior: new FollowPath({ path, start: 'first' }),
  })
  const world = new SteeringWorld()
  world.add(ship)
  const arrivals: number[] = []
  ship.addEventListener('arrive', () => arrivals.push(world.time))
  let off = 0
  for (let i = 0; i < 1500 * rate && arrivals.length === 0; i++) {
    world.step(1 / rate)
    if (i % rate === 0)
      off = Math.max(off, apart(ship.position, path.pointAt(v(0, 0, 0), path.nearest(ship.position))))
  }
  return { time: arrivals[0] ?? Infinity, off }
}

it.each([0.05, 0.25])(
  'a capital ship with side engines of %d of the main one rounds a sharp bend',
  (share) => {
    for (const rate of ALL ? [10, 60] : [20])
      for (const curve of ['polyline', 'spline'] as const) {
        const { off, time } = fly(share, curve, rate)
        expect(off).toBeLessThan(RADIUS)
        expect(time).toBeLessThan(400)
      }
  },
)
