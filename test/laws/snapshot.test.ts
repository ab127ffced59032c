import { describe, expect, it } from 'vitest'
import {
  Flight,
  Flocking,
  FollowPath,
  Path,
  Seek,
  SteeringController,
  SteeringWorld,
  Wander,
  AvoidObstacles,
  ReciprocalAvoidance,
  Obstacles,
  SphereShape,
  blend,
  within,
  type Agent,
  type Behavior,
} from 'three-steering'
import { GateRun } from 'three-steering/racing'
import { Memory, seeded } from 'three-steering/authoring'
import { ArcPath } from 'three-steering/curves'
import { Formation, KeepSlot } from 'three-steering/formation'
import { restoreSnapshot, takeSnapshot, warm, type Snapshot } from 'three-steering/snapshot'
import { BEHAVIORS, firstDifference, LOCOMOTIONS, randomScene } from './kit.js'
import { orbits, playOf, run, type Play } from './play.js'
import { pick } from '../support/tier.js'
import { addFlock } from '../support/flock.js'

/** Steps of the long replay, which takes a minute with `ACCEPTANCE=full`. */
const STEPS = pick(25, 300, 10_000)
/** Steps before the snapshot of one behaviour, and after it. */
const BEFORE = pick(15, 30)
const AFTER = pick(12, 40)

/** As `run`, with one number per step: the FNV-1a hash of the states. */
function hashes(play: Play, steps: number): number[][] {
  return Array.from({ length: steps }, () => {
    const words = new Int32Array(Float64Array.from(run(play, 1)[0]!).buffer)
    return [words.reduce((hash, word) => Math.imul(hash ^ word, 0x01000193), 0x811c9dc5)]
  })
}

function xyzOf(x: number, y = x, z = x): { x: number; y: number; z: number } {
  return { x, y, z }
}

const ROUND = new Path({ points: [xyzOf(30, 0, 0), xyzOf(0, 9, 30), xyzOf(-30, 0, 0)], ends: 'closed' })

const RING = [0, 1, 2].map((i) => ({
  position: ROUND.pointAt(xyzOf(0), (i * ROUND.length) / 3),
  heading: ROUND.tangentAt(xyzOf(0), (i * ROUND.length) / 3),
  radius: 4,
}))

/** A half circle from one side to the other. */
function pieceFrom(side: number): Path {
  const points = [0, 0.25, 0.5].map((share) => ROUND.pointAt(xyzOf(0), (share + side / 2) * ROUND.length))
  return new Path({ points })
}

function json(snapshot: Snapshot): Snapshot {
  return JSON.parse(JSON.stringify(snapshot)) as Snapshot
}

describe.each(Object.keys(BEHAVIORS))('%s', (name) => {
  it('continues bit-identically after a restore, in the same world and in a new one', () => {
    const seed = name.length
    const play = playOf(name, seed)
    run(play, BEFORE)
    const snapshot = takeSnapshot(play.world)
    const first = run(play, AFTER)
    restoreSnapshot(play.world, snapshot)
    expect(firstDifference(run(play, AFTER), first)).toBe(null)
    const other = playOf(name, seed)
    restoreSnapshot(other.world, json(snapshot))
    expect(firstDifference(run(other, AFTER), first)).toBe(null)
  })
})

/** The first form of each behaviour. */
const FORMS = Object.keys(BEHAVIORS).filter((name) => /^\w+$/.test(name))

/**
 * A behaviour steers in one of this many steps only, because a hundred behaviours in ten thousand steps take
 * long.
 */
const NAPS = 12

function napping(behavior: Behavior, i: number): Behavior {
  return {
    children: [behavior],
    steer(agent, step, out) {
      if (step.tick % NAPS === i % NAPS) behavior.steer(agent, step, out)
    },
  }
}

/**
 * Every behaviour of the package in one world, each with one agent, and the features of several agents: a
 * flock, a formation, a race, traffic.
 */
