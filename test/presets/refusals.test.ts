import fc from 'fast-check'
import { Mesh } from 'three'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  blend,
  DirectedSeek,
  Hide,
  LookWhereGoing,
  Obstacles,
  Pursue,
  Seek,
  SphereShape,
  SteeringController,
  Wander,
  within,
  type Behavior,
  type Shape,
} from 'three-steering'
import { GateRun } from 'three-steering/racing'
import { FollowFlowField } from 'three-steering/flow'
import { loadPreset, PRESET_TYPES, presetType, savePreset } from 'three-steering/presets'
import { randomScene } from '../laws/kit.js'
import { FULL } from './full.js'
import { referencesOf, throughJson } from './kit.js'
import { expectConsole } from '../support/console.js'
import { pick } from '../support/tier.js'

/** Number of damaged presets. */
const RUNS = pick(150, 1500, 3000)

const AT = { x: 1, y: 2, z: 3 }

class Shiver implements Behavior {
  steer(): void {}
}

/** The message with which `savePreset` refuses a behaviour. */
function refusal(behavior: Behavior, references: Record<string, object> = {}): string {
  try {
    savePreset(behavior, { references })
  } catch (error) {
    if (error instanceof TypeError) return error.message
    throw error
  }
  return ''
}

describe('savePreset refuses', () => {
  const pilot = new SteeringController(null, { behavior: new Wander(), maxSpeed: 5, maxForce: 9 })
  const advice = 'which is not saved by value: give it a name in references'

  it('a type that is not registered, by name and place', () => {
    expect(refusal(new Shiver())).toBe(
      'savePreset: root: got an object of class Shiver, which is not a registered type: add it to types, or name it in references',
    )
    expect(refusal(within([], [new Wander(), { behavior: new Shiver(), weight: 2 }]))).toMatch(
      /^savePreset: root\.wishes\[1\]\.behavior: got an object of class Shiver, /,
    )
    expect(refusal(blend([{ steer: () => undefined }]))).toMatch(
      /^savePreset: root\.parts\[0\]: got an object, which is no/,
    )
  })

  it('an unregistered subclass of a registered class', () => {
    class Hotter extends Seek {}
    expect(refusal(new Hotter({ target: AT }))).toMatch(
      /got an object of class Hotter, which is not a registered type/,
    )
  })

  it.each([
    [
      'a controller',
      within([], [new Seek({ target: pilot })]),
      `root.wishes[0].target: got an object of class SteeringController, ${advice}`,
    ],
    ['a mesh', new Arrive({ target: new Mesh() }), `root.target: got an object of class Mesh, ${advice}`],
    [
      'a thing that is a literal',
      new Pursue({ target: { position: AT, velocity: AT } }),
      `root.target: got an object, ${advice}`,
    ],
    [
      'a function as a point',
      new Seek({ target: () => undefined }),
      `root.target: got a function, ${advice}`,
    ],
    [
      'a function as a flow',
      new FollowFlowField({ field: () => undefined }),
      `root.field: got a function, ${advice}`,
    ],
    [
      'a function as an option',
      new Hide({ target: AT, obstacles: [], ignore: () => true }),
      `root.ignore: got a function, ${advice}`,
    ],
    [
      'a waypoint that moves',
      new DirectedSeek({ target: { position: AT, heading: AT, velocity: AT } }),
      `root.target: got an object, ${advice}`,
    ],
    [
      'what an obstacle follows',
      new AvoidObstacles({ obstacles: [{ shape: new SphereShape(1), at: pilot }] }),
      `root.obstacles.obstacles[0].at: got an object of class SteeringController, ${advice}`,
    ],
  ] as [string, Behavior, string][])('%s without a name', (_, behavior, text) => {
    expect(refusal(behavior)).toBe(`savePreset: ${text}`)
  })

  it('subclasses of Obstacles and custom shapes without a name', () => {
    class Mirror extends Obstacles {}
    const avoid = new AvoidObstacles({ obstacles: new Mirror() })
    expect(refusal(avoid)).toMatch(/^savePreset: root\.obstacles: got an object of class Mirror, which is no/)
    expect(refusal(avoid, { mirror: avoid.obstacles })).toBe('')
    const shape: Shape = Object.create(new SphereShape(1)) as Shape
    const odd = new AvoidObstacles({ obstacles: [{ shape: Object.assign(shape, { constructor: null }) }] })
    expect(refusal(odd, { shape })).toBe('')
  })

  it('a value of the wrong kind, assigned after construction', () => {
    const arrive = new Arrive({ target: AT })
    expect(refusal(Object.assign(arrive, { dwell: '3' }))).toBe(
      "savePreset: root.dwell: got '3', must be a number",
    )
    expect(refusal(Object.assign(new Seek({ target: AT }), { target: 3 }))).toBe(
      'savePreset: root.target: got 3, must be an object',
    )
    const look = new LookWhereGoing()
    expect(refusal(Object.assign(look, { roll: 4 }))).toBe('savePreset: root.roll: got 4, must be a string')
    const gates = new GateRun({ gates: [{ position: AT, heading: AT, radius: 1 }], ends: 'open' })
    expect(refusal(Object.assign(gates, { gates: [null] }))).toBe(
      'savePreset: root.gates[0]: got null, must be an object',
    )
    expect(refusal(Object.assign(gates, { gates: AT }))).toBe(
      'savePreset: root.gates: got an object, must be an array',
    )
    expect(refusal(Object.assign(new Hide({ target: AT, obstacles: [] }), { onlyIfSeen: 1 }))).toBe(
      'savePreset: root.onlyIfSeen: got 1, must be true or false',
    )
    expect(refusal(Object.assign(new Hide({ target: AT, obstacles: [] }), { ignore: AT }))).toBe(
      'savePreset: root.ignore: got an object, must be a function',
    )
  })

  it('a tree that contains itself', () => {
    const outer = blend([new Wander()])
    const inner = blend([outer])
    outer.parts.push({ behavior: inner, weight: 1 })
    expect(refusal(outer)).toBe(
      'savePreset: root.parts[1].parts[0]: got an object of class Blend, must not contain itself',
    )
  })

  it('data that is not plain', () => {
    class Box implements Behavior {
      readonly data: unknown
      constructor({ data }: { data: unknown }) {
        this.data = data
      }
      steer(): void {}
    }
    const types = [presetType('Box', Box, { data: 'data' })]
    const save = (data: unknown) => () => savePreset(new Box({ data }), { types })
    const loop: unknown[] = []
    loop.push([loop])
    expect(save({ a: [new Map()] })).toThrow(
      'savePreset: root.data.a[0]: got an object of class Map, must be plain data',
    )
    expect(save({ a: () => 1 })).toThrow('savePreset: root.data.a: got a function, must be plain data')
    expect(save({ a: 1n })).toThrow('savePreset: root.data.a: got 1, must be plain data')
    expect(save(loop)).toThrow('savePreset: root.data[0][0]: got an array, must not contain itself')
    expect(save({ number: 'NaN' })).toThrow("must not have a string 'number' as its only key")
  })

  it('an invalid behaviour, invalid references and invalid types', () => {
    expect(() => savePreset(3 as never)).toThrow('savePreset: got 3, must be a behaviour')
    const wander = new Wander()
    expect(() => savePreset(wander, { references: { a: 3 as never } })).toThrow(
      'savePreset: references.a: got 3, must be an object or a function',
    )
    expect(() => savePreset(wander, { references: null as never })).toThrow(
      'savePreset: references: got null',
    )
    expect(() => savePreset(wander, { types: {} as never })).toThrow('savePreset: types: got { }')
    expect(() => savePreset(wander, { types: [Wander as never] })).toThrow('must be what presetType makes')
    const twice = [...PRESET_TYPES, presetType('Seek', Shiver, {})]
    expect(() => savePreset(wander, { types: twice })).toThrow("savePreset: types: got two named 'Seek'")
  })
})

