import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  CapsuleShape,
  CylinderShape,
  Flight,
  HollowShape,
  Hover,
  Obstacle,
  Obstacles,
  priority,
  Seek,
  SphereShape,
  Thrusters,
  within,
  type AvoidObstaclesOptions,
  type Behavior,
  type Locomotion,
  type ObstacleOptions,
  type Shape,
  type SteeringController,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { type Constraint, type VelocityConstraints, seeded } from 'three-steering/authoring'
import { ClassicAvoidance } from 'three-steering/classic'
import type { Scanner } from '../../../src/core/solver/constraint.js'
import { bitsOf } from '../../laws/kit.js'
import {
  about,
  crossOf,
  dotOf,
  expectVec,
  minus,
  norm,
  plus,
  times,
  unit,
  v,
} from '../../support/geometry.js'
import { ask, idle, pilot, quietWorld, type Answer, type PilotOptions } from '../../support/pilot.js'
import { pushing } from '../../support/stand-in.js'
import { pick } from '../../support/tier.js'

/** The method of the package, and the published one. */
const METHODS = [AvoidObstacles, ClassicAvoidance] as const
type Method = (typeof METHODS)[number]
type Avoidance = InstanceType<Method>

function ball(at: ObstacleOptions['at'] & object, radius = 2): Obstacle {
  return new Obstacle({ shape: new SphereShape(radius), at })
}

function avoid(
  obstacles: AvoidObstaclesOptions['obstacles'],
  options: Partial<AvoidObstaclesOptions> = {},
): AvoidObstacles {
  return new AvoidObstacles({ obstacles, ...options })
}

/** A body that flies straight on; an obstacle may follow it. */
function drifter(
  position: Vec3Like,
  velocity: Vec3Like,
): { position: Vec3; velocity: Vec3; move: (dt: number) => void } {
  const thing = {
    position: { ...position },
    velocity: { ...velocity },
    move: (dt: number) => void Object.assign(thing.position, plus(thing.position, thing.velocity, dt)),
  }
  return thing
}

interface Log {
  /** Least distance between the hull and a surface, m. */
  readonly gap: number
  /** Time of the first `arrive` event, s. */
  readonly arrival: number
  readonly one: SteeringController
  readonly bits: number[][]
}

interface Course {
  readonly obstacles: Iterable<Obstacle>
  readonly behavior: Behavior
  readonly options?: PilotOptions
  readonly seconds?: number
  readonly rate?: number
  readonly gravity?: Vec3Like
  /** Called before each step. */
  readonly before?: (step: number, dt: number, one: SteeringController) => void
}

const scratch = v(0, 0, 0)

function fly({ obstacles, behavior, options = {}, seconds = 10, rate = 60, gravity, before }: Course): Log {
  const { world, faults } = quietWorld({ gravity: gravity ?? v(0, 0, 0) })
  const one = pilot(behavior, { radius: 0.5, maxForce: 40, ...options })
  let arrival = Infinity
  one.addEventListener('arrive', () => (arrival = Math.min(arrival, world.time)))
  world.add(one)
  const log = { gap: Infinity, bits: [] as number[][] }
  for (let i = 0; i < seconds * rate; i++) {
    before?.(i, 1 / rate, one)
    world.step(1 / rate)
    for (const each of obstacles) {
      each.refresh()
      log.gap = Math.min(log.gap, each.distance(one.position, scratch) - one.radius)
    }
    log.bits.push(bitsOf([one]))
  }
  expect(faults).toEqual([])
  // keeps a distance that is not finite
  expect(log.bits.at(-1)!.every(Number.isFinite)).toBe(true)
  return { ...log, arrival, one }
}

/** The force on an agent at the origin that flies along x. */
function asked(behavior: Behavior, options: PilotOptions = {}): Answer {
  const answer = ask(behavior, { radius: 0.5, maxForce: 40, velocity: v(8, 0, 0), ...options })
  expect(answer.faults).toEqual([])
  return answer
}

/** The six axes and the directions between them. */
const COMPASS: readonly Vec3[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) =>
    [-1, 0, 1].filter((z) => x !== 0 || y !== 0 || z !== 0).map((z) => unit(v(x, y, z))),
  ),
)

