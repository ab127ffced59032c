import fc from 'fast-check'
import { Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidAgents,
  AvoidObstacles,
  blend,
  type Blend,
  Contain,
  contextMap,
  Cruise,
  dither,
  FollowPath,
  Flee,
  HollowShape,
  LookWhereGoing,
  type Modes,
  modes,
  Obstacles,
  Orbit,
  Path,
  priority,
  Pursue,
  ReciprocalAvoidance,
  Seek,
  SlowInCrowd,
  smooth,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Tether,
  truncatedSum,
  Wander,
  within,
  type Within,
  type Behavior,
} from 'three-steering'
import type { Constraint } from 'three-steering/authoring'
import { FollowFlowField } from 'three-steering/flow'
import { pipeline, PlaceTargeter, ArriveActuator } from 'three-steering/classic'
import { loadPreset, PRESET_TYPES, presetType, savePreset, type PresetNode } from 'three-steering/presets'
import { firstDifference } from '../laws/kit.js'
import { copyOf, difference, throughJson } from './kit.js'
import { addFlock } from '../support/flock.js'
import { pick } from '../support/tier.js'

const AT = { x: 1, y: -2, z: 3 }

/** The flight of the agents of a small world with a behaviour, as numbers. */
function fly(behavior: Behavior, steps = 60): number[][] {
  const world = new SteeringWorld({ seed: 5 })
  const agent = { maxSpeed: 9, maxForce: 30, maxTorque: 5, mass: 2, radius: 0.5 }
  const flock = addFlock(world, {
    ...agent,
    count: 4,
    behavior,
    spawn: (i, { position, velocity }) => {
      Object.assign(position, { x: 3 * i, y: i * i, z: -2 * i })
      Object.assign(velocity, { x: 1, y: i - 2, z: 0.5 })
    },
  })
  return Array.from({ length: steps }, () => {
    world.step(1 / 60)
    const [p, v] = [
      { x: 0, y: 0, z: 0 },
      { x: 0, y: 0, z: 0 },
    ]
    return Array.from({ length: flock.size }, (_, i) => [
      ...Object.values(flock.position(i, p)),
      ...Object.values(flock.velocity(i, v)),
    ]).flat()
  })
}

// random trees

const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { noNullPrototype: true })
const number = fc.double({ min: -50, max: 50, noNaN: true })
const point = record({ x: number, y: number, z: number })
const share = fc.double({ min: 0, max: 1, noNaN: true })
const size = fc.double({ min: 0.1, max: 20, noNaN: true })

