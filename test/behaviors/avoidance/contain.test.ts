import { describe, expect, it } from 'vitest'
import {
  Arrive,
  BoxShape,
  CapsuleShape,
  Contain,
  CylinderShape,
  Flight,
  HalfSpaceShape,
  HollowShape,
  Hover,
  Obstacle,
  Obstacles,
  priority,
  Seek,
  SphereShape,
  Thrusters,
  Wander,
  within,
  type Behavior,
  type ContainOptions,
  type Locomotion,
  type Shape,
  type SteeringController,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { bitsOf, firstDifference } from '../../laws/kit.js'
import { expectVec, norm, plus, times, unit, v } from '../../support/geometry.js'
import { ask, idle, pilot, quietWorld, type PilotOptions } from '../../support/pilot.js'
import { pushing } from '../../support/stand-in.js'

const RADIUS = 0.5
/** Two hundredths of the radius. */
const SKIN = 0.01

/** A room around the origin. */
function hollow(shape: Shape, at: Vec3Like = v(0, 0, 0)): Obstacle {
  return new Obstacle({ shape: new HollowShape(shape), at })
}

function contain(bounds: ContainOptions['bounds'], skin?: number): Contain {
  return new Contain(skin === undefined ? { bounds } : { bounds, clearance: skin })
}

interface Log {
  /** Least distance between the hull and the walls, m. */
  readonly gap: number
  readonly one: SteeringController
  readonly bits: number[][]
}

const scratch = v(0, 0, 0)

function fly(
  walls: Iterable<Obstacle>,
  behavior: Behavior,
  options: PilotOptions = {},
  seconds = 6,
  rate = 60,
  before: (dt: number) => void = () => undefined,
): Log {
  const { world, faults } = quietWorld()
  const one = pilot(behavior, { radius: RADIUS, maxForce: 40, ...options })
  world.add(one)
  const log = { gap: Infinity, bits: [] as number[][] }
  for (let i = 0; i < seconds * rate; i++) {
    before(1 / rate)
    world.step(1 / rate)
    for (const wall of walls) {
      wall.refresh()
      log.gap = Math.min(log.gap, wall.distance(one.position, scratch) - one.radius)
    }
    log.bits.push(bitsOf([one]))
  }
  expect(faults).toEqual([])
  // keeps a distance that is not finite
  expect(log.bits.at(-1)!.every(Number.isFinite)).toBe(true)
  return { ...log, one }
}

function asked(behavior: Behavior, options: PilotOptions = {}): Vec3 {
  const { force, faults } = ask(behavior, { radius: RADIUS, maxForce: 40, ...options })
  expect(faults).toEqual([])
  return force
}

const ROOMS: Readonly<Record<string, Shape>> = {
  box: new BoxShape(v(8, 5, 6)),
  sphere: new SphereShape(7),
  capsule: new CapsuleShape(4, 10),
  cylinder: new CylinderShape(5, 12),
}

const GOALS = [v(1000, 0, 0), v(0, -1000, 0), v(700, 600, -650), v(-3, 1000, 2)]

describe.each(Object.keys(ROOMS))(
  'an agent that flies at full speed towards the wall of a hollow %s',
  (name) => {
    const walls = [hollow(ROOMS[name]!)]

    for (const rate of [30, 60, 240])
      it(`stays inside, at ${rate} steps a second, and comes to rest at the wall`, () => {
        for (const target of rate === 60 ? GOALS : GOALS.slice(rate === 240 ? 3 : 2)) {
          const { gap, one } = fly(walls, within([contain(walls)], new Seek({ target })), {}, 3.5, rate)
          expect(gap).toBeGreaterThan(0)
          expect(walls[0]!.distance(one.position, scratch) - RADIUS).toBeLessThan(0.2)
        }
      })

    it('stays inside from any start and speed from which it can stop', () => {
      for (const start of [v(2, 1, -1), v(-3, -2, 0.5), v(0, 3, 2)])
        for (const way of [unit(v(1, -1, 0.3)), v(0, 1, 0), unit(v(-1, 0.2, 2))]) {
          // as fast as it can be to stop at the wall, less the response time
          const room = walls[0]!.sweep(start, way, RADIUS + SKIN, 1e3)
          const speed = Math.min(10, 0.8 * Math.sqrt(2 * 30 * Math.max(0, room - 1)))
          const behavior = within([contain(walls)], new Seek({ target: plus(start, way, 500) }))
          const { gap } = fly(walls, behavior, { position: start, velocity: times(way, speed) }, 3)
          expect(gap).toBeGreaterThan(0)
        }
    })

    it('stays inside and keeps moving when it wanders', () => {
      const { gap, bits } = fly(walls, within([contain(walls)], new Wander()), { seed: 3 }, 12)
      expect(gap).toBeGreaterThan(0)
      const speeds = bits.map(([, , , x, y, z]) => Math.hypot(x!, y!, z!))
      expect(speeds.reduce((a, b) => a + b, 0) / speeds.length).toBeGreaterThan(3)
    })

    it('stays inside with `Contain` as a plain behaviour in a priority, of a box but for its clearance', () => {
      // whenever `Contain` is silent the wish has a whole step, and pushes with all its force
      const least = name === 'box' ? -SKIN : 0
      for (let k = 0; k < 12; k++) {
        const target = times(unit(v(Math.sin(3 * k), Math.cos(5 * k), Math.sin(7 * k + 1))), 100)
        const { gap } = fly(walls, priority([contain(walls), new Seek({ target })]), {}, 5)
        expect(gap).toBeGreaterThan(least)
      }
      const { gap } = fly(walls, priority([contain(walls), new Seek({ target: v(70, 60, -65) })]), {}, 5)
      expect(gap).toBeGreaterThan(least)
    })
  },
)

describe('other vehicles stay inside', () => {
  it.each<[string, () => Locomotion, PilotOptions]>([
    ['Hover, point mass', () => new Hover({ attitude: null }), {}],
    ['Thrusters', () => new Thrusters({ ahead: 40, astern: 15, port: 15, up: 15 }), {}],
    ['Flight', () => new Flight({ minSpeed: 2 }), { velocity: v(0, 0, 4), maxSpeed: 6 }],
  ])('%s', (_, gait, options) => {
    const walls = [hollow(new BoxShape(v(25, 25, 25)))]
    const behavior = within([contain(walls)], new Wander())
    const { gap } = fly(walls, behavior, { ...options, locomotion: gait(), seed: 2 }, 20)
    expect(gap).toBeGreaterThan(0)
  })
})

describe('leaves unchanged', () => {
  const walls = [hollow(new BoxShape(v(8, 5, 6)))]

  it('the force, bit by bit, where no wall can matter', () => {
    for (const force of [v(3, 0, 0), v(-20, 7, 4), v(0, 0, 39)]) {
      const bare = asked(pushing(force))
      expectVec(asked(within([contain([hollow(new BoxShape(v(1e4, 1e4, 1e4)))])], pushing(force))), bare, 0)
    }
  })

  it('the speed along a wall, and away from it', () => {
    // touching the floor
    const options = { position: v(0, -5 + RADIUS + SKIN, 0), velocity: v(3, 0, 0) }
    const along = asked(within([contain(walls)], pushing(v(10, 0, 5))), options)
    expectVec(along, v(10, 0, 5), 1e-6)
    const up = asked(within([contain(walls)], pushing(v(0, 20, 0))), options)
    expectVec(up, v(0, 20, 0), 1e-6)
  })

  it('of a velocity into a wall the part along it', () => {
    const { one, gap } = fly(
      walls,
      within([contain(walls)], new Seek({ target: v(6, -900, 3) })),
      { position: v(-6, -5 + RADIUS + SKIN, 0) },
      8,
    )
    expect(gap).toBeGreaterThan(0)
    // it slides to the point of the floor that is nearest to the goal
    expect(one.position.x).toBeGreaterThan(-5.5)
    expect(norm(one.velocity)).toBeLessThan(1)
  })

  it('the path to a goal in the room, also beside a wall', () => {
    for (const target of [v(5, 3, -4), v(8 - RADIUS - 2 * SKIN, 0, 0)]) {
      const { one, gap } = fly(walls, within([contain(walls)], new Arrive({ target })), {}, 8)
      expect(gap).toBeGreaterThan(0)
      expectVec(one.position, target, 0.02)
    }
  })

  it('the torque', () => {
    const { torque } = ask(contain(walls), { position: v(7, 0, 0), velocity: v(9, 0, 0), maxForce: 40 })
    expectVec(torque, v(0, 0, 0), 0)
  })
})

describe('as a plain behaviour', () => {
  const walls = [hollow(new BoxShape(v(8, 8, 8)))]

  it('asks for nothing at rest, and nothing when no wall is near', () => {
    expectVec(asked(contain(walls)), v(0, 0, 0), 0)
    expectVec(asked(contain(walls), { position: v(7, 7, 7) }), v(0, 0, 0), 0)
    const large = [hollow(new BoxShape(v(500, 500, 500)))]
    expectVec(asked(contain(large), { velocity: v(9, -3, 1) }), v(0, 0, 0), 0)
  })

  it('asks for nothing when the agent flies away from a wall', () => {
    expectVec(asked(contain(walls), { position: v(7.4, 0, 0), velocity: v(-9, 0, 0) }), v(0, 0, 0), 0)
  })

  it('pushes the agent in from a wall that is neared too fast, with at most the maximum force', () => {
    for (const x of [5, 6, 7, 7.4, 7.5]) {
      const force = asked(contain(walls), { position: v(x, 0, 0), velocity: v(9.9, 0, 0) })
      expect(force.x).toBeLessThan(-0.1)
      expect(norm(force)).toBeLessThanOrEqual(40 * (1 + 1e-9))
    }
  })

  it('alone it stops an agent that drifts out', () => {
    const { gap } = fly(walls, contain(walls), { velocity: v(6, 2, -3) }, 5)
    expect(gap).toBeGreaterThan(0)
  })
})

describe('an agent outside', () => {
  it('comes in', () => {
    for (const name of Object.keys(ROOMS)) {
      const walls = [hollow(ROOMS[name]!)]
      for (const start of [v(12, 0, 0), v(-1, 9, 8), v(9, 9, 9)]) {
        const { one } = fly(walls, within([contain(walls)], idle()), { position: start }, 5)
        expect(walls[0]!.distance(one.position, scratch) - RADIUS).toBeGreaterThan(-1e-3)
      }
    }
  })

  it('comes in also when its wish leads away', () => {
    const walls = [hollow(new SphereShape(7))]
    const { one } = fly(
      walls,
      within([contain(walls)], new Seek({ target: v(900, 0, 0) })),
      { position: v(12, 1, 0) },
      10,
    )
    expect(walls[0]!.distance(one.position, scratch) - RADIUS).toBeGreaterThan(-1e-3)
  })
})

describe('half-spaces', () => {
  const ground = (): Obstacle[] => [new Obstacle({ shape: new HalfSpaceShape(), at: v(0, -3, 0) })]

  it('hold an agent that wants to go down, or falls, if its force suffices', () => {
    const walls = ground()
    const { gap } = fly(walls, within([contain(walls)], new Seek({ target: v(30, -900, 0) })), {}, 5)
    expect(gap).toBeGreaterThan(0)
    for (const compensateGravity of [true, false]) {
      const { world, faults } = quietWorld({ gravity: v(0, -9.81, 0) })
      const one = pilot(within([contain(walls)], idle()), {
        radius: RADIUS,
        maxForce: 60,
        velocity: v(0, -5, 0),
        position: v(0, 4, 0),
        compensateGravity,
      })
      world.add(one)
      for (let i = 0; i < 300; i++) {
        world.step(1 / 60)
        expect(one.position.y - RADIUS).toBeGreaterThan(-3 - 1e-6)
      }
      expect(faults).toEqual([])
    }
  })

  it('any number of them makes a room, in any order', () => {
    const normals = [v(1, 0, 0), v(-1, 0, 0), v(0, 1, 0), v(0, -1, 0), unit(v(1, 1, 1)), unit(v(-1, 1, 2))]
    const walls = normals.map((n) => new Obstacle({ shape: new HalfSpaceShape(n), at: times(n, -6) }))
    const ends = [walls, walls.toReversed()].map((each) => {
      const { gap, one } = fly(each, within([contain(each)], new Seek({ target: v(-90, -70, -80) })), {}, 8)
      expect(gap).toBeGreaterThan(0)
      return plus(one.position, v(0, 0, 0))
    })
    expectVec(ends[0]!, ends[1]!, 1e-3)
  })
})

describe('walls that move', () => {
  it('a room that moves takes its agents along', () => {
    const drift = v(1.5, -0.5, 0.2)
    const cage = { position: v(0, 0, 0), velocity: drift }
    const walls = [new Obstacle({ shape: new HollowShape(new BoxShape(v(3, 3, 3))), at: cage })]
    const { gap } = fly(walls, within([contain(walls)], idle()), {}, 10, 60, (dt) => {
      Object.assign(cage.position, plus(cage.position, drift, dt))
    })
    expect(gap).toBeGreaterThan(-1e-3)
  })

  it('a room that rotates keeps its agents inside, more exactly with smaller steps', () => {
    const spin = 0.4
    const gaps = [60, 240].map((rate) => {
      let angle = 0
      const cage = {
        position: v(0, 0, 0),
        velocity: v(0, 0, 0),
        quaternion: { x: 0, y: 0, z: 0, w: 1 },
        angularVelocity: v(0, spin, 0),
      }
      const walls = [new Obstacle({ shape: new HollowShape(new BoxShape(v(6, 3, 4))), at: cage })]
      const behavior = within([contain(walls)], new Seek({ target: v(90, 0, 0) }))
      const turn = (dt: number): void => {
        angle += spin * dt
        Object.assign(cage.quaternion, { y: Math.sin(angle / 2), w: Math.cos(angle / 2) })
      }
      return fly(walls, behavior, {}, 8, rate, turn).gap
    })
    // an agent that is carried round needs an inward force all the time, and the servo lags behind by a part
    // of the distance of a step
    expect(gaps[0]).toBeGreaterThan(-0.05)
    expect(gaps[1]).toBeGreaterThan(-0.01)
  })
})

describe('symmetries', () => {
  it('a room in a set, in a list, or of six half-spaces gives the same flight', () => {
    const half = v(8, 5, 6)
    const axes = [v(1, 0, 0), v(0, 1, 0), v(0, 0, 1)].flatMap((n) => [n, times(n, -1)])
    const planes = axes.map(
      (n) =>
        new Obstacle({ shape: new HalfSpaceShape(n), at: v(-n.x * half.x, -n.y * half.y, -n.z * half.z) }),
    )
    for (const [position, velocity] of [
      [v(6, 0, 0), v(9, 1, 0)],
      [v(6, -3, 4), v(5, -5, 5)],
      [v(-7, 4, 5), v(-3, 8, 1)],
    ] as const) {
      const state = { position, velocity }
      const wish = (): Behavior => pushing(v(9, -20, 4))
      const room = asked(within([contain([hollow(new BoxShape(half))])], wish()), state)
      const set = new Obstacles([hollow(new BoxShape(half))])
      expectVec(asked(within([contain(set)], wish()), state), room, 0)
      expectVec(asked(within([contain(planes)], wish()), state), room, 20)
    }
  })
})

describe('extreme numbers', () => {
  it('a very large room holds the agent', () => {
    const walls = [hollow(new SphereShape(1e6))]
    const start = v(1e6 - 30, 0, 0)
    const { gap } = fly(
      walls,
      within([contain(walls)], new Seek({ target: v(2e6, 300, 0) })),
      { position: start, maxSpeed: 20 },
      6,
    )
    expect(gap).toBeGreaterThan(0)
  })
})

describe('options', () => {
  it('clearance: the agent comes as near as that', () => {
    for (const skin of [0, 0.2, 1]) {
      const walls = [hollow(new BoxShape(v(8, 5, 6)))]
      const { gap, one } = fly(
        walls,
        within([contain(walls, skin)], new Seek({ target: v(900, 0, 0) })),
        {},
        5,
      )
      expect(gap).toBeGreaterThan(skin - 1e-3)
      expect(8 - one.position.x - RADIUS).toBeLessThan(skin + 0.1)
    }
  })

  it('bounds and clearance may be changed during a flight', () => {
    const walls = new Obstacles([hollow(new BoxShape(v(8, 5, 6)))])
    const mind = contain(walls)
    const { world, faults } = quietWorld()
    const one = pilot(within([mind], new Seek({ target: v(900, 0, 0) })), { radius: RADIUS, maxForce: 40 })
    world.add(one)
    const rest = (): number => {
      for (let i = 0; i < 240; i++) world.step(1 / 60)
      return one.position.x
    }
    expect(rest()).toBeGreaterThan(7)
    mind.clearance = 2
    expect(rest()).toBeLessThan(5.6)
    mind.clearance = undefined
    mind.bounds = new Obstacles([hollow(new BoxShape(v(20, 5, 6)))])
    const further = rest()
    expect(further).toBeGreaterThan(18)
    expect(further).toBeLessThan(19.5)
    mind.bounds.clear()
    expect(rest()).toBeGreaterThan(30)
    expect(faults).toEqual([])
  })

  it('one set may be shared by many behaviours', () => {
    const walls = new Obstacles([hollow(new BoxShape(v(8, 5, 6)))])
    const flights = [0, 1].map(
      () => fly(walls, within([contain(walls)], new Seek({ target: v(90, 80, 70) })), {}, 3).bits,
    )
    expect(firstDifference(flights[0]!, flights[1]!)).toBeNull()
  })
})
