import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  blend,
  Cruise,
  DRONES,
  FISH,
  Flight,
  Flocking,
  GEESE,
  Hover,
  neighborSearch,
  ReciprocalAvoidance,
  STARLINGS,
  SteeringController,
  SteeringWorld,
  Tether,
  Wander,
  within,
  type Behavior,
  type Flock,
  type FlockingOptions,
  type Locomotion,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { explain } from 'three-steering/explain'
import { restoreSnapshot, takeSnapshot, type Snapshot } from 'three-steering/snapshot'
import { FlockBatch } from '../../src/core/behaviors/flocking/flock-batch.js'
import { firstDifference } from './kit.js'
import { pick } from '../support/tier.js'
import { addFlock } from '../support/flock.js'

/**
 * The sums over the neighbours of a flock are made at once where its tree allows it, and a plain flock is
 * also steered at once. Both must give the same as one by one. The steering one by one, which a behaviour
 * that does not show its flocking forces, is what the batch is compared with.
 */
const DT = 1 / 60
const SEEDS = Array.from({ length: pick(6, 20, 400) }, (_, i) => i + 1)

/** Hides the flocking in it, so its neighbours are found one by one. Faults have the same name. */
class Hidden implements Behavior {
  static readonly type = 'Flocking'
  readonly neighborSearch = neighborSearch
  readonly reachTo = 'center'
  private readonly flocking: Flocking

  constructor(flocking: Flocking) {
    this.flocking = flocking
  }

  get reach(): number {
    return this.flocking.reach
  }

  steer(...[agent, step, out]: Parameters<Behavior['steer']>): void {
    this.flocking.steer(agent, step, out)
  }
}

/** Largest number of agents that one batch has steered. */
function countSteered(): () => number {
  // oxlint-disable-next-line typescript/unbound-method -- called with its batch below
  const { steer } = FlockBatch.prototype
  let most = 0
  vi.spyOn(FlockBatch.prototype, 'steer').mockImplementation(function (this: FlockBatch, ...args) {
    steer.apply(this, args)
    most = Math.max(
      most,
      args[2].reduce((sum, each) => sum + each, 0),
    )
  })
  return () => most
}

/** Number of times that an agent took its sums, or the force that follows from them, from a batch. */
function countTaken(): () => number {
  // oxlint-disable-next-line typescript/unbound-method -- called with its batch below
  const { addForce, sumsOf } = FlockBatch.prototype
  let taken = 0
  vi.spyOn(FlockBatch.prototype, 'addForce').mockImplementation(function (this: FlockBatch, ...args) {
    const isKnown = addForce.apply(this, args)
    if (isKnown) taken++
    return isKnown
  })
  vi.spyOn(FlockBatch.prototype, 'sumsOf').mockImplementation(function (this: FlockBatch, agent) {
    const sums = sumsOf.call(this, agent)
    if (sums !== null) taken++
    return sums
  })
  return () => taken
}

afterEach(() => vi.restoreAllMocks())

function anyOf<T>(random: () => number, ...choices: T[]): T {
  return choices[Math.floor(random() * choices.length)]!
}

function randomRules(random: () => number, alike: boolean, unit: boolean): FlockingOptions {
  const distance = 3 + 6 * random()
  const field = 2 + 4 * random()
  const rule = (): FlockingOptions['cohesion'] => ({
    neighborDistance: alike ? distance : 2 + 7 * random(),
    weight: 0.2 + random(),
    fieldOfView: alike ? 2 * Math.PI : anyOf(random, 2 * Math.PI, field),
    response: unit ? 'unit' : 'smooth',
    groups: alike ? -1 : anyOf(random, -1, 1, 2),
  })
  const { emergency: _, ...alignment } = { ...rule(), emergency: false }
  return { separation: alignment, alignment, cohesion: { ...rule(), emergency: random() < 0.5 } }
}

/** Distance of a flock from the origin, m. */
function farOf(seed: number): number {
  return seed % 3 === 0 ? 1e5 : 0
}

function hasUnitForces(seed: number): boolean {
  return seed % 4 === 0
}

