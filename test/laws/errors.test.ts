import * as CANNON from 'cannon-es'
import { Mesh } from 'three'
import { describe, expect, it } from 'vitest'
import {
  blend,
  Flock,
  modes,
  Obstacles,
  Path,
  Seek,
  SteeringController,
  SteeringWorld,
  Wander,
} from 'three-steering'
import * as bvh from 'three-steering/bvh'
import * as cannon from 'three-steering/cannon'
import { Dock } from 'three-steering/docking'
import { FlowField } from 'three-steering/flow'
import * as debug from 'three-steering/debug'
import * as explain from 'three-steering/explain'
import { pipeline } from 'three-steering/classic'
import * as net from 'three-steering/net'
import * as presets from 'three-steering/presets'
import * as rapier from 'three-steering/rapier'
import * as shards from 'three-steering/shards'
import * as snapshot from 'three-steering/snapshot'
import * as three from 'three-steering/three'
import { AGENT_OPTIONS } from 'three-steering/authoring'
import { checkOption, oneTable, type AnyTable, type OptionTables } from '../../src/core/math/options.js'
import { show } from '../../src/core/math/show.js'
import { LIBRARY } from '../support/library.js'

// Whoever passes the wrong thing reads what was expected. No message is one of the JavaScript engine, which
// speaks of the code inside, and none shows an object as [object Object].

const OF_THE_ENGINE =
  /\[object |Cannot (read|set|use|destructure|convert)|is not (a function|iterable|a constructor)|undefined is not|Invalid|before initialization|stack size/

/** Each thing stands for a class of mistakes. */
const WRONG: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'a number': 5,
  'a string': 'fast',
  'an empty object': {},
  'an empty array': [],
  'an array of nothing': [undefined],
  'an instance of another class': new Map(),
  'a function': () => undefined,
  'a class': Map,
}

const EXPORTS: Readonly<Record<string, unknown>> = {
  ...LIBRARY,
  ...bvh,
  ...cannon,
  ...debug,
  ...explain,
  ...net,
  ...presets,
  ...rapier,
  ...shards,
  ...snapshot,
  ...three,
}

/** What a call or a construction throws. */
function thrownBy(make: () => unknown): unknown {
  try {
    make()
  } catch (error) {
    return error
  }
  return undefined
}

/** Functions for behaviours of one's own, called within a step. They check nothing. */
const INSIDE_A_STEP = new Set(
  (
    'attitudeFrame axesQuat carryFrame changeOver density drive flockCenter frameFromQuat frameOf isCrowded ' +
    'isGone jakobHeading limitTorque pointToLocal pointToWorld turnTo vectorToLocal vectorToWorld'
  ).split(' '),
)

/**
 * Made or called by what checks their arguments (`dubins` by `Path`, `neighborSearch` by a world); the first
 * argument of the last two is a name.
 */
const NOT_CALLED_BY_USERS = new Set(['RapierDoor', 'dubins', 'neighborSearch', 'FlockRule', 'readOptions'])

const isClass = (value: unknown): boolean => /^class\b/.test(String(value))

const calls = Object.entries(EXPORTS).filter(
  ([name, value]) =>
    typeof value === 'function' && !INSIDE_A_STEP.has(name) && !NOT_CALLED_BY_USERS.has(name),
) as [string, (new (...args: unknown[]) => unknown) & ((...args: unknown[]) => unknown)][]

/** Messages of the JavaScript engine, by the argument for which a call throws them. */
function messagesOfTheEngine(called: (typeof calls)[number][1]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [what, wrong] of Object.entries(WRONG))
    for (const args of [[wrong], [wrong, wrong], [null, wrong]]) {
      const error = thrownBy(() => (isClass(called) ? new called(...args) : called(...args)))
      const text = String((error as Error | undefined)?.message)
      if (OF_THE_ENGINE.test(text)) found[what] = text
    }
  return found
}

describe('wrong arguments are refused in words about the argument', () => {
  it.each(calls)('%s', (_, called) => expect(messagesOfTheEngine(called)).toEqual({}))
})

const TARGET = { x: 1, y: 2, z: 3 }
const LIMITS = { maxSpeed: 5, maxForce: 5 }

