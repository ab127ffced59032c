import { describe, expect, it } from 'vitest'
import { FollowPath, Path, SteeringController, SteeringWorld, type Vec3 } from 'three-steering'
import { norm, v } from '../support/geometry.js'
import { pick } from '../support/tier.js'

// The speed was limited at each corner by itself, so a circle of 400 points was flown at full speed, 42 m
// beside it. The division of a curve must not matter, once its points are near enough that the agent can
// round each of them.

const TAU = 2 * Math.PI
const CURVES: Readonly<Record<string, (t: number) => Vec3>> = {
  'a circle of 10 m': (t) => v(10 * Math.cos(TAU * t), 0, 10 * Math.sin(TAU * t)),
  'a circle of 50 m': (t) => v(50 * Math.cos(TAU * t), 0, 50 * Math.sin(TAU * t)),
  'an eight in space': (t) =>
    v(40 * Math.sin(TAU * t), 5 * Math.sin(3 * TAU * t), 20 * Math.sin(2 * TAU * t)),
  // its curvature grows evenly, there and back
  'two clothoids': (t) => clothoid(t < 0.5 ? 240 * t : 240 * (1 - t)),
}

/** A clothoid of 120 m that ends with a radius of 5 m; a closed path turns about at its ends. */
function clothoid(length: number): Vec3 {
  const place = v(0, 0, 0)
  const parts = 100
  for (let k = 0; k < parts; k++) {
    const s = ((k + 0.5) / parts) * length
    place.x += (Math.cos((s * s) / 1200) * length) / parts
    place.z += (Math.sin((s * s) / 1200) * length) / parts
  }
  return place
}

/** Greatest distance from the path, m, and mean speed, m/s, on a closed polyline of `count` points. */
function fly(curve: (t: number) => Vec3, count: number, uneven: boolean) {
  // uneven: distances of one to three
  const at = (i: number): number => (uneven ? i + (i % 2 > 0 ? -0.5 : 0) : i) / count
  const points = Array.from({ length: count }, (_, i) => curve(at(i)))
  const path = new Path({ points, curve: 'polyline', ends: 'closed' })
  const behavior = new FollowPath({ path })
  const agent = new SteeringController(null, { position: points[0]!, maxSpeed: 40, maxForce: 15, behavior })
  const world = new SteeringWorld()
  world.add(agent)
  let farthest = 0
  for (let k = 0; k < 60 * 20; k++) {
    world.step(1 / 60)
    if (k % 5 > 0) continue
    const { position } = agent
    const near = path.pointAt(v(0, 0, 0), path.nearest(position))
    farthest = Math.max(farthest, norm(v(position.x - near.x, position.y - near.y, position.z - near.z)))
  }
  return { farthest, speed: behavior.stationOf(agent) / 20 }
}

describe.each(Object.keys(CURVES))('%s', (name) => {
  it('is flown alike, however many points it has', () => {
    const curve = CURVES[name]!
    const reference = fly(curve, 1000, false).speed
    for (const count of pick([130], [130, 200, 400, 2000, 4000], [130, 200, 400, 700, 2000, 4000]))
      for (const uneven of [false, true]) {
        const { farthest, speed } = fly(curve, count, uneven)
        expect(farthest).toBeLessThan(2.5)
        expect(speed / reference).toBeGreaterThan(0.85)
        expect(speed / reference).toBeLessThan(1.1)
      }
  })
})

describe.each([10, 50])('a circle of %i m of few points', (radius) => {
  it('is flown along its corners, no farther off than they leave the circle', () => {
    const top = Math.sqrt(15 * radius)
    for (const count of pick([8], [6, 8, 12, 16, 24, 32, 45, 64])) {
      const { farthest, speed } = fly(CURVES[`a circle of ${radius} m`]!, count, false)
      const left = radius * (1 - Math.cos(Math.PI / count))
      expect(farthest).toBeLessThan(1.2 * Math.max(left, radius / 16))
      expect(speed).toBeGreaterThan(0.5 * top)
      expect(speed).toBeLessThan(top)
    }
  })
})
