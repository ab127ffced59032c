import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  SteeringController,
  SteeringWorld,
  Wheels,
  within,
  type Vec3Like,
} from 'three-steering'
import { v } from '../support/geometry.js'

const RADIUS = 1.5
const WALL = 0.5

interface Slab {
  readonly x0: number
  readonly z0: number
  readonly x1: number
  readonly z1: number
}

/** Drives a car from a place, with its nose `heading` (rad) from +z towards +x, to a goal between walls. */
function drive(
  slabs: readonly Slab[],
  start: Vec3Like,
  heading: number,
  goal: Vec3Like,
): { off: number; least: number; turned: boolean } {
  const world = new SteeringWorld({ seed: 1 })
  const obstacles = slabs.map(({ x0, z0, x1, z1 }) => ({
    shape: new BoxShape({ x: (x1 - x0) / 2, y: 3, z: (z1 - z0) / 2 }),
    at: v((x0 + x1) / 2, 0, (z0 + z1) / 2),
  }))
  const car = new SteeringController(null, {
    behavior: within([new AvoidObstacles({ obstacles })], new Arrive({ target: goal })),
    plane: v(0, 1, 0),
    position: start,
    quaternion: { x: 0, y: Math.sin(heading / 2), z: 0, w: Math.cos(heading / 2) },
    mass: 1000,
    inertia: v(1000, 1500, 500),
    maxForce: 5000,
    maxTorque: 20_000,
    maxSpeed: 8,
    radius: RADIUS,
    locomotion: new Wheels({ wheelbase: 2.5 }),
  })
  world.add(car)
  let least = Infinity
  let turned = false
  const off = () => Math.hypot(car.position.x - goal.x, car.position.z - goal.z)
  for (let k = 0; k < 90 * 60 && off() > 0.5; k++) {
    world.step(1 / 60)
    const { x, z } = car.position
    for (const { x0, z0, x1, z1 } of slabs)
      least = Math.min(least, Math.hypot(Math.max(0, x0 - x, x - x1), Math.max(0, z0 - z, z - z1)) - RADIUS)
    const nose = car.attitude.x
    if (nose.x * car.velocity.x + nose.z * car.velocity.z < -0.2) turned = true
  }
  world.dispose()
  return { off: off(), least, turned }
}

/** A wall across z, with a gap of this width (m) at x = 0. */
const gate = (width: number): Slab[] => [
  { x0: -20, z0: -WALL, x1: -width / 2, z1: WALL },
  { x0: width / 2, z0: -WALL, x1: 20, z1: WALL },
]

describe('a car at a gap in a wall', () => {
  const cases = [1, -1].flatMap((side) => [
    { share: 1.2, side, way: 'aligned' },
    { share: 1.5, side, way: 'aligned' },
    { share: 2, side, way: 'aligned' },
    { share: 1.2, side, way: 'square' },
    { share: 1.5, side, way: 'square' },
    { share: 2, side, way: 'square' },
  ])
  it.each(cases)(
    'of $share of its width gets behind the wall without a contact, through the gap or around ($way, side $side)',
    (c) => {
      const start = c.way === 'aligned' ? v(0, 0, -15 * c.side) : v(-10, 0, -8 * c.side)
      const heading = c.way === 'aligned' ? (c.side > 0 ? 0 : Math.PI) : Math.PI / 2
      const { off, least } = drive(gate(c.share * 2 * RADIUS), start, heading, v(0, 0, 15 * c.side))
      expect(least).toBeGreaterThan(0)
      expect(off).toBeLessThan(0.6)
    },
  )

  it.each([1.2, 1.5, 2])('leaves a dead end of %s of its width astern', (share) => {
    const half = share * RADIUS
    const slabs = [
      { x0: -half - 1, z0: -8, x1: -half, z1: 8 },
      { x0: half, z0: -8, x1: half + 1, z1: 8 },
      { x0: -half - 1, z0: 8, x1: half + 1, z1: 9 },
    ]
    const { off, least, turned } = drive(slabs, v(0, 0, 5), 0, v(0, 0, -14))
    expect(turned).toBe(true)
    expect(least).toBeGreaterThan(0)
    expect(off).toBeLessThan(0.6)
  })
})