const flock = new Flock({ ...LIMITS, count: 3, behavior: new Wander() })
new SteeringWorld().add(flock)

/** Things, and those of their methods that change them or read one of several. */
const METHODS: readonly (readonly [object, string])[] = [
  [new SteeringWorld(), 'add remove addPlanner removePlanner step advance drive shift'],
  [flock, 'add remove position velocity quaternion member'],
  [new Obstacles(), 'add remove shift'],
  [new Path({ points: [TARGET, { x: 0, y: 0, z: 0 }] }), 'shift'],
  [
    new FlowField({ min: { x: 0, y: 0, z: 0 }, max: TARGET, size: { x: 2, y: 2, z: 2 } }),
    'shift paint add setData',
  ],
]

describe('a method refuses what it cannot use', () => {
  it.each(
    METHODS.flatMap(([thing, names]) =>
      names.split(' ').map((name) => [thing.constructor.name, name, thing] as const),
    ),
  )('%s.%s', (_, name, thing) => {
    const error = thrownBy(() => (thing as Record<string, (...args: unknown[]) => unknown>)[name]!(new Map()))
    expect(String(error)).toMatch(/^(Type|Range)Error: /)
    expect(String(error)).not.toMatch(OF_THE_ENGINE)
  })
})

const tables: Readonly<Record<string, AnyTable>> = {
  ...Object.fromEntries(
    Object.entries(EXPORTS).flatMap(([name, value]) => {
      const { options } = Object(value) as { options?: OptionTables }
      return typeof value === 'function' && options !== undefined ? [[name, oneTable(options)]] : []
    }),
  ),
  '': AGENT_OPTIONS,
}

const options = Object.entries(tables).flatMap(([owner, table]) =>
  Object.entries(table).map(([key, option]) => [owner === '' ? key : `${owner}.${key}`, option] as const),
)

describe('an option that is refused is named first, with the value received', () => {
  it('there are many', () => expect(options.length).toBeGreaterThan(250))

  it.each(options)('%s', (name, option) => {
    for (const wrong of [undefined, null, NaN, 'fast', {}, Map]) {
      const { message } = (thrownBy(() => checkOption(name, wrong as never, option as never)) ?? {
        message: `${name}: got ${show(wrong)}, `,
      }) as Error
      expect(message).not.toMatch(OF_THE_ENGINE)
      // what is inside of an object or a list is named with its place
      if (!message.startsWith(`${name}.`) && !message.startsWith(`${name}[`))
        expect(message.slice(0, name.length + 6 + show(wrong).length)).toBe(`${name}: got ${show(wrong)}`)
    }
  })
})

/** A behaviour, a constraint, and each stage of a pipeline. */
const GOOD = { steer() {}, constrain() {}, target() {}, decompose() {}, suggest() {}, plan() {}, follow() {} }
const SWITCH = { behavior: [undefined, null, 5, {}, Map], enabled: [null, 'wrong', 0, {}] }
const NUMBER = [null, '1', NaN, -Infinity]

/** What the options of a part do not take, by the kind of the part. */
const NOT_TAKEN: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  part: SWITCH,
  weighted: { ...SWITCH, weight: NUMBER, fade: [...NUMBER, -1] },
  likely: { ...SWITCH, probability: [...NUMBER, -0.1, 1.1] },
}

/** Each list of parts of each class that presets know, with the kind of its parts. */
const lists = presets.PRESET_TYPES.flatMap((type) =>
  Object.entries(type.options).flatMap(([list, kind]) => {
    const [item] = Array.isArray(kind) ? (kind as string[]) : []
    return item !== undefined && item in NOT_TAKEN
      ? [[`${type.name}.${list}`, type, list, item] as const]
      : []
  }),
)