interface Play {
  readonly world: SteeringWorld
  readonly flocks: readonly Flock[]
  readonly pilots: readonly SteeringController[]
}

/** How the agents are made. */
interface Kind {
  readonly locomotion?: Locomotion
  readonly maxNeighbors?: number
  readonly tree?: (flocking: Behavior) => Behavior
  /** Radii of the controllers (m), where they are not those of the flocks. */
  readonly radii?: readonly number[]
  /** Options that all three rules have, and that only the rules of alignment and cohesion have. */
  readonly rules?: Partial<FlockingOptions['separation']>
  readonly means?: Partial<FlockingOptions['separation']>
  /** Group bits of the flocks. */
  readonly group?: number
}

/** Two flocks of different build and a few controllers, some of which cannot move, with one behaviour. */
function playOf(seed: number, batched: boolean, kind: Kind = {}): Play {
  const { locomotion, maxNeighbors, radii, rules, means, tree } = kind
  const random = seeded(seed)
  const box = { min: { x: -20, y: -15, z: -18 }, max: { x: 22, y: 16, z: 19 } }
  const far = farOf(seed)
  const wrap = far === 0 && random() < 0.5 ? { wrap: box } : {}
  const world = new SteeringWorld({ seed, gravity: { x: 0, y: anyOf(random, 0, -0.5), z: 0 }, ...wrap })
  const { separation, alignment, cohesion } = randomRules(random, random() < 0.5, hasUnitForces(seed))
  const flocking = new Flocking({
    separation: { ...separation, ...rules },
    alignment: { ...alignment, ...rules, ...means },
    cohesion: { ...cohesion, ...rules, ...means },
  })
  const part = batched ? flocking : new Hidden(flocking)
  const behavior = tree === undefined ? part : tree(part)
  const size = 10 + 12 * random()
  const place = (out: Vec3): void => {
    for (const axis of ['x', 'y', 'z'] as const) out[axis] = far + size * (random() - 0.5)
  }
  const start = (index: number, position: Vec3, velocity: Vec3): void => {
    // the first two are at the same place
    if (index < 2) Object.assign(position, { x: far, y: far, z: far })
    else place(position)
    for (const axis of ['x', 'y', 'z'] as const) velocity[axis] = 4 * (random() - 0.5)
  }
  const shared = {
    behavior,
    locomotion: locomotion ?? new Hover({ attitude: null }),
    radius: 0.4,
    fieldOfView: anyOf(random, 2 * Math.PI, 4.5, 2),
    ...(maxNeighbors === undefined ? {} : { maxNeighbors }),
  }
  const flocks = [0, 1].map((i) =>
    addFlock(world, {
      ...shared,
      count: 12 + Math.floor(40 * random()),
      mass: 0.5 + 2 * random(),
      maxSpeed: 3 + 6 * random(),
      maxForce: 4 + 9 * random(),
      responseTime: 0.1 + random(),
      group: kind.group ?? anyOf(random, 0, 1, 2, 3),
      seed: 100 * i,
      compensateGravity: i === 1 && random() < 0.5,
      spawn: (index, { position, velocity }) => start(index, position, velocity),
    }),
  )
  const pilots = [0, 1, 2].map((i) => {
    const position = { x: 0, y: 0, z: 0 }
    const velocity = { x: 0, y: 0, z: 0 }
    start(9, position, velocity)
    // beside the flocks: an agent that may see one of another size is steered one by one
    if (radii !== undefined) for (const axis of ['x', 'y', 'z'] as const) position[axis] *= 2.5
    const limits = {
      maxSpeed: 5,
      maxForce: i === 0 ? 0 : 6,
      ...(i === 1 ? { plane: { x: 0, y: 1, z: 0.3 } } : {}),
      ...(radii === undefined ? {} : { radius: radii[i]! }),
    }
    return new SteeringController(null, { ...shared, ...limits, position, velocity, seed: 900 + i })
  })
  for (const pilot of pilots) world.add(pilot)
  return { world, flocks, pilots }
}