function everything(names: readonly string[], pace: number, naps: boolean): Play {
  const whole = randomScene(3)
  const scene = { ...whole, others: whole.others.slice(0, 5) }
  const world = new SteeringWorld({ seed: 5, wrap: { min: xyzOf(-60), max: xyzOf(60) } })
  const gaits = Object.values(LOCOMOTIONS)
  const pilots: SteeringController[] = []
  const fly = (behavior: Behavior, i: number): void => {
    const random = seeded(1000 + i)
    const spread = (): number => 40 * (random() - 0.5)
    const locomotion = gaits[i % gaits.length]!(scene)
    const start = { position: xyzOf(spread(), spread(), spread()), velocity: { x: random(), y: 1, z: 0 } }
    const traits = { ...scene.traits, maxNeighbors: 8, seed: i }
    const mind = naps ? napping(behavior, i) : behavior
    pilots.push(new SteeringController(null, { ...traits, ...start, behavior: mind, locomotion }))
    world.add(pilots.at(-1)!)
  }
  names.forEach((name, i) => fly(BEHAVIORS[name]!(scene), i))
  const formation = new Formation({ spacing: 3, pace: 'slowest' })
  const obstacles = scene.others.slice(0, 3).map((at) => ({ shape: new SphereShape(2), at }))
  const slots = within(
    [new ReciprocalAvoidance({ neighborDistance: 8 })],
    new KeepSlot({ formation, leadBehavior: new FollowPath({ path: ROUND }) }),
  )
  const traffic = within(
    [new AvoidObstacles({ obstacles }), new ReciprocalAvoidance({ neighborDistance: 8 })],
    [new Seek({ target: scene.target }), { behavior: new Wander(), weight: 0.5, fade: 1 }],
  )
  const pieces = { first: ROUND, second: pieceFrom(1) }
  const race = new GateRun({
    gates: RING,
    behavior: new FollowPath({
      path: pieceFrom(0),
      pilot: { escape: true, window: 0.5 },
      obstacles: new Obstacles(obstacles),
      next: (_agent, path) => (path === pieces.second ? pieces.first : pieces.second),
    }),
  })
  ;[slots, slots, slots, traffic, traffic, race].forEach((mind, k) => fly(mind, names.length + k))
  const flocks = [
    addFlock(world, {
      ...scene.traits,
      count: 12,
      seed: 900,
      maxNeighbors: 5,
      locomotion: new Flight(),
      behavior: blend([
        new Flocking({
          separation: { neighborDistance: 3 },
          alignment: { neighborDistance: 6 },
          cohesion: { neighborDistance: 6 },
        }),
        { behavior: new Wander(), weight: 0.4 },
      ]),
    }),
  ]
  return { world, pilots, flocks, options: { references: pieces }, move: orbits(scene, pace) }
}

describe('a world with every behaviour', () => {
  it(`continues bit-identically for ${STEPS} steps, in a new world from JSON, and after a restore there`, () => {
    const play = everything(FORMS, 0.1, true)
    run(play, pick(60, 200))
    const snapshot = json(takeSnapshot(play.world, play.options))
    const first = hashes(play, STEPS)
    const other = everything(FORMS, 0.1, true)
    for (let k = 0; k < 2; k++) {
      restoreSnapshot(other.world, snapshot, other.options)
      expect(firstDifference(hashes(other, STEPS), first)).toBe(null)
    }
  }, 600_000)

  it('in all their forms does so from any step, and taking a snapshot does not change it', () => {
    const names = Object.keys(BEHAVIORS)
    const play = everything(names, 1, false)
    const snapshots: Snapshot[] = []
    const first: number[][] = []
    for (let k = 0; k < pick(2, 4); k++) {
      snapshots.push(takeSnapshot(play.world, play.options))
      first.push(...run(play, 7 + k))
    }
    const undisturbed = everything(names, 1, false)
    expect(firstDifference(run(undisturbed, first.length), first)).toBe(null)
    for (const snapshot of [...snapshots].reverse()) {
      restoreSnapshot(undisturbed.world, snapshot, undisturbed.options)
      const steps = first.slice(snapshot.tick)
      expect(firstDifference(run(undisturbed, steps.length), steps)).toBe(null)
    }
  })
})

it('a world with every behaviour in all forms is not changed by warm, at the start and on the way', () => {
  const names = Object.keys(BEHAVIORS)
  const first = run(everything(names, 1, false), 8)
  const play = everything(names, 1, false)
  const bits: number[][] = []
  for (let k = 0; k < 2; k++) {
    expect(warm(play.world, { steps: 4 })).toBe(4)
    bits.push(...run(play, 4))
  }
  expect(firstDifference(bits, first)).toBe(null)
})

/**
 * Fields that belong to the user or differ by intention: generations, the step object, and what a set of
 * obstacles derives from its obstacles.
 */
const NOT_KEPT = ['generation', 'moment', 'Obstacle', 'Obstacles', 'Path']