describe('what is wrong in a part is named with the scheme as its user calls it, the place and the option', () => {
  it('there are many lists', () => expect(lists.length).toBe(8))

  it.each(lists)('%s', (name, { make, options: kinds }, list, item) => {
    const others = Object.fromEntries(
      Object.entries(kinds).flatMap(([key, kind]) => (Array.isArray(kind) ? [[key, []]] : [])),
    )
    const place = `${name[0]!.toLowerCase()}${name.slice(1)}[2]`
    const refusal = (third: unknown) =>
      String(thrownBy(() => make({ ...others, [list]: [GOOD, { behavior: GOOD }, third] })))
    for (const wrong of SWITCH.behavior)
      expect(refusal(wrong)).toContain(`Error: ${place}: got ${show(wrong)}, must`)
    for (const [option, values] of Object.entries(NOT_TAKEN[item]!))
      for (const wrong of values)
        expect(refusal({ behavior: GOOD, [option]: wrong })).toContain(
          `Error: ${place}.${option}: got ${show(wrong)}, must`,
        )
  })
})

const TREE = new Seek({ target: { x: 0, y: 0, z: 5 } })
const world = new SteeringWorld()

describe('an error tells what was passed and what to do', () => {
  it.each<[string, () => unknown, string]>([
    [
      'a list of behaviours for one',
      () => new SteeringController(null, { ...LIMITS, behavior: [TREE] as never }),
      'behavior: got an array of 1, must be a behaviour with steer(agent, step, out); blend([a, b]) makes one of two',
    ],
    [
      'one behaviour for a list',
      () => blend(TREE as never),
      'blend.parts: got an instance of Seek, must be an array of behaviours',
    ],
    [
      'a class for an instance',
      () => new SteeringController(null, { ...LIMITS, behavior: Seek as never }),
      'behavior: got function Seek, must be a behaviour with steer(agent, step, out); blend([a, b]) makes one of two',
    ],
    [
      'a tree that is none',
      () => modes({ patrol: TREE, chase: null as never }),
      'modes.trees.chase: got null, must be a behaviour with steer(agent, step, out); blend([a, b]) makes one of two',
    ],
    [
      'a stage that is none',
      () => pipeline({ targeters: [{} as never], actuator: {} as never }),
      'pipeline.targeters[0]: got { }, must have a method target',
    ],
    [
      'no options after the object',
      () => new (SteeringController as unknown as new (object: null) => unknown)(null),
      'options, last argument: got undefined, must be an object with options',
    ],
    [
      'null for options',
      () => new SteeringController(null, null as never),
      'options, last argument: got null, must be an object with options',
    ],
    [
      'a list for options',
      () => new Seek([TREE] as never),
      'Seek: got an array of 1, must be an object with options',
    ],
    [
      'null for the start',
      () => new SteeringController(null, { ...LIMITS, behavior: TREE, position: null as never }),
      'position: got null, must have numbers x, y, z',
    ],
    [
      'no listener',
      () => world.addEventListener('arrive', undefined as never),
      'listener: got undefined, must be a function',
    ],
    [
      'a mesh for a controller',
      () => world.add(new Mesh() as never),
      'add: got an instance of Mesh, must be a SteeringController or a Flock',
    ],
    [
      'the bodies in the wrong order',
      () => cannon.attachToCannon(new CANNON.World() as never, world as never),
      'attachToCannon: got an instance of SteeringWorld, must be a CANNON.World',
    ],
    [
      'a body for a world',
      () => cannon.attachToCannon(new CANNON.Body() as never, new CANNON.World()),
      'attachToCannon: got an instance of Body, must be a SteeringWorld',
    ],
    [
      'a plain object for a point',
      () => new Seek({ target: { near: 1, far: 2 } as never }),
      'Seek.target: got { near, far }, must be a point {x, y, z}, an object with a position, or a function',
    ],
    [
      'a body for a port',
      () => new Dock({ port: { mass: 1 } as never }),
      'Dock.port: got { mass }, must be a Port or a list of them',
    ],
    [
      'the text of a parcel',
      () => {
        const agent = new SteeringController(null, { ...LIMITS, behavior: new Wander(), seed: 1 })
        const text = JSON.stringify(shards.exportAgent(new SteeringWorld().add(agent), agent))
        shards.importAgent(new SteeringWorld(), text as never, agent)
      },
      'importAgent: parcel: got a text, must be what exportAgent has returned',
    ],
  ])('%s', (_, make, text) => expect(make).toThrow(new TypeError(text)))
})