describe.each(METHODS)('as a plain behaviour, $type', (method: Method) => {
  const force = (obstacles: Obstacle[], options: PilotOptions = {}): Vec3 =>
    asked(new method({ obstacles: obstacles }), options).force

  it('asks for nothing when no obstacle is ahead', () => {
    const near = 2 + 0.5 + 0.2
    for (const obstacles of [
      [],
      [ball(v(-9, 0, 0))],
      [ball(v(15, near, 0)), ball(v(20, 0, -near)), ball(v(7, -near, 0))],
      [ball(v(0, near, 0)), ball(v(0, 0, -near))],
      [ball(v(500, 0, 0))],
    ])
      expectVec(force(obstacles), v(0, 0, 0), 0)
  })

  it('turns away from an obstacle ahead, to the side where it is passed sooner', () => {
    for (const side of [v(0, 1, 0), v(0, -1, 0), v(0, 0, 1), v(0, 0, -1), unit(v(0, 2, -1))]) {
      const away = force([ball(plus(v(4, 0, 0), times(side, 1.5)))])
      expect(dotOf(away, side)).toBeLessThan(-1)
      // mostly in the plane of the two: where all sides are equal one is preferred, by little
      expect(Math.abs(dotOf(away, crossOf(v(1, 0, 0), side)))).toBeLessThan(-dotOf(away, side))
    }
  })

  it('in a priority it leaves the other behaviours alone until an obstacle is ahead', () => {
    const mind = (x: number): Behavior =>
      priority([new method({ obstacles: [ball(v(x, 0.7, 0))] }), pushing(v(0, 0, 7))])
    expectVec(asked(mind(300)).force, v(0, 0, 7), 0)
    expect(asked(mind(5)).force.y).toBeLessThan(-1)
  })

  it('alone it keeps an agent from hitting an obstacle ahead', () => {
    const obstacles = [ball(v(15, 1.5, 0))]
    const { gap } = fly({
      obstacles,
      behavior: new method({ obstacles: obstacles }),
      options: { velocity: v(7, 0, 0) },
    })
    expect(gap).toBeGreaterThan(0)
  })
})

describe('dead ahead', () => {
  const rock = [ball(v(6, 0, 0))]

  it('the silhouette method flies around it without stopping', () => {
    const { gap, one } = fly({
      obstacles: rock,
      behavior: priority([avoid(rock), new Seek({ target: v(90, 0, 0) })]),
      options: { velocity: v(4, 0, 0) },
      seconds: 4,
    })
    expect(gap).toBeGreaterThan(0)
    expect(one.position.x).toBeGreaterThan(15)
  })

  it('the textbook method has no lateral force and only brakes, as published', () => {
    const { x, y, z } = asked(new ClassicAvoidance({ obstacles: [ball(v(4.5, 0, 0))] })).force
    expect(x).toBeLessThan(-1)
    expectVec(v(0, y, z), v(0, 0, 0), 1e-9)
  })
})

describe('within: towards a goal behind a ball dead ahead', () => {
  for (const rate of pick([60], [30, 60, 240]))
    it(`reaches it in all directions, also straight up and down, at ${rate} steps a second`, () => {
      for (const way of rate === 60 ? COMPASS : [v(1, 0, 0), v(0, 1, 0), v(0, -1, 0), v(0, 0, -1)]) {
        const obstacles = [ball(times(way, 12), 3)]
        const { gap, arrival } = fly({
          obstacles,
          behavior: within([avoid(obstacles)], new Arrive({ target: times(way, 24) })),
          seconds: 6,
          rate,
        })
        expect(gap, `towards ${JSON.stringify(way)}`).toBeGreaterThan(0)
        expect(arrival, `towards ${JSON.stringify(way)}`).toBeLessThan(6)
      }
    })

  it.each<[string, () => Locomotion, PilotOptions]>([
    ['Hover, point mass', () => new Hover({ attitude: null }), {}],
    ['Thrusters', () => new Thrusters({ ahead: 40, astern: 20, port: 20, up: 20 }), {}],
    [
      'Flight',
      () => new Flight({ minSpeed: 3 }),
      { velocity: v(6, 0, 0), quaternion: about(v(0, 1, 0), Math.PI / 2) },
    ],
  ])('with %s', (_, gait, options) => {
    const obstacles = [ball(v(20, 0, 0), 3)]
    const { gap, one } = fly({
      obstacles,
      behavior: within([avoid(obstacles)], new Seek({ target: v(400, 0, 0) })),
      options: { ...options, locomotion: gait() },
      seconds: 5,
    })
    expect(gap).toBeGreaterThan(0)
    expect(one.position.x).toBeGreaterThan(25)
  })

  it('reaches it with compensated gravity', () => {
    for (const way of [v(1, 0, 0), v(0, 1, 0), v(0, -1, 0)]) {
      const obstacles = [ball(times(way, 12), 3)]
      const { gap, arrival } = fly({
        obstacles,
        behavior: within([avoid(obstacles)], new Arrive({ target: times(way, 24) })),
        options: { compensateGravity: true },
        gravity: v(0, -9.81, 0),
        seconds: 8,
      })
      expect(gap).toBeGreaterThan(0)
      expect(arrival).toBeLessThan(8)
    }
  })

  it('turns to one side and keeps it', () => {
    const obstacles = [ball(v(20, 0, 0), 3)]
    const { bits } = fly({
      obstacles,
      behavior: within([avoid(obstacles)], new Arrive({ target: v(40, 0, 0) })),
      seconds: 6,
    })
    const sides = bits.map(([, y]) => y!).filter((y) => Math.abs(y) > 0.3)
    expect(sides.length).toBeGreaterThan(20)
    expect(new Set(sides.map(Math.sign)).size).toBe(1)
  })
})