describe('loadPreset refuses', () => {
  const load =
    (root: unknown, references: Record<string, object> = {}) =>
    (): Behavior =>
      loadPreset({ type: 'steering-preset', version: 1, root }, { references })
  const seek = { type: 'Seek', target: AT }

  it.each([
    [
      'a type that is not registered',
      { type: 'Within', constraints: [], wishes: [{ type: 'Shiver' }] },
      "root.wishes[0].type: got 'Shiver', which is not a registered type: add it to types",
    ],
    ['no type', { target: AT }, 'root.type: got undefined, which is not a registered type'],
    ['a type that only objects have', { type: 'constructor' }, "root.type: got 'constructor', which is no"],
    ['what is no object', [seek], 'root: got an array, must be an object'],
    ['nothing', undefined, 'root: got undefined, must be an object'],
    [
      'an option that the type does not have',
      { ...seek, pace: 3 },
      'root.pace: got 3, is not an option here: allowed are target, speed',
    ],
    [
      'a key of prototypes',
      JSON.parse('{ "type": "Wander", "__proto__": { "radius": 3 } }'),
      'root.__proto__: got an object, is not an option here',
    ],
    [
      'an option of another scheme',
      { type: 'Dither', parts: [{ behavior: seek, weight: 1 }] },
      'root.parts[0].weight: got 1, is not an option here: allowed are behavior, probability, enabled',
    ],
    ['a field that is missing', { type: 'Seek' }, 'root: Seek.target: got undefined, must be a point'],
    [
      'a list that is missing',
      { type: 'Blend' },
      'root: blend.parts: got undefined, must be an array of behaviours',
    ],
    [
      'an axis that is missing',
      { type: 'Seek', target: { x: 1, y: 2 } },
      'root.target.z: got undefined, must be a number',
    ],
    [
      'an axis too many',
      { type: 'Seek', target: { ...AT, w: 1 } },
      'root.target.w: got 1, is not an option here: allowed are x, y, z',
    ],
    ['a text for a number', { type: 'Wander', radius: '3' }, "root.radius: got '3', must be a number"],
    ['null for a number', { type: 'Wander', radius: null }, 'root.radius: got null, must be a number'],
    ['a number for a string', { type: 'Face', target: AT, roll: 3 }, 'root.roll: got 3, must be a string'],
    [
      'a text for a switch',
      { type: 'Hide', target: AT, obstacles: { type: 'Obstacles', obstacles: [] }, onlyIfSeen: 'yes' },
      "root.onlyIfSeen: got 'yes', must be true or false",
    ],
    ['an object for a list', { type: 'Blend', parts: {} }, 'root.parts: got an object, must be an array'],
    ['a number for a point', { type: 'Seek', target: 3 }, 'root.target: got 3, must be an object'],
    ['a list for a table', { type: 'Modes', trees: [seek] }, 'root.trees: got an array, must be an object'],
    [
      'a value for an option that takes only names',
      { type: 'Pursue', target: { position: AT, velocity: AT } },
      'root.target: got an object, must be a name: { ref }',
    ],
    [
      'a name that is not there',
      { type: 'Pursue', target: { ref: 'player' } },
      "root.target.ref: got 'player', must be a name in references",
    ],
    [
      'a name of no place',
      { type: 'Seek', target: { ref: 'rock.position' } },
      "root.target.ref: got 'rock.position', must be a name in references",
    ],
    [
      'a name that is no text',
      { type: 'Pursue', target: { ref: 3 } },
      'root.target.ref: got 3, must be a string',
    ],
    [
      'a name and more',
      { type: 'Pursue', target: { ref: 'rock', x: 3 } },
      'root.target.x: got 3, must not be beside ref',
    ],
    [
      'the name of the wrong thing',
      { type: 'Pursue', target: { ref: 'rock' } },
      'root: Pursue.target: got { mass }, must have a position and a velocity',
    ],
    [
      'the name of no function',
      { type: 'Hide', target: AT, obstacles: { type: 'Obstacles' }, ignore: { ref: 'rock' } },
      'root.ignore: got an object, must be the name of a function',
    ],
    [
      'the wrong type of thing',
      { type: 'AvoidObstacles', obstacles: seek },
      'root: AvoidObstacles.obstacles: got an instance of Seek, must be a set of Obstacles',
    ],
    [
      'an object that is not a behaviour',
      { type: 'Blend', parts: [{ type: 'SphereShape', radius: 1 }] },
      'root: blend.parts[0]: got an instance of SphereShape, must be a behaviour',
    ],
    [
      'a root that is no behaviour',
      { type: 'SphereShape', radius: 1 },
      'root: got an object of class SphereShape, must be a behaviour',
    ],
    [
      'an id twice',
      {
        type: 'Blend',
        parts: [
          { ...seek, id: 1 },
          { ...seek, id: 1 },
        ],
      },
      'root.parts[1].id: got 1, must be a number that no other object has',
    ],
    [
      'an id that is no number',
      { ...seek, id: 'a' },
      "root.id: got 'a', must be a number that no other object has",
    ],
    [
      'the same as nothing',
      { type: 'Blend', parts: [{ same: 1 }, { ...seek, id: 1 }] },
      'root.parts[0].same: got 1, must be the id of an earlier object that is complete',
    ],
    [
      'a tree inside of itself',
      { type: 'Blend', id: 1, parts: [{ same: 1 }] },
      'root.parts[0].same: got 1, must be the id of an earlier object that is complete',
    ],
    [
      'the same and more',
      {
        type: 'Blend',
        parts: [
          { ...seek, id: 1 },
          { same: 1, x: 1 },
        ],
      },
      'root.parts[1].x: got 1, must not be beside same',
    ],
  ] as [string, unknown, string][])('%s', (_, root, text) => {
    const rock = { mass: 1 }
    expect(load(root, { rock })).toThrow(TypeError)
    expect(load(root, { rock })).toThrow(`loadPreset: ${text}`)
  })

  it('an option that a constructor refuses, with its place, its message and its error class', () => {
    const root = { type: 'Within', constraints: [], wishes: [{ type: 'Arrive', target: AT, dwell: -1 }] }
    expect(load(root)).toThrow(
      new RangeError('loadPreset: root.wishes[0]: Arrive.dwell: got -1, must be ≥ 0'),
    )
    const huge = { type: 'Seek', target: { x: 'Infinity', y: 0, z: 0 } }
    expect(load(huge)).toThrow(
      new RangeError('loadPreset: root: Seek.target: got (Infinity, 0, 0), must be finite'),
    )
    const likely = { type: 'Dither', parts: [{ behavior: seek, probability: 1.5 }] }
    expect(load(likely)).toThrow(RangeError)
  })

  it('an error thrown by a custom constructor', () => {
    class Moody extends Shiver {
      constructor(options: object) {
        super()
        // a thrown string is reported, too
        throw `no mood for ${Object.keys(options).length} options` as unknown
      }
    }
    const types = [presetType('Moody', Moody, {})]
    const preset = { type: 'steering-preset', version: 1, root: { type: 'Moody' } }
    expect(() => loadPreset(preset, { types })).toThrow(
      new TypeError('loadPreset: root: no mood for 0 options'),
    )
  })

  it('cyclic data that never was JSON', () => {
    const parts: unknown[] = []
    const root = { type: 'Blend', parts }
    parts.push(root)
    expect(load(root)).toThrow('loadPreset: root.parts[0]: got an object, must not contain itself')
  })

  it('an object that is not a preset, or a preset of another version', () => {
    expect(() => loadPreset('{}')).toThrow(
      "loadPreset: got '{}', must be an object of type 'steering-preset'",
    )
    expect(() => loadPreset(null)).toThrow('loadPreset: got null, must be')
    expect(() => loadPreset({ type: 'flow-field' })).toThrow('loadPreset: got an object, must be')
    const { version: _, ...old } = savePreset(new Wander())
    expect(() => loadPreset(old)).toThrow(new RangeError('loadPreset: version: got undefined, must be 1'))
    expect(() => loadPreset({ ...old, version: 2 })).toThrow(RangeError)
    expect(() => loadPreset({ ...old, version: 1, tree: 3 })).toThrow(
      'loadPreset: tree: got 3, is not a key of a preset',
    )
  })

  it('invalid references or invalid types', () => {
    const preset = savePreset(new Wander())
    expect(() => loadPreset(preset, { references: { a: null as never } })).toThrow(
      'loadPreset: references.a: got null',
    )
    expect(() => loadPreset(preset, { types: [] })).toThrow(
      "root.type: got 'Wander', which is not a registered type",
    )
    expect(() => loadPreset(preset, { types: null as never })).toThrow('loadPreset: types: got null')
  })
})

