import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { neighborSearch, SteeringWorld, type Behavior, type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { angleBetween, direction, minus, norm, number, times, unit, v } from '../support/geometry.js'
import { law } from '../support/law.js'
import { Dummy, pilot, type PilotOptions } from '../support/pilot.js'
import { pick } from '../support/tier.js'

interface Sight {
  /** Positions of all agents when this agent read its neighbours. */
  readonly from: Vec3
  readonly course: Vec3
  /** Ids in the order given. */
  readonly ids: number[]
}

/** Radii (m) by id, all different, so that mix-ups are detected. */
const SIZES = {
  'all small': (id: number): number => 0.02 + 1e-7 * id,
  'large and small': (id: number): number => (id % 4 === 3 ? 1.5 : 0.1 * (1 + (id % 3))) + 1e-7 * id,
  'a giant here and there': (id: number): number => (id % 19 === 18 ? 30 : 0.2) + 1e-7 * id,
  'of all orders': (id: number): number => 1e-3 * 1.3 ** (id % 40) + 1e-7 * id,
}

let sizeOf = SIZES['all small']

afterEach(() => vi.restoreAllMocks())

/** Records the neighbours of each agent. */
class Watch implements Behavior {
  readonly neighborSearch = neighborSearch
  reach: number
  reachTo: 'surface' | 'center' = 'surface'
  readonly sights: Map<number, Sight>

  constructor(reach: number, sights = new Map<number, Sight>()) {
    this.reach = reach
    this.sights = sights
  }

  steer: Behavior['steer'] = (agent) => {
    const { count, row, id, distanceSq, position, velocity, group } = agent.neighbors
    const ids = []
    for (let i = 0; i < count; i++) {
      const r = row[i]!
      ids.push(id[r]!)
      // all columns must be of the agent with this id
      const at = v(position[3 * r]!, position[3 * r + 1]!, position[3 * r + 2]!)
      const { x, y, z } = minus(at, agent.position)
      if (distanceSq[i] !== x * x + y * y + z * z) expect.fail(`distance of ${id[r]} from ${agent.id}`)
      if (group[r] !== 1 << (id[r]! % 3)) expect.fail(`group of ${id[r]}`)
      if (agent.neighbors.radius(r) > agent.neighbors.maxRadius) expect.fail(`largest of ${id[r]}`)
      if (agent.neighbors.radius(r) !== sizeOf(id[r]!)) expect.fail(`radius of ${id[r]}`)
      if (velocity[3 * r + 1] !== 0) expect.fail(`velocity of ${id[r]}`)
    }
    this.sights.set(agent.id, { from: { ...agent.position }, course: { ...agent.course.x }, ids })
  }
}

/** Ids are indices into `places`, and traits follow from them, so that mix-ups are detected. */
function settle(
  world: SteeringWorld,
  places: readonly Vec3Like[],
  watch: (i: number) => Behavior,
  options: (i: number) => PilotOptions = () => ({}),
): void {
  for (const [i, position] of places.entries())
    world.add(
      pilot(watch(i), { position, radius: sizeOf(i), group: 1 << (i % 3), maxForce: 0, ...options(i) }),
    )
}

/**
 * The definition: all other agents whose surface is nearer than the reach, with the centre inside the cone,
 * as sorted ids.
 */
function bruteForce(
  sights: Map<number, Sight>,
  self: number,
  { reach, reachTo }: Pick<Watch, 'reach' | 'reachTo'>,
  angle = Infinity,
): number[] {
  const { from, course } = sights.get(self)!
  const found: number[] = []
  const own = sizeOf(self)
  for (const [id, other] of sights) {
    if (id === self) continue
    const [x, y, z] = [other.from.x - from.x, other.from.y - from.y, other.from.z - from.z]
    const sq = x * x + y * y + z * z
    const size = sizeOf(id)
    const range = reach + (reachTo === 'surface' ? size : Math.max(0, size - own))
    if (!(reach > 0 && sq < range * range)) continue
    if (sq > 0 && angleBetween(course, v(x, y, z)) > angle / 2) continue
    found.push(id)
  }
  return found.sort((a, b) => a - b)
}

function expectTruth(watch: Watch, angle = Infinity): void {
  for (const [id, { ids }] of watch.sights) {
    const found = [...ids].sort((a, b) => a - b)
    const wanted = bruteForce(watch.sights, id, watch, angle)
    // `toEqual` takes longer than the search
    if (found.join() !== wanted.join()) expect(found, `neighbours of ${id}`).toEqual(wanted)
  }
}

/**
 * Makes a world with agents at these places, and compares the neighbours of each with brute force, for each
 * reach.
 */
function expectSame(places: readonly Vec3Like[], ...reaches: number[]): Watch {
  const watch = new Watch(1)
  const world = new SteeringWorld()
  settle(world, places, () => watch)
  for (const reach of reaches) {
    watch.reach = reach
    watch.sights.clear()
    world.step(1 / 60)
    expect(watch.sights.size).toBe(places.length)
    expectTruth(watch)
  }
  return watch
}

function cloud(count: number, size: number, seed: number, center = v(0, 0, 0)): Vec3[] {
  const random = seeded(seed)
  const one = (): number => size * (random() - 0.5)
  return Array.from({ length: count }, () => v(center.x + one(), center.y + one(), center.z + one()))
}

const whole = fc.integer({ min: -4, max: 4 })

describe.each(Object.entries(SIZES))('neighbours are those of brute force, %s', (_name, sizes) => {
  beforeEach(() => {
    sizeOf = sizes
  })

  law(
    'at any places, with any reach',
    [
      fc.array(fc.record({ x: number(-5, 5), y: number(-5, 5), z: number(-5, 5) }), {
        minLength: 1,
        maxLength: 50,
      }),
      number(0.05, 20),
    ],
    (places, reach) => void expectSame(places, reach),
    pick(20, 50, 80),
  )

  law(
    'on a lattice, where distances are the reach itself and places lie on the borders of cells',
    [
      fc.array(fc.record({ x: whole, y: whole, z: whole }), { minLength: 2, maxLength: 50 }),
      fc.constantFrom(0.1, 1, 1 / 3, 7.3, 1e-3),
      fc.integer({ min: 1, max: 4 }),
    ],
    (nodes, pitch, reach) =>
      void expectSame(
        nodes.map((p) => times(p, pitch)),
        reach * pitch,
      ),
    pick(20, 50, 80),
  )

  it('in a dense crowd, away from the origin, on the negative side', () => {
    expectSame(cloud(pick(180, 500), 10, 1, v(-1000, 500, -3)), 1.5, 4, 0.2)
  })

  it('in two clusters a million metres apart', () => {
    expectSame([...cloud(100, 6, 2), ...cloud(100, 6, 3, v(-1e6, 1e6, 1e6))], 1.5, 5, 0.3)
  })

  it('with outliers at 1e300 on either side', () => {
    const places = [...cloud(100, 6, 4), v(1e300, -1e300, 1e300), v(-1e300, 1e300, 1e300)]
    expectSame(places, 1.5, 1e12)
  })

  it('among outliers: where cells can no longer be counted', () => {
    expectSame([...cloud(20, 4, 5), ...cloud(20, 40, 6, v(1e15, -1e15, 1e15))], 1, 30)
  })

  it('all in one place: each sees all others', () => {
    const { sights } = expectSame(
      Array.from({ length: 40 }, () => v(3, -4, 5)),
      0.5,
    )
    for (const { ids } of sights.values()) expect(ids).toHaveLength(39)
  })

  it('all in one cell, on a line, on a plane, one alone, none', () => {
    expectSame(cloud(80, 0.5, 7), 0.2, 100)
    expectSame(
      cloud(60, 40, 8).map(({ x }) => v(x, 0, 0)),
      2,
    )
    expectSame(
      cloud(60, 10, 9).map(({ x, z }) => v(x, -2, z)),
      2,
    )
    expectSame([v(1, 2, 3)], 1e9)
    expectSame([], 1)
  })

  it('with a reach far beyond the world, and with a tiny one', () => {
    expectSame(cloud(50, 6, 10), 1e200, 1e-200)
    expectSame([...cloud(50, 6, 10), v(1e9, 0, 0)], 1e200)
  })

  it('with a reach that changes from step to step, to 0 and back', () => {
    expectSame(cloud(80, 6, 16), 1, 3, 0.2, 0, 50, 1.5, 1.5, 1.5, 0)
  })

  it.each([
    ['', [0.3, 2, 20, 0], 0],
    [', and an outlier', [0.3, 0.1, 0.2, 0.1, 0.2, 60, 0], 1e9],
  ])('with agents of different reaches%s', (_what, reaches, away) => {
    const sights = new Map<number, Sight>()
    const watches = reaches.map((reach) => new Watch(reach, sights))
    const world = new SteeringWorld()
    settle(world, [...cloud(80, 6, 17), v(away, 0, away)], (i) => watches[i % watches.length]!)
    for (let i = 0; i < 3; i++) {
      world.step(1 / 60)
      for (const [id, { ids }] of sights)
        expect(ids.sort((a, b) => a - b)).toEqual(bruteForce(sights, id, watches[id % watches.length]!))
    }
  })

  it('for a part deep in a combination, also one that is added later', () => {
    const watch = new Watch(2)
    const parts: Behavior[] = []
    const root: Behavior = {
      children: parts,
      steer: (agent, step, out) => parts.forEach((part) => part.steer(agent, step, out)),
    }
    const world = new SteeringWorld()
    settle(world, cloud(40, 6, 18), () => root)
    world.step(1 / 60)
    parts.push({ children: [watch], steer: watch.steer })
    world.step(1 / 60)
    expect(watch.sights.size).toBe(40)
    expectTruth(watch)
    expect([...watch.sights.values()].some(({ ids }) => ids.length > 0)).toBe(true)
  })
})

const STEPS = pick(5, 30, 60)

describe.each(Object.entries(SIZES))('while they move, %s', (_name, sizes) => {
  beforeEach(() => {
    sizeOf = sizes
  })

  /** Velocities in the plane y = 0, so that `Watch` can distinguish them from others. */
  const drift = (i: number, speed: number): PilotOptions => ({
    velocity: times(unit(v(Math.sin(17 * i), 0, Math.cos(29 * i))), speed),
    maxSpeed: 1e6,
  })

  for (const [name, speed] of [
    ['hardly', 0.02],
    ['slowly', 1],
    ['briskly', 20],
    ['wildly', 500],
  ] as const)
    it(`${name}: the neighbours are those of brute force in each of ${STEPS} steps`, () => {
      const watch = new Watch(1.5)
      const world = new SteeringWorld()
      settle(
        world,
        cloud(120, 6, 20),
        () => watch,
        (i) => drift(i, speed),
      )
      for (let step = 0; step < STEPS; step++) {
        watch.sights.clear()
        world.step(1 / 60)
        expectTruth(watch)
      }
    })

  it('a single fast agent is found', () => {
    const watch = new Watch(1.5)
    const world = new SteeringWorld()
    settle(
      world,
      cloud(120, 6, 21),
      () => watch,
      (i) => drift(i, i === 60 ? 15 : 0.01),
    )
    for (let step = 0; step < STEPS; step++) {
      world.step(1 / 60)
      expectTruth(watch)
    }
  })

  it('agents that have drifted into other cells are found, in a world whose cells repeat themselves', () => {
    const random = seeded(23)
    const watch = new Watch(1.5)
    const world = new SteeringWorld()
    const places = [...cloud(150, 7, 23), v(1e7, -1e7, 1e7)]
    settle(
      world,
      places,
      () => watch,
      (i) => drift(i, i % 50 === 7 ? 12 : 0.4),
    )
    const strangers = [0, 1].map((k) => {
      const i = places.length + k
      const one = pilot(watch, { radius: sizeOf(i), group: 1 << (i % 3), maxForce: 0 })
      world.add(one)
      return one
    })
    for (let step = 0; step < STEPS; step++) {
      for (const one of strangers)
        one.teleport({ position: v(7 * (random() - 0.5), 7 * (random() - 0.5), 7 * (random() - 0.5)) })
      watch.sights.clear()
      world.step(1 / 60)
      expectTruth(watch)
    }
  })

  it('agents are found after a teleport, adds, removes and a change of reach', () => {
    const random = seeded(22)
    const watch = new Watch(1.5)
    const world = new SteeringWorld()
    const places = cloud(60, 5, 22)
    const pilots = places.map((position, i) =>
      pilot(watch, { position, radius: sizeOf(i), group: 1 << (i % 3), maxForce: 0, ...drift(i, 0.5) }),
    )
    pilots.forEach((each) => world.add(each))
    const away: typeof pilots = []
    let born = 60
    for (let step = 0; step < pick(55, 60, 80); step++) {
      if (step % 7 === 3) pilots[step % pilots.length]!.teleport({ position: places[(3 * step) % 60]! })
      if (step % 5 === 2) {
        const [gone] = pilots.splice(Math.floor(random() * pilots.length), 1)
        world.remove(gone!)
        away.push(gone!)
      }
      if (step % 6 === 1) {
        const i = born++
        const fresh = pilot(watch, {
          position: places[i % 60]!,
          radius: sizeOf(i),
          group: 1 << (i % 3),
          maxForce: 0,
        })
        pilots.push(fresh)
        world.add(fresh)
      }
      if (step % 11 === 10) watch.reach = 0.5 + 2 * random()
      watch.sights.clear()
      world.step(1 / 60)
      expect(watch.sights.size).toBe(pilots.length)
      expectTruth(watch)
    }
    expect(away.length).toBeGreaterThan(10)
  })

  /**
   * All cases at once: fast agents, teleports, different reaches and limits, in a small world or a wide one.
   */
  law(
    'in any mixture of agents, each gets the neighbours of brute force',
    [
      // a few agents cover more cases per second than many
      fc.oneof(
        { weight: 12, arbitrary: fc.integer({ min: 2, max: 8 }) },
        { weight: 1, arbitrary: fc.integer({ min: 9, max: 90 }) },
      ),
      fc.integer({ min: 0, max: 1e6 }),
      fc.constantFrom(0, 0.05, 0.3, 1),
      fc.constantFrom(0.5, 5, 60),
      fc.constantFrom(0.2, 3),
      fc.constantFrom(0, 1, 20),
      fc.boolean(),
      fc.boolean(),
    ],
    (count, seed, shareOfFast, speed, pace, teleports, wide, several) => {
      const random = seeded(seed)
      const sights = new Map<number, Sight>()
      const watches = [1.5, 0.4, 4, 0].map((reach) => new Watch(reach, sights))
      if (seed % 3 === 0) watches[0]!.reachTo = 'center'
      if (seed % 2 === 0) watches[1]!.reachTo = 'center'
      const watchOf = (i: number): Watch => watches[several ? i % 4 : 0]!
      const limits = Array.from({ length: count }, (_, i) =>
        i % 3 === 0 ? 1 + Math.floor(random() * 6) : Infinity,
      )
      const angles = Array.from({ length: count }, (_, i) => (i % 5 === 0 ? 1 + 4 * random() : 2 * Math.PI))
      const places = cloud(count, 2 + 6 * random(), seed)
      if (wide) places[0] = v(1e7, -1e7, 0)
      const world = new SteeringWorld()
      const pilots = places.map((position, i) =>
        pilot(watchOf(i), {
          position,
          radius: sizeOf(i),
          group: 1 << (i % 3),
          maxForce: 0,
          fieldOfView: angles[i]!,
          ...(limits[i] === Infinity ? {} : { maxNeighbors: limits[i]! }),
          ...drift(i, random() < shareOfFast ? speed : pace),
        }),
      )
      pilots.forEach((each) => world.add(each))
      for (let step = 0; step < 15; step++) {
        for (let k = 0; k < teleports; k++)
          if (random() < 0.3) {
            const one = pilots[Math.floor(random() * count)]!
            one.teleport({ position: places[Math.floor(random() * count)]! })
          }
        if (random() < 0.2) watches[0]!.reach = 0.5 + 3 * random()
        sights.clear()
        world.step(1 / 60)
        expect(sights.size).toBe(count)
        for (const [id, { ids, from }] of sights) {
          const all = bruteForce(sights, id, watchOf(id), angles[id])
          if (all.length <= limits[id]!) {
            expect([...ids].sort((a, b) => a - b)).toEqual(all)
            continue
          }
          // of equally distant agents any may be kept: the distances to the surfaces decide
          const off = (other: number): number => {
            const { x, y, z } = minus(sights.get(other)!.from, from)
            return Math.sqrt(x * x + y * y + z * z) - sizeOf(other)
          }
          const nearest = all.map(off).sort((a, b) => a - b)
          expect(ids.map(off)).toEqual(nearest.slice(0, limits[id]))
        }
      }
    },
    Number(process.env['NEIGHBOR_RUNS'] ?? 50),
  )

  it('two agents that meet half-way are found, though neither has moved far since a teleport', () => {
    const watch = new Watch(1)
    const world = new SteeringWorld()
    const bodies = [new Dummy({ position: v(100, 0, 0) }), new Dummy(), new Dummy({ position: v(-50, 0, 0) })]
    settle(
      world,
      [v(0, 0, 0), v(0, 0, 0), v(0, 0, 0)],
      () => watch,
      (i) => ({ body: bodies[i]! }),
    )
    const see = (first: number, second: number): number[] => {
      bodies[0]!.state.position.x = first
      bodies[1]!.state.position.x = second
      world.step(1 / 60)
      return watch.sights.get(0)!.ids
    }
    expect(see(100, 0)).toEqual([])
    // the first is moved near the second, which has drifted a little away …
    expect(see(1.12, -0.12)).toEqual([])
    // … and now comes back a little to the other side
    expect(see(1, 0.12)).toEqual([1])
  })

  it('a lost body is not seen, and is seen again when it is found', () => {
    const { body, state } = lostBody()
    const watch = new Watch(10)
    const world = new SteeringWorld()
    let faults = 0
    world.addEventListener('fault', () => faults++)
    settle(
      world,
      [v(0, 0, 0), v(1, 0, 0), v(2, 0, 0)],
      () => watch,
      (i) => (i === 1 ? { body } : {}),
    )
    const seen = (): number[] => {
      world.step(1 / 60)
      return watch.sights.get(0)!.ids.sort((a, b) => a - b)
    }
    expect(seen()).toEqual([1, 2])
    state.x = NaN
    expect(seen()).toEqual([2])
    expect(seen()).toEqual([2])
    state.x = 1
    expect(seen()).toEqual([1, 2])
    expect(faults).toBe(1)
  })
})

beforeEach(() => {
  sizeOf = SIZES['all small']
})

describe('field of view', () => {
  law(
    'contains agents inside the cone around the course, in small and in wide worlds',
    [direction().filter(({ y }) => Math.abs(y) < 0.99), number(0.2, 6.2), fc.boolean()],
    (heading, angle, wide) => {
      const watch = new Watch(3)
      const world = new SteeringWorld()
      const places = cloud(50, 6, 13)
      if (wide) places.push(v(1e9, 1, 1))
      settle(
        world,
        places,
        () => watch,
        () => ({ fieldOfView: angle, quaternion: looking(heading) }),
      )
      world.step(1 / 60)
      expectTruth(watch, angle)
    },
    40,
  )

  it('of half a turn contains agents abeam, and none behind', () => {
    const watch = new Watch(2)
    const world = new SteeringWorld()
    const places = [v(0, 0, 0), v(0, 0, 1), v(0, 1, 1e-3), v(-1, 0, 1e-3), v(0, 1, -1e-3), v(0, 0, -1)]
    // at rest the course is along the nose, +Z
    settle(
      world,
      places,
      () => watch,
      () => ({ fieldOfView: Math.PI }),
    )
    world.step(1 / 60)
    expect(new Set(watch.sights.get(0)!.ids)).toEqual(new Set([1, 2, 3]))
  })

  it('contains agents in the same place, however narrow it is', () => {
    const watch = new Watch(1)
    const world = new SteeringWorld()
    settle(
      world,
      [v(1, 1, 1), v(1, 1, 1)],
      () => watch,
      () => ({ fieldOfView: 0.1 }),
    )
    world.step(1 / 60)
    expect(watch.sights.get(0)!.ids).toEqual([1])
  })

  it('of a whole turn contains agents exactly behind', () => {
    const watch = new Watch(5)
    const world = new SteeringWorld()
    settle(
      world,
      [v(0, 0, 0), v(0, 0, -3)],
      () => watch,
      () => ({ fieldOfView: 2 * Math.PI }),
    )
    world.step(1 / 60)
    expect(watch.sights.get(0)!.ids).toEqual([1])
  })
})

describe('the k nearest', () => {
  law(
    'are the k nearest, nearest first',
    [fc.integer({ min: 1, max: 12 }), number(0.5, 8), fc.boolean()],
    (limit, reach, wide) => {
      const watch = new Watch(reach)
      const world = new SteeringWorld()
      const places = cloud(60, 5, 14)
      if (wide) places.push(v(-1e9, 0, 0))
      settle(
        world,
        places,
        () => watch,
        () => ({ maxNeighbors: limit }),
      )
      for (let step = 0; step < 2; step++) world.step(1 / 60)
      for (const [self, { ids }] of watch.sights) {
        const off = (id: number): number => norm(minus(places[id]!, places[self]!))
        const all = bruteForce(watch.sights, self, watch).sort((a, b) => off(a) - off(b))
        // a list within the limit needs no order
        if (all.length <= limit) expect(new Set(ids)).toEqual(new Set(all))
        else expect(ids).toEqual(all.slice(0, limit))
      }
    },
    40,
  )

  it('are any k of equally distant agents', () => {
    const watch = new Watch(2)
    const world = new SteeringWorld()
    const places = [v(0, 0, 0), v(1, 0, 0), v(-1, 0, 0), v(0, 1, 0), v(0, 0, 1)]
    settle(
      world,
      places,
      () => watch,
      () => ({ maxNeighbors: 2 }),
    )
    world.step(1 / 60)
    expect(watch.sights.get(0)!.ids).toHaveLength(2)
  })

  it('are chosen within the field of view', () => {
    const watch = new Watch(10)
    const world = new SteeringWorld()
    settle(
      world,
      [0, -1, 1, 2, 3].map((z) => v(0, 0, z)),
      () => watch,
      (i) => (i === 0 ? { fieldOfView: Math.PI / 2, maxNeighbors: 2 } : {}),
    )
    world.step(1 / 60)
    expect(watch.sights.get(0)!.ids).toEqual([2, 3])
    // the others have neither limit
    expect(new Set(watch.sights.get(1)!.ids)).toEqual(new Set([0, 2, 3, 4]))
  })
})

it('an agent without a reach gets no neighbours, also among agents with a reach', () => {
  const sights = new Map<number, Sight>()
  const blind = new Watch(0, sights)
  const seeing = new Watch(5, sights)
  const world = new SteeringWorld()
  settle(world, [v(0, 0, 0), v(1, 0, 0)], (i) => (i === 0 ? blind : seeing))
  world.step(1 / 60)
  expect(sights.get(0)!.ids).toEqual([])
  expect(sights.get(1)!.ids).toEqual([0])
})

function lostBody(): { body: NonNullable<PilotOptions['body']>; state: { x: number } } {
  const state = { x: 1 }
  const body: NonNullable<PilotOptions['body']> = {
    radius: 1.5,
    read(out) {
      Object.assign(out.position, { x: state.x, y: 0, z: 0 })
      Object.assign(out.velocity, { x: 0, y: 0, z: 0 })
      Object.assign(out.angularVelocity, { x: 0, y: 0, z: 0 })
      Object.assign(out.quaternion, { x: 0, y: 0, z: 0, w: 1 })
      out.mass = 1
    },
    apply() {},
  }
  return { body, state }
}

/** An attitude whose nose, +Z, points along `ahead`. */
function looking(ahead: Vec3Like): { x: number; y: number; z: number; w: number } {
  const q = { x: -ahead.y, y: ahead.x, z: 0, w: 1 + ahead.z }
  const d = Math.hypot(q.x, q.y, q.z, q.w)
  if (d < 1e-6) return { x: 0, y: 1, z: 0, w: 0 }
  return { x: q.x / d, y: q.y / d, z: q.z / d, w: q.w / d }
}