describe('a goal', () => {
  it('in front of the obstacle is reached as without it', () => {
    const obstacles = [ball(v(20, 0, 0), 3)]
    const wish = (): Behavior => new Arrive({ target: v(15, 0, 0) })
    const free = fly({ obstacles, behavior: within([], wish()), seconds: 5 })
    const { arrival, gap } = fly({ obstacles, behavior: within([avoid(obstacles)], wish()), seconds: 5 })
    expect(gap).toBeGreaterThan(0)
    expect(arrival).toBeLessThan(free.arrival + 0.3)
  })

  it('close behind the obstacle is reached', () => {
    const obstacles = [ball(v(20, 0, 0), 3)]
    const { arrival, gap } = fly({
      obstacles,
      behavior: within([avoid(obstacles)], new Arrive({ target: v(23.7, 0, 0) })),
    })
    expect(gap).toBeGreaterThan(0)
    expect(arrival).toBeLessThan(10)
  })

  it('inside an obstacle is approached without a contact', () => {
    for (const target of [v(20, 0, 0), v(22, 0, 0), v(19, 2, 1)]) {
      const obstacles = [ball(v(20, 0, 0), 3)]
      const { gap, one } = fly({ obstacles, behavior: within([avoid(obstacles)], new Arrive({ target })) })
      expect(gap).toBeGreaterThan(-1e-6)
      expect(norm(minus(one.position, v(20, 0, 0)))).toBeLessThan(5)
      expect(norm(one.velocity)).toBeLessThan(0.5)
    }
  })
})