/** Scratch that is filled before it is read. It may hold old values of a step that did not use it. */
const SCRATCH = [
  'Cursor',
  'DangerMap',
  'DirectionMap',
  'DirectionSearch',
  'VelocityProgram',
  'Assignment.keys',
  'AvoidObstacles.found',
  'Assignment.hysteresis',
  'Formation.outside',
]

const APART = new Set([...NOT_KEPT, ...SCRATCH])

/** Where two objects that should have equal state differ, field by field, at any depth. */
function differences(a: unknown, b: unknown, at: string, seen = new Set<unknown>()): string[] {
  if (typeof a === 'function' || seen.has(a)) return []
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null)
    return Object.is(a, b) ? [] : [`${at}: ${String(a)} and ${String(b)}`]
  seen.add(a)
  const name = a.constructor.name
  if (APART.has(name)) return []
  if (a instanceof ArcPath) return sameWay(a, b as ArcPath) ? [] : [`${at}: another way`]
  if (a instanceof Memory) return rowsOf(a).join() === rowsOf(b as Memory).join() ? [] : [`${at}: memory`]
  if (ArrayBuffer.isView(a)) {
    const [one, other] = [a, b] as Float64Array[]
    // the longer array only has spare capacity
    const same = one!.subarray(0, other!.length).every((x, i) => Object.is(x, other![i]))
    return same ? [] : [`${at}: column`]
  }
  if (a instanceof Map) return differences([...a], [...(b as Map<unknown, unknown>)], at, seen)
  return Object.keys(a).flatMap((key) =>
    APART.has(key) || APART.has(`${name}.${key}`)
      ? []
      : differences(
          (a as Record<string, unknown>)[key],
          (b as Record<string, unknown>)[key],
          Array.isArray(a) ? at : `${name === 'Object' || name === 'Vector' ? at : name}.${key}`,
          seen,
        ),
  )
}

/** Paths with equal pieces. Beyond them is spare capacity. */
function sameWay(a: ArcPath, b: ArcPath): boolean {
  const piecesOf = ({ count, data }: { count: number; data: Float64Array }): Float64Array =>
    data.subarray(0, 13 * count)
  const [one, other] = [a, b].map((each) =>
    piecesOf(each as unknown as { count: number; data: Float64Array }),
  )
  return differences(one, other, '').length === 0 && a.count === b.count
}

/** The rows of the three pilots, which have the first slots. */
function rowsOf(memory: Memory): string[] {
  const { data, owner, width } = memory as unknown as {
    data: Float64Array
    owner: Int32Array
    width: number
  }
  return [0, 1, 2].map((slot) =>
    (owner[slot] ?? 0) > 0
      ? [...data.subarray(slot * width, (slot + 1) * width)]
          .map((x) => (Object.is(x, -0) ? '-0' : `${x}`))
          .join()
      : 'nobody',
  )
}

/** Two worlds, one step after the first was restored to the state of the other. */
function pairs(make: () => Play): [Behavior, Behavior] {
  const play = make()
  run(play, BEFORE)
  const other = make()
  restoreSnapshot(other.world, json(takeSnapshot(play.world)))
  run(play, 1)
  run(other, 1)
  return [play.pilots[0]!.behavior, other.pilots[0]!.behavior]
}

describe('a snapshot is complete: one step later every field is the same', () => {
  it.each(Object.keys(BEHAVIORS))('%s', (name) => {
    const [one, other] = pairs(() => playOf(name, name.length))
    expect(differences(one, other, name)).toEqual([])
  })

  it.each<[string, () => Behavior]>([
    [
      'a field',
      () =>
        ({
          count: 0,
          steer() {
            this.count++
          },
        }) as Behavior & { count: number },
    ],
    ['a memory', () => new Forgetful()],
    ['a map', () => new Listing()],
  ])('notices %s that a custom behaviour does not save', (_, make) => {
    const [one, other] = pairs(() => {
      const one = new SteeringController(null, { maxSpeed: 9, maxForce: 9, behavior: make() })
      const world = new SteeringWorld().add(one)
      return { world, pilots: [one], flocks: [], options: {}, move: () => undefined }
    })
    expect(differences(one, other, 'it')).not.toEqual([])
  })
})

class Forgetful implements Behavior {
  readonly memory: Memory = new Memory(1)

  steer(agent: Agent): void {
    const at = this.memory.at(agent)
    this.memory.data[at]! += 1
  }
}

class Listing implements Behavior {
  readonly seen: Map<number, number> = new Map<number, number>()

  steer({ id }: Agent): void {
    this.seen.set(id, (this.seen.get(id) ?? 0) + 1)
  }
}
