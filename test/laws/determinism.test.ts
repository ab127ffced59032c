import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  blend,
  Evade,
  Flight,
  Flocking,
  Hover,
  Pursue,
  SteeringController,
  SteeringWorld,
  Wander,
  type Behavior,
} from 'three-steering'
import type { SpawnState } from 'three-steering/authoring'
import { seeded } from 'three-steering/authoring'
import { bitsOf, idle } from './kit.js'
import { addFlock } from '../support/flock.js'
import { pick } from '../support/tier.js'

interface Sky {
  readonly world: SteeringWorld
  /** Positions of all agents, by name, independent of the order of adding. */
  readonly read: () => number[]
}

const AGENT = { maxSpeed: 9, maxForce: 25 }

/** Three flocks that see each other, a hawk and a fox, added in the given order. */
function sky(seed: number, order: readonly number[], keys = 0): Sky {
  const world = new SteeringWorld({ seed })
  const hawk = new SteeringController(null, {
    ...AGENT,
    behavior: new Wander({ jitter: 2 }),
    position: { x: 9, y: 3, z: -4 },
    velocity: { x: 0, y: 1, z: 5 },
    seed: keys + 70,
  })
  const fox = new SteeringController(null, {
    ...AGENT,
    behavior: new Pursue({ target: hawk, aimError: 2, prediction: 'turn-aware' }),
    seed: keys + 71,
  })
  const spawn =
    (from: number) =>
    (i: number, { position, velocity }: SpawnState): void => {
      const random = seeded(from + i)
      Object.assign(position, { x: 12 * random(), y: 12 * random(), z: 12 * random() })
      Object.assign(velocity, { x: random() - 0.5, y: random() - 0.5, z: random() - 0.5 })
    }
  const flocks: (() => number[])[] = []
  const addTo = (n: number): void => {
    const flock = addFlock(world, {
      ...AGENT,
      count: 30 + n,
      seed: keys + 1000 * (n + 1),
      spawn: spawn(1000 * n),
      locomotion: n === 1 ? new Flight() : new Hover(),
      behavior: blend([
        new Flocking({
          separation: { neighborDistance: 2 },
          alignment: { neighborDistance: 4 },
          cohesion: { neighborDistance: 4 },
        }),
        new Wander(),
        new Evade({ target: hawk, panicDistance: 5 }),
      ]),
    })
    flocks[n] = () =>
      Array.from({ length: flock.size }, (_, i) => flock.position(i, { x: 0, y: 0, z: 0 })).flatMap(
        ({ x, y, z }) => [x, y, z],
      )
  }
  const adds = [
    () => addTo(0),
    () => addTo(1),
    () => addTo(2),
    () => void world.add(hawk),
    () => void world.add(fox),
  ]
  for (const k of order) adds[k]!()
  return { world, read: () => [...bitsOf([hawk, fox]), ...flocks.flatMap((each) => each())] }
}

/** Hash of all positions of all steps. */
function hashOf({ world, read }: Sky): string {
  const hash = createHash('sha256')
  for (let i = 0; i < pick(90, 300); i++) {
    world.step(1 / 60)
    hash.update(new Float64Array(read()))
  }
  return hash.digest('hex')
}

describe('equal seeds give bit-identical flights', () => {
  const first = hashOf(sky(1, [0, 1, 2, 3, 4]))

  it('in a second run', () => {
    expect(hashOf(sky(1, [0, 1, 2, 3, 4]))).toBe(first)
  })

  it.each([[[4, 3, 2, 1, 0]], [[2, 4, 0, 3, 1]], [[3, 0, 4, 1, 2]]])(
    'in any order %j of adding flocks and controllers with their own keys',
    (order) => {
      expect(hashOf(sky(1, order))).toBe(first)
    },
  )

  it('and another seed of the world, or other keys, gives another flight', () => {
    expect(hashOf(sky(2, [0, 1, 2, 3, 4]))).not.toBe(first)
    expect(hashOf(sky(1, [0, 1, 2, 3, 4], 13))).not.toBe(first)
  })

  it('also when agents leave and other agents take their rows', () => {
    const run = (): string => {
      const { world, read } = sky(1, [0, 1, 2, 3, 4])
      const hash = createHash('sha256')
      for (let i = 0; i < 100; i++) {
        const guest = new SteeringController(null, { ...AGENT, behavior: new Wander(), seed: 5000 + i })
        world.add(guest)
        world.step(1 / 60)
        hash.update(new Float64Array(read()))
        if (i % 3 !== 0) world.remove(guest)
      }
      return hash.digest('hex')
    }
    expect(run()).toBe(run())
  })
})

describe('each agent has its own random stream', () => {
  /** Draws a few numbers in each step, and records them. */
  function gambler(diary: number[]): Behavior {
    return {
      steer(agent): void {
        for (let i = 0; i < 3; i++) diary.push(agent.random())
      },
    }
  }

  /** The numbers drawn by five agents. Those in `leaving` are removed after 20 of 60 steps. */
  function diaries(leaving: readonly number[]): number[][] {
    const world = new SteeringWorld({ seed: 9 })
    const books = Array.from({ length: 5 }, (): number[] => [])
    const agents = books.map((book) => new SteeringController(null, { ...AGENT, behavior: gambler(book) }))
    for (const each of agents) world.add(each)
    for (let i = 0; i < 60; i++) {
      if (i === 20) for (const k of leaving) world.remove(agents[k]!)
      world.step(1 / 60)
    }
    return books
  }

  const all = diaries([])

  it.each([0, 2, 4])('so that removing agent %i changes no other', (gone) => {
    const rest = diaries([gone])
    expect(rest[gone]).toHaveLength(60)
    for (const k of [0, 1, 2, 3, 4].filter((k) => k !== gone)) expect(rest[k]).toEqual(all[k])
  })

  it('and streams of different agents and steps have nothing in common', () => {
    const numbers = all.flat()
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  it('and does not depend on which agent draws first, or how often', () => {
    const run = (greed: number): number[] => {
      const world = new SteeringWorld({ seed: 9 })
      const diary: number[] = []
      const greedy: Behavior = {
        steer(agent): void {
          for (let i = 0; i < greed; i++) agent.random()
        },
      }
      world.add(new SteeringController(null, { ...AGENT, behavior: greedy, seed: 1 }))
      world.add(new SteeringController(null, { ...AGENT, behavior: gambler(diary), seed: 2 }))
      for (let i = 0; i < 20; i++) world.step(1 / 60)
      return diary
    }
    expect(run(100)).toEqual(run(0))
  })

  it('and a new agent in the row of a removed one does not inherit its wandering', () => {
    const run = (before: boolean): number[] => {
      const world = new SteeringWorld()
      const wander = new Wander()
      if (before) {
        const old = new SteeringController(null, { ...AGENT, behavior: wander, seed: 3 })
        world.add(old)
        for (let i = 0; i < 30; i++) world.step(1 / 60)
        world.remove(old)
      } else {
        // as many steps, because the stream depends on the step
        const other = new SteeringController(null, { ...AGENT, behavior: idle(), seed: 3 })
        world.add(other)
        for (let i = 0; i < 30; i++) world.step(1 / 60)
        world.remove(other)
      }
      const young = new SteeringController(null, { ...AGENT, behavior: wander, seed: 4 })
      world.add(young)
      for (let i = 0; i < 30; i++) world.step(1 / 60)
      world.remove(young)
      return bitsOf([young])
    }
    expect(run(true)).toEqual(run(false))
  })
})