describe('a moving obstacle', () => {
  /** Flies to a goal along x while a ball moves. */
  function meet(
    start: Vec3Like,
    velocity: Vec3Like,
    radius: number,
    wish: Behavior,
    options: PilotOptions = {},
  ): Log {
    const thing = drifter(start, velocity)
    const obstacles = [ball(thing, radius)]
    return fly({
      obstacles,
      behavior: within([avoid(obstacles)], wish),
      options,
      seconds: 7,
      before: (_step, dt) => thing.move(dt),
    })
  }

  it.each([1, 4, 8, 15, 30])('that comes head-on at %i m/s is passed', (speed) => {
    for (const aside of [0, 0.5, -2]) {
      const { gap, arrival } = meet(
        v(20 + 2 * speed, aside, 0),
        v(-speed, 0, 0),
        2,
        new Arrive({ target: v(40, 0, 0) }),
      )
      expect(gap).toBeGreaterThan(0)
      expect(arrival).toBeLessThan(7)
    }
  })

  it.each([2, 5, 8])('that crosses at %i m/s is passed', (speed) => {
    for (const late of [-0.4, 0, 0.4])
      for (const side of [v(0, 1, 0), v(0, 0, -1), unit(v(0.5, 1, 1))]) {
        // they would meet after about two seconds
        const start = plus(v(18, 0, 0), side, -speed * (2 + late))
        const { gap, arrival } = meet(start, times(side, speed), 2, new Arrive({ target: v(40, 0, 0) }))
        expect(gap, `late ${late}`).toBeGreaterThan(0)
        expect(arrival).toBeLessThan(7)
      }
  })

  it.each([3, 9])('is overtaken, or overtakes, at %i m/s without a contact', (speed) => {
    const { gap } = meet(v(12, 0.3, 0), v(speed, 0, 0), 2, new Seek({ target: v(500, 0, 0) }))
    expect(gap).toBeGreaterThan(0)
    const behind = meet(v(-12, 0.3, 0), v(speed, 0, 0), 2, new Seek({ target: v(500, 0, 0) }), {
      maxSpeed: 2,
    })
    expect(behind.gap).toBeGreaterThan(0)
  })

  // 9 and 12 m/s fail if `ObstacleView.hit` is limited to the horizon, which at rest is one radius
  it.each([2, 5, 9, 12])(
    'that comes at %i m/s is evaded by an agent without a wish, or at its goal',
    (speed) => {
      for (const aside of [0, 0.3, -1.5])
        for (const wish of [idle(), new Arrive({ target: v(0, 0, 0) })]) {
          const { gap } = meet(v(6 + 2 * speed, aside, 0), v(-speed, 0, 0), 2, wish)
          expect(gap).toBeGreaterThan(0)
        }
    },
  )

  it('is seen at its position, also when it jumps without a velocity', () => {
    const thing = { position: v(300, 0, 0) }
    const obstacles = [ball(thing)]
    const mind = within([avoid(obstacles)], new Seek({ target: v(90, 0, 0) }))
    const { gap, one } = fly({
      obstacles,
      behavior: mind,
      seconds: 4,
      before: (step) => {
        if (step === 20) thing.position.x = 15
      },
    })
    expect(gap).toBeGreaterThan(0)
    expect(one.position.x).toBeGreaterThan(20)
  })

  it('whose position is not finite any more is kept at its last position', () => {
    const thing = drifter(v(15, 0, 0), v(0, 0, 0))
    const obstacles = [ball(thing)]
    const { one, bits } = fly({
      obstacles,
      behavior: within([avoid(obstacles)], new Seek({ target: v(90, 0, 0) })),
      seconds: 4,
      before: (step) => {
        if (step === 30) thing.position.x = NaN
        if (step === 60) thing.velocity.y = Infinity
      },
    })
    expect(bits.every(([x, y, z]) => norm(minus(v(x!, y!, z!), v(15, 0, 0))) > 2.5)).toBe(true)
    expect(one.position.x).toBeGreaterThan(20)
  })
})