/** Position, velocity and attitude of all agents. */
function stateOf({ flocks, pilots }: Play): number[] {
  const members = flocks.flatMap((flock) =>
    Array.from({ length: flock.size }, (_, i) => ({
      position: flock.position(i, { x: 0, y: 0, z: 0 }),
      velocity: flock.velocity(i, { x: 0, y: 0, z: 0 }),
      quaternion: flock.quaternion(i, { x: 0, y: 0, z: 0, w: 1 }),
    })),
  )
  return [...members, ...pilots].flatMap(({ position, quaternion: q, velocity: v }) => [
    position.x,
    position.y,
    position.z,
    v.x,
    v.y,
    v.z,
    q.x,
    q.y,
    q.z,
    q.w,
  ])
}

/** One step, in which some agents leave. */
function step(play: Play, i: number): void {
  if (i % 20 === 7) play.flocks[i % 2]!.remove(i % play.flocks[i % 2]!.size)
  play.world.step(DT)
}

function run(play: Play, from: number, to: number): number[][] {
  return Array.from({ length: to - from }, (_, i) => {
    step(play, from + i)
    return stateOf(play)
  })
}

describe('a flock that is steered at once', () => {
  let atOnce = 0

  it.each(SEEDS)('equals one that is steered one by one, for 100 steps, seed %i', (seed) => {
    const steered = countSteered()
    const worst = worstOf(seed, () => ({}))
    // A position of 1e5 m is rounded to 1.5e-11 m. With a unit response a small sum has the full force, so
    // rounding errors grow from step to step: up to 5.4e-8 in a hundred of these flocks.
    expect(worst).toBeLessThan(1e-12 * Math.max(1, farOf(seed), hasUnitForces(seed) ? 1e6 : 1))
    if (steered() > 0) atOnce++
  })

  // an agent without neighbours and with an emergency rule is steered one by one
  it('was steered at once in nearly all of these flights', () => {
    expect(atOnce).toBeGreaterThan(0.9 * SEEDS.length)
  })

  it('finds the nearest few at any distance, when one leaves the others faster than it expects', () => {
    const flightOf = (batched: boolean): Flock => {
      const world = new SteeringWorld()
      const rule = { neighborDistance: 1e13 }
      const flocking = new Flocking({ separation: rule, alignment: rule, cohesion: rule })
      const random = seeded(3)
      const flock = addFlock(world, {
        behavior: batched ? flocking : new Hidden(flocking),
        locomotion: new Hover({ attitude: null }),
        count: 20,
        maxNeighbors: 5,
        maxForce: 5,
        maxSpeed: 2000,
        spawn: (i, { position, velocity }) => {
          for (const axis of ['x', 'y', 'z'] as const) position[axis] = 5 * random()
          velocity.y = i === 0 ? 1000 : 1
        },
      })
      const steered = countSteered()
      for (let i = 0; i < 8; i++) world.step(DT)
      expect(steered()).toBe(batched ? 20 : 0)
      vi.restoreAllMocks()
      return flock
    }
    const [atOnce, alone] = [flightOf(true), flightOf(false)]
    for (let i = 0; i < 20; i++) {
      const [a, b] = [atOnce, alone].map((flock) => flock.velocity(i, { x: 0, y: 0, z: 0 })) as [Vec3, Vec3]
      for (const axis of ['x', 'y', 'z'] as const) expect(a[axis]).toBeCloseTo(b[axis], 9)
    }
  })

  it.each(SEEDS.slice(0, 8))('goes on bit-identically from a snapshot, seed %i', (seed) => {
    const play = playOf(seed, true)
    run(play, 0, 30)
    const snapshot = JSON.parse(JSON.stringify(takeSnapshot(play.world))) as Snapshot
    const first = run(play, 30, 70)
    restoreSnapshot(play.world, snapshot)
    expect(firstDifference(run(play, 30, 70), first)).toBe(null)
    const other = playOf(seed, true)
    restoreSnapshot(other.world, snapshot)
    expect(firstDifference(run(other, 30, 70), first)).toBe(null)
  })

  it('is not changed by an explanation, nor by reads of its attitude and neighbours', () => {
    const first = run(playOf(3, true), 0, 60)
    const play = playOf(3, true)
    const why = explain(play.world, play.pilots[1]!)
    const read = Array.from({ length: 60 }, (_, i) => {
      step(play, i)
      play.world.visitAgents((_agents, { attitude, neighbors }) => {
        if (attitude.x.x > 1 || neighbors.count < 0) throw new Error('impossible')
      })
      return stateOf(play)
    })
    expect(firstDifference(read, first)).toBe(null)
    expect(why.root).not.toBe(null)
  })

  it('gives no force to an agent whose sums are not finite, and reports it, as one by one', () => {
    const faultsOf = (batched: boolean): unknown[] => {
      const flocking = new Flocking({
        separation: { neighborDistance: 3 },
        alignment: { neighborDistance: 3 },
        cohesion: { neighborDistance: 3 },
      })
      const world = new SteeringWorld()
      const faults: [number, string, string][] = []
      world.addEventListener('fault', ({ behavior, id, message }) => faults.push([id, behavior, message]))
      const flock = addFlock(world, {
        behavior: batched ? flocking : new Hidden(flocking),
        locomotion: new Hover({ attitude: null }),
        count: 6,
        maxSpeed: 5,
        maxForce: 5,
      })
      flocking.cohesion.weight = Infinity
      for (let i = 0; i < 3; i++) world.step(DT)
      const at = flock.position(0, { x: 0, y: 0, z: 0 })
      return [...faults.sort(([a], [b]) => a - b), at.x, at.y, at.z]
    }
    expect(faultsOf(true).length).toBeGreaterThan(3)
    expect(faultsOf(true)).toEqual(faultsOf(false))
  })
})

