import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AttackRun,
  AvoidObstacles,
  blend,
  BoxShape,
  Contain,
  DirectedSeek,
  Flight,
  Flocking,
  FollowPath,
  HollowShape,
  Hover,
  JoinUp,
  modes,
  Path,
  Obstacles,
  ReciprocalAvoidance,
  Sight,
  smooth,
  SphereShape,
  Stick,
  SteeringWorld,
  Strafe,
  Thrusters,
  Walker,
  Wheels,
  Wander,
  within,
  type Behavior,
  type Locomotion,
} from 'three-steering'
import { ClassicAvoidance } from 'three-steering/classic'
import { seeded } from 'three-steering/authoring'
import { FollowFlowField, VortexFlow } from 'three-steering/flow'
import { boxPattern, Formation, KeepSlot } from 'three-steering/formation'
import { measureHeap, measuringOverhead, leastHeapUse } from '../support/heap.js'
import { idle } from './kit.js'
import { readmeFlock } from '../rigs/readme-flock.js'
import { addFlock } from '../support/flock.js'

/**
 * After warm-up a step makes no object, closure or array. But JavaScript boxes a number (16 bytes) that is
 * passed between two functions when the compiler has not inlined the call, and under vitest, which reaches
 * every import through a getter, it inlines few. So the engine alone must stay below one object per agent.
 * Behaviours and locomotions must stay below one and a half times the boxes that were measured with Node 20,
 * 22 and 24: enough to notice a list, a closure or a spread per neighbour.
 */
const COUNT = 300
/** Bytes that 60 steps may retain: less than one number per agent and step. The rest is compiled code. */
const RETAINED = 200_000

const point = (): Locomotion => new Hover({ attitude: null })
const flocking = (): Behavior =>
  new Flocking({
    separation: { neighborDistance: 1.5 },
    alignment: { neighborDistance: 3 },
    cohesion: { neighborDistance: 3 },
  })
const still = { position: { x: 20, y: 5, z: -8 }, velocity: { x: 1, y: 0, z: 0 } }
const seekFar = (): Behavior =>
  new DirectedSeek({ target: { position: { x: 900, y: 50, z: -80 }, heading: { x: 0, y: 1, z: 0 } } })
const round = new Path({
  points: [{ x: 0, y: 0, z: 0 }, still.position, { x: 9, y: 9, z: 30 }],
  ends: 'closed',
})
const whirl = new VortexFlow({ center: still.position, axis: { x: 0, y: 1, z: 0 }, radius: 12, speed: 6 })
const arrive = (): Behavior => new Arrive({ target: { x: 20, y: 5, z: -8 } })

/** Behaviour, locomotion, and the bytes they may allocate per agent and step. */
const uses: Record<string, [() => Behavior, () => Locomotion, number]> = {
  'DirectedSeek, point mass': [seekFar, point, 2400],
  'nothing, point mass': [idle, point, 16],
  'Flocking, point mass': [flocking, point, 16],
  'Flocking and Wander, point mass': [
    () => blend([flocking(), { behavior: new Wander(), weight: 0.3 }]),
    point,
    1300,
  ],
  'Arrive, point mass': [arrive, point, 1400],
  'Smooth, point mass': [() => smooth(arrive(), { time: 0.03 }), point, 1800],
  'Stick, Hover': [() => new Stick({ ahead: 0.5, right: 0.2, yaw: 0.3 }), () => new Hover(), 1200],
  'Stick at rest, Hover': [() => new Stick(), () => new Hover(), 500],
  'Sight and Flocking, point mass': [
    () => new Sight({ behavior: flocking(), target: still, range: 90, fieldOfView: 4 }),
    point,
    2000,
  ],
  // at any time half of the agents change from one mode to the other
  'Modes, each its own, point mass': [
    () =>
      modes(
        { come: arrive(), stray: new Wander() },
        { select: ({ slot }, { tick }) => ((slot + tick) % 64 < 32 ? 'come' : 'stray'), fade: 0.25 },
      ),
    point,
    1800,
  ],
  'AttackRun, point mass': [() => new AttackRun({ target: still, range: 30 }), point, 2500],
  'Strafe, point mass': [() => new Strafe({ target: still, missDistance: 9 }), point, 2000],
  'JoinUp, point mass': [() => new JoinUp({ target: still, offset: still.position }), point, 3000],
  'FollowPath, point mass': [() => new FollowPath({ path: round }), point, 2500],
  'FollowFlowField, point mass': [() => new FollowFlowField({ field: whirl }), point, 1900],
  'KeepSlot, point mass': [
    () => new KeepSlot({ formation: new Formation({ spacing: 1.5, leader: still, pattern: boxPattern }) }),
    point,
    3300,
  ],
  'nothing, Hover': [idle, () => new Hover(), 1000],
  'nothing, Thrusters': [idle, () => new Thrusters({ ahead: 20 }), 1800],
  'nothing, Flight': [idle, () => new Flight({ minSpeed: 2 }), 1200],
  'nothing, Walker': [idle, () => new Walker(), 2500],
  'nothing, Wheels': [idle, () => new Wheels({ wheelbase: 2 }), 2500],
  'nothing, Walker on terrain': [idle, () => new Walker({ heightAbove: ({ x, y }) => y - x / 9 }), 2500],
}