describe('sets of obstacles', () => {
  const wish = (): Behavior => new Seek({ target: v(90, 0, 0) })

  /** The force of `mind` at the present time, for an agent in the state of `one`. */
  function now(one: SteeringController, mind: Behavior): Vec3 {
    return ask(mind, {
      radius: 0.5,
      maxForce: 40,
      position: one.position,
      velocity: one.velocity,
      quaternion: one.quaternion,
    }).force
  }

  it('may lose the obstacle that is being avoided, and all others', () => {
    for (const all of [false, true]) {
      const first = ball(v(15, 0, 0), 3)
      const set = new Obstacles([first, ball(v(40, 30, 0), 3)])
      const { world, faults } = quietWorld()
      const one = pilot(within([avoid(set)], wish()), { radius: 0.5, maxForce: 40 })
      world.add(one)
      for (let i = 0; i < 60; i++) world.step(1 / 60)
      expect(Math.abs(one.velocity.y) + Math.abs(one.velocity.z)).toBeGreaterThan(0.5)
      if (all) set.clear()
      else set.remove(first)
      const expected = now(one, within([], wish()))
      world.step(1 / 60)
      expectVec(one.demand.force, expected, 1e-9)
      for (let i = 0; i < 120; i++) world.step(1 / 60)
      expect(one.position.x).toBeGreaterThan(20)
      expect(faults).toEqual([])
    }
  })

  it('may lose an obstacle by a planner, and within `ignore`', () => {
    for (const how of ['planner', 'ignore']) {
      const set = new Obstacles([ball(v(15, 0, 0), 3), ball(v(15, 5, 0), 3), ball(v(15, -5, 0), 3)])
      let due = false
      const drop = (): void => {
        const [first] = set
        if (due && first !== undefined) set.remove(first)
        due = false
      }
      const ignore = (): boolean => {
        if (how === 'ignore') drop()
        return false
      }
      const { world, faults } = quietWorld()
      const one = pilot(within([avoid(set, { ignore })], wish()), { radius: 0.5, maxForce: 40 })
      world.add(one)
      if (how === 'planner') world.addPlanner({ plan: drop })
      for (let i = 0; i < 180; i++) {
        due = i % 40 === 39
        world.step(1 / 60)
      }
      expect(set.size).toBe(0)
      expect(one.position.x).toBeGreaterThan(15)
      expect(faults).toEqual([])
    }
  })

  it('may get more obstacles at any time', () => {
    const set = new Obstacles()
    const log = fly({
      obstacles: set,
      behavior: within([avoid(set)], wish()),
      seconds: 6,
      before: (step) => {
        if (step % 40 === 20 && step < 200) set.add(ball(v(step / 4 + 20, 0.1, 0), 2))
      },
    })
    expect(set.size).toBe(5)
    expect(log.gap).toBeGreaterThan(0)
    expect(log.one.position.x).toBeGreaterThan(40)
  })

  it('may be given as a list, and obstacles as options', () => {
    const shape = new SphereShape(2)
    const at = v(12, 0.5, 0)
    const answers = [
      [{ shape, at }],
      [new Obstacle({ shape, at })],
      new Obstacles([{ shape, at }]),
      new Set([new Obstacle({ shape, at })]),
    ].map((obstacles) => asked(within([avoid(obstacles)], wish())).force)
    for (const force of answers) expect(force).toEqual(answers[0])
    expect(norm(minus(answers[0]!, asked(within([], wish())).force))).toBeGreaterThan(0.1)
  })

  it('may be shared by behaviours and worlds, and each world sees moving obstacles', () => {
    const thing = drifter(v(30, 0.4, 0), v(-3, 0, 0))
    const set = new Obstacles([ball(thing, 2)])
    const worlds = [0, 1].map(() => quietWorld())
    const pilots = worlds.flatMap(({ world }) =>
      [0, 1].map(() => {
        const one = pilot(within([avoid(set)], wish()), { radius: 0.5, maxForce: 40, seed: 1 })
        world.add(one)
        return one
      }),
    )
    for (let i = 0; i < 200; i++) {
      thing.move(1 / 60)
      for (const { world } of worlds) world.step(1 / 60)
      for (const one of pilots) {
        expect(norm(minus(one.position, thing.position))).toBeGreaterThan(2.5)
        expect(bitsOf([one])).toEqual(bitsOf([pilots[0]!]))
      }
    }
    expect(pilots[0]!.position.x).toBeGreaterThan(20)
    for (const { faults } of worlds) expect(faults).toEqual([])
  })

  it('may be replaced during a flight', () => {
    const mind = avoid([ball(v(12, 0.5, 0))])
    const before = asked(within([mind], wish())).force
    const other = avoid([])
    other.obstacles = mind.obstacles
    expect(asked(within([other], wish())).force).toEqual(before)
  })

  it('with hundreds of obstacles, searching a cone gives the same flight as considering all', () => {
    /** Adds at once all obstacles that it would add when a wider cone is scanned. */
    const all = (inner: AvoidObstacles): Constraint => ({
      steer: () => undefined,
      constrain: (agent, step, limits) => {
        const wide: VelocityConstraints = {
          wantedVelocity: limits.wantedVelocity,
          goalDistance: limits.goalDistance,
          addHalfSpace: (normal, least) => limits.addHalfSpace(normal, least),
          addObstacle: (...bar) => limits.addObstacle(...bar),
          addWall: (...wall) => limits.addWall(...wall),
          setExit: (way) => limits.setExit(way),
          addToMap: (...solid) => limits.addToMap(...solid),
          addScanner: (scanner: Scanner) => scanner.scan(agent, unit(limits.wantedVelocity), Math.PI, limits),
        }
        inner.constrain(agent, step, wide)
      },
    })
    const random = seeded(12)
    const spread = (size: number): number => size * (2 * random() - 1)
    let turned = 0
    for (let i = 0; i < 40; i++) {
      const moving = i % 3 === 0
      const set = new Obstacles(
        Array.from({ length: 300 }, () => {
          const position = v(spread(30), spread(30), spread(30))
          const at = moving ? { position, velocity: v(spread(3), spread(3), spread(3)) } : position
          return { shape: new SphereShape(0.5 + 2 * random()), at }
        }).filter(({ at }) => norm('position' in at ? at.position : at) > 6),
      )
      const state: PilotOptions = { velocity: v(spread(5), spread(5), spread(5)), responseTime: 0.2 }
      const target = v(spread(60), spread(60), spread(60))
      const some = asked(within([avoid(set)], new Seek({ target })), state).force
      expectVec(asked(within([all(avoid(set))], new Seek({ target })), state).force, some, 1e-9)
      if (norm(minus(some, asked(within([], new Seek({ target })), state).force)) > 1) turned++
    }
    expect(turned).toBeGreaterThan(10)
  })
})