/** The largest difference of two flights of 100 steps, one with a batch. */
function worstOf(seed: number, kind: () => Kind): number {
  const batch = playOf(seed, true, kind())
  const single = playOf(seed, false, kind())
  let worst = 0
  for (let i = 0; i < 100; i++) {
    step(batch, i)
    step(single, i)
    const other = stateOf(single)
    for (const [k, x] of stateOf(batch).entries()) worst = Math.max(worst, Math.abs(x - other[k]!))
  }
  return worst
}

const roaming = (flocking: Behavior): Behavior =>
  blend([
    { behavior: new Wander(), weight: 0.3 },
    flocking,
    new Tether({ target: { x: 0, y: 0, z: 0 }, radius: 12 }),
  ])

/** Asks its part in every third step only. Pushes the agent by where its neighbours are, and their order. */
class Curious implements Behavior {
  readonly children: readonly Behavior[]
  private readonly ordered: boolean

  constructor(part: Behavior, ordered: boolean) {
    this.children = [part]
    this.ordered = ordered
  }

  steer(...[agent, now, out]: Parameters<Behavior['steer']>): void {
    const { count, distanceSq, row, seed } = agent.neighbors
    for (let i = 0; i < count; i++)
      out.force.y += 1e-3 * (this.ordered ? i + 1 : 1) * distanceSq[i]! * (seed[row[i]!]! % 3)
    if ((agent.slot + now.tick) % 3 === 0) this.children[0]!.steer(agent, now, out)
  }
}

const RADII = [1.3, 0.1, 3]

/** A limit of the rules that the batch can take over. */
const LIMIT: Partial<FlockingOptions['separation']> = {
  maxNeighbors: 5,
  groups: -1,
  fieldOfView: 2 * Math.PI,
}