describe('a step of 300 agents', () => {
  it.each(Object.keys(uses))('with %s allocates no objects, and retains no memory', (name) => {
    const [behavior, locomotion, bound] = uses[name]!
    const world = new SteeringWorld()
    addFlock(world, {
      count: COUNT,
      behavior: behavior(),
      locomotion: locomotion(),
      maxSpeed: 8,
      maxForce: 20,
      radius: 0.4,
      view: { write: () => undefined },
    })
    const step = (): void => {
      world.step(1 / 60)
      world.present(0.5)
    }
    // arrays grow and the compiler optimises
    for (let i = 0; i < 150; i++) step()
    const { allocated, retained } = leastHeapUse(step, 60, bound * COUNT, RETAINED)
    const perAgent = Math.max(0, allocated - measuringOverhead(60)) / COUNT
    if (process.env['ALLOCATION'] === 'print')
      process.stdout.write(
        `${name}: ${perAgent.toFixed(1)} B per agent and step, retained ${retained} B in all\n`,
      )
    expect(perAgent).toBeLessThan(bound)
    expect(retained).toBeLessThan(RETAINED)
  })
})

it('a step of 1,000 birds of the README allocates less than one number a bird', () => {
  const world = readmeFlock(1000)
  const step = (): void => world.step(1 / 60)
  for (let i = 0; i < 200; i++) step()
  const own = measuringOverhead(60)
  const { allocated } = leastHeapUse(step, 60, 16 * 1000 + own, RETAINED)
  const perAgent = Math.max(0, allocated - own) / 1000
  if (process.env['ALLOCATION'] === 'print')
    process.stdout.write(`README: ${perAgent.toFixed(1)} B per agent and step\n`)
  expect(perAgent).toBeLessThan(16)
})

/** Eighty spheres and boxes in a room. Every second one drifts when `moving`. */
function rocks(moving: boolean): Obstacles {
  const random = seeded(4)
  const place = (): number => 40 * (random() - 0.5)
  return new Obstacles(
    Array.from({ length: 80 }, (_, i) => {
      const position = { x: place(), y: place(), z: place() }
      const shape = i % 4 === 0 ? new BoxShape({ x: 1, y: 2, z: 1.5 }) : new SphereShape(1 + random())
      return { shape, at: moving && i % 2 === 0 ? { position, velocity: { x: 0.1, y: 0, z: 0 } } : position }
    }),
  )
}

const room = (): Contain =>
  new Contain({ bounds: [{ shape: new HollowShape(new BoxShape({ x: 22, y: 22, z: 22 })) }] })

/**
 * Among obstacles more numbers are passed and boxed; still no list, closure or vector per obstacle. Bounds of
 * Node 20.
 */
const crowded: Record<string, [() => Behavior, number]> = {
  'AvoidObstacles alone': [() => new AvoidObstacles({ obstacles: rocks(false) }), 1150],
  'AvoidObstacles alone, textbook': [() => new ClassicAvoidance({ obstacles: rocks(false) }), 300],
  // the edges of the walls ahead are searched in each step: 4,220 to 4,350 B
  'Contain alone': [room, 4500],
  // one line of sight to each neighbour: 4,800 or 10,700 B, as V8 inlines the sweep of an obstacle or not
  'Sight alone': [() => new Sight({ behavior: flocking(), obstacles: rocks(false) }), 12_000],
  'Flocking within ReciprocalAvoidance': [
    () => within([new ReciprocalAvoidance({ neighborDistance: 12 })], flocking()),
    2500,
  ],
  'Within, obstacles at rest': [
    () => within([new AvoidObstacles({ obstacles: rocks(false) }), room()], new Wander()),
    10_500,
  ],
  'Within, obstacles that drift': [
    () => within([new AvoidObstacles({ obstacles: rocks(true) }), room()], new Wander()),
    11_000,
  ],
}

describe('a step of 50 agents among obstacles', () => {
  it.each(Object.keys(crowded))('with %s allocates no objects, and retains no memory', (name) => {
    const [behavior, bound] = crowded[name]!
    const count = 50
    const random = seeded(9)
    const world = new SteeringWorld({ seed: 2 })
    addFlock(world, {
      count,
      behavior: behavior(),
      locomotion: point(),
      maxSpeed: 8,
      maxForce: 20,
      radius: 0.4,
      spawn: (_i, { position, velocity }) => {
        for (const axis of ['x', 'y', 'z'] as const) {
          position[axis] = 40 * (random() - 0.5)
          velocity[axis] = 8 * (random() - 0.5)
        }
      },
    })
    const step = (): void => world.step(1 / 60)
    for (let i = 0; i < 200; i++) step()
    const own = measuringOverhead(60)
    const { allocated, retained } = leastHeapUse(step, 60, bound * count + own, RETAINED)
    const perAgent = Math.max(0, allocated - own) / count
    if (process.env['ALLOCATION'] === 'print')
      process.stdout.write(
        `${name}: ${perAgent.toFixed(1)} B per agent and step, retained ${retained} B in all\n`,
      )
    expect(perAgent).toBeLessThan(bound)
    // over 3,000 agent-steps
    expect(retained).toBeLessThan(RETAINED)
  })
})

it('this test notices a single object per agent', () => {
  const litter: object[] = []
  const messy: Behavior = {
    steer({ slot, speed }): void {
      litter[slot] = { x: speed, y: 2, z: 3 }
    },
  }
  const world = new SteeringWorld()
  addFlock(world, { count: COUNT, behavior: messy, locomotion: point(), maxSpeed: 8, maxForce: 20 })
  for (let i = 0; i < 100; i++) world.step(1 / 60)
  const { allocated } = measureHeap(() => world.step(1 / 60), 60)
  expect((allocated - measuringOverhead(60)) / COUNT).toBeGreaterThan(40)
})