describe('ignore', () => {
  it('an ignored obstacle has no effect', () => {
    const [seen, unseen] = [ball(v(12, 0.5, 0)), ball(v(9, -0.5, 0))]
    const wish = (): Behavior => new Seek({ target: v(90, 0, 0) })
    for (const method of METHODS) {
      const ignore = (obstacle: Obstacle): boolean => obstacle === unseen
      for (const wrap of [(a: Avoidance) => a, (a: Avoidance) => within([a], wish())]) {
        const only = asked(wrap(new method({ obstacles: [seen] }))).force
        expect(asked(wrap(new method({ obstacles: [seen, unseen], ignore }))).force).toEqual(only)
        const none = asked(wrap(new method({ obstacles: [] }))).force
        expect(asked(wrap(new method({ obstacles: [seen, unseen], ignore: () => true }))).force).toEqual(none)
      }
    }
  })

  it('is called for each agent: of two in one flock each may ignore its own dock', () => {
    const dock = ball(v(12, 0, 0))
    const { world } = quietWorld()
    const owners = new Set<number>()
    const mind = within(
      [avoid([dock], { ignore: (obstacle, agent) => obstacle === dock && owners.has(agent.id) })],
      new Seek({ target: v(90, 0, 0) }),
    )
    const [guest, owner] = [0, 1].map(() => pilot(mind, { radius: 0.5, maxForce: 40 })) as [
      SteeringController,
      SteeringController,
    ]
    world.add(guest).add(owner)
    owners.add(owner.id)
    for (let i = 0; i < 120; i++) {
      world.step(1 / 60)
      expect(norm(minus(guest.position, dock.position))).toBeGreaterThan(2.5)
      expect(Math.abs(owner.position.y) + Math.abs(owner.position.z)).toBe(0)
    }
  })

  it('can tell an obstacle by the body it follows, or by its owner', () => {
    const carrier = { position: v(12, 0.3, 0), velocity: v(0, 0, 0) }
    const obstacles = [new Obstacle({ shape: new SphereShape(2), at: carrier, offset: v(0.5, 0, 0) })]
    const mind = within(
      [avoid(obstacles, { ignore: ({ owner }) => owner === carrier })],
      new Seek({ target: v(90, 0, 0) }),
    )
    expectVec(asked(mind).force, asked(within([], new Seek({ target: v(90, 0, 0) }))).force, 0)
  })
})

describe('inside an obstacle', () => {
  const shapes: Record<string, Shape> = {
    sphere: new SphereShape(3),
    box: new BoxShape(v(2, 3, 4)),
    capsule: new CapsuleShape(2, 5),
    cylinder: new CylinderShape(3, 4),
  }

  it.each(Object.keys(shapes))(
    'an agent at rest in the centre of a %s comes out and does not go in again',
    (name) => {
      const at = v(5, -2, 7)
      const obstacles = [new Obstacle({ shape: shapes[name]!, at })]
      for (const wish of [idle(), new Seek({ target: v(5, 200, 7) })]) {
        let out = Infinity
        const { one } = fly({
          obstacles,
          behavior: within([avoid(obstacles)], wish),
          options: { position: at },
          seconds: 4,
          before: (step, dt, { position }) => {
            const gap = obstacles[0]!.distance(position, scratch) - 0.5
            if (gap > 0) out = Math.min(out, step * dt)
            else expect(out, `back in at ${step * dt} s`).toBe(Infinity)
          },
        })
        expect(out).toBeLessThan(3)
        expect(obstacles[0]!.distance(one.position, scratch)).toBeGreaterThan(0.5)
      }
    },
  )

  it('an agent inside several obstacles at once comes out', () => {
    const obstacles = [
      ball(v(0, 0, 0), 2),
      ball(v(0, 0, 0), 2),
      ball(v(1.5, 0, 0), 2),
      ball(v(-1.5, 0.1, 0), 2),
    ]
    const { one } = fly({ obstacles, behavior: within([avoid(obstacles)], idle()), seconds: 4 })
    for (const each of obstacles) expect(each.distance(one.position, scratch)).toBeGreaterThan(0.45)
  })

  it('an agent in a hollow room stays in it', () => {
    const obstacles = [new Obstacle({ shape: new HollowShape(new SphereShape(8)) })]
    const { gap } = fly({
      obstacles,
      behavior: within([avoid(obstacles)], new Seek({ target: v(50, 3, 0) })),
      seconds: 5,
    })
    expect(gap).toBeGreaterThan(-1e-6)
  })
})