/** Options, each absent with a probability of one half. */
function some<T extends object>(options: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> {
  return fc.record(options, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Partial<T>>
}

const rocks = fc
  .array(record({ at: point, shape: size.map((radius) => new SphereShape(radius)) }), { maxLength: 3 })
  .map((list) => new Obstacles(list))

const leaf: fc.Arbitrary<Behavior> = fc.oneof(
  point.map((target) => new Seek({ target })),
  point.map((target) => new Arrive({ target })),
  fc
    .tuple(point, some({ panicDistance: fc.oneof(size, fc.constant(Infinity)) }))
    .map(([target, options]) => new Flee({ target, ...options })),
  some({ radius: size, jitter: size, speedShare: fc.constant(0.5) }).map((options) => new Wander(options)),
  fc
    .tuple(point, size, size)
    .map(([center, radius, width]) => new Tether({ target: center, radius, fadeWidth: width })),
  fc.constantFrom('free', 'level').map((roll) => new LookWhereGoing({ roll: roll as 'free' })),
  fc.constant(0).map(() => new Cruise()),
)

const constraint: fc.Arbitrary<Constraint> = fc.oneof(
  fc
    .tuple(rocks, some({ clearance: share }))
    .map(([obstacles, options]) => new AvoidObstacles({ obstacles, ...options })),
  size.map((radius) => new AvoidAgents({ neighborDistance: radius })),
  fc
    .tuple(size, some({ bias: fc.constant(0) }))
    .map(([radius, options]) => new ReciprocalAvoidance({ neighborDistance: radius, ...options })),
  size.map((radius) => new Contain({ bounds: [{ shape: new HollowShape(new SphereShape(99 + radius)) }] })),
)

const parts = <T>(one: fc.Arbitrary<T>) =>
  fc.array(fc.oneof(one, record({ behavior: one, enabled: fc.boolean() })), { maxLength: 3 })

const tree: fc.Arbitrary<Behavior> = fc.letrec<{ tree: Behavior }>((tie) => {
  const one = tie('tree')
  const weighted = fc.array(
    fc.oneof(one, record({ behavior: one, weight: number, fade: size, enabled: fc.boolean() })),
    { maxLength: 3 },
  )
  const likely = fc.array(
    fc.oneof(one, record({ behavior: one, probability: share, enabled: fc.boolean() })),
    { maxLength: 3 },
  )
  return {
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.tuple(weighted, fc.boolean()).map(([list, average]) => blend(list, { average })),
      parts(one).map((list) => priority(list)),
      fc.tuple(likely, fc.constantFrom(0, 0.2)).map(([list, period]) => dither(list, { period })),
      fc.tuple(weighted, fc.boolean()).map(([list, project]) => truncatedSum(list, { project })),
      fc.tuple(parts(constraint), weighted).map(([constraints, wishes]) => within(constraints, wishes)),
      fc
        .tuple(weighted, parts(constraint))
        .map(([interest, danger]) => contextMap({ interest, danger, directions: 20 })),
      fc.tuple(one, share).map(([behavior, time]) => smooth(behavior, { time })),
      fc
        .tuple(one, one, fc.boolean())
        .map(([a, b, first]) => modes({ a, b }, { initial: first ? 'a' : 'b' })),
      fc.tuple(one, size).map(([behavior, radius]) => new SlowInCrowd({ behavior, radius })),
      fc
        .tuple(one, point)
        .map(([fallback, at]) =>
          pipeline({ targeters: [new PlaceTargeter(at)], actuator: new ArriveActuator(), fallback }),
        ),
    ),
  }
}).tree

describe('a tree of any schemes', () => {
  it('is equal after JSON, is saved again as the same preset, and flies bit-identically', () => {
    fc.assert(
      fc.property(tree, (behavior) => {
        const copy = copyOf(behavior)
        expect(difference(behavior, copy)).toBe(null)
        expect(JSON.stringify(savePreset(copy))).toBe(JSON.stringify(savePreset(behavior)))
        expect(firstDifference(fly(behavior), fly(copy))).toBe(null)
      }),
      { numRuns: pick(12, 80, 150), seed: 11 },
    )
  })

  it('has a readable preset', () => {
    const rocks = new Obstacles()
    const player = { position: AT, velocity: AT }
    const behavior = within(
      [
        new AvoidObstacles({ obstacles: rocks, horizon: 3 }),
        { behavior: new AvoidAgents({ neighborDistance: 9 }), enabled: false },
      ],
      [new Arrive({ target: AT }), { behavior: new Pursue({ target: player }), weight: 0.3 }],
    )
    expect(throughJson(savePreset(behavior, { references: { rocks, player } }))).toEqual({
      type: 'steering-preset',
      version: 1,
      root: {
        type: 'Within',
        constraints: [
          {
            type: 'AvoidObstacles',
            obstacles: { ref: 'rocks' },
            horizon: 3,
          },
          {
            behavior: {
              type: 'AvoidAgents',
              neighborDistance: 9,
              maxPredictionTime: 4,
              groups: -1,
              weight: 1,
            },
            enabled: false,
          },
        ],
        wishes: [
          { type: 'Arrive', target: { ref: 'player.position' }, dwell: 0.25 },
          {
            behavior: {
              type: 'Pursue',
              target: { ref: 'player' },
              prediction: 'curved',
              maxPredictionTime: 10,
              predictionFactor: 1,
              aimError: 0,
              aimErrorTime: 1,
            },
            weight: 0.3,
          },
        ],
      },
    })
  })

  it('may be written by hand, with only the required options', () => {
    const root = {
      type: 'Within',
      constraints: [{ type: 'AvoidAgents', neighborDistance: 9 }],
      wishes: [{ behavior: { type: 'Seek', target: AT } }, { type: 'Wander' }],
    }
    const loaded = loadPreset({ type: 'steering-preset', version: 1, root })
    const made = within(
      [new AvoidAgents({ neighborDistance: 9 })],
      [new Seek({ target: { ...AT } }), new Wander()],
    )
    expect(difference(made, loaded)).toBe(null)
  })
})

describe('an option changed at run time', () => {
  it('is saved with its present value', () => {
    const seek = new Seek({ target: AT })
    const wander = new Wander()
    const flee = new Flee({ target: AT })
    const minds = modes<string>({ go: blend([seek, wander]), stop: new Arrive({ target: AT }) })
    const root = dither([flee, minds])
    fly(root)
    seek.target = { x: 7, y: 8, z: 9 }
    const mix = minds.trees.get('go') as Blend
    mix.parts.reverse()
    mix.parts[1]!.weight = 0.2
    mix.parts[0]!.enabled = false
    mix.average = true
    minds.trees.set('run', new Cruise())
    minds.current = 'run'
    minds.fade = 2
    root.parts[0]!.probability = 0.3
    root.parts.push({ behavior: new Wander({ jitter: 5 }), probability: 1 })
    const copy = copyOf(root) as typeof root
    const [first, second, third] = copy.parts
    expect(first).toMatchObject({ behavior: { panicDistance: Infinity }, probability: 0.3 })
    expect(third).toMatchObject({ behavior: { jitter: 5 }, enabled: true })
    const loadedModes = second!.behavior as Modes
    expect([...loadedModes.trees.keys(), loadedModes.current, loadedModes.fade]).toEqual([
      'go',
      'stop',
      'run',
      'run',
      2,
    ])
    const loaded = loadedModes.trees.get('go') as Blend
    expect(loaded.average).toBe(true)
    expect(loaded.parts).toMatchObject([
      { behavior: { jitter: 1 }, enabled: false },
      { behavior: { target: { x: 7, y: 8, z: 9 } }, weight: 0.2 },
    ])
  })

  it('is loaded without the memory of agents', () => {
    const orbit = new Orbit({ target: AT, radius: 5 })
    const before = fly(new Orbit({ target: AT, radius: 5 }))
    fly(orbit)
    expect(firstDifference(fly(copyOf(orbit)), before)).toBe(null)
  })

  it('may be a path set to null', () => {
    const path = new Path({ points: [AT, { x: 9, y: 9, z: 9 }] })
    const follow = new FollowPath({ path, technique: 'dog-on-a-string' })
    follow.path = null
    const copy = copyOf(follow) as FollowPath
    expect(copy.path).toBe(null)
    expect(copy.technique).toBe('dog-on-a-string')
  })

  it('is absent from the preset when it is undefined, so that defaults stay defaults', () => {
    const copy = copyOf(new Arrive({ target: AT })) as Arrive
    expect(savePreset(copy).root).toEqual({ type: 'Arrive', target: AT, dwell: 0.25 })
    expect(Object.keys(copy)).toEqual(Object.keys(new Arrive({ target: AT })))
    expect([copy.tolerance, copy.speedTolerance, copy.decelerationTime]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('numbers that JSON cannot hold', () => {
  it.each([Infinity, -Infinity, NaN, -0, 0, 5e-324, Number.MAX_VALUE])('%d survives', (value) => {
    class Box implements Behavior {
      readonly value: number
      readonly list: readonly number[]
      readonly data: unknown
      constructor({ value, list, data }: { value: number; list: readonly number[]; data: unknown }) {
        this.value = value
        this.list = list
        this.data = data
      }
      steer(): void {}
    }
    const types = [presetType('Box', Box, { value: 'number', list: ['number'], data: 'data' })]
    const data = { deep: [{ value, text: String(value), at: new Vector3(value, 1, 2), none: null }] }
    const saved = throughJson(savePreset(new Box({ value, list: [value], data }), { types }))
    const copy = loadPreset(saved, { types }) as Box
    expect(copy.value).toBe(value)
    expect(copy.list).toEqual([value])
    const plain = { deep: [{ value, text: String(value), at: { x: value, y: 1, z: 2 }, none: null }] }
    expect(difference(copy.data, plain)).toBe(null)
  })
})

describe('a shared object', () => {
  it('stays shared: behaviours, points, obstacles and shapes', () => {
    const target = { x: 1, y: 2, z: 3 }
    const seek = new Seek({ target })
    const shape = new SphereShape(2)
    const obstacles = new Obstacles([{ shape, at: AT }, { shape }])
    const avoid = new AvoidObstacles({ obstacles })
    const root = blend([
      within([avoid, new Contain({ bounds: obstacles })], seek),
      seek,
      new Flee({ target }),
      avoid,
    ])
    const copy = copyOf(root) as Blend
    const [first, second, third, fourth] = copy.children
    const inner = first as Within
    expect(inner.wishes[0]!.behavior).toBe(second)
    expect(inner.constraints[0]).toBe(fourth)
    expect((inner.constraints[1] as Contain).bounds).toBe((fourth as AvoidObstacles).obstacles)
    expect((third as Flee).target).toBe((second as Seek).target)
    const [one, other] = [...(fourth as AvoidObstacles).obstacles]
    expect(one!.shape).toBe(other!.shape)
    expect(JSON.stringify(savePreset(copy))).toBe(JSON.stringify(savePreset(root)))
  })

  it('is saved once, and equal but separate objects are not shared', () => {
    const path = new Path({ points: [AT, { x: 9, y: 9, z: 9 }] })
    const root = blend([new FollowPath({ path }), new FollowPath({ path }), new Seek({ target: { ...AT } })])
    const text = JSON.stringify(savePreset(root))
    expect(text.match(/"type":"Path"/g)).toHaveLength(1)
    const [one, other] = (copyOf(root) as Blend).children as [FollowPath, FollowPath]
    expect(one.path).toBe(other.path)
    const alike = copyOf(blend([new Seek({ target: { ...AT } }), new Seek({ target: { ...AT } })])) as Blend
    const [a, b] = alike.children as [Seek, Seek]
    expect(a.target).not.toBe(b.target)
    expect(a.target).toEqual(b.target)
  })
})

describe('references', () => {
  const player = new SteeringController(null, { behavior: new Wander(), maxSpeed: 5, maxForce: 9 })

  it('name objects that are not saved, and are resolved when the preset is loaded', () => {
    const wind = (): void => undefined
    const own = new Seek({ target: AT })
    const behavior = blend([new Pursue({ target: player }), new FollowFlowField({ field: wind }), own])
    const preset = throughJson(savePreset(behavior, { references: { player, wind, own } }))
    const [hare, breeze, mine] = [
      { position: AT, velocity: AT },
      (): void => undefined,
      new Flee({ target: AT }),
    ]
    const loaded = loadPreset(preset, { references: { player: hare, wind: breeze, own: mine } }) as Blend
    const [pursue, follow, third] = loaded.children as [Pursue, FollowFlowField, Flee]
    expect([pursue.target, follow.field, third]).toEqual([hare, breeze, mine])
    expect(pursue.target).toBe(hare)
    expect(third).toBe(mine)
  })

  it('also name the position of an object', () => {
    const preset = savePreset(new Seek({ target: player.position }), { references: { player } })
    expect(preset.root['target']).toEqual({ ref: 'player.position' })
    const loaded = loadPreset(preset, { references: { player } }) as Seek
    expect(loaded.target).toBe(player.position)
    const spot = { ...AT }
    const other = loadPreset(preset, { references: { player: { position: spot } } }) as Seek
    expect(other.target).toBe(spot)
    const named = { player, 'player.position': spot }
    expect((loadPreset(preset, { references: named }) as Seek).target).toBe(spot)
  })

  it('take precedence over values: a named point is followed, a point without a name stays at its place', () => {
    const moving = new Vector3(1, 2, 3)
    const seek = new Seek({ target: moving })
    const fixed = loadPreset(savePreset(seek)) as Seek
    const live = loadPreset(savePreset(seek, { references: { moving } }), { references: { moving } }) as Seek
    moving.x = 50
    expect(fixed.target).toEqual({ x: 1, y: 2, z: 3 })
    expect(live.target).toBe(moving)
  })

  it('may have several names for an object, of which the first is saved', () => {
    const preset = savePreset(new Pursue({ target: player }), { references: { hare: player, player } })
    expect(preset.root['target']).toEqual({ ref: 'hare' })
  })
})

class Shiver implements Behavior {
  strength: number
  around: Behavior
  constructor({ strength, around }: { strength: number; around: Behavior }) {
    this.strength = strength
    this.around = around
  }
  steer(): void {}
}

/** Takes an option that cannot be read back. */
class WriteOnly implements Behavior {
  private readonly kept: number
  constructor({ value }: { value: number }) {
    this.kept = value
  }
  steer(): void {
    expect(this.kept).toBe(1)
  }
}

describe('custom types', () => {
  const types = [...PRESET_TYPES, presetType('Shiver', Shiver, { strength: 'number', around: 'instance' })]

  it('are saved and loaded like any other type, by their name in presets', () => {
    const shiver = new Shiver({ strength: 3, around: blend([new Wander()]) })
    const preset = throughJson(savePreset(priority([shiver]), { types }))
    expect(((preset as { root: PresetNode }).root['parts'] as PresetNode[])[0]!['type']).toBe('Shiver')
    const [loaded] = (loadPreset(preset, { types }) as Blend).children
    expect(loaded).toBeInstanceOf(Shiver)
    expect(difference(loaded, shiver)).toBe(null)
  })

  it('may be renamed: all names are read, and the first is saved', () => {
    const options = { strength: 'number', around: 'instance' } as const
    const renamed = [
      ...PRESET_TYPES,
      presetType('Tremble', Shiver, options),
      presetType('Shiver', Shiver, options),
    ]
    const old = savePreset(new Shiver({ strength: 3, around: new Wander() }), { types })
    expect(old.root['type']).toBe('Shiver')
    expect(savePreset(loadPreset(old, { types: renamed }), { types: renamed }).root['type']).toBe('Tremble')
  })

  it('may define how they are read and made, when fields and options differ', () => {
    class Pair implements Behavior {
      private readonly both: readonly [Behavior, number]
      constructor(behavior: Behavior, factor: number) {
        this.both = [behavior, factor]
      }
      get all(): readonly [Behavior, number] {
        return this.both
      }
      steer(): void {}
    }
    const pair = presetType(
      'Pair',
      Pair,
      { behavior: 'instance', factor: 'number' },
      {
        read: ({ all: [behavior, factor] }) => ({ behavior, factor }),
        make: ({ behavior, factor }: { behavior: Behavior; factor: number }) => new Pair(behavior, factor),
      },
    )
    const mine = { types: [...PRESET_TYPES, pair] }
    const loaded = loadPreset(throughJson(savePreset(new Pair(new Wander(), 3), mine)), mine)
    expect(difference(loaded, new Pair(new Wander(), 3))).toBe(null)
  })

  it('must list every option: a missing or unknown one does not compile', () => {
    // @ts-expect-error: `around` is missing
    presetType('Shiver', Shiver, { strength: 'number' })
    // @ts-expect-error: there is no `power`
    presetType('Shiver', Shiver, { strength: 'number', around: 'instance', power: 'number' })
    // @ts-expect-error: an option without a field is read by `making`
    presetType('WriteOnly', WriteOnly, { value: 'number' })
    const read = (): object => ({ value: 1 })
    // @ts-expect-error: also with `read`
    presetType('WriteOnly', WriteOnly, {}, { read })
    const make = ({ value, more }: { value: number; more?: string }): WriteOnly =>
      new WriteOnly({ value: value + (more ?? '').length })
    // @ts-expect-error: `make` takes an option that is missing here
    presetType('WriteOnly', WriteOnly, { value: 'number' }, { read, make })
    presetType('WriteOnly', WriteOnly, { value: 'number', more: 'text' }, { read, make })
    expect(presetType('Shiver', Shiver, { strength: 'number', around: 'instance' }).name).toBe('Shiver')
  })
})
