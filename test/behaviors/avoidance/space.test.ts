import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  Flock,
  Hover,
  Obstacles,
  ReciprocalAvoidance,
  Stick,
  SteeringController,
  SteeringWorld,
  within,
  type QuatLike,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { addGhost } from 'three-steering/shards'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'
import { fitSpace, normalFromBall, normalToBall, toBall } from '../../../src/blocks/crowds/space.js'
import {
  about,
  direction,
  dotOf,
  expectVec,
  minus,
  norm,
  number,
  rotation,
  times,
  turned,
  unit,
  v,
  vector,
} from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { idle, pilot, quietWorld, xyz, type PilotOptions } from '../../support/pilot.js'
import { standIn } from '../../support/stand-in.js'
import { pick } from '../../support/tier.js'

const UP = v(0, 1, 0)
const point = { locomotion: new Hover({ attitude: null }) }
const avoid = (): ReciprocalAvoidance => new ReciprocalAvoidance({ bias: 0 })

interface Form {
  readonly radius: number
  readonly length: number
  readonly height: number
  readonly turn: QuatLike
}

const form = fc.record({
  radius: number(0.1, 9),
  length: number(1, 9),
  height: number(1, 9),
  turn: rotation(),
})

/** How far an ellipsoid reaches along the unit vector `n`, as its docstring says. */
function support({ radius, length, height, turn }: Form, n: Vec3Like): number {
  const along = dotOf(n, turned(turn, v(0, 0, 1)))
  const above = dotOf(n, UP)
  return radius * Math.sqrt(1 + (length ** 2 - 1) * along ** 2 + (height ** 2 - 1) * above ** 2)
}

/** Fits the common space. Returns the sum of the radii. */
function fit(a: Form, b: Form): number {
  const agent = standIn({
    radius: a.radius,
    spaceLength: a.length,
    spaceHeight: a.height,
    orientation: { ...a.turn },
  })
  const spaces = {
    spaceLength: () => b.length,
    spaceHeight: () => b.height,
    nose: (out: Vec3) => Object.assign(out, turned(b.turn, v(0, 0, 1))),
  }
  expect(fitSpace(agent, b.radius, spaces, 0, UP)).toBe(a.length + a.height + b.length + b.height > 4)
  return a.radius + b.radius
}

describe('the common space of two agents', () => {
  law(
    'holds the sum of both spaces, and reaches no farther than that for equal ones',
    [form, form, direction()],
    (a, b, n) => {
      const reach = (one: Form, other: Form): number => fit(one, other) * norm(normalToBall(v(0, 0, 0), n))
      const least = support(a, n) + support(b, n)
      expect(reach(a, b)).toBeGreaterThan(least * (1 - 1e-9))
      expect(reach(b, a)).toBeCloseTo(reach(a, b), 6)
      const alike = { ...a, radius: b.radius }
      expect(reach(a, alike)).toBeCloseTo(support(a, n) + support(alike, n), 6)
    },
  )

  law(
    'normals and vectors are scaled against each other',
    [form, form, vector(), direction()],
    (a, b, p, n) => {
      fit(a, { ...b, length: 1 + b.length })
      const normal = normalToBall(v(0, 0, 0), n)
      expect(dotOf(normal, toBall(v(0, 0, 0), p))).toBeCloseTo(dotOf(n, p), 6)
      expectVec(normalFromBall(normal, normal), n, 1e-9)
    },
  )

  it('two balls have none', () => {
    const ball = { radius: 2, length: 1, height: 1, turn: about(UP, 1) }
    expect(fit(ball, ball)).toBe(4)
  })
})

/** Forces of the first agent in one step, in a world that is turned by `q`. */
function forceOf(all: readonly PilotOptions[], q: QuatLike = about(UP, 0)): Vec3 {
  const { world, faults } = quietWorld({ up: turned(q, UP) })
  const pilots = all.map((each) =>
    pilot(avoid(), {
      ...point,
      ...each,
      position: turned(q, each.position!),
      velocity: turned(q, each.velocity ?? v(0, 0, 0)),
      quaternion: product(q, each.quaternion ?? about(UP, 0)),
      ...(each.plane && { plane: turned(q, each.plane) }),
      ...(each.axis && { axis: turned(q, each.axis) }),
    }),
  )
  for (const each of pilots) world.add(each)
  world.step(1 / 60)
  expect(faults).toEqual([])
  return xyz(pilots[0]!.demand.force)
}

function product(a: QuatLike, b: QuatLike): QuatLike {
  return {
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  }
}