describe('at rest on a surface', () => {
  // 0.5 m of hull, and 2 m of rock
  const start = v(0, 2.5, 0)
  const rock = (): Obstacle[] => [ball(v(0, 0, 0))]

  it('an agent leaves at full force', () => {
    const { y } = asked(within([avoid(rock())], new Seek({ target: v(0, 90, 0) })), {
      position: start,
      velocity: v(0, 0, 0),
    }).force
    expect(y).toBeGreaterThan(39)
  })

  it('an agent flies along it and around to the other side', () => {
    for (const [depth, target] of [
      [0, v(0, -20, 0)],
      [0, v(20, 2.5, 0)],
      [0.01, v(0.1, -20, 0)],
      [-0.01, v(0, -20, 0)],
    ] as const) {
      const obstacles = rock()
      const { gap, arrival } = fly({
        obstacles,
        behavior: within([avoid(obstacles)], new Arrive({ target })),
        options: { position: plus(start, v(0, -depth, 0)) },
        seconds: 8,
      })
      expect(gap).toBeGreaterThan(-depth - 0.02)
      expect(arrival).toBeLessThan(8)
    }
  })

  it('an agent without a wish gets no force', () => {
    const obstacles = rock()
    const { one } = fly({
      obstacles,
      behavior: within([avoid(obstacles)], idle()),
      options: { position: start },
      seconds: 3,
    })
    expect(norm(minus(one.position, start))).toBeLessThan(0.2)
    expect(norm(one.velocity)).toBeLessThan(0.1)
  })
})

describe('sizes', () => {
  it('a planet of 2000 km diameter is passed', () => {
    for (const target of [v(300, -200, 40), v(0, -1000, 0), v(200, 30, 0)]) {
      const obstacles = [ball(v(0, -1e6 - 30, 0), 1e6)]
      const { gap } = fly({
        obstacles,
        behavior: within([avoid(obstacles)], new Seek({ target })),
        options: { maxSpeed: 20 },
        seconds: 8,
      })
      expect(gap).toBeGreaterThan(0)
    }
  })

  it('a box as large as a country is passed at its edge', () => {
    const obstacles = [new Obstacle({ shape: new BoxShape(v(1e5, 1e5, 1e5)), at: v(1e5 + 20, -1e5 + 10, 0) })]
    const { gap, one } = fly({
      obstacles,
      behavior: within([avoid(obstacles)], new Seek({ target: v(90, 20, 0) })),
      options: { maxForce: 100 },
      seconds: 5,
    })
    expect(gap).toBeGreaterThan(0)
    expect(one.position.y).toBeGreaterThan(9)
  })

  it.each([1e-6, 1e-3, 30])('an agent of %d m passes', (radius) => {
    const obstacles = [ball(v(100, 0.1, 0), 3)]
    const { gap, one } = fly({
      obstacles,
      behavior: within([avoid(obstacles)], new Seek({ target: v(1000, 0, 0) })),
      options: { radius, maxSpeed: 30, maxForce: 60 },
      seconds: 8,
    })
    expect(gap).toBeGreaterThan(0)
    expect(one.position.x).toBeGreaterThan(150)
  })

  it('obstacles as small as dust are passed', () => {
    const obstacles = [ball(v(10, 0, 0), 1e-9)]
    const { gap } = fly({
      obstacles,
      behavior: within([avoid(obstacles)], new Seek({ target: v(90, 0, 0) })),
      seconds: 4,
    })
    expect(gap).toBeGreaterThan(0)
  })

  it('an agent without a top speed passes', () => {
    const gaps = METHODS.map((method) => {
      const obstacles = [ball(v(60, 0.1, 0), 5)]
      const behavior = within([new method({ obstacles: obstacles })], new Seek({ target: v(9000, 0, 0) }))
      return fly({ obstacles, behavior, options: { maxSpeed: Infinity }, seconds: 6 }).gap
    })
    // the textbook method may hit an obstacle directly ahead
    expect(gaps[0]).toBeGreaterThan(0)
  })
})