describe('presetType refuses', () => {
  it.each([
    ['no name', '', Shiver, {}, "presetType: name: got '', must be a string"],
    ['no class', 'A', {}, {}, "presetType 'A': type: got { }, must be a class"],
    ['an unknown kind', 'A', Shiver, { a: 'vectors' }, "presetType 'A'.a: got 'vectors', must be one of"],
    [
      'an unknown kind in a list',
      'A',
      Shiver,
      { a: [{ b: 3 }] },
      "presetType 'A'.a[].b: got 3, must be the kind",
    ],
    [
      'a reserved name',
      'A',
      Shiver,
      { ref: 'text' },
      "presetType 'A': got an option 'ref', must not be named",
    ],
  ])('%s', (_, name, type, options, text) => {
    expect(() => presetType(name, type as never, options as never)).toThrow(TypeError)
    expect(() => presetType(name, type as never, options as never)).toThrow(text)
  })
})

describe('a damaged preset', () => {
  const scene = randomScene(3)
  const bases = Object.values(FULL).map((make) => {
    const behavior = make(scene)
    const references = referencesOf(scene, behavior)
    return { references, preset: throughJson(savePreset(behavior, { references })) }
  })
  /** Every place in JSON data, as the object that holds it and its key. */
  const places = (data: unknown, found: [Record<string, unknown>, string][] = []): typeof found => {
    if (typeof data !== 'object' || data === null) return found
    for (const [key, each] of Object.entries(data)) {
      found.push([data as Record<string, unknown>, key])
      places(each, found)
    }
    return found
  }

  const wrong = fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    -1,
    0,
    'NaN',
    'x',
    [],
    {},
    [null],
    { ref: 'nobody' },
    { ref: 'target' },
    { same: 1 },
    { type: 'Seek', target: AT },
    { type: 'SphereShape', radius: 1 },
    { x: 1, y: 2, z: 'Infinity' },
  )

  it('is loaded completely or refused with its place', () => {
    const base = fc.nat(bases.length - 1)
    expectConsole() // hints at options that no class has
    let refused = 0
    fc.assert(
      fc.property(base, fc.nat(), wrong, fc.boolean(), (number, where, value, adds) => {
        const { preset, references } = bases[number]!
        const damaged: unknown = structuredClone(preset)
        const all = places(damaged)
        const [holder, key] = all[where % all.length]!
        if (value === undefined) delete holder[key]
        else holder[adds && !Array.isArray(holder) ? 'more' : key] = value
        let loaded: Behavior
        try {
          loaded = loadPreset(damaged, { references })
        } catch (error) {
          refused++
          expect(error).toSatisfy((each) => each instanceof TypeError || each instanceof RangeError)
          expect((error as Error).message).toMatch(/^loadPreset: (got|version|more|root\b)/)
          return
        }
        expect(
          savePreset(loadPreset(savePreset(loaded, { references }), { references }), { references }),
        ).toEqual(savePreset(loaded, { references }))
      }),
      { numRuns: RUNS, seed: 4 },
    )
    expect(refused).toBeGreaterThan(RUNS / 2)
  })
})
