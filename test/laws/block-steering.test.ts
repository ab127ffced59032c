import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  blend,
  Cruise,
  Flight,
  Flocking,
  Hover,
  SteeringController,
  SteeringWorld,
  Tether,
  Wander,
  type Behavior,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { explain } from 'three-steering/explain'
import { restoreSnapshot, takeSnapshot, type Snapshot } from 'three-steering/snapshot'
import { BlockSteering } from '../../src/core/neighbors/block-steering.js'
import { addFlock } from '../support/flock.js'
import { pick } from '../support/tier.js'
import { firstDifference } from './kit.js'

/**
 * Birds that flock, wander and keep near a place are steered in blocks, each part for all of a block before
 * the next part. The steering one by one is what they are compared with, bit by bit.
 */
const DT = 1 / 60
const SEEDS = Array.from({ length: pick(6, 40, 400) }, (_, i) => i + 1)

afterEach(() => vi.restoreAllMocks())

/** Numbers of agents that were steered in blocks, and all. */
function countSteered(): { inBlocks: number; all: number } {
  // oxlint-disable-next-line typescript/unbound-method -- called with its object below
  const { steer } = BlockSteering.prototype
  const count = { inBlocks: 0, all: 0 }
  vi.spyOn(BlockSteering.prototype, 'steer').mockImplementation(function (this: BlockSteering, ...args) {
    const steered = args[6]
    const before = steered.reduce((sum, each) => sum + each, 0)
    steer.apply(this, args)
    count.inBlocks += steered.reduce((sum, each) => sum + each, 0) - before
    count.all += args[2]
  })
  return count
}

/** Steers all agents one by one. */
function oneByOne(): void {
  vi.spyOn(BlockSteering.prototype, 'steer').mockImplementation(() => undefined)
}

/** A flock of birds of one kind, which the seed chooses, and two controllers with the same behaviour. */
function birds(seed: number): { world: SteeringWorld; pilot: SteeringController } {
  const random = seeded(seed)
  const between = (low: number, high: number): number => low + (high - low) * random()
  const far = seed % 5 === 0 ? 1e4 : 0
  const place = (out: Vec3, size: number): void => {
    for (const axis of ['x', 'y', 'z'] as const) out[axis] = size * (random() - 0.5)
  }
  const rule = (): ConstructorParameters<typeof Flocking>[0]['cohesion'] => ({
    neighborDistance: between(2, 8),
    weight: between(0.2, 1.5),
  })
  const flocking = new Flocking({
    separation: rule(),
    alignment: rule(),
    cohesion: { ...rule(), emergency: random() < 0.2 },
  })
  const target = { x: far, y: far, z: far }
  const parts = [
    flocking,
    {
      behavior: new Wander({
        jitter: between(0, 3),
        radius: between(0.5, 2),
        speedShare: between(0.3, 1),
        ...(random() < 0.5 ? { turnTime: between(0.01, 3) } : {}),
        ...(random() < 0.3 ? { offset: { x: 0, y: 0.3, z: -0.2 } } : {}),
      }),
      weight: between(-0.2, 1),
    },
    new Tether({ target, radius: between(0, 10) }),
    new Tether({ target: { position: { x: far, y: 0, z: 0 } }, radius: 8, fadeWidth: 0.5, weight: -0.5 }),
    new Cruise({ speedShare: between(0.2, 1) }),
  ]
  const behavior: Behavior =
    seed % 4 === 0 ? flocking : blend(parts.slice(0, 2 + (seed % 4)), { average: random() < 0.3 })
  const maxSpeed = between(3, 15)
  const world = new SteeringWorld({ seed, gravity: { x: 0, y: seed % 3 === 0 ? -2 : 0, z: 0 } })
  const shared = {
    behavior,
    locomotion: new Flight({
      minSpeed: random() < 0.5 ? 0 : between(1, 6),
      sideForce: between(0, 0.4),
      bankWeight: between(1, 12),
      ...(random() < 0.5 ? { thrust: between(1, 20), brake: between(1, 9), lift: between(1, 20) } : {}),
    }),
    radius: 0.3,
    mass: between(0.5, 3),
    maxSpeed,
    maxForce: between(5, 30),
    maxTorque: between(0.1, 6),
    maxTurnRate: random() < 0.5 ? Infinity : between(0.5, 4),
    responseTime: between(0.01, 0.6),
    compensateGravity: random() < 0.5,
    fieldOfView: random() < 0.5 ? 2 * Math.PI : 4.5,
    ...(random() < 0.7 ? { maxNeighbors: 7 } : {}),
    ...(random() < 0.3 ? { forward: { x: 0, y: 0, z: -1 }, up: { x: 1, y: 0, z: 0 } } : {}),
  }
  addFlock(world, {
    ...shared,
    count: 75,
    spawn: (_, { position, velocity }) => {
      place(position, 14)
      place(velocity, maxSpeed)
      for (const axis of ['x', 'y', 'z'] as const) position[axis] += far
    },
  })
  const pilots = [{}, { plane: { x: 0, y: 1, z: 0 } }].map(
    (lock, i) => new SteeringController(null, { ...shared, ...lock, position: target, seed: 900 + i }),
  )
  for (const pilot of pilots) world.add(pilot)
  return { world, pilot: pilots[0]! }
}