describe('options', () => {
  const passing = (options: Partial<AvoidObstaclesOptions>): number => {
    const obstacles = [ball(v(15, 0.5, 0), 3)]
    const behavior = within([avoid(obstacles, options)], new Seek({ target: v(900, 0, 0) }))
    return fly({ obstacles, behavior, seconds: 4 }).gap
  }

  it('clearance: a larger one leaves a larger distance', () => {
    const gaps = [0, 0.5, 2].map((margin) => passing({ clearance: margin }))
    expect(gaps[0]).toBeGreaterThan(0)
    expect(gaps[1]).toBeGreaterThan(0.4)
    expect(gaps[2]).toBeGreaterThan(1.6)
    expect(gaps[2]).toBeLessThan(2.6)
  })

  it('clearance: gaps that are too narrow for it are flown through with less', () => {
    const obstacles = [ball(v(15, 2.7, 0), 2), ball(v(15, -2.7, 0), 2)]
    const { gap, bits } = fly({
      obstacles,
      behavior: within([avoid(obstacles, { clearance: 0.15 })], new Seek({ target: v(900, 0, 0) })),
      seconds: 4,
    })
    expect(gap).toBeGreaterThan(0)
    expect(Math.max(...bits.map(([, , z]) => Math.abs(z!)))).toBeLessThan(0.2)
  })

  it('an agent that overlaps an obstacle a little leaves it, at rest or moving', () => {
    for (const velocity of [v(0, 0, 0), v(0, 0.5, 0)])
      for (const dt of [1 / 30, 1 / 240]) {
        const rock = drifter(v(0, 0, 0), velocity)
        const mind = within([avoid([ball(rock)])], idle())
        const { world } = quietWorld()
        // a tenth of the radius deep inside
        const one = pilot(mind, { radius: 0.5, maxForce: 40, position: v(2.45, 0, 0), velocity })
        world.add(one)
        for (let time = 0; time < 2; time += dt) {
          world.step(dt)
          rock.move(dt)
        }
        expect(norm(minus(one.position, rock.position))).toBeGreaterThan(2.499)
      }
  })

  it('horizon: with a longer one the agent turns sooner', () => {
    const turn = (horizon: number, x: number): number => {
      const mind = within([avoid([ball(v(x, 0.5, 0), 3)], { horizon })], new Seek({ target: v(900, 0, 0) }))
      return Math.abs(asked(mind).force.y)
    }
    for (const x of [30, 40, 60]) expect(turn(10, x)).toBeGreaterThan(0.1)
    expect(turn(1, 40)).toBe(0)
    expect(turn(10, 500)).toBe(0)
  })

  it('horizon: with any short one the agent still stops or turns in time', () => {
    expect(passing({ horizon: 1e-3 })).toBeGreaterThan(0)
    const obstacles = [new Obstacle({ shape: new BoxShape(v(1, 50, 50)), at: v(30, 0, 0) })]
    const behavior = within([avoid(obstacles, { horizon: 1e-3 })], new Seek({ target: v(900, 0, 0) }))
    expect(fly({ obstacles, behavior, options: { maxForce: 10 }, seconds: 6 }).gap).toBeGreaterThan(0)
  })

  it('brakingWeight: the textbook method brakes more with a larger one', () => {
    const braking = [0, 0.2, 0.8].map(
      (brakingWeight) =>
        -asked(new ClassicAvoidance({ obstacles: [ball(v(4.5, 1.5, 0))], brakingWeight }), {
          velocity: v(6, 0, 0),
        }).force.x,
    )
    expect(braking[0]).toBeCloseTo(0, 9)
    expect(braking[1]).toBeGreaterThan(1)
    expect(braking[2]).toBeGreaterThan(2 * braking[1]!)
  })

  it('all options may be changed during a flight', () => {
    const mind = avoid([ball(v(15, 0.5, 0), 3)])
    const all = within([mind], new Seek({ target: v(900, 0, 0) }))
    const { world } = quietWorld()
    const one = pilot(all, { radius: 0.5, maxForce: 40, velocity: v(8, 0, 0) })
    world.add(one)
    const side = (): number => {
      // a direction is kept for 0.05 s
      world.step(0.05)
      one.teleport({ position: v(0, 0, 0), velocity: v(8, 0, 0) })
      world.step(1e-9)
      return -one.demand.force.y
    }
    const first = side()
    expect(side()).toBeCloseTo(first, 6)
    mind.clearance = 3
    expect(side()).toBeGreaterThan(first + 0.1)
    mind.clearance = undefined
    mind.horizon = 0.01
    mind.ignore = () => true
    // the only force left reverses the turn made so far
    expect(side()).toBeCloseTo(0, 3)
    mind.ignore = undefined
    expect(Number.isFinite(side())).toBe(true)
  })
})
