import { describe, expect, it } from 'vitest'
import { AvoidObstacles, BoxShape, Obstacle, Obstacles, Seek, within, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { norm, plus, v } from '../../support/geometry.js'
import { pilot, quietWorld } from '../../support/pilot.js'

/** Far more boxes than are looked at one by one. */
const COUNT = 300

interface Block {
  readonly shape: BoxShape
  readonly at: Vec3Like
  readonly turn: { x: number; y: number; z: number; w: number }
}

/** Boxes in every attitude in a cube of this side (m), none within 4 m of the origin. */
function blocks(side: number, seed = 5): Block[] {
  const random = seeded(seed)
  const any = (): number => random() - 0.5
  return Array.from({ length: COUNT }, () => ({
    shape: new BoxShape({ x: 0.5 + 2 * random(), y: 0.5 + 2 * random(), z: 0.5 + 2 * random() }),
    at: v(side * any(), side * any(), side * any()),
    turn: { x: any(), y: any(), z: any(), w: any() },
  })).filter(({ at }) => norm(at) > 4 + Math.hypot(2.5, 2.5, 2.5))
}

/** A wall of touching cubes of 2 m across the x axis, 20 m wide and high, with a hole of 3 by 3 cubes. */
function wall(x: number, hole: { y: number; z: number }): Obstacles {
  const shape = new BoxShape(v(1, 1, 1))
  const set = new Obstacles()
  for (let y = -10; y <= 10; y++)
    for (let z = -10; z <= 10; z++)
      if (Math.abs(y - hole.y) > 1 || Math.abs(z - hole.z) > 1) set.add({ shape, at: v(x, 2 * y, 2 * z) })
  return set
}

const seekThrough = (obstacles: Obstacles, target: Vec3Like): AvoidObstacles | ReturnType<typeof within> =>
  within([new AvoidObstacles({ obstacles })], new Seek({ target }))

describe('among many boxes', () => {
  it('four agents cross from side to side and touch none', () => {
    const obstacles = new Obstacles(blocks(60))
    const { world, faults } = quietWorld()
    const random = seeded(9)
    const agents = Array.from({ length: 4 }, (_, i) => {
      const position = v(-34, 40 * (random() - 0.5), 40 * (random() - 0.5))
      const target = v(34, 40 * (random() - 0.5), 40 * (random() - 0.5))
      const one = pilot(seekThrough(obstacles, target), {
        position,
        maxSpeed: 8 + i,
        maxForce: 16 + 2 * i,
        radius: 0.5,
      })
      world.add(one)
      return one
    })
    const normal = v(0, 0, 0)
    let gap = Infinity
    for (let step = 0; step < 7 * 30; step++) {
      world.step(1 / 30)
      for (const { position } of agents) gap = Math.min(gap, obstacles.distance(position, normal) - 0.5)
    }
    expect(faults).toEqual([])
    expect(gap).toBeGreaterThan(-1e-6)
    expect(Math.min(...agents.map(({ position }) => position.x))).toBeGreaterThan(0)
  })

  it.each([
    ['straight ahead', { y: 0, z: 0 }],
    ['above', { y: 5, z: 0 }],
    ['in a corner', { y: -4, z: 5 }],
  ])('an agent finds the hole in a wall of cubes that touch each other: %s', (_, hole) => {
    const obstacles = wall(20, hole)
    const { world } = quietWorld()
    const one = pilot(seekThrough(obstacles, v(60, 0, 0)), { radius: 0.5, maxSpeed: 8, maxForce: 16 })
    world.add(one)
    const normal = v(0, 0, 0)
    let gap = Infinity
    for (let step = 0; step < 10 * 30 && one.position.x < 24; step++) {
      world.step(1 / 30)
      gap = Math.min(gap, obstacles.distance(one.position, normal) - 0.5)
    }
    expect(gap).toBeGreaterThan(-1e-6)
    expect(one.position.x).toBeGreaterThan(23)
  })

  it('a moving box is passed as well', () => {
    const set = new Obstacles(blocks(40))
    const position = v(12, 0, 0)
    const velocity = v(-4, 0, 0)
    const mover = new Obstacle({ shape: new BoxShape(v(1, 1, 1)), at: { position, velocity } })
    set.add(mover)
    const { world } = quietWorld()
    const one = pilot(seekThrough(set, v(60, 0, 0)), { radius: 0.5, maxSpeed: 6, maxForce: 20 })
    world.add(one)
    const normal = v(0, 0, 0)
    let gap = Infinity
    for (let step = 0; step < 4 * 60; step++) {
      Object.assign(position, plus(position, velocity, 1 / 60))
      world.step(1 / 60)
      gap = Math.min(gap, mover.distance(one.position, normal) - 0.5)
    }
    expect(gap).toBeGreaterThan(-1e-6)
  })
})
