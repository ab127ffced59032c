import { describe, expect, it } from 'vitest'
import {
  AvoidObstacles,
  AvoidWalls,
  BoxShape,
  HalfSpaceShape,
  Hover,
  Obstacles,
  Queue,
  ReciprocalAvoidance,
  Seek,
  SteeringWorld,
  within,
} from 'three-steering'
import { GateRun } from 'three-steering/racing'
import { type Constraint, seeded } from 'three-steering/authoring'
import { pilot } from '../support/pilot.js'
import { ALL, FULL, pick } from '../support/tier.js'
import { addFlock } from '../support/flock.js'

/**
 * `Queue` demanded its clearance as strongly as a wall does. When both demands could not be met, both were
 * relaxed alike, and agents that waited beside a door were pushed into its wall, up to 0.85 m deep.
 */

describe('an agent pressed against a wall by the agent ahead in the queue', () => {
  it.each([1 / 30, 1 / 60, 1 / 240])('does not enter it, in steps of %d s', (dt) => {
    const world = new SteeringWorld()
    const obstacles = new Obstacles([{ shape: new HalfSpaceShape({ x: 0, y: 1, z: 0 }) }])
    const queue = new Queue({ target: { x: 0, y: 5, z: 0 }, radius: 40, clearance: 0.5 })
    const low = pilot(
      within([new AvoidWalls({ obstacles }), queue], new Seek({ target: { x: 0, y: 5, z: 0 } })),
      {
        position: { x: 0, y: 0.55, z: 0 },
        locomotion: new Hover({ attitude: null }),
        seed: 2,
      },
    )
    // an agent above, much nearer than the clearance of the queue
    world.add(low).add(pilot(undefined, { position: { x: 0, y: 1.4, z: 0 }, maxForce: 0, seed: 1 }))
    let least = Infinity
    for (let i = 0; i < 3 / dt; i++) {
      world.step(dt)
      least = Math.min(least, low.position.y - 0.5)
    }
    expect(least).toBeGreaterThan(0)
  })
})

describe('an agent with a gate behind a wall', () => {
  it.each([1 / 30, 1 / 60, 1 / 240])('does not enter it, in steps of %d s', (dt) => {
    const world = new SteeringWorld()
    const obstacles = new Obstacles([{ shape: new HalfSpaceShape({ x: 0, y: 1, z: 0 }) }])
    const gates = [{ position: { x: 0, y: -1, z: 8 }, heading: { x: 0, y: 0, z: 1 }, radius: 0.9 }]
    const run = new GateRun({ gates, ends: 'open' })
    const seek = new Seek({ target: { x: 0, y: 0.6, z: 90 } })
    const racer = pilot(within([new AvoidWalls({ obstacles }), run], seek), {
      position: { x: 0, y: 0.6, z: 0 },
      locomotion: new Hover({ attitude: null }),
    })
    world.add(racer)
    let least = Infinity
    for (let i = 0; i < 3 / dt; i++) {
      world.step(dt)
      least = Math.min(least, racer.position.y - 0.5)
    }
    expect(least).toBeGreaterThan(0)
    expect(racer.position.z).toBeGreaterThan(10)
  })
})

describe('a crowd that queues before a door of 2.5 diameters', () => {
  const RADIUS = 0.5
  const HALF = 1.25

  /** A wall of four slabs across z, 1.2 m thick, around a square door. */
  function walls(): Obstacles {
    const set = new Obstacles()
    for (const side of [-1, 1]) {
      const at = side * (HALF + 20)
      set.add({ shape: new BoxShape({ x: 20, y: 41, z: 0.6 }), at: { x: at, y: 0, z: 0 } })
      set.add({ shape: new BoxShape({ x: HALF, y: 20, z: 0.6 }), at: { x: 0, y: at, z: 0 } })
    }
    return set
  }

  const keepOff = {
    AvoidWalls: (obstacles: Obstacles): Constraint => new AvoidWalls({ obstacles }),
    AvoidObstacles: (obstacles: Obstacles): Constraint => new AvoidObstacles({ obstacles }),
  }

  const kinds = ['AvoidWalls', 'AvoidObstacles'] as const
  const all = kinds.flatMap((kind) =>
    [undefined, 0, 0.05, 0.4].flatMap((margin) => [1, 2, 3].map((seed) => ({ kind, margin, seed }))),
  )
  const some = [
    { kind: kinds[0], margin: undefined, seed: 1 },
    { kind: kinds[1], margin: 0.05, seed: 1 },
  ]
  const cases: readonly { kind: (typeof kinds)[number]; margin: number | undefined; seed: number }[] = FULL
    ? all
    : some.slice(0, ALL ? 2 : 1)

  it.each(cases)('no agent touches the wall: $kind, margin $margin, seed $seed', ({ kind, margin, seed }) => {
    const random = seeded(seed)
    const world = new SteeringWorld({ seed })
    const obstacles = walls()
    const way = { x: 0, y: 0, z: 1 }
    const constraints: Constraint[] = [
      keepOff[kind](obstacles),
      new Queue({ target: { x: 0, y: 0, z: 4 }, radius: 16, exitDirection: way }),
    ]
    // without a margin only the queue keeps the agents apart
    if (margin !== undefined)
      constraints.push(new ReciprocalAvoidance({ neighborDistance: 14, clearance: margin }))
    const count = pick(24, 40, 60)
    const flock = addFlock(world, {
      count,
      behavior: within(constraints, new Seek({ target: { x: 0, y: 0, z: 60 } })),
      locomotion: new Hover({ attitude: null }),
      maxSpeed: 5,
      maxForce: 5,
      radius: RADIUS,
      seed,
      spawn: (k, { position }) => {
        const rim = 1.35 * Math.sqrt(k + 0.6)
        const angle = k * Math.PI * (3 - Math.sqrt(5))
        position.x = rim * Math.cos(angle) + 0.2 * random()
        position.y = rim * Math.sin(angle) + 0.2 * random()
        position.z = -9 + 0.035 * rim * rim + 0.2 * random()
      },
    })
    const at = { x: 0, y: 0, z: 0 }
    const normal = { x: 0, y: 0, z: 0 }
    let least = Infinity
    let through = 0
    for (let i = 0; i < 60 * (FULL ? 40 : 10); i++) {
      world.step(1 / 60)
      through = 0
      for (let k = 0; k < count; k++) {
        flock.position(k, at)
        if (at.z > 1) through++
        least = Math.min(least, obstacles.distance(at, normal) - RADIUS)
      }
    }
    // the scene is not empty
    expect(through).toBeGreaterThan(5)
    expect(least).toBeGreaterThan(-1e-3)
  })
})