describe.each<[string, () => Kind]>([
  ['few neighbours', () => ({ maxNeighbors: 5 })],
  ['one neighbour', () => ({ maxNeighbors: 1 })],
  ['a blend', () => ({ tree: roaming })],
  ['wings, a blend and few neighbours', () => ({ locomotion: new Flight(), maxNeighbors: 7, tree: roaming })],
  ['a few agents of other sizes', () => ({ radii: RADII })],
  [
    'agents of other sizes, few neighbours and parts that look at them',
    () => ({ maxNeighbors: 6, radii: RADII, tree: (part) => new Curious(roaming(part), true) }),
  ],
  ['parts that look at all neighbours', () => ({ tree: (part) => new Curious(part, false) })],
  ['leaders', () => ({ rules: { leaders: 2, leaderWeight: 2.5 } })],
  ['a limit of the rules', () => ({ rules: LIMIT, group: 1 })],
  [
    'limits of the rules, leaders, and parts that look at all neighbours',
    () => ({
      rules: { ...LIMIT, maxNeighbors: 3 },
      means: { maxNeighbors: 6, leaders: 2, leaderWeight: 2.5 },
      group: 3,
      tree: (part) => new Curious(roaming(part), false),
    }),
  ],
  [
    'limits of the rules and of the agents',
    () => ({ rules: LIMIT, means: { maxNeighbors: 9 }, maxNeighbors: 6, group: 5 }),
  ],
])('a flock with %s', (_, kind) => {
  it.each(SEEDS.filter((seed) => farOf(seed) === 0 && !hasUnitForces(seed)).slice(0, pick(3, 8, 100)))(
    'takes sums made at once, which equal those one by one, for 100 steps, seed %i',
    (seed) => {
      const steered = countSteered()
      const taken = countTaken()
      expect(worstOf(seed, kind)).toBeLessThan(1e-12)
      // half of the agents of these flocks may see an agent of another size
      expect(steered() + taken()).toBeGreaterThan(kind().radii === undefined ? 50 : 5)
    },
  )

  it('goes on bit-identically from a snapshot', () => {
    const play = playOf(5, true, kind())
    run(play, 0, 30)
    const snapshot = JSON.parse(JSON.stringify(takeSnapshot(play.world))) as Snapshot
    const first = run(play, 30, 70)
    const other = playOf(5, true, kind())
    restoreSnapshot(other.world, snapshot)
    expect(firstDifference(run(other, 30, 70), first)).toBe(null)
  })
})

describe.each(Object.entries({ STARLINGS, GEESE, FISH, DRONES }))('the preset %s', (_, preset) => {
  it.each([
    ['alone', (part: Behavior): Behavior => part],
    [
      'within its avoidance',
      (part: Behavior): Behavior => within([new ReciprocalAvoidance(preset.avoidance)], part),
    ],
  ])('takes sums made at once, bit by bit as one by one, with leaders and without, %s', (_name, around) => {
    const flightOf = (batched: boolean, group: number): number[][] => {
      const random = seeded(4)
      const world = new SteeringWorld({ seed: 2 })
      const flocking = new Flocking(preset.flocking)
      const part = batched ? flocking : new Hidden(flocking)
      const size = 3 * preset.flocking.separation.neighborDistance
      const flocks = [60, 4].map((count, i) =>
        addFlock(world, {
          ...preset.traits,
          count,
          seed: 100 * i,
          ...(i === 0 ? {} : { group }),
          behavior: around(blend([part, new Cruise(preset.cruise)])),
          spawn: (_each, { position, velocity }) => {
            for (const axis of ['x', 'y', 'z'] as const) position[axis] = size * (random() - 0.5)
            velocity.z = preset.traits.maxSpeed / 2
          },
        }),
      )
      const taken = countTaken()
      const states = run({ world, flocks, pilots: [] }, 0, 40)
      if (batched) expect(taken()).toBeGreaterThan(100)
      vi.restoreAllMocks()
      return states
    }
    for (const group of [2, 1])
      expect(firstDifference(flightOf(true, group), flightOf(false, group))).toBe(null)
  })
})

it('agents in no group take no place among the nearest few of a rule', () => {
  // the two flocks are in different groups, often one of them in none
  for (const seed of [1, 2, 5, 7]) expect(worstOf(seed, () => ({ rules: LIMIT }))).toBeLessThan(1e-12)
})

describe.each<[string, () => Locomotion]>([
  ['an attitude of its own', () => new Hover()],
  [
    'a locomotion of another class',
    () =>
      new (class extends Hover {
        override get pointMass(): boolean {
          return true
        }
      })(),
  ],
])('a flock with %s', (_, make) => {
  it('is steered one by one', () => {
    const steered = countSteered()
    const play = playOf(5, true, { locomotion: make() })
    run(play, 0, 5)
    expect(steered()).toBe(0)
  })
})