describe('ReciprocalAvoidance with spaces that are no balls', () => {
  const drone = { spaceHeight: 4 }
  const hull = { spaceLength: 5 }

  it('by hand: a hull beneath, at the side and ahead', () => {
    const origin = v(0, 0, 0)
    const felt = (options: PilotOptions, position: Vec3): number =>
      norm(
        forceOf([
          { ...options, position: origin, seed: 0 },
          { ...options, position, seed: 9 },
        ]),
      )
    // 1 m between the centres of balls, and 0.15 of that
    for (const [options, axis, factor] of [
      [{}, v(0, 1, 0), 1],
      [drone, v(0, 1, 0), 4],
      [drone, v(1, 0, 0), 1],
      [hull, v(0, 0, 1), 5],
      [hull, v(0, 1, 0), 1],
    ] as const) {
      expect(felt(options, times(axis, 1.16 * factor))).toBe(0)
      expect(felt(options, times(axis, 1.14 * factor))).toBeGreaterThan(0)
    }
    // half of the way to one that avoids nobody is not left to it
    expect(norm(forceOf([{ position: v(0, 0, 0) }, { position: v(0, -4.4, 0), ...drone }]))).toBe(0)
    expect(norm(forceOf([{ position: v(0, 0, 0) }, { position: v(0, -2.4, 0), ...drone }]))).toBeGreaterThan(
      0,
    )
  })

  const one = fc.record({
    position: vector(4),
    velocity: vector(6),
    quaternion: rotation(),
    spaceLength: number(1, 4),
    spaceHeight: number(1, 4),
    radius: number(0.2, 0.8),
  })
  const lock = fc.constantFrom({}, { plane: UP }, { plane: unit(v(1, 2, 3)) }, { axis: unit(v(3, 1, 0)) })

  law(
    'forces turn with the scene, also in a plane and on a line',
    [one, one, lock, rotation()],
    (a, b, locked, q) => {
      const scene = [
        { ...a, ...locked, position: v(0, 0, 0), seed: 1 },
        { ...b, seed: 2 },
      ]
      expectVec(forceOf(scene, q), turned(q, forceOf(scene)), 1e-5)
    },
  )

  law('two balls do not notice that there are others, to the last bit', [one, one], (a, b) => {
    const ball = { spaceLength: 1, spaceHeight: 1 }
    const balls = [
      { ...a, ...ball, seed: 1 },
      { ...b, ...ball, seed: 2 },
    ]
    const far = { position: v(0, 9e4, 0), spaceHeight: 100, seed: 3 }
    expect(forceOf([...balls, far])).toEqual(forceOf([...balls, { ...far, spaceHeight: 1 }]))
  })

  it('the ship of a player stops before the bow of a hull', () => {
    const { world } = quietWorld()
    const stick = new Stick({ ahead: 1 })
    const player = pilot(within([avoid()], stick), { ...point, radius: 1, maxForce: 20 })
    world.add(player).add(pilot(idle(), { ...point, ...hull, radius: 1, position: v(0, 0, 40) }))
    for (let i = 0; i < 12 * 60; i++) world.step(1 / 60)
    // 1 m of the ball and 5 m of the hull
    expect(40 - player.position.z).toBeGreaterThan(6)
    expect(40 - player.position.z).toBeLessThan(7.5)
    expect(norm(player.velocity)).toBeLessThan(0.01)
  })
})

/** Agents that swap places through the middle of a ball of 15 m. */
function swapping(world: SteeringWorld, seed: number, count: number): SteeringController[] {
  const random = seeded(seed)
  const avoidance = new ReciprocalAvoidance()
  const all: SteeringController[] = []
  while (all.length < count) {
    const position = times(unit(v(random() - 0.5, 0.8 * (random() - 0.5), random() - 0.5)), 15)
    if (all.some((each) => apart(each.position, position, 5) < 3)) continue
    const behavior = within([avoidance], new Arrive({ target: times(position, -1) }))
    const radius = 0.2 + 0.4 * random()
    // some are balls
    const spaceHeight = random() < 0.3 ? 1 : 4
    const options = { ...point, behavior, position, radius, spaceHeight, maxSpeed: 5, maxForce: 6 }
    all.push(new SteeringController(null, options))
    world.add(all.at(-1)!)
  }
  return all
}

/** Distance of two places, heights divided by `height`. */
function apart(a: Vec3Like, b: Vec3Like, height: number): number {
  const d = minus(a, b)
  return norm(v(d.x, d.y / height, d.z))
}