/** What is compared of each agent, and its width. */
const COLUMNS = [
  ['position', 3],
  ['velocity', 3],
  ['orientation', 4],
  ['angularVelocity', 3],
  ['wanted', 6],
  ['given', 6],
] as const

/** The state of all agents, by id. */
function stateOf({ agents }: SteeringWorld): number[] {
  const rows = Array.from({ length: agents.count }, (_, i) => i)
  rows.sort((a, b) => agents.id[a]! - agents.id[b]!)
  const state: number[] = []
  for (const row of rows)
    for (const [name, width] of COLUMNS) state.push(...agents[name].subarray(width * row, width * (row + 1)))
  return state
}

function fly(world: SteeringWorld, steps: number): number[][] {
  return Array.from({ length: steps }, () => {
    world.step(DT)
    return stateOf(world)
  })
}

describe('birds that are steered in blocks', () => {
  let inBlocks = 0
  let all = 0

  it.each(SEEDS)('fly bit by bit as those that are steered one by one, seed %i', (seed) => {
    const count = countSteered()
    const first = fly(birds(seed).world, 80)
    vi.restoreAllMocks()
    inBlocks += count.inBlocks
    all += count.all
    oneByOne()
    expect(firstDifference(fly(birds(seed).world, 80), first)).toBe(null)
  })

  it('were steered in blocks for the most part', () => {
    expect(inBlocks).toBeGreaterThan(0.5 * all)
  })

  it('go on bit-identically from a snapshot', () => {
    const { world } = birds(2)
    fly(world, 30)
    const snapshot = JSON.parse(JSON.stringify(takeSnapshot(world))) as Snapshot
    const first = fly(world, 40)
    const { world: other } = birds(2)
    restoreSnapshot(other, snapshot)
    expect(firstDifference(fly(other, 40), first)).toBe(null)
  })

  it('are not changed by an explanation', () => {
    const first = fly(birds(7).world, 40)
    const { world, pilot } = birds(7)
    const why = explain(world, pilot)
    expect(firstDifference(fly(world, 40), first)).toBe(null)
    expect(why.root).not.toBe(null)
  })

  it('report a tether that throws or is not finite, as one by one', () => {
    const faultsOf = (inBlocks: boolean): string[] => {
      const target = { position: { x: 0, y: 0, z: 0 } }
      const rule = { neighborDistance: 4 }
      const flocking = new Flocking({ separation: rule, alignment: rule, cohesion: rule })
      const world = new SteeringWorld()
      const faults: string[] = []
      world.addEventListener('fault', ({ id, message }) => faults.push(`${id} ${message}`))
      addFlock(world, {
        behavior: blend([flocking, new Tether({ target, radius: 2 })]),
        locomotion: new Flight(),
        count: 6,
        maxSpeed: 5,
        maxForce: 5,
      })
      if (!inBlocks) oneByOne()
      for (let i = 0; i < 3; i++) world.step(DT)
      target.position = { x: NaN, y: 0, z: 0 }
      for (let i = 0; i < 3; i++) world.step(DT)
      Object.defineProperty(target, 'position', {
        get: () => {
          throw new Error('gone')
        },
      })
      for (let i = 0; i < 3; i++) world.step(DT)
      vi.restoreAllMocks()
      return faults.sort()
    }
    expect(faultsOf(true).length).toBeGreaterThan(5)
    expect(faultsOf(true)).toEqual(faultsOf(false))
  })

  it.each<[string, () => Behavior]>([
    [
      'Wander',
      () =>
        new (class extends Wander {
          override steer(...[agent, step, out]: Parameters<Wander['steer']>): void {
            super.steer(agent, step, out)
            out.force.y += 1
          }
        })(),
    ],
    ['a part of another kind', () => ({ steer: (_agent, _step, out) => void (out.force.y += 1) })],
    ['a blend within the blend', () => blend([new Wander()])],
  ])('are steered one by one beside %s', (_, part) => {
    const rule = { neighborDistance: 4 }
    const flocking = new Flocking({ separation: rule, alignment: rule, cohesion: rule })
    const world = new SteeringWorld()
    const behavior = blend([flocking, part()])
    addFlock(world, { behavior, locomotion: new Flight(), count: 9, maxSpeed: 5, maxForce: 5 })
    addFlock(world, { behavior: flocking, locomotion: new Hover(), count: 9, maxSpeed: 5, maxForce: 5 })
    const count = countSteered()
    fly(world, 5)
    expect(count.inBlocks).toBe(0)
    expect(count.all).toBeGreaterThan(0)
  })
})