describe('flights of agents whose spaces are no balls', () => {
  it.each(pick([60], [30, 60, 144]))('no drone flies beneath another, at 1/%i s', (rate) => {
    for (let seed = 1; seed <= pick(1, 4, 20); seed++) {
      const { world, faults } = quietWorld({ fixedStep: 1 / rate })
      const all = swapping(world, seed, 24)
      const goals = all.map(({ position }) => times(position, -1))
      let least = Infinity
      for (let i = 0; i < 12 * rate; i++) {
        world.step(1 / rate)
        for (const [k, a] of all.entries())
          for (const b of all.slice(k + 1)) {
            const sum = a.radius + b.radius
            const height = (a.radius * a.spaceHeight + b.radius * b.spaceHeight) / sum
            least = Math.min(least, apart(a.position, b.position, height) / sum)
          }
      }
      expect(least).toBeGreaterThan(1)
      expect(all.every((each, k) => norm(minus(each.position, goals[k]!)) < 0.1)).toBe(true)
      expect(faults).toEqual([])
    }
  })

  it('ships of 20 m pass each other in a street of 14 m', () => {
    const wall = (x: number): object => ({
      shape: new BoxShape({ x: 4, y: 60, z: 600 }),
      at: { position: v(x, 0, 0), quaternion: about(UP, 0) },
    })
    const { world, faults } = quietWorld()
    const streets = new AvoidObstacles({ obstacles: new Obstacles([wall(-9), wall(9)] as never) })
    const ships = [-1, 1].map((k) => {
      const behavior = within([streets, new ReciprocalAvoidance()], new Arrive({ target: v(0, 0, 70 * k) }))
      const options = { radius: 2, spaceLength: 5, plane: UP, maxSpeed: 8, maxForce: 5, maxTurnRate: 0.2 }
      const position = v(0.1 * k, 0, -70 * k)
      return pilot(behavior, { ...options, position, quaternion: about(UP, k < 0 ? Math.PI : 0) })
    })
    for (const ship of ships) world.add(ship)
    let least = Infinity
    let wide = 0
    for (let i = 0; i < 40 * 60; i++) {
      world.step(1 / 60)
      const d = minus(ships[0]!.position, ships[1]!.position)
      least = Math.min(least, norm(v(d.x, d.y, d.z / 5)))
      wide = Math.max(wide, ...ships.map((ship) => Math.abs(ship.position.x)))
    }
    expect(least).toBeGreaterThan(4)
    expect(wide).toBeLessThan(5)
    expect(ships.map((ship) => Math.abs(Math.round(ship.position.z)))).toEqual([70, 70])
    expect(faults).toEqual([])
  })

  const TRAITS = { ...point, maxSpeed: 5, maxForce: 6, radius: 0.5, spaceHeight: 3 }
  const start = (i: number): { position: Vec3; velocity: Vec3 } => ({
    position: v(2 * (i % 3), 1.3 * i, i % 2),
    velocity: v(i % 2 ? 1 : -1, 0, 0),
  })
  const spawn = (i: number, state: { position: Vec3; velocity: Vec3 }): void => {
    Object.assign(state.position, start(i).position)
    Object.assign(state.velocity, start(i).velocity)
  }
  const behavior = (): ReturnType<typeof within> => within([avoid()], new Arrive({ target: UP }))

  it('a flock, single agents, and a flock that is restored empty fly alike', () => {
    const flown = (add: (world: SteeringWorld) => (() => Vec3Like)[]): Vec3[] => {
      const { world } = quietWorld()
      const places = add(world)
      for (let i = 0; i < 60; i++) world.step(1 / 60)
      return places.map((place) => xyz(place()))
    }
    const flockOf = (count: number): Flock => new Flock({ ...TRAITS, behavior: behavior(), count, spawn })
    const inFlock = flown((world) => {
      const flock = flockOf(6)
      world.add(flock)
      return Array.from({ length: 6 }, (_, i) => () => flock.position(i, v(0, 0, 0)))
    })
    expect(inFlock.every((each) => Number.isFinite(each.x))).toBe(true)
    const single = flown((world) => {
      const shared = behavior()
      const all = Array.from({ length: 6 }, (_, i) => pilot(shared, { ...TRAITS, ...start(i) }))
      for (const each of all) world.add(each)
      return all.map((each) => () => each.position)
    })
    expect(single).toEqual(inFlock)
    const whole = quietWorld().world
    whole.add(flockOf(6))
    const restored = flown((world) => {
      const flock = flockOf(0)
      world.add(flock)
      restoreSnapshot(world, takeSnapshot(whole))
      return Array.from({ length: 6 }, (_, i) => () => flock.position(i, v(0, 0, 0)))
    })
    expect(restored).toEqual(inFlock)
  })

  it('a ghost has the space of its agent', () => {
    const felt = (spaceHeight: number): number => {
      const { world } = quietWorld()
      const one = pilot(avoid(), point)
      world.add(one)
      addGhost(world, { seed: 4, position: v(0, 2, 0), spaceHeight })
      world.step(1 / 60)
      return norm(one.demand.force)
    }
    expect(felt(1)).toBe(0)
    expect(felt(5)).toBeGreaterThan(0)
  })
})
